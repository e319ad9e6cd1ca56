-- name: inject
INSERT INTO injection (entry_id, item_id, place, about, conversation, agent_id, score, parts, tokens, happened_at,
                       said)
VALUES (:entry_id, :item_id, :place, :about, :conversation, :agent_id, :score, :parts, :tokens, :happened_at, :said)
ON CONFLICT (item_id, entry_id) DO NOTHING

-- name: said_of
-- What of an item this agent was shown since its context was last lost.
SELECT said FROM injection
WHERE conversation = :conversation AND agent_id = :agent_id AND item_id = :item_id AND happened_at > :lost_at

-- name: given_to
SELECT item_id, said FROM injection
WHERE conversation = :conversation AND agent_id = :agent_id AND happened_at > :lost_at

-- name: recalled_to
SELECT item_id, said FROM injection
WHERE conversation = :conversation AND agent_id = :agent_id AND place = 'recall' AND happened_at > :lost_at

-- name: about_was_given
-- Was anything about this file given to this agent since its context was last lost?
SELECT 1 AS found FROM injection
WHERE conversation = :conversation AND agent_id = :agent_id AND place = 'file' AND about = :about
  AND happened_at > :lost_at LIMIT 1

-- name: injections_of
SELECT * FROM injection WHERE item_id = :id ORDER BY happened_at DESC LIMIT :limit

-- name: lose_context
INSERT INTO lost_context (conversation, happened_at) VALUES (:conversation, :at)
ON CONFLICT (conversation) DO UPDATE SET happened_at = excluded.happened_at
WHERE lost_context.happened_at < excluded.happened_at

-- name: lost_context
SELECT happened_at FROM lost_context WHERE conversation = :conversation

-- name: supersede
INSERT INTO supersession (old_id, new_id, reason, made_by, happened_at, owner)
VALUES (:old_id, :new_id, :reason, :made_by, :happened_at, :owner)
ON CONFLICT (old_id) DO UPDATE SET new_id = excluded.new_id, reason = excluded.reason, made_by = excluded.made_by,
    happened_at = excluded.happened_at

-- name: superseded
SELECT * FROM supersession WHERE old_id = :id

-- name: supersedes
SELECT * FROM supersession WHERE new_id = :id ORDER BY happened_at

-- name: object
INSERT INTO objection (item_id, new_id, reason, made_by, happened_at, owner)
VALUES (:item_id, :new_id, :reason, :made_by, :happened_at, :owner)
ON CONFLICT (item_id, happened_at) DO NOTHING

-- name: unsay_objection
-- The same was said before: what is said again counts as said now.
DELETE FROM objection WHERE item_id = :item_id AND new_id = :new_id AND reason = :reason

-- name: drop_old_objections
-- Of the objections to an item the newest :most stay.
DELETE FROM objection WHERE item_id = :id AND happened_at <= (
    SELECT happened_at FROM objection WHERE item_id = :id ORDER BY happened_at DESC LIMIT 1 OFFSET :most)

-- name: objections
-- The newest first.
SELECT * FROM objection WHERE item_id = :id ORDER BY happened_at DESC LIMIT :limit

-- name: drop_objection
DELETE FROM objection WHERE item_id = :id OR new_id = :id

-- name: settle_objection
-- A person corrected the words that it was about.
DELETE FROM objection WHERE item_id = :id

-- name: cite
-- Note the version of a page that is cited, if one is known to be in force just then.
INSERT INTO cited_page (item_id, url, version, owner)
SELECT CAST(:item_id AS TEXT), url, version, CAST(:owner AS TEXT) FROM page
WHERE (url = :url OR shown_url = :url) AND owner IN (:owner, '') AND verified_at >= :since
ORDER BY verified_at DESC LIMIT 1
ON CONFLICT DO NOTHING

-- name: cited
-- The pages of a thing, and when each was found to be another version than the one it was made from.
SELECT url, version, changed_at FROM cited_page WHERE item_id = :id AND owner = :owner ORDER BY url

-- name: drop_injections
DELETE FROM injection WHERE item_id = :id

-- name: drop_supersession
DELETE FROM supersession WHERE old_id = :id OR new_id = :id

