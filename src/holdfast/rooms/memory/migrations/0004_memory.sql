-- The memory room: what was asked, what was done, what it came to, what is to be remembered, and who was given what.
-- A prompt and an observation have the id of the journal entry they were made from. The last eight characters of an id
-- are random and serve people and agents as its short form, hence the indexes on them.

-- What users said, without private spans and secrets. Numbered within the conversation, in the order of time.
-- `prompt_id` is the client's name for it, '' when it gave none.
CREATE TABLE prompt (
    id           TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    prompt_id    TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    number       BIGINT NOT NULL,
    text         TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX prompt_conversation ON prompt (conversation, happened_at);
CREATE INDEX prompt_project ON prompt (project_id, happened_at);
CREATE INDEX prompt_short ON prompt (substr(id, 29));

-- One thing that was done. `files` is a JSON list or NULL; `trust` says who wrote the words of `excerpt`.
CREATE TABLE observation (
    id            TEXT PRIMARY KEY,
    session_id    TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    prompt_number BIGINT NOT NULL,
    kind          TEXT NOT NULL,
    tool          TEXT NOT NULL,
    title         TEXT NOT NULL,
    outcome       TEXT NOT NULL,
    trust         TEXT NOT NULL,
    files         TEXT,
    command       TEXT,
    excerpt       TEXT,
    commit_hash   TEXT,
    happened_at   BIGINT NOT NULL
);
CREATE INDEX observation_project ON observation (project_id, happened_at);
CREATE INDEX observation_session ON observation (session_id, happened_at);
CREATE INDEX observation_short ON observation (substr(id, 29));

-- A turn, a session or a subagent's work, summed up. There is one summary of each `subject`; late news rewrites it.
CREATE TABLE summary (
    id            TEXT PRIMARY KEY,
    subject       TEXT NOT NULL,
    level         TEXT NOT NULL,
    conversation  TEXT NOT NULL,
    session_id    TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    prompt_number BIGINT NOT NULL,
    title         TEXT NOT NULL,
    request       TEXT NOT NULL,
    investigated  TEXT NOT NULL,
    done          TEXT NOT NULL,
    learned       TEXT NOT NULL,
    left_open     TEXT NOT NULL,
    said          TEXT NOT NULL,
    outcome       TEXT NOT NULL,
    files         TEXT,
    written_by    TEXT NOT NULL,
    happened_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX summary_subject ON summary (subject);
CREATE INDEX summary_project ON summary (project_id, happened_at);
CREATE INDEX summary_conversation ON summary (conversation, happened_at);
CREATE INDEX summary_short ON summary (substr(id, 29));

-- What someone asked to be remembered. An empty `project_id` means all projects of its owner.
CREATE TABLE memory (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    tags       TEXT,
    files      TEXT,
    trust      TEXT NOT NULL,
    source     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX memory_project ON memory (owner, project_id, updated_at);
CREATE INDEX memory_short ON memory (substr(id, 29));

-- That one thing took the place of another; an empty `new_id` means that it simply no longer holds.
CREATE TABLE supersession (
    old_id      TEXT PRIMARY KEY,
    new_id      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    happened_at BIGINT NOT NULL
);
CREATE INDEX supersession_new ON supersession (new_id);

-- Which file has history: edits, outcomes and memories that name it (reading it is none). Paths as in `files`; the
-- project comes first, because many have a README.md. It is empty for a memory of all projects.
-- only: sqlite
CREATE TABLE touched_file (
    project_id  TEXT NOT NULL,
    path        TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    item_id     TEXT NOT NULL,
    PRIMARY KEY (project_id, path, happened_at, item_id)
) WITHOUT ROWID;
-- end
-- only: postgresql
CREATE TABLE touched_file (
    project_id  TEXT COLLATE "C" NOT NULL,
    path        TEXT COLLATE "C" NOT NULL,
    happened_at BIGINT NOT NULL,
    item_id     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, path, happened_at, item_id)
);
-- end

-- What was given to whom, at which event, and why: one row per thing. `parts` is JSON, the parts of the score.
CREATE TABLE injection (
    entry_id     TEXT NOT NULL,
    item_id      TEXT NOT NULL,
    place        TEXT NOT NULL,
    about        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    score        DOUBLE PRECISION NOT NULL,
    parts        TEXT,
    tokens       BIGINT NOT NULL,
    happened_at  BIGINT NOT NULL,
    PRIMARY KEY (item_id, entry_id)
);
CREATE INDEX injection_conversation ON injection (conversation);

-- Which version of a web page a thing was made from (CIT-9): when the page is found changed, the thing is marked.
CREATE TABLE cited_page (
    item_id TEXT NOT NULL,
    url     TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (item_id, url)
);

-- When a conversation last lost its context by a compaction: what was given before may be given again.
CREATE TABLE lost_context (
    conversation TEXT PRIMARY KEY,
    happened_at  BIGINT NOT NULL
);
