-- name: prompt_place
-- Which number a prompt of this moment has in its conversation. The number of a forgotten prompt is not given again:
-- what was done for it still has it.
SELECT MAX(earlier.number) + 1 AS number,
       (SELECT COUNT(*) FROM prompt AS later WHERE later.conversation = :conversation AND later.happened_at > :at) AS later
FROM (
    SELECT COALESCE(MAX(number), 0) AS number FROM prompt WHERE conversation = :conversation AND happened_at <= :at
    UNION ALL
    SELECT COALESCE(MAX(prompt_number), 0) FROM observation
    WHERE session_id IN (SELECT id FROM session WHERE conversation = :conversation) AND happened_at <= :at
      AND happened_at > (SELECT COALESCE(MAX(happened_at), 0) FROM prompt
                         WHERE conversation = :conversation AND happened_at <= :at)
) AS earlier

-- name: prompt_add
INSERT INTO prompt (id, conversation, prompt_id, session_id, project_id, number, text, happened_at)
VALUES (:id, :conversation, :prompt_id, :session_id, :project_id, :number, :text, :happened_at)
ON CONFLICT (id) DO NOTHING

-- name: shift_prompts
-- A prompt that arrives late moves those after it, with all that belongs to them.
UPDATE prompt SET number = number + 1 WHERE conversation = :conversation AND happened_at > :at

-- name: shift_observations
UPDATE observation SET prompt_number = prompt_number + 1
WHERE happened_at > :at AND session_id IN (SELECT id FROM session WHERE conversation = :conversation)

-- name: shift_summaries
UPDATE summary SET prompt_number = prompt_number + 1
WHERE conversation = :conversation AND level <> 'session' AND happened_at > :at

-- name: prompt_number
-- The number of the prompt that was being worked on.
SELECT number FROM prompt WHERE conversation = :conversation AND happened_at <= :at ORDER BY happened_at DESC LIMIT 1

-- name: prompt_numbered
SELECT * FROM prompt WHERE conversation = :conversation AND number = :number LIMIT 1

-- name: prompt_after
-- When the turn of a prompt of this moment ended: the next one's time.
SELECT MIN(happened_at) AS happened_at FROM prompt WHERE conversation = :conversation AND happened_at > :at

-- name: prompts_of
SELECT * FROM prompt WHERE conversation = :conversation ORDER BY happened_at, id LIMIT :limit

-- name: observe
-- Under the number of the prompt that was being worked on. Gives no row when the observation is there already.
INSERT INTO observation (id, session_id, project_id, prompt_number, kind, tool, title, outcome, trust, files, command,
                         excerpt, commit_hash, happened_at, branch, runs)
VALUES (:id, :session_id, :project_id,
        COALESCE((SELECT number FROM prompt WHERE conversation = :conversation AND happened_at <= :happened_at
                  ORDER BY happened_at DESC LIMIT 1), 0),
        :kind, :tool, :title, :outcome, :trust, :files, :command,
        :excerpt, :commit_hash, :happened_at, :branch, :runs)
ON CONFLICT (id) DO NOTHING
RETURNING prompt_number

-- name: touch_file
INSERT INTO touched_file (project_id, path, happened_at, item_id, owner)
VALUES (:project_id, :path, :happened_at, :item_id, :owner)
ON CONFLICT (project_id, path, happened_at, item_id) DO NOTHING

-- name: merge_summaries
-- The work of a branch that was merged stands on the other one from then on.
UPDATE summary SET branch = :into WHERE project_id = :project_id AND branch = :merged AND happened_at <= :at

-- name: merge_observations
UPDATE observation SET branch = :into WHERE project_id = :project_id AND branch = :merged AND happened_at <= :at

-- name: observations_of_turn
-- What was done for one prompt, by the main agent (agent_id '') or by one of its subagents.
SELECT observation.* FROM observation JOIN session ON session.id = observation.session_id
WHERE session.conversation = :conversation AND session.agent_id = :agent_id AND observation.prompt_number = :number
ORDER BY observation.happened_at, observation.id LIMIT :limit

-- name: observations_of_conversation
-- The last of them, the newest first.
SELECT observation.* FROM observation JOIN session ON session.id = observation.session_id
WHERE session.conversation = :conversation ORDER BY observation.happened_at DESC, observation.id DESC LIMIT :limit

