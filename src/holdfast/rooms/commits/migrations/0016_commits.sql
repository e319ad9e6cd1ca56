-- The newest commits of each project's repository, as git tells them.
CREATE TABLE git_commit (
    project_id  TEXT NOT NULL,
    hash        TEXT NOT NULL,
    owner       TEXT NOT NULL,
    author      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    body        TEXT NOT NULL,
    -- The paths of the files it changed, as a JSON list; `lines` has two numbers for each: added and removed.
    files       TEXT NOT NULL,
    lines       TEXT NOT NULL,
    -- Old and new path of each file that it moved, as a JSON list.
    moved       TEXT NOT NULL,
    file_count  BIGINT NOT NULL,
    is_merge    BIGINT NOT NULL,
    happened_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, hash)
);
CREATE INDEX git_commit_time ON git_commit (project_id, happened_at);

-- What is known of a project's repository: the commit that it was at when it was last read.
CREATE TABLE git_history (
    project_id TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    head       TEXT NOT NULL,
    found      TEXT NOT NULL,
    commits    BIGINT NOT NULL,
    looked_at  BIGINT NOT NULL
);
