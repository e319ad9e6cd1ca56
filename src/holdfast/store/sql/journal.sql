-- The entries of one conversation or tool use are few, those of one kind of event are many. COALESCE(event, '') keeps
-- SQLite, whatever its statistics say, from looking for the former among the latter.

-- name: insert
-- Keep one arrival. Changes nothing (0 rows) when the same event is there already.
INSERT INTO journal (id, event_key, owner, event, conversation, agent_id, session_id, project_id, worktree_id,
                     prompt_id, tool_name, tool_use_id, happened_at, received_at, source, payload, scrubbed, cut_bytes)
VALUES (:id, :event_key, :owner, :event, :conversation, :agent_id, :session_id, :project_id, :worktree_id,
        :prompt_id, :tool_name, :tool_use_id, :happened_at, :received_at, :source, :payload, :scrubbed, :cut_bytes)
ON CONFLICT DO NOTHING

-- name: get
SELECT * FROM journal WHERE id = :id

-- name: probe
-- Needs the locks that a new entry needs, and changes nothing.
UPDATE journal SET event = event WHERE id = ''

-- name: has_key
SELECT 1 AS found FROM journal WHERE event_key = :event_key

-- name: has_tool_use
-- Was this tool use seen at this event?
SELECT 1 AS found FROM journal
WHERE tool_use_id = :tool_use_id AND COALESCE(event, '') = :event AND conversation = :conversation LIMIT 1

-- name: has_prompt
-- Was this event of this prompt seen?
SELECT 1 AS found FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = :event AND prompt_id = :prompt_id AND agent_id = :agent_id LIMIT 1

-- name: of_prompt
-- The entries of one kind that one prompt of one agent led to.
SELECT happened_at, payload FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = :event AND COALESCE(prompt_id, '') = :prompt_id AND agent_id = :agent_id
ORDER BY happened_at

-- name: first_arrival
-- When a conversation was first heard of by itself, not by its transcript.
SELECT happened_at FROM journal
WHERE conversation = :conversation AND source NOT IN ('transcript', 'import') ORDER BY happened_at LIMIT 1

-- name: recovered_tool_use
-- Was this very event read from the transcript before it arrived (from the spool, late)?
SELECT 1 AS found FROM journal
WHERE tool_use_id = :tool_use_id AND COALESCE(event, '') = :event AND conversation = :conversation AND source = 'transcript' LIMIT 1

-- name: list
-- The newest first; empty filters match everything.
SELECT journal.*, session.client, session.client_version
FROM journal LEFT JOIN session ON session.id = journal.session_id
WHERE (:conversation = '' OR journal.conversation = :conversation)
  AND (:event = '' OR journal.event = :event)
  AND journal.happened_at >= :since
  AND journal.owner = :owner
ORDER BY journal.happened_at DESC, journal.id DESC
LIMIT :limit

-- name: after
-- What arrived after a given entry, in order of arrival: for those who follow.
SELECT journal.*, session.client, session.client_version
FROM journal LEFT JOIN session ON session.id = journal.session_id
WHERE journal.id > :id AND journal.owner = :owner
  AND (:conversation = '' OR journal.conversation = :conversation)
  AND (:event = '' OR journal.event = :event)
ORDER BY journal.id
LIMIT :limit

-- name: to_rebuild
-- Old entries in the order of their arrival, with the place each belongs to.
SELECT journal.id, journal.event, journal.conversation, journal.agent_id, journal.prompt_id, journal.tool_name,
       journal.tool_use_id, journal.happened_at, journal.payload, journal.project_id, project.name AS project_name,
       project.place AS identity, journal.worktree_id, worktree.path AS worktree_path, journal.session_id,
       session.window_number
FROM journal
LEFT JOIN project ON project.id = journal.project_id
LEFT JOIN worktree ON worktree.id = journal.worktree_id
LEFT JOIN session ON session.id = journal.session_id
WHERE journal.id > :after AND journal.id <= :until AND journal.owner = :owner
ORDER BY journal.id
LIMIT :limit

-- name: count_to_rebuild
SELECT COUNT(*) AS n FROM journal WHERE id <= :until AND owner = :owner

-- name: is_there
SELECT 1 AS found FROM journal WHERE id = :id

-- name: count
SELECT COUNT(*) AS n FROM journal

-- name: told_at
-- Was this read from a transcript, whichever conversation it was counted to?
SELECT 1 AS found FROM journal
WHERE event = :event AND happened_at = :at AND COALESCE(prompt_id, '') = :prompt_id AND tool_use_id IS NULL
  AND source IN ('transcript', 'import') LIMIT 1

-- name: note_given
-- What the model is given with the answer to an event.
INSERT INTO given (entry_id, owner, conversation, agent_id, event, origins, marks, text, tokens, happened_at)
VALUES (:entry_id, :owner, :conversation, :agent_id, :event, :origins, :marks, :text, :tokens, :happened_at)
ON CONFLICT (entry_id) DO NOTHING
