-- name: entries
-- What a story is made of: the main agent's entries of a conversation, and its subagents' edits.
SELECT journal.id, journal.event, journal.happened_at, journal.payload, worktree.path AS worktree_path
FROM journal LEFT JOIN worktree ON worktree.id = journal.worktree_id
WHERE journal.conversation = :conversation AND journal.happened_at >= :since AND journal.owner = :owner
  AND COALESCE(journal.event, '') IN ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'PermissionDenied')
ORDER BY journal.happened_at, journal.id
LIMIT :limit

-- name: count_entries
SELECT COUNT(*) AS n FROM journal
WHERE conversation = :conversation AND owner = :owner
  AND COALESCE(event, '') IN ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'PermissionDenied')

-- name: windows_of
-- The main agent's windows of a conversation, the newest first.
SELECT id, window_number, project_id, worktree_id, transcript_path, started_at, ended_at, end_reason
FROM session WHERE conversation = :conversation AND owner = :owner AND agent_id = ''
ORDER BY window_number DESC LIMIT :limit

-- name: window_place
-- A window, with the folder it works in.
SELECT session.id, session.conversation, session.project_id, session.transcript_path, session.window_number,
  worktree.path AS worktree_path
FROM session JOIN worktree ON worktree.id = session.worktree_id
WHERE session.conversation = :conversation AND session.owner = :owner AND session.agent_id = ''
ORDER BY session.window_number DESC LIMIT 1

-- name: open_conversations
-- Conversations of a project whose window is open, and when they were last heard of.
SELECT conversation, last_event_at FROM session
WHERE owner = :owner AND project_id = :project_id AND agent_id = '' AND ended_at IS NULL AND last_event_at >= :since
  AND conversation <> :but
ORDER BY last_event_at DESC LIMIT :limit

-- name: checkpoints
-- The newest checkpoints; '' is every project or conversation.
SELECT * FROM checkpoint
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (:conversation = '' OR conversation = :conversation) AND made_at >= :since
ORDER BY made_at DESC, id DESC LIMIT :limit

-- name: checkpoint_at
-- A checkpoint of this window for this reason and threshold, if there is one.
SELECT id FROM checkpoint
WHERE conversation = :conversation AND window_id = :window_id AND owner = :owner AND reason = :reason
  AND threshold = :threshold LIMIT 1

-- name: ends_of
SELECT id FROM checkpoint
WHERE conversation = :conversation AND window_id = :window_id AND owner = :owner AND reason = 'end'

-- name: made_since
-- What was made of a conversation since a moment, per table.
SELECT id FROM checkpoint WHERE conversation = :conversation AND owner = :owner AND made_at >= :since

-- name: drop_handovers_since
DELETE FROM handover WHERE conversation = :conversation AND owner = :owner AND made_at >= :since

-- name: drop_compactions_since
DELETE FROM compaction WHERE conversation = :conversation AND owner = :owner AND made_at >= :since

-- name: old_checkpoints
-- Those beyond the newest so many of a project.
SELECT id FROM checkpoint WHERE owner = :owner AND project_id = :project_id
ORDER BY made_at DESC, id DESC LIMIT 1000 OFFSET :keep

-- name: debrief_of
SELECT * FROM debrief WHERE owner = :owner AND conversation = :conversation ORDER BY made_at DESC LIMIT 1

-- name: put_handover
-- A conversation's newest hand-over takes the place of those that nobody was given.
INSERT INTO handover (id, owner, project_id, conversation, content, files, made_at)
VALUES (:id, :owner, :project_id, :conversation, :content, :files, :made_at)

-- name: drop_handovers
DELETE FROM handover WHERE owner = :owner AND conversation = :conversation AND given_to IS NULL

-- name: waiting_handover
SELECT * FROM handover
WHERE owner = :owner AND project_id = :project_id AND given_to IS NULL AND made_at >= :since
ORDER BY made_at DESC LIMIT 1

-- name: handovers
SELECT * FROM handover WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
ORDER BY made_at DESC LIMIT :limit

-- name: give_handover
-- Only one session gets it.
UPDATE handover SET given_to = :given_to, given_at = :at WHERE id = :id AND given_to IS NULL

-- name: put_compaction
INSERT INTO compaction (id, owner, project_id, conversation, window_id, way, trigger, summary, lost, given, made_at)
VALUES (:id, :owner, :project_id, :conversation, :window_id, :way, :trigger, :summary, :lost, :given, :made_at)
ON CONFLICT (id) DO UPDATE SET way = excluded.way, trigger = excluded.trigger, summary = excluded.summary,
  lost = excluded.lost, given = excluded.given

-- name: tell_compaction
-- What the client summed up is known after what was given back.
UPDATE compaction SET summary = :summary, trigger = :trigger WHERE id = :id AND owner = :owner

-- name: compactions
SELECT * FROM compaction
WHERE owner = :owner AND (:conversation = '' OR conversation = :conversation) AND (:window_id = '' OR window_id = :window_id)
  AND (:project_id = '' OR project_id = :project_id)
ORDER BY made_at DESC, id DESC LIMIT :limit

-- name: project_origin
-- Places of projects: a name such as owner_repo is looked for among their remotes.
SELECT project.id, worktree.path FROM project JOIN worktree ON worktree.project_id = project.id
WHERE project.owner = :owner ORDER BY worktree.created_at DESC LIMIT :limit
