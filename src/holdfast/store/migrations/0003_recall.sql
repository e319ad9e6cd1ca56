-- The recall index: one row per thing that can be found, whatever room it belongs to. Derived: `holdfast reindex` makes it anew.

-- `id` and `kind` name the thing in its room. `words` are its terms (recall/tokens.py): plain ones are its own, ~ marks
-- those of its context, _f a file it touched. `position` counts the items of a session, so that neighbours are known.
CREATE TABLE recall_item (
-- only: sqlite
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
-- end
-- only: postgresql
    seq         BIGINT PRIMARY KEY,
-- end
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    owner       TEXT NOT NULL,
    project_id  TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    position    BIGINT NOT NULL,
    happened_at BIGINT NOT NULL,
    outcome     TEXT NOT NULL,
    trust       DOUBLE PRECISION NOT NULL,
    superseded  BIGINT NOT NULL,
    light       BIGINT NOT NULL,
    files       TEXT NOT NULL,
    words       TEXT NOT NULL
);
CREATE UNIQUE INDEX recall_item_id ON recall_item (id);
CREATE INDEX recall_item_session ON recall_item (session_id, position);
CREATE INDEX recall_item_time ON recall_item (project_id, happened_at);

-- only: sqlite
-- Project and kind as words, so that the index itself can narrow a search; _h is the project of what is not light.
CREATE VIEW recall_text AS
SELECT seq, words || ' _k' || kind || ' _p' || replace(project_id, '-', '')
    || CASE light WHEN 0 THEN ' _h' || replace(project_id, '-', '') ELSE '' END AS words
FROM recall_item;
CREATE VIRTUAL TABLE recall_words USING fts5(
    words, content='recall_text', content_rowid='seq', detail=none, columnsize=0, tokenize="ascii tokenchars '_~'"
);
-- end
-- only: postgresql
-- Dear on purpose: the planner must use the index, and not make every row's vector anew to look into it.
CREATE OR REPLACE FUNCTION recall_terms(words text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000
AS $body$ BEGIN RETURN array_to_tsvector(string_to_array(words, ' ')); END $body$;
-- No list of pending words: every search would have to read through it.
CREATE INDEX recall_item_words ON recall_item USING gin (recall_terms(words)) WITH (fastupdate = off);
-- end

-- An item as a model sees it: bytes are signed numbers of one direction, `model` says whose.
CREATE TABLE recall_vector (
    seq    BIGINT NOT NULL,
    model  TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, seq)
);
CREATE INDEX recall_vector_seq ON recall_vector (seq);
