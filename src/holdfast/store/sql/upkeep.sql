-- name: bury
-- Remember, as a hash, what must not come back.
INSERT INTO tombstone (mark, until_at, forgotten_at) VALUES (:mark, :until_at, :forgotten_at)
ON CONFLICT (mark) DO UPDATE SET forgotten_at = excluded.forgotten_at,
    until_at = CASE WHEN excluded.until_at > tombstone.until_at THEN excluded.until_at ELSE tombstone.until_at END

-- name: marks
SELECT mark, until_at, forgotten_at FROM tombstone

-- name: is_forgotten
-- Does one of these marks lie on something that happened at this time? (Marks that do not apply are ''.)
SELECT 1 AS found FROM tombstone WHERE mark IN (:one, :two, :three, :four, :five) AND until_at >= :at LIMIT 1

-- name: entry
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE id = :id AND owner = :owner

-- name: entries_of_use
-- All that the journal holds of a tool use, in whichever conversation (a fork copies its parent's).
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE tool_use_id = :tool_use_id AND owner = :owner

-- name: batches_of_use
-- A batch repeats its tool uses; :like is the tool use's id between per cent signs.
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND COALESCE(event, '') = 'PostToolBatch' AND owner = :owner AND payload LIKE :like

-- name: entries_of_prompt
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND prompt_id = :prompt_id AND owner = :owner
  AND event IN ('UserPromptSubmit', 'UserPromptExpansion')

-- name: entries_of_conversation
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE conversation = :conversation AND owner = :owner LIMIT :limit

-- name: entries_holding
-- Entries of the journal in which a path stands; :like is the path as it stands in JSON, between per cent signs.
SELECT id FROM journal WHERE owner = :owner AND payload LIKE :like ESCAPE '!'

-- name: entries_before
SELECT id, event_key, owner, event, conversation, agent_id, prompt_id, tool_use_id, happened_at FROM journal
WHERE owner = :owner AND happened_at < :before LIMIT :limit

-- name: count_of_conversation
SELECT COUNT(*) AS n FROM journal WHERE conversation = :conversation AND owner = :owner

-- name: count_before
SELECT COUNT(*) AS n FROM journal WHERE owner = :owner AND happened_at < :before

-- name: drop_entry
DELETE FROM journal WHERE id = :id

-- name: ids_of_tag
-- Memories with a tag or file name that contains a text; :like as for memory.ids_of_text.
SELECT id FROM memory WHERE owner = :owner AND LOWER(COALESCE(tags, '') || ' ' || COALESCE(files, '')) LIKE :like ESCAPE '!'

-- name: drop_touched_path
DELETE FROM touched_file WHERE path = :path
  AND project_id IN (SELECT id FROM project WHERE owner = :owner AND (:project_id = '' OR id = :project_id))

-- name: drop_injections_about
DELETE FROM injection WHERE about = :about AND conversation IN (
    SELECT conversation FROM session WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id))

-- name: drop_injections_of_conversation
DELETE FROM injection WHERE conversation = :conversation

-- name: drop_injections_before
DELETE FROM injection WHERE happened_at < :before AND conversation IN (SELECT conversation FROM session WHERE owner = :owner)

-- name: drop_supersessions_of_text
-- A reason may quote what it is about.
DELETE FROM supersession WHERE LOWER(reason) LIKE :like ESCAPE '!'
  AND NOT EXISTS (SELECT 1 FROM memory WHERE memory.id = old_id AND owner <> :owner)
  AND NOT EXISTS (SELECT 1 FROM prompt JOIN project ON project.id = project_id WHERE prompt.id = old_id AND owner <> :owner)
  AND NOT EXISTS (
    SELECT 1 FROM observation JOIN project ON project.id = project_id WHERE observation.id = old_id AND owner <> :owner)
  AND NOT EXISTS (
    SELECT 1 FROM summary JOIN project ON project.id = project_id WHERE summary.id = old_id AND owner <> :owner)

-- name: model_summaries_of_text
-- Words of which the summary is gone are anybody's.
SELECT subject FROM model_summary WHERE LOWER(by_model || by_rules) LIKE :like ESCAPE '!'
  AND NOT EXISTS (
    SELECT 1 FROM summary JOIN project ON project.id = project_id
    WHERE summary.subject = model_summary.subject AND owner <> :owner)

