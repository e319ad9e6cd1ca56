-- name: add
INSERT INTO refusal (id, owner, project_id, conversation, agent_id, tool, decision, rule, reason, command, kept_id, happened_at)
VALUES (:id, :owner, :project_id, :conversation, :agent_id, :tool, :decision, :rule, :reason, :command, :kept_id, :happened_at)
ON CONFLICT (id) DO NOTHING

-- name: listed
-- The newest first.
SELECT * FROM refusal WHERE owner = :owner AND happened_at >= :since ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: counts
-- How often each rule decided.
SELECT rule, decision, COUNT(*) AS n, MAX(happened_at) AS last_at FROM refusal
WHERE owner = :owner GROUP BY rule, decision ORDER BY n DESC, rule
