-- name: find
-- The page in every scope that this event may use; the one verified last comes first.
SELECT * FROM citation
WHERE url = :url
  AND ((owner = :owner AND (scope = :project OR (:shared = 1 AND scope = ''))) OR (:team = 1 AND owner = '' AND scope = ''))
ORDER BY verified_at DESC, id

-- name: readings
-- The newest first.
SELECT * FROM reading WHERE citation_id = :citation_id AND version = :version ORDER BY read_at DESC, id

-- name: traits
SELECT subject, trait FROM origin_trait
WHERE owner = :owner AND subject IN (:origin, :url) AND until_at > :now

-- name: note_trait
INSERT INTO origin_trait (owner, subject, trait, noted_at, until_at) VALUES (:owner, :subject, :trait, :now, :until)
ON CONFLICT (owner, subject, trait) DO UPDATE SET noted_at = excluded.noted_at, until_at = excluded.until_at

-- name: drop_trait
DELETE FROM origin_trait WHERE owner = :owner AND subject = :subject AND trait = :trait

-- name: old_traits
DELETE FROM origin_trait WHERE owner = :owner AND until_at < :now

-- name: note_sighting
INSERT INTO sighting (id, fetch_key, owner, conversation, asked_url, url, version, seen, seen_at)
VALUES (:id, :fetch_key, :owner, :conversation, :asked_url, :url, :version, :seen, :seen_at)

-- name: sighting
-- What was seen before this very fetch.
SELECT url, version, seen FROM sighting WHERE owner = :owner AND fetch_key = :fetch_key ORDER BY id DESC LIMIT 1

-- name: same_client
-- The versions at which this client process may have read this very URL lately. /clear and /resume begin a new
-- conversation in the same process, so those of conversations that ended thus count too.
SELECT DISTINCT version FROM sighting
WHERE owner = :owner AND asked_url = :asked_url AND seen_at > :since
  AND (conversation = :conversation OR EXISTS (
    SELECT 1 FROM session WHERE session.conversation = sighting.conversation AND end_reason IN ('clear', 'resume')))

-- name: old_sightings
DELETE FROM sighting WHERE owner = :owner AND seen_at < :before

-- name: put
-- Keep a page, or what is newer about it. An observation that is older than the kept one changes nothing.
INSERT INTO citation (id, owner, scope, url, shown_url, final_url, etag, last_modified, content_type, vary, version,
                      source, created_at, verified_at, challenged_at, changed_at)
VALUES (:id, :owner, :scope, :url, :shown_url, :final_url, :etag, :last_modified, :content_type, :vary, :version,
        :source, :verified_at, :verified_at, 0, NULL)
ON CONFLICT (owner, scope, url) DO UPDATE SET
    final_url = excluded.final_url, etag = excluded.etag, last_modified = excluded.last_modified,
    content_type = excluded.content_type, vary = excluded.vary, version = excluded.version,
    source = excluded.source, verified_at = excluded.verified_at, changed_at = NULL
WHERE citation.verified_at <= excluded.verified_at

-- name: at
SELECT * FROM citation WHERE owner = :owner AND scope = :scope AND url = :url

-- name: put_reading
-- The same prompt again replaces its reading; another prompt stands beside it.
INSERT INTO reading (id, citation_id, prompt_key, prompt, text, version, digest, code, bytes, page_bytes, took_ms,
                     read_by, read_at, used_at, uses)
VALUES (:id, :citation_id, :prompt_key, :prompt, :text, :version, :digest, :code, :bytes, :page_bytes, :took_ms,
        :read_by, :read_at, :read_at, 0)
ON CONFLICT (citation_id, prompt_key) DO UPDATE SET
    prompt = excluded.prompt, text = excluded.text, version = excluded.version, digest = excluded.digest,
    code = excluded.code, bytes = excluded.bytes, page_bytes = excluded.page_bytes, took_ms = excluded.took_ms,
    read_by = excluded.read_by, read_at = excluded.read_at, used_at = excluded.used_at