-- name: observations_of_session
SELECT * FROM observation WHERE session_id = :session_id ORDER BY happened_at, id LIMIT :limit

-- name: last_words
-- What the agent said last before it stopped, as the journal keeps it.
SELECT prompt_id, payload, happened_at FROM journal
WHERE conversation = :conversation AND agent_id = :agent_id AND COALESCE(event, '') = :event AND happened_at >= :since AND happened_at < :until
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: answers_told
-- What the client's own question asked the user in a part of a conversation, with the answers.
SELECT prompt_id, payload, happened_at FROM journal
WHERE conversation = :conversation AND agent_id = '' AND COALESCE(event, '') = 'PostToolUse' AND tool_name = :tool
    AND happened_at >= :since AND happened_at < :until
ORDER BY happened_at, id LIMIT :limit

-- name: prompt_entry
-- The journal's entry of a prompt, by the client's id of it.
SELECT id, payload, happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'UserPromptSubmit' AND prompt_id = :prompt_id
ORDER BY happened_at DESC, id DESC LIMIT 1

-- name: prompt_entry_before
-- The journal's entry of the last prompt before a moment.
SELECT id, payload, happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'UserPromptSubmit' AND happened_at < :at
ORDER BY happened_at DESC, id DESC LIMIT 1

-- name: last_entry
-- The last that the journal has of a conversation up to a moment.
SELECT payload FROM journal WHERE conversation = :conversation AND happened_at <= :at
ORDER BY happened_at DESC, id DESC LIMIT 1

-- name: agent_began
-- When an agent was first heard of.
SELECT MIN(happened_at) AS happened_at FROM journal WHERE conversation = :conversation AND agent_id = :agent_id

-- name: prompt_by_client_id
SELECT * FROM prompt WHERE conversation = :conversation AND prompt_id = :prompt_id ORDER BY happened_at DESC LIMIT 1

-- name: summary_put
-- One summary of each subject. What a user wrote stays.
INSERT INTO summary (id, subject, level, conversation, session_id, project_id, prompt_number, title, request,
                     investigated, done, learned, left_open, said, outcome, files, written_by, happened_at, branch,
                     runs, worth)
VALUES (:id, :subject, :level, :conversation, :session_id, :project_id, :prompt_number, :title, :request,
        :investigated, :done, :learned, :left_open, :said, :outcome, :files, :written_by, :happened_at, :branch, :runs,
        :worth)
ON CONFLICT (subject) DO UPDATE SET
    session_id = excluded.session_id, prompt_number = excluded.prompt_number, title = excluded.title,
    request = excluded.request, investigated = excluded.investigated, done = excluded.done, learned = excluded.learned,
    left_open = excluded.left_open, said = excluded.said, outcome = excluded.outcome, files = excluded.files,
    written_by = excluded.written_by, happened_at = excluded.happened_at, branch = excluded.branch,
    runs = excluded.runs, worth = excluded.worth
WHERE summary.written_by <> 'user'

-- name: summary_of
SELECT * FROM summary WHERE subject = :subject

-- name: summaries_of
SELECT * FROM summary WHERE conversation = :conversation ORDER BY happened_at, id

-- name: session_was_summed
SELECT 1 AS found FROM summary WHERE conversation = :conversation AND level = 'session' LIMIT 1

-- name: memory_add
INSERT INTO memory (id, owner, project_id, title, text, tags, files, trust, source, created_at, updated_at)
VALUES (:id, :owner, :project_id, :title, :text, :tags, :files, :trust, :source, :created_at, :updated_at)
ON CONFLICT (id) DO NOTHING

-- name: memories
-- Those of a project and those of all projects, a person's before the others (many of an agent's hide none of them), the
-- newest first, without what no longer holds.
SELECT * FROM memory
WHERE owner = :owner AND project_id IN (:project_id, '') AND NOT EXISTS (SELECT 1 FROM supersession WHERE old_id = memory.id)
ORDER BY CASE trust WHEN 'user' THEN 0 ELSE 1 END, updated_at DESC, id DESC LIMIT :limit

-- name: memories_from
SELECT * FROM memory WHERE owner = :owner AND source LIKE :like ESCAPE '!' ORDER BY id

