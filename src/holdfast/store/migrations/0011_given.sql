-- What the model was given at an event, in the words it was given: for `holdfast seen`.
CREATE TABLE given (
    entry_id     TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    event        TEXT NOT NULL,
    origins      TEXT NOT NULL,
    text         TEXT NOT NULL,
    tokens       BIGINT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX given_conversation ON given (conversation, happened_at);

-- The self-test of `up` belongs to no session any more.
UPDATE journal SET session_id = NULL, project_id = NULL, worktree_id = NULL WHERE conversation = 'holdfast-selftest';
DELETE FROM session WHERE conversation = 'holdfast-selftest';
