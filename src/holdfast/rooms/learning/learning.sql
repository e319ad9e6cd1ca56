-- name: active
-- The entry that an agent of a conversation works on.
SELECT * FROM ghap
WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id AND status = 'active' AND left_at = 0

-- name: left_by
-- The entry that this very agent left when its session ended.
SELECT * FROM ghap
WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id AND status = 'active' AND left_at > 0

-- name: newest_of
-- The last entry of an agent, whatever became of it.
SELECT * FROM ghap
WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id ORDER BY created_at DESC, id DESC LIMIT 1

-- name: orphans
-- Entries of a project whose session ended, or was not heard of since.
SELECT ghap.* FROM ghap
WHERE owner = :owner AND project_id = :project_id AND status = 'active' AND conversation <> :conversation
  AND (left_at > 0 OR NOT EXISTS (
      SELECT 1 FROM session WHERE session.conversation = ghap.conversation AND session.agent_id = ghap.agent_id
        AND session.ended_at IS NULL AND session.last_event_at >= :heard_since))
ORDER BY updated_at DESC LIMIT :limit

-- name: is_live
-- Was the agent of an entry heard of lately, and did its window not end?
SELECT 1 AS found FROM session
WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id AND ended_at IS NULL
  AND last_event_at >= :heard_since LIMIT 1

-- name: leave
-- The session of these entries ended. `agent_id` '*' means all agents.
UPDATE ghap SET left_at = :at
WHERE owner = :owner AND conversation = :conversation AND (:agent_id = '*' OR agent_id = :agent_id)
  AND status = 'active' AND left_at = 0

-- name: return
-- The same conversation goes on.
UPDATE ghap SET left_at = 0
WHERE owner = :owner AND conversation = :conversation AND agent_id = :agent_id AND status = 'active' AND left_at > 0

-- name: overdue
-- Entries that nobody took up: left before the session that now ends began, or longer ago than they are kept.
SELECT * FROM ghap
WHERE owner = :owner AND status = 'active' AND conversation <> :conversation
  AND ((left_at > 0 AND project_id = :project_id AND left_at <= :began_at)
       OR (left_at > 0 AND left_at < :before)
       OR (updated_at < :before AND NOT EXISTS (
           SELECT 1 FROM session WHERE session.conversation = ghap.conversation AND session.last_event_at >= :before)))
ORDER BY created_at LIMIT :limit

-- name: entries
-- Entries, the newest first; empty filters match everything.
SELECT * FROM ghap
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND (:domain = '' OR domain = :domain)
  AND (:status = '' OR status = :status) AND (:conversation = '' OR conversation = :conversation)
  AND created_at >= :since
ORDER BY created_at DESC, id DESC LIMIT :limit

-- name: falsified
-- What went wrong before, the newest first. '' is every project.
SELECT * FROM ghap
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND status = 'falsified' AND domain = :domain
ORDER BY resolved_at DESC LIMIT :limit

-- name: experiences
-- All resolved entries, for clusters and calibration.
SELECT * FROM ghap WHERE owner = :owner AND resolved_at > 0 AND status <> 'abandoned' ORDER BY resolved_at LIMIT :limit

-- name: experience_count
SELECT COUNT(*) AS n FROM ghap WHERE owner = :owner AND resolved_at > 0

-- name: first_began
-- When a conversation began.
SELECT MIN(started_at) AS started_at FROM session WHERE owner = :owner AND conversation = :conversation AND agent_id = ''

-- name: newest_window
-- The newest live window of a project that called a tool: who is meant by a call that does not say.
SELECT session.conversation, session.agent_id, session.project_id FROM session
WHERE session.owner = :owner AND (:project_id = '' OR session.project_id = :project_id) AND session.agent_id = ''
  AND (:conversation = '' OR session.conversation = :conversation)
ORDER BY CASE WHEN session.ended_at IS NULL THEN 0 ELSE 1 END, session.last_event_at DESC LIMIT 1

