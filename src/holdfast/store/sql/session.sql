-- name: project_add
INSERT INTO project (id, owner, place, name, created_at) VALUES (:id, :owner, :place, :name, :created_at)
ON CONFLICT (owner, place) DO NOTHING

-- name: project_by_place
SELECT id FROM project WHERE owner = :owner AND place = :place

-- name: worktree_add
INSERT INTO worktree (id, project_id, path, created_at) VALUES (:id, :project_id, :path, :created_at)
ON CONFLICT (project_id, path) DO NOTHING

-- name: worktree_by_path
SELECT id FROM worktree WHERE project_id = :project_id AND path = :path

-- name: current
-- The newest window of a conversation.
SELECT id, window_number, began_by, started_at, ended_at FROM session
WHERE conversation = :conversation AND agent_id = :agent_id
ORDER BY window_number DESC LIMIT 1

-- name: window_at
-- The window that was open at a given time, for what arrives late.
SELECT id, window_number, began_by, started_at, ended_at FROM session
WHERE conversation = :conversation AND agent_id = :agent_id AND started_at <= :at
ORDER BY window_number DESC LIMIT 1

-- name: open
INSERT INTO session (id, owner, conversation, agent_id, agent_type, window_number, project_id, worktree_id,
                     transcript_path, began_by, started_at, last_event_at, client, client_version)
SELECT :id, :owner, :conversation, :agent_id, :agent_type, :window_number, :project_id, :worktree_id,
       :transcript_path, :began_by, :started_at, :started_at, main.client, main.client_version
FROM (SELECT 1) AS one LEFT JOIN (
    -- A subagent runs in the program of its conversation.
    SELECT client, client_version FROM session
    WHERE conversation = :conversation AND agent_id = '' AND :agent_id <> '' ORDER BY window_number DESC LIMIT 1
) AS main ON TRUE
WHERE TRUE
ON CONFLICT (conversation, agent_id, window_number) DO NOTHING

-- name: adopt
-- A SessionStart that came after the first event of its window.
UPDATE session SET began_by = :began_by WHERE id = :id

-- name: client
-- The program that a window belongs to, once it is known. A transcript tells late what a hook would have told.
UPDATE session SET client = :name, client_version = :version WHERE id = :id AND client IS NULL

-- name: touch
UPDATE session SET last_event_at = :at WHERE id = :id AND last_event_at < :at

-- name: touch_all [sqlite]
-- The same for several windows: a list of pairs of id and time, each window once.
UPDATE session SET last_event_at = given.at
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS at FROM json_each(:windows)) AS given
WHERE session.id = given.id AND session.last_event_at < given.at

-- name: touch_all [postgresql]
UPDATE session SET last_event_at = CAST(given.pair ->> 1 AS bigint)
FROM (SELECT json_array_elements(CAST(:windows AS json)) AS pair) AS given
WHERE session.id = given.pair ->> 0 AND session.last_event_at < CAST(given.pair ->> 1 AS bigint)

-- name: end
-- A window ends once; a later event of the same window does not bring it back. What happened before a window began
-- and arrives late does not end it.
UPDATE session SET ended_at = :at, end_reason = :reason WHERE id = :id AND ended_at IS NULL AND started_at <= :at

-- name: end_agents
-- The end of a conversation ends the windows of its subagents.
UPDATE session SET ended_at = :at, end_reason = :reason
WHERE conversation = :conversation AND ended_at IS NULL AND started_at <= :at

-- name: counts
-- Active is a main agent's window that something happened in lately, unless all that is known of it was imported.
SELECT COUNT(*) AS total,
       COALESCE(SUM(CASE WHEN ended_at IS NULL AND last_event_at >= :since AND agent_id = '' AND EXISTS (
           SELECT 1 FROM journal WHERE journal.conversation = session.conversation AND journal.source <> 'import'
       ) THEN 1 ELSE 0 END), 0) AS active
FROM session WHERE owner = :owner

-- name: clients
-- Which programs sessions of late belong to, as far as they said.
SELECT client, COUNT(*) AS sessions FROM session
WHERE owner = :owner AND agent_id = '' AND last_event_at >= :since AND client IS NOT NULL
GROUP BY client ORDER BY client

-- name: of_conversation
SELECT * FROM session WHERE conversation = :conversation ORDER BY agent_id, window_number

-- name: open_transcripts
SELECT DISTINCT transcript_path FROM session
WHERE owner = :owner AND ended_at IS NULL AND agent_id = '' AND transcript_path IS NOT NULL AND last_event_at >= :since

-- name: known_windows
-- The newest windows that something happened in lately, of all agents.
SELECT id, conversation, agent_id, window_number, began_by, started_at, ended_at FROM session
WHERE owner = :owner AND last_event_at >= :since ORDER BY last_event_at DESC LIMIT :limit

-- name: known_worktrees
SELECT worktree.id, worktree.project_id, worktree.path, project.place, project.name FROM worktree
JOIN project ON project.id = worktree.project_id
WHERE project.owner = :owner ORDER BY worktree.created_at DESC LIMIT :limit

-- name: fact
SELECT value FROM fact WHERE name = :name

-- name: fact_set
INSERT INTO fact (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING

-- name: fact_put
INSERT INTO fact (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: meter_add
INSERT INTO meter (owner, event, name, value) VALUES (:owner, :event, :name, :value)
ON CONFLICT (owner, event, name) DO UPDATE SET value = meter.value + excluded.value

-- name: meters
SELECT event, name, value FROM meter WHERE owner = :owner

-- name: transcript_position
SELECT read_bytes FROM transcript WHERE path = :path

-- name: transcript_read
INSERT INTO transcript (path, conversation, read_bytes, read_at) VALUES (:path, :conversation, :read_bytes, :read_at)
ON CONFLICT (path) DO UPDATE SET read_bytes = excluded.read_bytes, read_at = excluded.read_at
