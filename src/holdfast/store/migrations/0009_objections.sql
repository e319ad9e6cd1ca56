-- What an agent said against a person's words. They stay in force; the objection is shown beside them.
CREATE TABLE objection (
    item_id     TEXT PRIMARY KEY,
    new_id      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    owner       TEXT NOT NULL
);
CREATE INDEX objection_new ON objection (new_id);

-- Agents could overrule people before. What they hid holds again.
INSERT INTO objection (item_id, new_id, reason, made_by, happened_at, owner)
SELECT old_id, new_id, reason, made_by, happened_at, owner FROM supersession
WHERE made_by = 'agent' AND (
    old_id IN (SELECT id FROM memory WHERE trust = 'user')
    OR old_id IN (SELECT id FROM prompt)
    OR old_id IN (SELECT id FROM summary WHERE written_by = 'user'));
DELETE FROM supersession WHERE old_id IN (SELECT item_id FROM objection);
UPDATE recall_item SET superseded = 0 WHERE id IN (SELECT item_id FROM objection);