-- name: state
SELECT calls, warned FROM loop_state WHERE conversation = :conversation AND agent_id = :agent_id
  AND NOT EXISTS (SELECT 1 FROM session WHERE session.conversation = :conversation AND session.owner <> :owner)

-- name: state_set
INSERT INTO loop_state (conversation, agent_id, calls, warned, updated_at)
VALUES (:conversation, :agent_id, :calls, :warned, :updated_at)
ON CONFLICT (conversation, agent_id) DO UPDATE
SET calls = excluded.calls, warned = excluded.warned, updated_at = excluded.updated_at
WHERE NOT EXISTS (SELECT 1 FROM session WHERE session.conversation = :conversation AND session.owner <> :owner)

-- name: run_add
INSERT INTO known_run (id, owner, project_id, conversation, agent_id, kind, tool, label, paths, narrowed, verdict, error,
                 tests, happened_at)
VALUES (:id, :owner, :project_id, :conversation, :agent_id, :kind, :tool, :label, :paths, :narrowed, :verdict, :error,
        :tests, :happened_at)
ON CONFLICT DO NOTHING

-- name: runs_before
-- The last runs of a conversation before a moment, the newest first.
SELECT * FROM known_run WHERE owner = :owner AND conversation = :conversation AND happened_at < :before
ORDER BY happened_at DESC LIMIT :limit

-- name: failed_before
-- Did the same command line fail in this project, and did it not pass since?
SELECT verdict, error FROM known_run
WHERE owner = :owner AND project_id = :project_id AND label = :label ORDER BY happened_at DESC LIMIT 1

-- name: last_runs
-- What ran in a project, the newest first.
SELECT label, error FROM known_run WHERE owner = :owner AND project_id = :project_id ORDER BY happened_at DESC LIMIT :limit

-- name: proven_commands
-- Commands whose remedy helped again, or was written by a person.
SELECT id, command FROM remedy
WHERE owner = :owner AND project_id = :project_id AND outdated = 0 AND (worked > 0 OR trust = 'user')
ORDER BY happened_at DESC LIMIT :limit

-- name: entries_between
-- What the tools of a conversation did between two moments, as the journal has it.
SELECT id, event, tool_name, payload, happened_at FROM journal
WHERE owner = :owner AND conversation = :conversation AND happened_at > :after AND happened_at < :before
  AND COALESCE(event, '') IN ('PostToolUse', 'PostToolUseFailure')
ORDER BY happened_at LIMIT :limit

-- name: flaky
SELECT test, times, last_at FROM flaky_test WHERE owner = :owner AND project_id = :project_id

-- name: flaky_add
INSERT INTO flaky_test (id, owner, project_id, test, times, first_at, last_at)
VALUES (:id, :owner, :project_id, :test, 1, :at, :at)
ON CONFLICT (id) DO UPDATE SET times = flaky_test.times + 1, last_at = excluded.last_at

-- name: remedy_keys_add
INSERT INTO remedy_key (remedy_id, key, weight) VALUES (:remedy_id, :key, :weight) ON CONFLICT DO NOTHING

-- name: remedies_by_key
-- Remedies of this project that are known by a key.
SELECT remedy.*, remedy_key.weight FROM remedy_key JOIN remedy ON remedy.id = remedy_key.remedy_id
WHERE remedy_key.key = :key AND remedy.owner = :owner AND (remedy.project_id = :project_id OR remedy_key.weight >= :anywhere)
ORDER BY remedy.happened_at DESC LIMIT 10

-- name: remedies
-- Remedies of a project ('' is every project), the newest first.
SELECT * FROM remedy WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id)
ORDER BY happened_at DESC, id DESC LIMIT :limit

-- name: remedies_of
-- Remedies that a conversation learned since a moment.
SELECT * FROM remedy WHERE owner = :owner AND conversation = :conversation AND happened_at >= :since ORDER BY happened_at

-- name: remedy_files
-- The files of a project's remedies.
SELECT id, files FROM remedy WHERE owner = :owner AND project_id = :project_id AND outdated = 0
ORDER BY happened_at DESC LIMIT :limit

