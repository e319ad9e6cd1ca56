-- Items are neighbours by the agent whose work they were; a session is one window of it.
ALTER TABLE recall_item RENAME COLUMN session_id TO listener;
DROP INDEX recall_item_session;
CREATE INDEX recall_item_listener ON recall_item (listener, position);
