-- name: add
-- Ask for work. Asking again before it began changes nothing.
INSERT INTO job (id, kind, subject, arguments, state, attempts, due_at, created_at)
VALUES (:id, :kind, :subject, :arguments, 'waiting', 0, :due_at, :created_at)
ON CONFLICT (kind, subject) WHERE state = 'waiting' DO NOTHING

-- name: due
SELECT * FROM job WHERE state = 'waiting' AND due_at <= :now ORDER BY due_at, id LIMIT :limit

-- name: next_due
SELECT MIN(due_at) AS due_at FROM job WHERE state = 'waiting'

-- name: take
-- Take it, unless another daemon was faster.
UPDATE job SET state = 'running', attempts = attempts + 1, taken_by = :taken_by, taken_at = :now
WHERE id = :id AND state = 'waiting'

-- name: done
DELETE FROM job WHERE id = :id

-- name: retry
-- Put it back for later. (If the same work was asked for meanwhile, that request stands and this one goes.)
UPDATE job SET state = 'waiting', due_at = :due_at, error = :error, taken_by = NULL, taken_at = NULL
WHERE id = :id AND NOT EXISTS (
    SELECT 1 FROM job AS other WHERE other.kind = job.kind AND other.subject = job.subject AND other.state = 'waiting')

-- name: fail
UPDATE job SET state = 'failed', error = :error WHERE id = :id

-- name: orphans
-- What a daemon that died (or restarted) had taken goes back.
UPDATE job SET state = 'waiting', taken_by = NULL, taken_at = NULL
WHERE state = 'running' AND (taken_by = :taken_by OR taken_at < :stale) AND NOT EXISTS (
    SELECT 1 FROM job AS other WHERE other.kind = job.kind AND other.subject = job.subject AND other.state = 'waiting')

-- name: counts
SELECT state, COUNT(*) AS n FROM job GROUP BY state