-- name: drop_old_readings
-- Readings of an earlier version of the page.
DELETE FROM reading WHERE citation_id = :citation_id AND version <> :version

-- name: verified
UPDATE citation SET verified_at = :at, changed_at = NULL WHERE id = :id AND verified_at <= :at

-- name: challenged
UPDATE citation SET challenged_at = :at WHERE id = :id

-- name: changed
UPDATE citation SET changed_at = :at WHERE id = :id AND changed_at IS NULL

-- name: used
UPDATE reading SET used_at = :at, uses = uses + 1 WHERE id = :id

-- name: page_in_force
-- For those who cite it: this version was just seen.
INSERT INTO page (owner, url, shown_url, version, verified_at) VALUES (:owner, :url, :shown_url, :version, :at)
ON CONFLICT (owner, url) DO UPDATE SET shown_url = excluded.shown_url, version = excluded.version,
    verified_at = excluded.verified_at
WHERE page.verified_at <= excluded.verified_at

-- name: page_changed
-- This version is in force no longer.
DELETE FROM page WHERE owner = :owner AND url = :url AND version = :version

-- name: mark_cited
-- Who cites this version is told; a page that a team shares ('' as owner) is cited by all of it.
UPDATE cited_page SET changed_at = :at, new_version = :new_version
WHERE url = :url AND version = :version AND changed_at IS NULL AND (:owner = '' OR owner = :owner)

-- name: drop_unread_pages
-- Of pages that are kept no longer nothing is known to be in force.
DELETE FROM page WHERE owner = :owner
  AND NOT EXISTS (SELECT 1 FROM citation WHERE citation.owner = page.owner AND citation.url = page.url)

-- name: count
INSERT INTO citation_count (owner, name, value) VALUES (:owner, :name, :value)
ON CONFLICT (owner, name) DO UPDATE SET value = citation_count.value + excluded.value

-- name: counts
SELECT name, value FROM citation_count WHERE owner = :owner ORDER BY name

-- name: size
SELECT COUNT(DISTINCT citation.id) AS pages, COUNT(reading.id) AS readings, COALESCE(SUM(reading.bytes), 0) AS bytes
FROM citation LEFT JOIN reading ON reading.citation_id = citation.id
WHERE citation.owner = :owner

-- name: least_used
SELECT reading.id AS id, reading.bytes AS bytes FROM reading JOIN citation ON citation.id = reading.citation_id
WHERE citation.owner = :owner ORDER BY reading.used_at, reading.id LIMIT 50

-- name: drop_reading
DELETE FROM reading WHERE id = :id

-- name: drop_empty
DELETE FROM citation WHERE owner = :owner AND NOT EXISTS (SELECT 1 FROM reading WHERE reading.citation_id = citation.id)

-- name: drop
DELETE FROM citation WHERE id = :id

-- name: drop_readings
DELETE FROM reading WHERE citation_id = :id

-- name: drop_sightings
DELETE FROM sighting WHERE owner = :owner AND url = :url

-- name: list
-- What a person sees: own pages and, where there is a team, the team's; newest use first.
SELECT citation.id AS id, citation.owner AS owner, scope, citation.url AS url, shown_url, final_url, etag, last_modified,
       content_type, vary, citation.version AS version, source, citation.created_at AS created_at, verified_at,
       challenged_at, changed_at, COALESCE(project.name, '') AS project, COUNT(reading.id) AS readings,
       COALESCE(SUM(reading.bytes), 0) AS bytes, COALESCE(SUM(reading.uses), 0) AS uses, MAX(reading.used_at) AS used_at
FROM citation
LEFT JOIN project ON project.id = citation.scope
LEFT JOIN reading ON reading.citation_id = citation.id
WHERE citation.owner IN (:owner, '')
  AND (:url = '' OR citation.url = :url)
  AND (:project = '' OR project.name = :project)
GROUP BY citation.id, project.name
ORDER BY MAX(reading.used_at) DESC, citation.id
LIMIT :limit