-- name: edit_memory
UPDATE memory SET title = :title, text = :text, tags = :tags, files = :files, trust = :trust, updated_at = :at
WHERE id = :id

-- name: edit_observation
UPDATE observation SET title = :title, excerpt = :text WHERE id = :id

-- name: summary_rewrite
UPDATE summary SET subject = :subject, level = :level, conversation = :conversation, session_id = :session_id,
    project_id = :project_id, prompt_number = :prompt_number, title = :title, request = :request,
    investigated = :investigated, done = :done, learned = :learned, left_open = :left_open, said = :said,
    outcome = :outcome, files = :files, written_by = :written_by, happened_at = :happened_at, branch = :branch,
    runs = :runs, worth = :worth
WHERE id = :id

-- name: edit_prompt
UPDATE prompt SET text = :text WHERE id = :id

-- name: prompt
SELECT prompt.*, project.owner AS owner FROM prompt JOIN project ON project.id = prompt.project_id WHERE prompt.id = :id

-- name: pages_read
-- What the web told in a conversation, the newest first. An old entry may have aged out.
SELECT observation.excerpt, journal.payload
FROM session
JOIN observation ON observation.session_id = session.id AND (observation.kind = 'web' OR observation.trust = 'web')
LEFT JOIN journal ON journal.id = observation.id
WHERE session.conversation = :conversation
ORDER BY observation.happened_at DESC
LIMIT :limit

-- name: pages_told
-- What the client's web tools answered in a conversation, the newest first, from the journal: an observation comes later.
SELECT payload FROM journal
WHERE conversation = :conversation AND owner = :owner AND COALESCE(event, '') = 'PostToolUse' AND tool_name IN ('WebFetch', 'WebSearch')
ORDER BY happened_at DESC
LIMIT :limit

-- name: pages_told_lately
-- The same in any conversation since a moment: the tools of agents do not say which conversation they serve.
SELECT payload FROM journal
WHERE event = 'PostToolUse' AND happened_at > :since AND owner = :owner AND tool_name IN ('WebFetch', 'WebSearch')
ORDER BY happened_at DESC
LIMIT :limit

-- name: observation
SELECT observation.*, project.owner AS owner FROM observation JOIN project ON project.id = observation.project_id
WHERE observation.id = :id

-- name: summary
SELECT summary.*, project.owner AS owner FROM summary JOIN project ON project.id = summary.project_id
WHERE summary.id = :id

-- name: memory
SELECT * FROM memory WHERE id = :id

-- name: short_prompt
-- The ids that end like this. (The index is on exactly this expression.)
SELECT id FROM prompt WHERE substr(id, 29) = :tail LIMIT 5

-- name: short_observation
SELECT id FROM observation WHERE substr(id, 29) = :tail LIMIT 5

-- name: short_summary
SELECT id FROM summary WHERE substr(id, 29) = :tail LIMIT 5

-- name: short_memory
SELECT id FROM memory WHERE substr(id, 29) = :tail LIMIT 5

