-- All objections to an item stay, not only the last.
-- only: sqlite
CREATE TABLE objection_all (
    item_id     TEXT NOT NULL,
    new_id      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    owner       TEXT NOT NULL,
    PRIMARY KEY (item_id, happened_at)
);
INSERT INTO objection_all (item_id, new_id, reason, made_by, happened_at, owner)
SELECT item_id, new_id, reason, made_by, happened_at, owner FROM objection;
DROP TABLE objection;
ALTER TABLE objection_all RENAME TO objection;
CREATE INDEX objection_new ON objection (new_id);
-- end
-- only: postgresql
ALTER TABLE objection DROP CONSTRAINT objection_pkey;
ALTER TABLE objection ADD PRIMARY KEY (item_id, happened_at);
-- end