-- name: drop_call_errors_of_text
-- That a call failed stays in the ledger; why it failed may quote what it was about.
UPDATE model_call SET error = 'forgotten' WHERE owner = :owner AND LOWER(error) LIKE :like ESCAPE '!'

-- name: drop_readings_of_text
DELETE FROM reading WHERE LOWER(text || ' ' || prompt) LIKE :like ESCAPE '!'
  AND citation_id IN (SELECT id FROM citation WHERE owner = :owner)

-- name: drop_readings_of_pages
DELETE FROM reading WHERE citation_id IN (
    SELECT id FROM citation WHERE owner = :owner
      AND LOWER(url || ' ' || shown_url || ' ' || final_url) LIKE :like ESCAPE '!')

-- name: drop_empty_pages
-- Pages of which nothing is left.
DELETE FROM citation WHERE owner = :owner AND NOT EXISTS (SELECT 1 FROM reading WHERE citation_id = citation.id)

-- name: drop_sightings_of_text
DELETE FROM sighting WHERE owner = :owner AND LOWER(asked_url || ' ' || url || ' ' || seen) LIKE :like ESCAPE '!'

-- name: drop_pages_of_text
DELETE FROM page WHERE owner = :owner AND LOWER(url) LIKE :like ESCAPE '!'

-- name: drop_traits_of_text
DELETE FROM origin_trait WHERE owner = :owner AND LOWER(subject) LIKE :like ESCAPE '!'

-- name: drop_cited_pages_of_text
-- A thing may name a page by another form of its address.
DELETE FROM cited_page WHERE LOWER(url) LIKE :like ESCAPE '!'
  AND item_id IN (SELECT id FROM recall_item WHERE owner = :owner)

-- name: count_readings_of_text
SELECT COUNT(*) AS n FROM reading JOIN citation ON citation.id = reading.citation_id
WHERE citation.owner = :owner
  AND LOWER(reading.text || ' ' || reading.prompt || ' ' || citation.url || ' ' || citation.shown_url) LIKE :like ESCAPE '!'

-- name: drop_job_errors_of_text
-- What failed may quote what it failed on.
UPDATE job SET error = NULL WHERE LOWER(error) LIKE :like ESCAPE '!' OR LOWER(error) LIKE :escaped ESCAPE '!'

-- name: alias
SELECT local_id FROM alias WHERE foreign_id = :id

-- name: alias_add
INSERT INTO alias (foreign_id, local_id) VALUES (:foreign_id, :local_id)
ON CONFLICT (foreign_id) DO UPDATE SET local_id = excluded.local_id

-- name: projects
SELECT id, place, name, created_at FROM project
WHERE owner = :owner AND (:project_id = '' OR id = :project_id) ORDER BY created_at, id

-- name: project_put
INSERT INTO project (id, owner, place, name, created_at) VALUES (:id, :owner, :place, :name, :created_at)
ON CONFLICT DO NOTHING

-- name: worktrees
SELECT worktree.id, project_id, path, worktree.created_at FROM worktree JOIN project ON project.id = worktree.project_id
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) ORDER BY worktree.created_at, worktree.id

-- name: worktree_put
INSERT INTO worktree (id, project_id, path, created_at) VALUES (:id, :project_id, :path, :created_at)
ON CONFLICT DO NOTHING

-- name: sessions
SELECT id, conversation, agent_id, agent_type, window_number, project_id, worktree_id, transcript_path, began_by,
       started_at, last_event_at, ended_at, end_reason
FROM session
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (started_at > :at OR (started_at = :at AND id > :id))
ORDER BY started_at, id LIMIT :limit

-- name: session_put
INSERT INTO session (id, owner, conversation, agent_id, agent_type, window_number, project_id, worktree_id,
                     transcript_path, began_by, started_at, last_event_at, ended_at, end_reason)
VALUES (:id, :owner, :conversation, :agent_id, :agent_type, :window_number, :project_id, :worktree_id,
        :transcript_path, :began_by, :started_at, :last_event_at, :ended_at, :end_reason)
ON CONFLICT DO NOTHING

-- name: session_by_window
SELECT id FROM session WHERE conversation = :conversation AND agent_id = :agent_id AND window_number = :window_number

-- name: session_by_id
SELECT id FROM session WHERE id = :id

