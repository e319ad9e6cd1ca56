-- The road's own tables: what arrived, from where, in which window, and the work that waits.
-- Ids are UUIDv7 text, times are UTC microseconds, JSON is text. One dialect for both databases:
-- BLOB is read as BYTEA by PostgreSQL; a block between "-- only: DATABASE" and "-- end" is for that one alone.

-- Facts about this store as a whole (when it was born, who owns it).
CREATE TABLE fact (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- A repository (its git common directory), or a folder outside any; `name` is for people.
CREATE TABLE project (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    place      TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX project_place ON project (owner, place);

-- A working copy of a project.
CREATE TABLE worktree (
    id         TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES project (id),
    path       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX worktree_path ON worktree (project_id, path);

-- One context window of one agent. `conversation` is the client's session_id; a compaction opens the next window.
CREATE TABLE session (
    id              TEXT PRIMARY KEY,
    owner           TEXT NOT NULL,
    conversation    TEXT NOT NULL,
    agent_id        TEXT NOT NULL,
    agent_type      TEXT,
    window_number   BIGINT NOT NULL,
    project_id      TEXT NOT NULL REFERENCES project (id),
    worktree_id     TEXT NOT NULL REFERENCES worktree (id),
    transcript_path TEXT,
    began_by        TEXT NOT NULL,
    started_at      BIGINT NOT NULL,
    last_event_at   BIGINT NOT NULL,
    ended_at        BIGINT,
    end_reason      TEXT
);
CREATE UNIQUE INDEX session_window ON session (conversation, agent_id, window_number);
CREATE INDEX session_recent ON session (project_id, last_event_at);

-- Everything that arrived, scrubbed and size-capped, once. The truth: all else can be rebuilt from it.
-- `event_key` says when two arrivals are the same event, whichever door they came by.
CREATE TABLE journal (
    id           TEXT PRIMARY KEY,
    event_key    TEXT NOT NULL,
    owner        TEXT NOT NULL,
    event        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    session_id   TEXT,
    project_id   TEXT,
    worktree_id  TEXT,
    prompt_id    TEXT,
    tool_name    TEXT,
    tool_use_id  TEXT,
    happened_at  BIGINT NOT NULL,
    received_at  BIGINT NOT NULL,
    source       TEXT NOT NULL,
    payload      TEXT NOT NULL,
    scrubbed     TEXT,
    cut_bytes    BIGINT NOT NULL
);
CREATE UNIQUE INDEX journal_key ON journal (event_key);
CREATE INDEX journal_conversation ON journal (conversation, happened_at);
CREATE INDEX journal_tool_use ON journal (tool_use_id) WHERE tool_use_id IS NOT NULL;
CREATE INDEX journal_event ON journal (event, happened_at);

-- How far each transcript has been compared with the journal.
CREATE TABLE transcript (
    path         TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    read_bytes   BIGINT NOT NULL,
    read_at      BIGINT NOT NULL
);

-- Work that must not be done on the hook's time. Durable: a job is enqueued in the transaction that causes it.
-- `home` is the daemon whose files it needs; on a shared database the others leave it alone.
CREATE TABLE job (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    arguments   TEXT NOT NULL,
    home        TEXT NOT NULL,
    state       TEXT NOT NULL,
    attempts    BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    taken_at    BIGINT,
    error       TEXT
);
CREATE INDEX job_due ON job (home, state, due_at);
-- The same work asked for twice before it began is one job.
CREATE UNIQUE INDEX job_waiting ON job (home, kind, subject) WHERE state = 'waiting';

-- Entries whose later steps have not run yet. Written with the entry, gone with the steps' effects: exactly once.
CREATE TABLE follow_up (
    entry_id TEXT PRIMARY KEY,
    home     TEXT NOT NULL
);

-- Counters and latency histograms per event, so that silence is visible across restarts.
CREATE TABLE meter (
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    name  TEXT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (owner, event, name)
);
