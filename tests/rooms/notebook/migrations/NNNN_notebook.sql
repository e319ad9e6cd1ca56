-- The notes of the notebook. The last eight characters of an id are its short form, hence the index on them.
CREATE TABLE note (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    entry_id     TEXT NOT NULL,
    text         TEXT NOT NULL,
    file         TEXT NOT NULL,
    trust        TEXT NOT NULL,
    made_at      BIGINT NOT NULL
);
CREATE INDEX note_short ON note (substr(id, 29));
CREATE INDEX note_time ON note (owner, made_at);