-- name: prompts
SELECT prompt.* FROM prompt JOIN project ON project.id = prompt.project_id
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (happened_at > :at OR (happened_at = :at AND prompt.id > :id))
ORDER BY happened_at, prompt.id LIMIT :limit

-- name: observations
SELECT observation.* FROM observation JOIN project ON project.id = observation.project_id
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (happened_at > :at OR (happened_at = :at AND observation.id > :id))
ORDER BY happened_at, observation.id LIMIT :limit

-- name: summaries
SELECT summary.* FROM summary JOIN project ON project.id = summary.project_id
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (happened_at > :at OR (happened_at = :at AND summary.id > :id))
ORDER BY happened_at, summary.id LIMIT :limit

-- name: memories
SELECT id, project_id, title, text, tags, files, trust, source, created_at, updated_at FROM memory
WHERE owner = :owner AND (:project_id = '' OR project_id IN (:project_id, ''))
  AND (created_at > :at OR (created_at = :at AND id > :id))
ORDER BY created_at, id LIMIT :limit

-- name: supersessions
SELECT old_id, new_id, reason, made_by, happened_at FROM supersession WHERE happened_at > :at OR (happened_at = :at AND old_id > :id)
ORDER BY happened_at, old_id LIMIT :limit

-- name: cited_pages
SELECT item_id, url, version, changed_at, new_version FROM cited_page WHERE owner = :owner AND item_id || url > :id
ORDER BY item_id || url LIMIT :limit

-- name: cited_page_put
INSERT INTO cited_page (item_id, url, version, changed_at, new_version, owner)
VALUES (:item_id, :url, :version, :changed_at, :new_version, :owner) ON CONFLICT DO NOTHING

-- name: lost_contexts
SELECT conversation, happened_at FROM lost_context
WHERE conversation IN (SELECT conversation FROM session WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id))
  AND (happened_at > :at OR (happened_at = :at AND conversation > :id))
ORDER BY happened_at, conversation LIMIT :limit

-- name: has_conversation
SELECT 1 AS found FROM session WHERE owner = :owner AND conversation = :conversation LIMIT 1

-- name: model_summaries
SELECT model_summary.subject, facts, by_model, by_rules, written_at FROM model_summary
JOIN summary ON summary.subject = model_summary.subject JOIN project ON project.id = summary.project_id
WHERE project.owner = :owner AND (:project_id = '' OR project_id = :project_id)
  AND (written_at > :at OR (written_at = :at AND model_summary.subject > :id))
ORDER BY written_at, model_summary.subject LIMIT :limit

-- name: model_summary_add
INSERT INTO model_summary (subject, facts, by_model, by_rules, written_at, owner)
VALUES (:subject, :facts, :by_model, :by_rules, :written_at, :owner) ON CONFLICT DO NOTHING

-- name: injections
SELECT injection.* FROM injection
WHERE conversation IN (SELECT conversation FROM session WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id))
  AND (happened_at > :at OR (happened_at = :at AND entry_id || item_id > :id))
ORDER BY happened_at, entry_id || item_id LIMIT :limit

-- name: citations
SELECT id, scope, url, shown_url, final_url, etag, last_modified, content_type, vary, version, source, created_at,
       verified_at, challenged_at, changed_at
FROM citation
WHERE owner = :owner AND (:project_id = '' OR scope = :project_id)
  AND (created_at > :at OR (created_at = :at AND id > :id))
ORDER BY created_at, id LIMIT :limit

-- name: citation_put
INSERT INTO citation (id, owner, scope, url, shown_url, final_url, etag, last_modified, content_type, vary, version,
                      source, created_at, verified_at, challenged_at, changed_at)
VALUES (:id, :owner, :scope, :url, :shown_url, :final_url, :etag, :last_modified, :content_type, :vary, :version,
        :source, :created_at, :verified_at, :challenged_at, :changed_at)
ON CONFLICT DO NOTHING

-- name: citation_by_place
SELECT id FROM citation WHERE owner = :owner AND scope = :scope AND url = :url

-- name: readings
SELECT reading.* FROM reading JOIN citation ON citation.id = reading.citation_id
WHERE owner = :owner AND (:project_id = '' OR scope = :project_id)
  AND (read_at > :at OR (read_at = :at AND reading.id > :id))
ORDER BY read_at, reading.id LIMIT :limit

