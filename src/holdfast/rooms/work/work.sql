-- name: tasks
-- Tasks with how many efforts they have, the newest effort first; '' is every project.
SELECT work_task.id, work_task.project_id, work_task.dir_path, work_task.title, work_task.keywords, work_task.created_at, COUNT(effort.id) AS efforts,
       SUM(CASE WHEN effort.lifecycle = 'active' THEN 1 ELSE 0 END) AS active, MAX(effort.updated_at) AS updated_at
FROM work_task LEFT JOIN effort ON effort.task_id = work_task.id
WHERE work_task.owner = :owner AND (:project_id = '' OR work_task.project_id = :project_id)
GROUP BY work_task.id, work_task.project_id, work_task.dir_path, work_task.title, work_task.keywords, work_task.created_at
ORDER BY MAX(COALESCE(effort.updated_at, work_task.created_at)) DESC LIMIT :limit

-- name: put_task
-- A task that is there is written as it was: two daemons that start efforts on it wait for each other, and count on.
INSERT INTO work_task (id, owner, project_id, dir_path, title, keywords, created_at)
VALUES (:id, :owner, :project_id, :dir_path, :title, :keywords, :created_at)
ON CONFLICT (owner, dir_path) DO UPDATE SET dir_path = excluded.dir_path

-- name: task_at
SELECT * FROM work_task WHERE owner = :owner AND dir_path = :dir_path

-- name: next_ordinal
SELECT COALESCE(MAX(ordinal), 0) + 1 AS ordinal FROM effort WHERE task_id = :task_id

-- name: put_effort
INSERT INTO effort (id, owner, project_id, task_id, agent, skill, mode, title, ordinal, lifecycle, phase, heartbeat,
                    config, directives, loaded_files, started_at, updated_at, finished_at)
VALUES (:id, :owner, :project_id, :task_id, :agent, :skill, :mode, :title, :ordinal, :lifecycle, :phase, :heartbeat,
        :config, :directives, :loaded_files, :started_at, :updated_at, :finished_at)

-- name: efforts
-- Efforts, the newest first; '' matches everything.
SELECT effort.*, work_task.dir_path FROM effort JOIN work_task ON work_task.id = effort.task_id
WHERE effort.owner = :owner AND (:project_id = '' OR effort.project_id = :project_id)
  AND (:lifecycle = '' OR effort.lifecycle = :lifecycle)
ORDER BY effort.started_at DESC, effort.id DESC LIMIT :limit

-- name: effort
SELECT effort.*, work_task.dir_path FROM effort JOIN work_task ON work_task.id = effort.task_id
WHERE effort.owner = :owner AND effort.id = :id

-- name: efforts_ending
-- An effort by the last eight characters of its id.
SELECT effort.*, work_task.dir_path FROM effort JOIN work_task ON work_task.id = effort.task_id
WHERE effort.owner = :owner AND substr(effort.id, 29) = :tail LIMIT 2

-- name: active_of
-- The active effort that a conversation works on.
SELECT effort.*, work_task.dir_path FROM effort JOIN work_task ON work_task.id = effort.task_id
JOIN effort_window ON effort_window.effort_id = effort.id
WHERE effort.owner = :owner AND effort.lifecycle = 'active' AND effort_window.conversation = :conversation
ORDER BY effort_window.started_at DESC LIMIT 1

-- name: current_window
-- The newest window of an agent of a conversation.
SELECT id, project_id FROM session WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id
ORDER BY window_number DESC LIMIT 1

-- name: set_phase
UPDATE effort SET phase = :phase, updated_at = :at WHERE id = :id AND lifecycle = 'active'

-- name: touch
UPDATE effort SET updated_at = :at WHERE id = :id

-- name: finish
UPDATE effort SET lifecycle = 'finished', finished_at = :at, updated_at = :at WHERE id = :id AND lifecycle = 'active'

-- name: end_windows
UPDATE effort_window SET ended_at = :at WHERE effort_id = :effort_id AND ended_at = 0

-- name: set_files
-- What was given and read, as JSON lists.
UPDATE effort SET directives = :directives, loaded_files = :loaded_files WHERE id = :id

-- name: windows
-- The windows of the active efforts, the newest first. Those of subagents that are done are of no use any more.
SELECT effort_window.* FROM effort_window JOIN effort ON effort.id = effort_window.effort_id
WHERE effort.owner = :owner AND effort.lifecycle = 'active'
AND (effort_window.agent_id = '' OR effort_window.ended_at = 0)
ORDER BY effort_window.started_at DESC, effort_window.session_id DESC LIMIT :limit

-- name: state
-- What changes when another daemon works on an effort: its last change, how much waits, how many windows are open.
SELECT effort.id, effort.updated_at, (SELECT COUNT(*) FROM work_pending WHERE work_pending.effort_id = effort.id) AS waiting,
       (SELECT COUNT(*) FROM effort_window WHERE effort_window.effort_id = effort.id AND effort_window.ended_at = 0) AS windows
FROM effort WHERE effort.owner = :owner AND effort.lifecycle = 'active' ORDER BY effort.id LIMIT :limit

-- name: windows_of
SELECT * FROM effort_window WHERE effort_id = :effort_id ORDER BY started_at DESC LIMIT :limit

