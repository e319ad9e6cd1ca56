-- Upkeep: what must not come back, what was taken over from elsewhere, how the store grew, what a model wrote and cost.

-- What was forgotten, as hashes only: neither words nor ids stand here. An event or item that leads to a mark and
-- happened no later than `until_at` is not taken again, whether from a transcript, the spool or an export.
CREATE TABLE tombstone (
    mark         TEXT PRIMARY KEY,
    until_at     BIGINT NOT NULL,
    forgotten_at BIGINT NOT NULL
);

-- How far a transcript was taken over. `home` is the daemon whose disk it is on; `read_bytes` equals `total_bytes` when
-- nothing is left of it, unless the file has grown since.
CREATE TABLE takeover (
    home        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    read_bytes  BIGINT NOT NULL,
    total_bytes BIGINT NOT NULL,
    kept        BIGINT NOT NULL,
    state       TEXT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (home, subject)
);

-- Projects and sessions of an imported store that this one knew already, under ids of its own.
CREATE TABLE alias (
    foreign_id TEXT PRIMARY KEY,
    local_id   TEXT NOT NULL
);

-- The size of each table, once a day; `name` is '' for the whole store. Where a database cannot tell, bytes are 0.
CREATE TABLE growth (
    day   BIGINT NOT NULL,
    name  TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    rows  BIGINT NOT NULL,
    PRIMARY KEY (day, name)
);

-- Every call of a model that the user allowed, and what it cost. `day` counts days since the epoch, UTC.
CREATE TABLE model_call (
    id            TEXT PRIMARY KEY,
    owner         TEXT NOT NULL,
    day           BIGINT NOT NULL,
    purpose       TEXT NOT NULL,
    subject       TEXT NOT NULL,
    model         TEXT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    usd           DOUBLE PRECISION NOT NULL,
    error         TEXT,
    began_at      BIGINT NOT NULL,
    took_ms       BIGINT NOT NULL
);
CREATE INDEX model_call_day ON model_call (owner, day);

-- What a model wrote in place of a summary, of which facts (a hash), and what the rules had written (JSON both).
CREATE TABLE model_summary (
    subject    TEXT PRIMARY KEY,
    facts      TEXT NOT NULL,
    by_model   TEXT NOT NULL,
    by_rules   TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
