-- name: bury
-- Remember, as a hash, what must not come back.
INSERT INTO tombstone (mark, until_at, forgotten_at) VALUES (:mark, :until_at, :forgotten_at)
ON CONFLICT (mark) DO UPDATE SET forgotten_at = excluded.forgotten_at,
    until_at = CASE WHEN excluded.until_at > tombstone.until_at THEN excluded.until_at ELSE tombstone.until_at END

-- name: marks
SELECT mark, until_at, forgotten_at FROM tombstone

-- name: is_forgotten
-- Does one of these marks lie on something that happened at this time? (Marks that do not apply are ''.)
SELECT 1 AS found FROM tombstone WHERE mark IN (:one, :two, :three, :four, :five) AND until_at >= :at LIMIT 1

-- name: until
SELECT until_at FROM tombstone WHERE mark = :mark

-- name: entry
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE id = :id AND owner = :owner

-- name: entries_of_use
-- All that the journal holds of a tool use, in whichever conversation (a fork copies its parent's).
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE tool_use_id = :tool_use_id AND owner = :owner

-- name: batches_of_use
-- A batch repeats its tool uses; :like is the tool use's id between per cent signs.
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'PostToolBatch' AND owner = :owner AND payload LIKE :like

-- name: entries_of_prompt
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND prompt_id = :prompt_id AND owner = :owner
  AND event IN ('UserPromptSubmit', 'UserPromptExpansion')

-- name: entries_of_conversation
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND owner = :owner LIMIT :limit

-- name: entries_holding
-- Entries of the journal in which a path stands; :like is the path as it stands in JSON, between per cent signs.
SELECT id FROM journal WHERE owner = :owner AND payload LIKE :like ESCAPE '!'

-- name: entries_of_text
-- Entries of the journal that contain a text; :like is the text in lower case, as it stands in JSON.
SELECT id FROM journal WHERE owner = :owner AND LOWER(payload) LIKE :like ESCAPE '!'

-- name: entries_before
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE owner = :owner AND happened_at < :before LIMIT :limit

-- name: count_of_conversation
SELECT COUNT(*) AS n FROM journal WHERE conversation = :conversation AND owner = :owner

-- name: count_before
SELECT COUNT(*) AS n FROM journal WHERE owner = :owner AND happened_at < :before

-- name: drop_entry
DELETE FROM journal WHERE id = :id

-- name: alias
SELECT local_id FROM alias WHERE foreign_id = :id

-- name: alias_add
INSERT INTO alias (foreign_id, local_id) VALUES (:foreign_id, :local_id)
ON CONFLICT (foreign_id) DO UPDATE SET local_id = excluded.local_id

-- name: worktrees
SELECT project_id, path FROM worktree JOIN project ON project.id = worktree.project_id WHERE owner = :owner

-- name: whole_entries
-- Old entries of the journal that still have their whole payload; :like matches the light form.
SELECT id, payload FROM journal
WHERE event = :event AND happened_at < :before AND owner = :owner AND payload NOT LIKE :like LIMIT :limit

-- name: lighten
UPDATE journal SET payload = :payload, cut_bytes = cut_bytes + :gone WHERE id = :id

-- name: next_event
-- The kinds of events in the journal, one after the other.
SELECT MIN(event) AS event FROM journal WHERE event > :event

-- name: drop_entries
-- Entries of one kind that are old enough to go; :limit of them.
DELETE FROM journal WHERE id IN (
    SELECT id FROM journal WHERE event = :event AND happened_at < :before AND owner = :owner LIMIT :limit)

-- name: bytes_by_day
-- Payload bytes per day, the oldest first: which day to cut at.
SELECT happened_at / 86400000000 AS day, SUM(length(payload)) AS bytes FROM journal WHERE owner = :owner GROUP BY 1 ORDER BY 1

-- name: growth_put
INSERT INTO growth (day, name, bytes, rows) VALUES (:day, :name, :bytes, :rows)
ON CONFLICT (day, name) DO UPDATE SET bytes = excluded.bytes, rows = excluded.rows

-- name: growth_since
SELECT day, name, bytes, rows FROM growth WHERE day >= :day ORDER BY day, name

-- name: growth_drop
DELETE FROM growth WHERE day < :day

-- name: takeover_add
INSERT INTO takeover (home, subject, read_bytes, total_bytes, kept, state, updated_at)
VALUES (:home, :subject, 0, :total_bytes, 0, 'waiting', :at)
ON CONFLICT (home, subject) DO UPDATE SET total_bytes = excluded.total_bytes, state = 'waiting', updated_at = excluded.updated_at
WHERE takeover.read_bytes <> excluded.total_bytes OR takeover.state <> 'done'

-- name: takeover_next
SELECT * FROM takeover WHERE home = :home AND state = 'waiting' ORDER BY subject LIMIT 1

-- name: takeover_on
UPDATE takeover SET read_bytes = :read_bytes, kept = kept + :kept, state = :state, updated_at = :at
WHERE home = :home AND subject = :subject

-- name: takeover_pause
UPDATE takeover SET state = 'paused' WHERE home = :home AND state = 'waiting'

-- name: takeover_counts
SELECT state, COUNT(*) AS n, COALESCE(SUM(read_bytes), 0) AS read_bytes, COALESCE(SUM(total_bytes), 0) AS total_bytes,
       COALESCE(SUM(kept), 0) AS kept
FROM takeover WHERE home = :home GROUP BY state

-- name: conversations_like
-- The conversation that is meant by its id or the beginning of it.
SELECT DISTINCT conversation FROM session WHERE owner = :owner AND (conversation = :named OR conversation LIKE :like)

-- name: has_end
SELECT 1 AS found FROM journal WHERE conversation = :conversation AND COALESCE(event, '') = 'SessionEnd' LIMIT 1

-- name: end_of
-- The last that is known of a conversation, and where it was.
SELECT journal.happened_at, worktree.path AS cwd FROM journal JOIN worktree ON worktree.id = journal.worktree_id
WHERE journal.conversation = :conversation AND journal.agent_id = '' ORDER BY journal.happened_at DESC LIMIT 1

-- name: conversation_of
-- The conversation of a context window.
SELECT conversation FROM session WHERE id = :id

-- name: projects
-- Every project of an owner, with how much happened there.
SELECT project.id, project.name, project.place, COUNT(DISTINCT session.conversation) AS sessions,
  MAX(session.last_event_at) AS last_at
FROM project LEFT JOIN session ON session.project_id = project.id
WHERE project.owner = :owner
GROUP BY project.id, project.name, project.place, project.created_at
ORDER BY COALESCE(MAX(session.last_event_at), project.created_at) DESC
