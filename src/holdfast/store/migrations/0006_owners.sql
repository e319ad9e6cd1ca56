-- Every row says whose it is, and the rooms meet in shared tables only.

-- What holds no longer, pages that are cited, touched files, words of a model: they were known by another room's rows.
ALTER TABLE supersession ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE supersession SET owner = COALESCE(
    (SELECT owner FROM memory WHERE memory.id = old_id),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM prompt WHERE prompt.id = old_id)),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM observation WHERE observation.id = old_id)),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM summary WHERE summary.id = old_id)),
    '');
DELETE FROM supersession WHERE owner = '';

ALTER TABLE touched_file ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE touched_file SET owner = COALESCE(
    (SELECT owner FROM project WHERE project.id = touched_file.project_id),
    (SELECT owner FROM memory WHERE memory.id = touched_file.item_id),
    '');
DELETE FROM touched_file WHERE owner = '';

ALTER TABLE model_summary ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE model_summary SET owner = COALESCE(
    (SELECT owner FROM project WHERE project.id =
        (SELECT project_id FROM summary WHERE summary.subject = model_summary.subject)),
    '');
DELETE FROM model_summary WHERE owner = '';

-- A page that is cited is marked where it is cited, by whoever finds it changed. `new_version` is '' when nothing is
-- known of the new one.
ALTER TABLE cited_page ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE cited_page ADD COLUMN changed_at BIGINT;
ALTER TABLE cited_page ADD COLUMN new_version TEXT;
UPDATE cited_page SET owner = COALESCE(
    (SELECT owner FROM memory WHERE memory.id = item_id),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM prompt WHERE prompt.id = item_id)),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM observation WHERE observation.id = item_id)),
    (SELECT owner FROM project WHERE project.id = (SELECT project_id FROM summary WHERE summary.id = item_id)),
    '');
DELETE FROM cited_page WHERE owner = '';
UPDATE cited_page SET
    changed_at = (SELECT MIN(found_at) FROM citation_change
        WHERE citation_change.url = cited_page.url AND old_version = cited_page.version
          AND citation_change.owner IN (cited_page.owner, '')),
    new_version = (SELECT citation_change.new_version FROM citation_change
        WHERE citation_change.url = cited_page.url AND old_version = cited_page.version
          AND citation_change.owner IN (cited_page.owner, '')
        ORDER BY found_at, id LIMIT 1);
CREATE INDEX cited_page_version ON cited_page (url, version);
DROP TABLE citation_change;

-- Which version of a page is in force, and when it was last seen so. `owner` is '' for a page that a team shares.
CREATE TABLE page (
    owner       TEXT NOT NULL,
    url         TEXT NOT NULL,
    shown_url   TEXT NOT NULL,
    version     TEXT NOT NULL,
    verified_at BIGINT NOT NULL,
    PRIMARY KEY (owner, url)
);
CREATE INDEX page_url ON page (url);
CREATE INDEX page_shown ON page (shown_url);
INSERT INTO page (owner, url, shown_url, version, verified_at)
SELECT owner, url, shown_url, version, verified_at FROM citation
WHERE changed_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM citation AS other WHERE other.owner = citation.owner AND other.url = citation.url
      AND other.changed_at IS NULL AND (other.verified_at > citation.verified_at
        OR (other.verified_at = citation.verified_at AND other.id > citation.id)));

-- Jobs that no room asks for any more under these names.
UPDATE job SET kind = 'upkeep.retention' WHERE kind = 'memory.retention';
UPDATE job SET kind = 'upkeep.mend_index' WHERE kind = 'recall.mend';