-- name: listed
-- A page of the timeline: prompts, observations, summaries and memories between two moments, the newest first.
-- Empty filters match everything; `file` is matched as it stands in the JSON list, `like` in all words, in lower case.
SELECT * FROM (
    SELECT id, 'prompt' AS family, 'prompt' AS kind, text AS title, project_id, session_id, happened_at,
           '' AS outcome, 'user' AS trust, '' AS branch
    FROM prompt
    WHERE (:project_id = '' OR project_id = :project_id) AND happened_at >= :since AND happened_at < :until
      AND :family IN ('', 'prompt') AND :kind = '' AND :file = ''
      AND (:like = '' OR LOWER(text) LIKE :like ESCAPE '!')
      AND (:conversation = '' OR session_id IN (SELECT id FROM session WHERE conversation = :conversation))
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'observation', kind, title, project_id, session_id, happened_at, outcome, trust,
           COALESCE(branch, '')
    FROM observation
    WHERE (:project_id = '' OR project_id = :project_id) AND happened_at >= :since AND happened_at < :until
      AND :family IN ('', 'observation') AND (:kind = '' OR kind = :kind) AND (:file = '' OR files LIKE :file)
      AND (:like = '' OR LOWER(title || ' ' || COALESCE(command, '') || ' ' || COALESCE(excerpt, '') || ' '
                               || COALESCE(files, '')) LIKE :like ESCAPE '!')
      AND (:conversation = '' OR session_id IN (SELECT id FROM session WHERE conversation = :conversation))
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'summary', level, title, project_id, session_id, happened_at, outcome,
           CASE WHEN written_by = 'user' THEN 'user' ELSE 'agent' END, branch
    FROM summary
    WHERE (:project_id = '' OR project_id = :project_id) AND happened_at >= :since AND happened_at < :until
      AND :family IN ('', 'summary') AND (:kind = '' OR level = :kind) AND (:file = '' OR files LIKE :file)
      AND (:like = '' OR LOWER(title || ' ' || request || ' ' || investigated || ' ' || done || ' ' || learned || ' '
                               || left_open || ' ' || said || ' ' || COALESCE(files, '')) LIKE :like ESCAPE '!')
      AND (:conversation = '' OR conversation = :conversation)
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'memory', 'memory', title, project_id, '', updated_at, '', trust, ''
    FROM memory
    WHERE (:project_id = '' OR project_id IN (:project_id, '')) AND updated_at >= :since AND updated_at < :until
      AND :family IN ('', 'memory') AND :kind = '' AND (:file = '' OR files LIKE :file) AND :conversation = ''
      AND (:like = '' OR LOWER(title || ' ' || text || ' ' || COALESCE(tags, '') || ' ' || COALESCE(files, ''))
                         LIKE :like ESCAPE '!')
      AND owner = :owner
) AS listed
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: listed_after
-- The same from a moment on, the oldest first; of that moment itself only ids after :after.
SELECT * FROM (
    SELECT id, 'prompt' AS family, 'prompt' AS kind, text AS title, project_id, session_id, happened_at,
           '' AS outcome, 'user' AS trust, '' AS branch
    FROM prompt
    WHERE (:project_id = '' OR project_id = :project_id) AND (happened_at > :since OR (happened_at = :since AND id > :after))
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'observation', kind, title, project_id, session_id, happened_at, outcome, trust,
           COALESCE(branch, '')
    FROM observation
    WHERE (:project_id = '' OR project_id = :project_id) AND (happened_at > :since OR (happened_at = :since AND id > :after))
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'summary', level, title, project_id, session_id, happened_at, outcome,
           CASE WHEN written_by = 'user' THEN 'user' ELSE 'agent' END, branch
    FROM summary
    WHERE (:project_id = '' OR project_id = :project_id) AND (happened_at > :since OR (happened_at = :since AND id > :after))
      AND project_id IN (SELECT id FROM project WHERE owner = :owner)
    UNION ALL
    SELECT id, 'memory', 'memory', title, project_id, '', updated_at, '', trust, ''
    FROM memory
    WHERE (:project_id = '' OR project_id IN (:project_id, '')) AND (updated_at > :since OR (updated_at = :since AND id > :after)) AND owner = :owner
) AS listed
ORDER BY happened_at, id LIMIT :limit

-- name: file_memories
SELECT memory.* FROM touched_file JOIN memory ON memory.id = touched_file.item_id
WHERE touched_file.project_id IN (:project_id, '') AND touched_file.path = :path AND memory.owner = :owner
  AND NOT EXISTS (SELECT 1 FROM supersession WHERE old_id = memory.id)
ORDER BY CASE memory.trust WHEN 'user' THEN 0 ELSE 1 END, memory.updated_at DESC LIMIT :limit

