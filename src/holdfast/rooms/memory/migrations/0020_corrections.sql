-- A prompt may correct several things: `part` is the number of the correction in its prompt.
-- only: sqlite
CREATE TABLE correction_each (
    prompt_id   TEXT NOT NULL,
    part        TEXT NOT NULL,
    text        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    state       TEXT NOT NULL,
    memory_id   TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    PRIMARY KEY (prompt_id, part)
);
INSERT INTO correction_each (prompt_id, part, text, kind, state, memory_id, happened_at)
SELECT prompt_id, '1', text, kind, state, memory_id, happened_at FROM correction;
DROP TABLE correction;
ALTER TABLE correction_each RENAME TO correction;
CREATE INDEX correction_state ON correction (state, happened_at);
-- end
-- only: postgresql
ALTER TABLE correction ADD COLUMN part TEXT NOT NULL DEFAULT '1';
ALTER TABLE correction ALTER COLUMN part DROP DEFAULT;
ALTER TABLE correction DROP CONSTRAINT correction_pkey;
ALTER TABLE correction ADD PRIMARY KEY (prompt_id, part);
-- end
