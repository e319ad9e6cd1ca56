-- name: add
INSERT INTO git_commit (project_id, hash, owner, author, subject, body, files, lines, moved, file_count, is_merge,
                        happened_at)
VALUES (:project_id, :hash, :owner, :author, :subject, :body, :files, :lines, :moved, :file_count, :is_merge,
        :happened_at)
ON CONFLICT (project_id, hash) DO NOTHING

-- name: hashes
SELECT hash FROM git_commit WHERE project_id = :project_id AND owner = :owner

-- name: of_project
-- All that is kept of a project, the newest first.
SELECT hash, author, subject, body, files, lines, moved, file_count, is_merge, happened_at FROM git_commit
WHERE project_id = :project_id AND owner = :owner ORDER BY happened_at DESC, hash LIMIT :limit

-- name: drop
-- A commit that no branch leads to any more.
DELETE FROM git_commit WHERE project_id = :project_id AND hash = :hash AND owner = :owner

-- name: state
SELECT project_id, head, found, commits, looked_at FROM git_history WHERE project_id = :project_id AND owner = :owner

-- name: set_state
INSERT INTO git_history (project_id, owner, head, found, commits, looked_at)
VALUES (:project_id, :owner, :head, :found, :commits, :looked_at)
ON CONFLICT (project_id) DO UPDATE SET head = excluded.head, found = excluded.found, commits = excluded.commits,
                                       looked_at = excluded.looked_at

-- name: states
SELECT project_id, head, found, commits, looked_at FROM git_history WHERE owner = :owner

-- name: worktree
-- The checkout of a project that was used last.
SELECT worktree.path FROM worktree LEFT JOIN session ON session.worktree_id = worktree.id
WHERE worktree.project_id = :project_id GROUP BY worktree.id, worktree.path
ORDER BY MAX(COALESCE(session.last_event_at, 0)) DESC LIMIT 1