-- name: root_of
-- The folder that a conversation's newest window works in.
SELECT worktree.path FROM session JOIN worktree ON worktree.id = session.worktree_id
WHERE session.owner = :owner AND session.conversation = :conversation ORDER BY session.started_at DESC LIMIT 1

-- name: worktrees
-- The folders of a project, the newest first.
SELECT worktree.path FROM worktree WHERE worktree.project_id = :project_id ORDER BY worktree.created_at DESC LIMIT 200

-- name: open_window
INSERT INTO effort_window (effort_id, session_id, conversation, agent_id, prev_session_id, heartbeat, context_percent,
                           loaded_files, process, home, started_at, logged_at, ended_at)
VALUES (:effort_id, :session_id, :conversation, :agent_id, :prev_session_id, 0, 0, '[]', :process, :home, :started_at, 0, 0)
ON CONFLICT (effort_id, session_id) DO UPDATE SET ended_at = 0, process = excluded.process, home = excluded.home

-- name: end_window
UPDATE effort_window SET ended_at = :at WHERE effort_id = :effort_id AND session_id = :session_id AND ended_at = 0

-- name: beat
-- One more tool call since the last log entry.
UPDATE effort_window SET heartbeat = heartbeat + 1, context_percent = :context_percent
WHERE effort_id = :effort_id AND session_id = :session_id
  AND EXISTS (SELECT 1 FROM effort WHERE effort.id = :effort_id AND effort.lifecycle = 'active')

-- name: beats
SELECT heartbeat FROM effort_window WHERE effort_id = :effort_id AND session_id = :session_id

-- name: reset
UPDATE effort_window SET heartbeat = 0, logged_at = :at WHERE effort_id = :effort_id AND session_id = :session_id

-- name: reset_helpers
-- The same for the subagents of a conversation.
UPDATE effort_window SET heartbeat = 0, logged_at = :at
WHERE effort_id = :effort_id AND conversation = :conversation AND agent_id <> '' AND ended_at = 0

-- name: window_files
SELECT loaded_files FROM effort_window WHERE effort_id = :effort_id AND session_id = :session_id

-- name: set_window_files
UPDATE effort_window SET loaded_files = :loaded_files WHERE effort_id = :effort_id AND session_id = :session_id

-- name: put_entry
INSERT INTO effort_entry (id, effort_id, conversation, agent_id, kind, phase, text, proof, happened_at)
VALUES (:id, :effort_id, :conversation, :agent_id, :kind, :phase, :text, :proof, :happened_at)

-- name: entries
-- The last entries of an effort, the newest first.
SELECT * FROM effort_entry WHERE effort_id = :effort_id ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: put_artifact
INSERT INTO effort_artifact (effort_id, kind, text, updated_at) VALUES (:effort_id, :kind, :text, :at)
ON CONFLICT (effort_id, kind) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at

-- name: artifacts
SELECT * FROM effort_artifact WHERE effort_id = :effort_id ORDER BY kind

-- name: active_artifacts
-- The kinds of documents that active efforts have.
SELECT effort_artifact.effort_id, effort_artifact.kind FROM effort_artifact JOIN effort ON effort.id = effort_artifact.effort_id
WHERE effort.owner = :owner AND effort.lifecycle = 'active' ORDER BY effort_artifact.effort_id, effort_artifact.kind LIMIT :limit

-- name: put_pending
INSERT INTO work_pending (id, effort_id, not_in, kind, path, text, made_at)
VALUES (:id, :effort_id, :not_in, :kind, :path, :text, :made_at)

-- name: all_pending
SELECT work_pending.* FROM work_pending JOIN effort ON effort.id = work_pending.effort_id
WHERE effort.owner = :owner AND effort.lifecycle = 'active' ORDER BY work_pending.made_at, work_pending.id LIMIT :limit

-- name: drop_pending
DELETE FROM work_pending WHERE id = :id

-- name: drop_handovers
-- A newer hand-over takes the place of one that nobody was given.
DELETE FROM work_pending WHERE effort_id = :effort_id AND not_in <> ''

-- name: clear_pending
DELETE FROM work_pending WHERE effort_id = :effort_id

-- name: agents
SELECT * FROM work_agent WHERE owner = :owner ORDER BY seen_at DESC LIMIT :limit

-- name: put_agent
INSERT INTO work_agent (id, owner, name, label, parent, project_id, created_at, seen_at)
VALUES (:id, :owner, :name, :label, :parent, :project_id, :at, :at)
ON CONFLICT (owner, name) DO UPDATE SET
    label = CASE WHEN excluded.label = '' THEN work_agent.label ELSE excluded.label END,
    parent = CASE WHEN excluded.parent = '' THEN work_agent.parent ELSE excluded.parent END,
    project_id = excluded.project_id, seen_at = excluded.seen_at

-- name: put_message
INSERT INTO work_message (id, owner, project_id, effort_id, conversation, kind, sender, recipient, text, happened_at)
VALUES (:id, :owner, :project_id, :effort_id, :conversation, :kind, :sender, :recipient, :text, :happened_at)
ON CONFLICT (id) DO NOTHING

-- name: messages
SELECT * FROM work_message
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND (:effort_id = '' OR effort_id = :effort_id)
  AND (:conversation = '' OR conversation = :conversation) AND (:kind = '' OR kind = :kind)
ORDER BY happened_at DESC, id DESC LIMIT :limit