-- name: remedy_judge
UPDATE remedy SET good = :good, bad = :bad, shown = :shown, used = :used, worked = :worked, outdated = :outdated,
                  judged_at = :judged_at
WHERE id = :id AND owner = :owner

-- name: shown_in
-- The remedies that an agent was shown in a conversation, the newest first.
SELECT injection.item_id, injection.happened_at FROM injection JOIN remedy ON remedy.id = injection.item_id
WHERE remedy.owner = :owner AND injection.conversation = :conversation AND injection.happened_at >= :since AND injection.happened_at < :before
ORDER BY injection.happened_at DESC LIMIT 20

-- name: implied_add
-- Its run may have been forgotten since: then its words are not kept either.
INSERT INTO implied_prediction (id, owner, project_id, conversation, agent_id, words, expects, domain, came_true,
                                happened_at)
SELECT :id, :owner, :project_id, :conversation, :agent_id, :words, :expects, :domain, :came_true, :happened_at
FROM journal WHERE journal.id = :id
ON CONFLICT DO NOTHING

-- name: implied
SELECT id, project_id, words, expects, domain, came_true, happened_at FROM implied_prediction
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND happened_at >= :since
ORDER BY happened_at LIMIT :limit

-- name: settled
-- Entries whose prediction came true or not, for calibration.
SELECT id, project_id, domain, strategy, status, tier, resolved_at FROM ghap
WHERE owner = :owner AND (:project_id = '' OR project_id = :project_id) AND status IN ('confirmed', 'falsified')
  AND resolved_at >= :since
ORDER BY resolved_at LIMIT :limit

-- name: project_names
SELECT id, name FROM project WHERE owner = :owner

-- name: clusters
SELECT * FROM cluster WHERE owner = :owner AND (:axis = '' OR axis = :axis) ORDER BY size DESC, id LIMIT :limit

-- name: cluster
SELECT * FROM cluster WHERE owner = :owner AND id = :id

-- name: members
SELECT cluster_member.cluster_id, cluster_member.ghap_id, cluster_member.distance
FROM cluster_member JOIN cluster ON cluster.id = cluster_member.cluster_id
WHERE cluster.owner = :owner AND (:axis = '' OR cluster.axis = :axis)

-- name: cluster_add
INSERT INTO cluster (id, owner, axis, terms, size, mean, deviation, updated_at)
VALUES (:id, :owner, :axis, :terms, :size, :mean, :deviation, :updated_at)

-- name: member_add
INSERT INTO cluster_member (cluster_id, ghap_id, distance) VALUES (:cluster_id, :ghap_id, :distance)

-- name: drop_members
DELETE FROM cluster_member WHERE cluster_id IN (SELECT id FROM cluster WHERE owner = :owner AND axis = :axis)

-- name: drop_clusters
DELETE FROM cluster WHERE owner = :owner AND axis = :axis

-- name: clusters_of
-- The clusters that an entry is in.
SELECT cluster_member.cluster_id FROM cluster_member JOIN cluster ON cluster.id = cluster_member.cluster_id
WHERE cluster.owner = :owner AND cluster_member.ghap_id = :ghap_id

-- name: drop_members_of
-- The clusters that an entry was in go: their words may be its own. They are made anew.
DELETE FROM cluster_member WHERE cluster_id IN (SELECT cluster_id FROM cluster_member WHERE ghap_id = :ghap_id)

-- name: drop_empty_clusters
DELETE FROM cluster WHERE owner = :owner AND id NOT IN (SELECT cluster_id FROM cluster_member)

-- name: values
SELECT * FROM learned_value WHERE owner = :owner AND (:project_id = '' OR project_id IN (:project_id, ''))
  AND (:axis = '' OR axis = :axis)
ORDER BY created_at DESC LIMIT :limit

-- name: value_of_cluster
SELECT * FROM learned_value WHERE owner = :owner AND cluster_id = :cluster_id ORDER BY created_at DESC

-- name: value_support
UPDATE learned_value SET support = :support WHERE id = :id AND owner = :owner
