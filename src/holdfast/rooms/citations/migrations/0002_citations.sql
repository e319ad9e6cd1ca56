-- Web citations: pages that were read, what was read in them, and how their origins behave.

-- A page, once per scope. `owner` is '' for what a team shares, `scope` is '' for all projects of the owner, else a project.
-- `version` is made of what the origin said of the page (final URL, validators, type): it changes when the page does.
CREATE TABLE citation (
    id            TEXT PRIMARY KEY,
    owner         TEXT NOT NULL,
    scope         TEXT NOT NULL,
    url           TEXT NOT NULL,
    shown_url     TEXT NOT NULL,
    final_url     TEXT NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    content_type  TEXT NOT NULL,
    vary          TEXT NOT NULL,
    version       TEXT NOT NULL,
    source        TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    verified_at   BIGINT NOT NULL,
    challenged_at BIGINT NOT NULL,
    changed_at    BIGINT
);
CREATE UNIQUE INDEX citation_place ON citation (owner, scope, url);
CREATE INDEX citation_url ON citation (url);

-- What one prompt got out of one version of a page. `digest` covers url, version, prompt and text.
CREATE TABLE reading (
    id          TEXT PRIMARY KEY,
    citation_id TEXT NOT NULL REFERENCES citation (id),
    prompt_key  TEXT NOT NULL,
    prompt      TEXT NOT NULL,
    text        TEXT NOT NULL,
    version     TEXT NOT NULL,
    digest      TEXT NOT NULL,
    code        BIGINT NOT NULL,
    bytes       BIGINT NOT NULL,
    page_bytes  BIGINT NOT NULL,
    took_ms     BIGINT NOT NULL,
    read_by     TEXT NOT NULL,
    read_at     BIGINT NOT NULL,
    used_at     BIGINT NOT NULL,
    uses        BIGINT NOT NULL
);
CREATE UNIQUE INDEX reading_prompt ON reading (citation_id, prompt_key);
CREATE INDEX reading_used ON reading (used_at);

-- A WebFetch that was let through, and what the origin said just before it ('' when it was not asked).
-- Kept a little longer than the client's own cache of pages, from which a second fetch may be answered.
CREATE TABLE sighting (
    id           TEXT PRIMARY KEY,
    fetch_key    TEXT NOT NULL,
    owner        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    asked_url    TEXT NOT NULL,
    url          TEXT NOT NULL,
    version      TEXT NOT NULL,
    seen         TEXT NOT NULL,
    seen_at      BIGINT NOT NULL
);
CREATE INDEX sighting_fetch ON sighting (fetch_key);
CREATE INDEX sighting_asked ON sighting (asked_url, seen_at);
CREATE INDEX sighting_age ON sighting (owner, seen_at);

-- What is known of an origin (or of one URL), so that no probe is wasted: trait by trait, each for a time.
CREATE TABLE origin_trait (
    owner      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    trait      TEXT NOT NULL,
    noted_at   BIGINT NOT NULL,
    until_at   BIGINT NOT NULL,
    PRIMARY KEY (owner, subject, trait)
);

-- A page was found changed: for those who cite it. `new_version` is '' when nothing is known of the new one.
CREATE TABLE citation_change (
    id          TEXT PRIMARY KEY,
    owner       TEXT NOT NULL,
    url         TEXT NOT NULL,
    old_version TEXT NOT NULL,
    new_version TEXT NOT NULL,
    found_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX citation_change_once ON citation_change (owner, url, old_version, new_version);

-- How often what happened, and what it saved.
CREATE TABLE citation_count (
    owner TEXT NOT NULL,
    name  TEXT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (owner, name)
);
