-- name: add
-- Ask for work. Asking again before it began changes nothing.
INSERT INTO job (id, kind, subject, arguments, home, state, attempts, due_at, created_at)
VALUES (:id, :kind, :subject, :arguments, :home, 'waiting', 0, :due_at, :created_at)
ON CONFLICT (home, kind, subject) WHERE state = 'waiting' DO NOTHING

-- name: due
-- What was asked for in times to come was asked for before the clock was set back; how long ago is not known any more.
SELECT * FROM job WHERE home = :home AND state = 'waiting' AND (due_at <= :now OR created_at > :ahead)
ORDER BY due_at, id LIMIT :limit

-- name: next_due
SELECT MIN(due_at) AS due_at FROM job WHERE home = :home AND state = 'waiting'

-- name: take
UPDATE job SET state = 'running', attempts = attempts + 1, taken_at = :now WHERE id = :id AND state = 'waiting'

-- name: done
DELETE FROM job WHERE id = :id

-- name: retry
-- Put it back for later. (If the same work was asked for meanwhile, that request stands and this one goes.)
UPDATE job SET state = 'waiting', due_at = :due_at, error = :error, taken_at = NULL
WHERE id = :id AND NOT EXISTS (
    SELECT 1 FROM job AS other WHERE other.home = job.home AND other.kind = job.kind AND other.subject = job.subject AND other.state = 'waiting')

-- name: fail
UPDATE job SET state = 'failed', error = :error WHERE id = :id

-- name: give_up
-- A job that was under way each time the daemon died is not begun again.
UPDATE job SET state = 'failed', error = :error WHERE home = :home AND state = 'running' AND attempts >= :most

-- name: orphans
-- What this daemon had begun when it died goes back; of two that are the same work, the newer.
UPDATE job SET state = 'waiting', taken_at = NULL
WHERE home = :home AND state = 'running' AND NOT EXISTS (
    SELECT 1 FROM job AS other
    WHERE other.home = job.home AND other.kind = job.kind AND other.subject = job.subject
      AND (other.state = 'waiting' OR (other.state = 'running' AND other.id > job.id)))

-- name: drop_orphans
-- The rest of them was asked for again meanwhile.
DELETE FROM job WHERE home = :home AND state = 'running'

-- name: counts
-- Without work that comes again by itself and rests until it is due: nothing waits for it.
SELECT state, COUNT(*) AS n FROM job
WHERE home = :home AND NOT (state = 'waiting' AND subject = :regular AND due_at > :now) GROUP BY state
