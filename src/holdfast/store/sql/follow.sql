-- name: add
INSERT INTO follow_up (entry_id, home) VALUES (:entry_id, :home) ON CONFLICT DO NOTHING

-- name: done [sqlite]
-- Those of these entries whose later steps had not run; the others another run did, or they were forgotten meanwhile.
DELETE FROM follow_up WHERE entry_id IN (SELECT value FROM json_each(:ids)) RETURNING entry_id

-- name: done [postgresql]
DELETE FROM follow_up WHERE entry_id IN (SELECT json_array_elements_text(CAST(:ids AS json))) RETURNING entry_id

-- name: next
-- The oldest entries that wait, with the place each belongs to.
SELECT journal.id, journal.event, journal.happened_at, journal.source, journal.owner, journal.payload,
       journal.project_id, project.name AS project_name, project.place AS identity, journal.worktree_id, worktree.path AS worktree_path,
       journal.session_id, session.window_number
FROM follow_up
JOIN journal ON journal.id = follow_up.entry_id
JOIN project ON project.id = journal.project_id
JOIN worktree ON worktree.id = journal.worktree_id
JOIN session ON session.id = journal.session_id
WHERE follow_up.home = :home
ORDER BY follow_up.entry_id
LIMIT :limit

-- name: drop_strays
-- What follows an entry that is gone.
DELETE FROM follow_up WHERE home = :home AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.id = follow_up.entry_id)

-- name: count
SELECT COUNT(*) AS n FROM follow_up WHERE home = :home