-- name: drop_cited
DELETE FROM cited_page WHERE item_id = :id

-- name: project
SELECT id, name, place FROM project WHERE id = :id AND owner = :owner

-- name: projects_named
-- Projects by id, name or place.
SELECT id, name, place FROM project WHERE owner = :owner AND (id = :project OR name = :project OR place = :project)

-- name: folder_of_conversation
SELECT worktree.path FROM session JOIN worktree ON worktree.id = session.worktree_id
WHERE session.owner = :owner AND session.conversation = :conversation ORDER BY session.started_at DESC LIMIT 1

-- name: folder_of_project
SELECT path FROM worktree WHERE project_id = :id ORDER BY created_at DESC, path LIMIT 1

-- name: project_to
-- A project is known by its place: from now on, by another one.
UPDATE project SET place = :place, name = :name WHERE id = :id AND owner = :owner

-- name: entry
SELECT id, event, source, tool_name, tool_use_id, conversation, prompt_id, happened_at, scrubbed, cut_bytes
FROM journal WHERE id = :id

-- name: given_in
-- What the model was given in a conversation, in the order of time.
SELECT entry_id, agent_id, event, origins, marks, text, tokens, happened_at FROM given
WHERE conversation = :conversation AND owner = :owner ORDER BY happened_at, entry_id LIMIT :limit

-- name: heard
-- The words that this agent was given since its context was last lost, the newest first.
SELECT text FROM given
WHERE conversation = :conversation AND agent_id = :agent_id AND owner = :owner AND happened_at > :lost_at
ORDER BY happened_at DESC LIMIT :limit

-- name: injected_in
SELECT entry_id, item_id, place, about, tokens FROM injection
WHERE conversation = :conversation ORDER BY happened_at, item_id LIMIT :limit

-- name: prompts_in
-- When the user asked something. A notice of the client is not the user's.
SELECT happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'UserPromptSubmit' AND agent_id = '' AND owner = :owner
  AND payload NOT LIKE '%"prompt":"<task-notification>%'
ORDER BY happened_at

-- name: last_prompt
SELECT happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'UserPromptSubmit' AND agent_id = '' AND owner = :owner
  AND payload NOT LIKE '%"prompt":"<task-notification>%'
ORDER BY happened_at DESC LIMIT 1

-- name: given_since
-- What the model was given in a conversation from a moment on, without its words.
SELECT event, origins, tokens FROM given
WHERE conversation = :conversation AND owner = :owner AND happened_at >= :since
ORDER BY happened_at, entry_id LIMIT :limit

-- name: conversations_named
-- Conversations whose id begins so, the newest first.
SELECT conversation, MAX(last_event_at) AS last_event_at, MAX(project_id) AS project_id FROM session
WHERE owner = :owner AND conversation LIKE :like ESCAPE '!'
GROUP BY conversation ORDER BY last_event_at DESC LIMIT :limit

-- name: last_conversation
-- The newest conversation of a project ('' is any).
SELECT conversation, project_id FROM session
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND agent_id = ''
ORDER BY last_event_at DESC LIMIT 1

-- name: unsay
-- Something of this time on is forgotten: whatever was said since may have been made of it.
DELETE FROM given WHERE owner = :owner AND happened_at >= :since AND (:origin = '' OR origins LIKE :origin)

-- name: told_by_tools
-- What commands and other tools answered in a conversation, the newest first.
SELECT payload FROM journal
WHERE conversation = :conversation AND owner = :owner AND COALESCE(event, '') IN ('PostToolUse', 'PostToolUseFailure')
    AND (tool_name = 'Bash' OR tool_name LIKE 'mcp%')
ORDER BY happened_at DESC
LIMIT :limit

-- name: told_by_tools_lately
-- The same in any conversation since a moment: a tool's caller may not say which conversation it serves.
SELECT payload FROM journal
WHERE event IN ('PostToolUse', 'PostToolUseFailure') AND happened_at > :since AND owner = :owner
    AND (tool_name = 'Bash' OR tool_name LIKE 'mcp%')
ORDER BY happened_at DESC
LIMIT :limit