-- name: recent_summaries
-- The last sessions and turns of a project, the newest first. The summary of a session of several turns stands for them, unless the conversation went on after it.
-- What was replaced by newer work is marked; what a later turn of the same conversation took the place of is left out.
SELECT summary.*, CASE WHEN EXISTS (SELECT 1 FROM supersession WHERE old_id = summary.id) THEN 1 ELSE 0 END AS replaced
FROM summary
WHERE project_id = :project_id AND level <> 'agent' AND happened_at >= :since
  AND NOT (happened_at > :lost_at AND conversation = :conversation)
  AND (level = 'turn' OR prompt_number > 1)
  AND (level = 'session' OR NOT EXISTS (
    SELECT 1 FROM summary AS whole WHERE whole.conversation = summary.conversation AND whole.level = 'session'
      AND whole.prompt_number > 1 AND whole.prompt_number >= summary.prompt_number))
  AND NOT EXISTS (SELECT 1 FROM supersession LEFT JOIN summary AS heir ON heir.id = supersession.new_id
                  WHERE old_id = summary.id AND (heir.id IS NULL OR heir.conversation = summary.conversation))
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: recent_turns
-- The last turns that the summary of their session stands for, the newest first: each may tell that something was done.
SELECT summary.*, 0 AS replaced
FROM summary
WHERE project_id = :project_id AND level = 'turn' AND happened_at >= :since
  AND NOT (happened_at > :lost_at AND conversation = :conversation)
  AND EXISTS (
    SELECT 1 FROM summary AS whole WHERE whole.conversation = summary.conversation AND whole.level = 'session'
      AND whole.prompt_number > 1 AND whole.prompt_number >= summary.prompt_number)
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: summaries_after
-- What was done in a project after a moment, the newest first.
SELECT * FROM summary WHERE project_id = :project_id AND level <> 'agent' AND happened_at > :at
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: summaries_before
-- What was done in a project before a moment and still holds, the newest first; of a turn's own conversation only its turns.
SELECT * FROM summary
WHERE project_id = :project_id AND level <> 'agent' AND happened_at >= :since AND happened_at < :until
  AND (conversation <> :conversation OR (level = 'turn' AND :level = 'turn'))
  AND NOT EXISTS (SELECT 1 FROM supersession WHERE old_id = summary.id)
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: file_summaries
-- The turns that changed a file of this project, the newest first; what this agent did itself since `lost_at` it knows.
SELECT DISTINCT summary.* FROM touched_file
JOIN observation ON observation.id = touched_file.item_id
JOIN session ON session.id = observation.session_id
JOIN summary ON summary.conversation = session.conversation AND summary.prompt_number = observation.prompt_number
WHERE touched_file.project_id = :project_id AND touched_file.path = :path
  AND ((summary.level = 'turn' AND session.agent_id = '') OR (summary.level = 'agent' AND summary.session_id = session.id))
  AND NOT (session.conversation = :conversation AND (:agent_id = '' OR session.agent_id = :agent_id)
           AND observation.happened_at > :lost_at)
  AND NOT EXISTS (SELECT 1 FROM supersession WHERE old_id = summary.id)
ORDER BY summary.happened_at DESC, summary.id DESC LIMIT :limit

-- name: file_heirs
-- The turns that took back a turn of their own conversation which had changed a file, the newest first.
SELECT DISTINCT heir.* FROM touched_file
JOIN observation ON observation.id = touched_file.item_id
JOIN session ON session.id = observation.session_id
JOIN summary AS old ON old.conversation = session.conversation AND old.prompt_number = observation.prompt_number
  AND old.level = 'turn'
JOIN supersession ON supersession.old_id = old.id
JOIN summary AS heir ON heir.id = supersession.new_id AND heir.conversation = old.conversation
WHERE touched_file.project_id = :project_id AND touched_file.path = :path AND session.agent_id = ''
  AND session.conversation <> :conversation
  AND NOT EXISTS (SELECT 1 FROM supersession AS again WHERE again.old_id = heir.id)
ORDER BY heir.happened_at DESC, heir.id DESC LIMIT :limit

-- name: settle_thread
INSERT INTO settled_thread (subject, line, made_by, happened_at, owner)
VALUES (:subject, :line, :made_by, :happened_at, :owner)
ON CONFLICT (subject, line) DO NOTHING

-- name: unsettle_threads
DELETE FROM settled_thread WHERE subject = :subject

-- name: projects_with_summaries
SELECT DISTINCT summary.project_id FROM summary JOIN project ON project.id = summary.project_id
WHERE project.owner = :owner ORDER BY summary.project_id

-- name: settled_threads
SELECT settled_thread.subject, line FROM settled_thread JOIN summary ON summary.subject = settled_thread.subject
WHERE summary.project_id = :project_id AND settled_thread.owner = :owner

