-- name: add
-- A step that may deny runs before the project is known; the journal's entry, which is there already, knows it.
INSERT INTO refusal (id, owner, project_id, conversation, agent_id, tool, decision, rule, reason, command, kept_id, happened_at)
VALUES (:id, :owner, COALESCE((SELECT project_id FROM journal WHERE id = :id), :project_id), :conversation, :agent_id, :tool, :decision, :rule, :reason, :command, :kept_id, :happened_at)
ON CONFLICT (id) DO NOTHING

-- name: listed
-- The newest first.
SELECT * FROM refusal WHERE owner = :owner AND happened_at >= :since ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: counts
-- How often each rule decided, by the reason that it gave: several have one id. What a person allowed is no decision of a rule.
SELECT rule, reason, COUNT(*) AS n FROM refusal
WHERE owner = :owner AND decision <> 'allowed once' GROUP BY rule, reason ORDER BY n DESC, rule, reason

-- name: of_conversation
-- The newest first.
SELECT decision, rule, command, kept_id FROM refusal WHERE conversation = :conversation AND owner = :owner
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: by_short
SELECT * FROM refusal WHERE substr(id, 29) = :tail AND owner = :owner

-- name: ids_kept
SELECT DISTINCT kept_id FROM refusal WHERE owner = :owner AND kept_id <> ''

-- name: tool_events
-- What a conversation wrote and ran, oldest first: its ledger is made anew from it after a restart.
SELECT payload FROM journal
WHERE conversation = :conversation AND owner = :owner AND COALESCE(event, '') = 'PostToolUse' AND tool_name IN ('Write', 'Edit', 'MultiEdit', 'Bash')
ORDER BY happened_at, id LIMIT 1000
