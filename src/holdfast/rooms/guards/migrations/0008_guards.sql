-- The guards room: what was refused, asked about, or run after its bytes were kept. `command` is scrubbed like the journal.
-- The id is that of the journal entry. `kept_id` names the folder below `undo/`; '' when nothing was kept.
CREATE TABLE refusal (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    tool         TEXT NOT NULL,
    decision     TEXT NOT NULL,
    rule         TEXT NOT NULL,
    reason       TEXT NOT NULL,
    command      TEXT NOT NULL,
    kept_id      TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX refusal_time ON refusal (owner, happened_at);
CREATE INDEX refusal_short ON refusal (substr(id, 29));
