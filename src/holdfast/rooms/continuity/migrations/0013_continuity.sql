-- Continuity: checkpoints of conversations, what sessions came to, hand-overs, and what compactions dropped.

-- Where a conversation stood. `stand` is JSON; `digest` proves that it reads back as it was written.
CREATE TABLE checkpoint (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    window_id    TEXT NOT NULL,
    entry_id     TEXT NOT NULL,
    reason       TEXT NOT NULL,
    auto_created BIGINT NOT NULL,
    threshold    BIGINT NOT NULL,
    title        TEXT NOT NULL,
    stand        TEXT NOT NULL,
    files        TEXT NOT NULL,
    digest       TEXT NOT NULL,
    made_at      BIGINT NOT NULL
);
CREATE INDEX checkpoint_short ON checkpoint (substr(id, 29));
CREATE INDEX checkpoint_project ON checkpoint (project_id, made_at);
CREATE INDEX checkpoint_conversation ON checkpoint (conversation, made_at);

-- What a session came to, in the words of who ended it. `tags` is a JSON list.
CREATE TABLE debrief (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    task         TEXT NOT NULL,
    approach     TEXT NOT NULL,
    outcome      TEXT NOT NULL,
    tags         TEXT NOT NULL,
    notes        TEXT NOT NULL,
    trust        TEXT NOT NULL,
    made_at      BIGINT NOT NULL
);
CREATE INDEX debrief_short ON debrief (substr(id, 29));
CREATE INDEX debrief_time ON debrief (owner, made_at);

-- What an agent left for the next session. Given once.
CREATE TABLE handover (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    content      TEXT NOT NULL,
    files        TEXT NOT NULL,
    made_at      BIGINT NOT NULL,
    given_to     TEXT,
    given_at     BIGINT
);
CREATE INDEX handover_project ON handover (project_id, made_at);

-- What a compaction dropped, and what was given back. `lost` is a JSON list of lines.
CREATE TABLE compaction (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    window_id    TEXT NOT NULL,
    way          TEXT NOT NULL,
    trigger      TEXT NOT NULL,
    summary      TEXT NOT NULL,
    lost         TEXT NOT NULL,
    given        TEXT NOT NULL,
    made_at      BIGINT NOT NULL
);
CREATE INDEX compaction_conversation ON compaction (conversation, made_at);