-- name: correction_put
INSERT INTO correction (prompt_id, part, text, kind, state, memory_id, happened_at)
VALUES (:prompt_id, :part, :text, :kind, :state, :memory_id, :happened_at)
ON CONFLICT (prompt_id, part) DO NOTHING

-- name: correction_decide
UPDATE correction SET state = :state, memory_id = :memory_id WHERE prompt_id = :prompt_id AND part = :part

-- name: correction_drop
DELETE FROM correction WHERE prompt_id = :prompt_id

-- name: corrections
-- The newest first. Empty filters match everything.
SELECT correction.*, prompt.project_id, prompt.conversation, project.name AS project FROM correction
JOIN prompt ON prompt.id = correction.prompt_id JOIN project ON project.id = prompt.project_id
WHERE project.owner = :owner AND (:state = '' OR state = :state) AND (:project_id = '' OR prompt.project_id = :project_id)
  AND (:conversation = '' OR prompt.conversation = :conversation)
ORDER BY correction.happened_at DESC, prompt_id DESC, part LIMIT :limit

-- name: conversation_of
SELECT conversation, agent_id FROM session WHERE id = :id

-- name: drop_prompt
DELETE FROM prompt WHERE id = :id

-- name: drop_observation
DELETE FROM observation WHERE id = :id

-- name: drop_summary
DELETE FROM summary WHERE id = :id

-- name: drop_memory
DELETE FROM memory WHERE id = :id

-- name: drop_touched
DELETE FROM touched_file
WHERE project_id = :project_id AND path = :path AND happened_at = :happened_at AND item_id = :id

-- name: words_between
-- What one agent said between two moments and when it stopped: from that its summary was made.
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND agent_id = :agent_id AND owner = :owner
  AND COALESCE(event, '') IN ('Stop', 'SubagentStop', 'MessageDisplay') AND happened_at >= :since AND happened_at < :until

-- name: drop_model_summary
DELETE FROM model_summary WHERE subject = :subject

-- name: model_spent
SELECT COUNT(*) AS calls, COALESCE(SUM(usd), 0) AS usd, COALESCE(SUM(input_tokens), 0) AS input_tokens,
       COALESCE(SUM(output_tokens), 0) AS output_tokens
FROM model_call WHERE owner = :owner AND day >= :day

-- name: model_call
INSERT INTO model_call (id, owner, day, purpose, subject, model, input_tokens, output_tokens, usd, error, began_at, took_ms)
VALUES (:id, :owner, :day, :purpose, :subject, :model, :input_tokens, :output_tokens, :usd, :error, :began_at, :took_ms)
ON CONFLICT (id) DO UPDATE SET model = excluded.model, input_tokens = excluded.input_tokens,
    output_tokens = excluded.output_tokens, usd = excluded.usd, error = excluded.error, took_ms = excluded.took_ms

-- name: model_calls
-- The newest first, with what each was about, as far as that is still there.
SELECT model_call.*, summary.id AS summary_id, summary.conversation, project.name AS project
FROM model_call LEFT JOIN summary ON summary.subject = model_call.subject
LEFT JOIN project ON project.id = summary.project_id
WHERE model_call.owner = :owner AND began_at >= :since ORDER BY began_at DESC, model_call.id LIMIT :limit

-- name: model_summary
SELECT * FROM model_summary WHERE subject = :subject

-- name: model_summary_put
INSERT INTO model_summary (subject, facts, by_model, by_rules, written_at, owner)
VALUES (:subject, :facts, :by_model, :by_rules, :written_at, :owner)
ON CONFLICT (subject) DO UPDATE SET facts = excluded.facts, by_model = excluded.by_model, by_rules = excluded.by_rules,
    written_at = excluded.written_at

-- name: count
-- How many items the index must hold. The summary of a session of one turn is not in it.
SELECT (SELECT COUNT(*) FROM prompt WHERE project_id IN (SELECT id FROM project WHERE owner = :owner))
       + (SELECT COUNT(*) FROM observation WHERE project_id IN (SELECT id FROM project WHERE owner = :owner))
       + (SELECT COUNT(*) FROM summary WHERE project_id IN (SELECT id FROM project WHERE owner = :owner)
          AND (level <> 'session' OR prompt_number > 1))
       + (SELECT COUNT(*) FROM memory WHERE owner = :owner) AS n