-- name: reading_put
INSERT INTO reading (id, citation_id, prompt_key, prompt, text, version, digest, code, bytes, page_bytes, took_ms,
                     read_by, read_at, used_at, uses)
VALUES (:id, :citation_id, :prompt_key, :prompt, :text, :version, :digest, :code, :bytes, :page_bytes, :took_ms,
        :read_by, :read_at, :used_at, :uses)
ON CONFLICT DO NOTHING

-- name: whole_entries
-- Old entries of the journal that still have their whole payload; :like matches the light form.
SELECT id, payload FROM journal
WHERE event = :event AND happened_at < :before AND owner = :owner AND payload NOT LIKE :like LIMIT :limit

-- name: lighten
UPDATE journal SET payload = :payload, cut_bytes = cut_bytes + :gone WHERE id = :id

-- name: next_event
-- The kinds of events in the journal, one after the other.
SELECT MIN(event) AS event FROM journal WHERE event > :event

-- name: drop_entries
-- Entries of one kind that are old enough to go; :limit of them.
DELETE FROM journal WHERE id IN (
    SELECT id FROM journal WHERE event = :event AND happened_at < :before AND owner = :owner LIMIT :limit)

-- name: bytes_by_day
-- Payload bytes per day, the oldest first: which day to cut at.
SELECT happened_at / 86400000000 AS day, SUM(length(payload)) AS bytes FROM journal WHERE owner = :owner GROUP BY 1 ORDER BY 1

-- name: old_observations
-- Observations that have aged out. Reading and searching ages sooner (:light).
SELECT observation.id FROM observation JOIN project ON project.id = observation.project_id
WHERE project.owner = :owner AND observation.happened_at < :light
  AND (observation.kind IN ('read', 'search') OR observation.happened_at < :before)
LIMIT :limit

-- name: drop_old_injections
DELETE FROM injection WHERE happened_at < :before AND conversation IN (SELECT conversation FROM session WHERE owner = :owner)

-- name: growth_put
INSERT INTO growth (day, name, bytes, rows) VALUES (:day, :name, :bytes, :rows)
ON CONFLICT (day, name) DO UPDATE SET bytes = excluded.bytes, rows = excluded.rows

-- name: growth_since
SELECT day, name, bytes, rows FROM growth WHERE day >= :day ORDER BY day, name

-- name: growth_drop
DELETE FROM growth WHERE day < :day

-- name: takeover_add
INSERT INTO takeover (home, subject, read_bytes, total_bytes, kept, state, updated_at)
VALUES (:home, :subject, 0, :total_bytes, 0, 'waiting', :at)
ON CONFLICT (home, subject) DO UPDATE SET total_bytes = excluded.total_bytes, state = 'waiting', updated_at = excluded.updated_at
WHERE takeover.read_bytes <> excluded.total_bytes OR takeover.state <> 'done'

-- name: takeover_next
SELECT * FROM takeover WHERE home = :home AND state = 'waiting' ORDER BY subject LIMIT 1

-- name: takeover_on
UPDATE takeover SET read_bytes = :read_bytes, kept = kept + :kept, state = :state, updated_at = :at
WHERE home = :home AND subject = :subject

-- name: takeover_pause
UPDATE takeover SET state = 'paused' WHERE home = :home AND state = 'waiting'

-- name: takeover_counts
SELECT state, COUNT(*) AS n, COALESCE(SUM(read_bytes), 0) AS read_bytes, COALESCE(SUM(total_bytes), 0) AS total_bytes,
       COALESCE(SUM(kept), 0) AS kept
FROM takeover WHERE home = :home GROUP BY state

-- name: conversations_like
-- The conversation that is meant by its id or the beginning of it.
SELECT DISTINCT conversation FROM session WHERE owner = :owner AND (conversation = :named OR conversation LIKE :like)

-- name: has_end
SELECT 1 AS found FROM journal WHERE conversation = :conversation AND COALESCE(event, '') = 'SessionEnd' LIMIT 1

-- name: end_of
-- The last that is known of a conversation, and where it was.
SELECT journal.happened_at, worktree.path AS cwd FROM journal JOIN worktree ON worktree.id = journal.worktree_id
WHERE journal.conversation = :conversation AND journal.agent_id = '' ORDER BY journal.happened_at DESC LIMIT 1
