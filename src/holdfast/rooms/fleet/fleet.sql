-- name: put
-- The agent as it is now. Where it runs is told by some events only.
INSERT INTO fleet_agent (conversation, agent_id, owner, home, project_id, kind, agent_type, name, parent, pane, pid, status, since,
                         needs, message, in_turn, background, team, asks, asked_at, failed, failure, failed_at, idle_at, seen_at, owes,
                         ended_at, ended_by, changed_at)
VALUES (:conversation, :agent_id, :owner, :home, :project_id, :kind, :agent_type, :name, :parent, :pane, :pid, :status, :since,
        :needs, :message, :in_turn, :background, :team, :asks, :asked_at, :failed, :failure, :failed_at, :idle_at, :seen_at, :owes,
        :ended_at, :ended_by, :changed_at)
ON CONFLICT (conversation, agent_id) DO UPDATE SET
    home = :home, project_id = :project_id, kind = :kind, agent_type = :agent_type, name = :name, parent = :parent, pane = :pane,
    pid = :pid, status = :status, since = :since, needs = :needs, message = :message, in_turn = :in_turn, background = :background,
    team = :team, asks = :asks, asked_at = :asked_at, failed = :failed, failure = :failure, failed_at = :failed_at,
    idle_at = :idle_at, seen_at = :seen_at, owes = :owes, ended_at = :ended_at, ended_by = :ended_by, changed_at = :changed_at

-- name: agents
-- Those that are not over, and those that ended lately; when something last happened, and in which folder.
SELECT fleet_agent.*, COALESCE(project.name, '') AS project, COALESCE(latest.last_event_at, fleet_agent.changed_at) AS last_at,
       COALESCE(latest.transcript_path, '') AS transcript_path, COALESCE(worktree.path, '') AS folder
FROM fleet_agent
LEFT JOIN project ON project.id = fleet_agent.project_id
LEFT JOIN session AS latest ON latest.id = (
    SELECT id FROM session WHERE session.conversation = fleet_agent.conversation AND session.agent_id = fleet_agent.agent_id
    ORDER BY window_number DESC LIMIT 1
)
LEFT JOIN worktree ON worktree.id = latest.worktree_id
WHERE fleet_agent.owner = :owner AND (fleet_agent.ended_at = 0 OR fleet_agent.ended_at >= :ended_since)
  AND (:home = '' OR fleet_agent.home = :home)
ORDER BY fleet_agent.changed_at DESC LIMIT :limit

-- name: put_task
INSERT INTO fleet_task (conversation, task_id, owner, project_id, subject, assignee, made_at, done_at)
VALUES (:conversation, :task_id, :owner, :project_id, :subject, :assignee, :made_at, :done_at)
ON CONFLICT (conversation, task_id) DO UPDATE SET subject = :subject, assignee = :assignee, done_at = :done_at

-- name: tasks
SELECT conversation, task_id, project_id, subject, assignee, made_at, done_at FROM fleet_task
WHERE owner = :owner AND made_at >= :since ORDER BY made_at DESC LIMIT :limit
