-- name: add [sqlite]
-- Changes nothing, and gives no row, when the item is there already. Without a position it is the next of its listener.
INSERT INTO recall_item (id, kind, owner, project_id, listener, position, happened_at, outcome, trust, superseded,
                         light, files, words)
VALUES (:id, :kind, :owner, :project_id, :listener,
        COALESCE(:position, CASE :listener WHEN '' THEN 0 ELSE (
            SELECT COALESCE(MAX(r.position), 0) + 1 FROM recall_item AS r WHERE r.listener = :listener) END),
        :happened_at, :outcome, :trust, :superseded, :light, :files, :words)
ON CONFLICT (id) DO NOTHING
RETURNING seq

-- name: add [postgresql]
-- Here nothing counts for us: the number is made of the id.
INSERT INTO recall_item (seq, id, kind, owner, project_id, listener, position, happened_at, outcome, trust, superseded,
                         light, files, words)
VALUES (('x' || substr(md5(:id), 1, 16))::bit(64)::bigint, :id, :kind, :owner, :project_id, :listener,
        COALESCE(CAST(:position AS bigint), CASE CAST(:listener AS text) WHEN '' THEN 0 ELSE (
            SELECT COALESCE(MAX(r.position), 0) + 1 FROM recall_item AS r WHERE r.listener = :listener) END),
        :happened_at, :outcome, :trust, :superseded, :light, :files, :words)
ON CONFLICT (id) DO NOTHING
RETURNING seq

-- name: add_words [sqlite]
INSERT INTO recall_words (rowid, words) SELECT seq, words FROM recall_text WHERE seq = :seq

-- name: find
SELECT seq, listener, position FROM recall_item WHERE id = :id

-- name: words_of
SELECT seq, words FROM recall_item WHERE id = :id

-- name: set_words
UPDATE recall_item SET words = :words WHERE seq = :seq

-- name: drop_words [sqlite]
-- The index must be told what it was given: it keeps no copy.
INSERT INTO recall_words (recall_words, rowid, words) SELECT 'delete', seq, words FROM recall_text WHERE seq = :seq

-- name: drop_vectors
-- Also that of the next item, which was made with this one beside it; it will be made anew.
DELETE FROM recall_vector WHERE seq IN (
    SELECT n.seq FROM recall_item c JOIN recall_item n
        ON n.listener = c.listener AND n.listener <> '' AND n.position = c.position + 1
    WHERE c.seq = :seq
    UNION ALL SELECT seq FROM recall_item WHERE seq = :seq
)

-- name: drop
DELETE FROM recall_item WHERE seq = :seq

-- name: mark
-- What is not given (NULL) stays.
UPDATE recall_item
SET outcome = COALESCE(:outcome, outcome), trust = COALESCE(:trust, trust), superseded = COALESCE(:superseded, superseded)
WHERE id = :id

-- name: extent [sqlite]
-- Two questions, because SQLite answers each from the end of its table, but both together by reading all of it.
SELECT (SELECT COALESCE(MAX(seq), 0) FROM recall_item) AS last, (SELECT COALESCE(MIN(seq), 0) FROM recall_item) AS first

-- name: count
SELECT COUNT(*) AS n FROM recall_item

-- name: postings [sqlite]
-- The newest that have a term, as numbers in one row: the cheapest question there is.
SELECT group_concat(seq) AS seqs FROM (
    SELECT rowid AS seq FROM recall_words WHERE recall_words MATCH :match ORDER BY rowid DESC LIMIT :most
)

-- name: postings_of [sqlite]
-- The same, narrowed by what only the item's row knows.
SELECT group_concat(seq) AS seqs FROM (
    SELECT i.seq FROM recall_words w JOIN recall_item i ON i.seq = w.rowid
    WHERE w.recall_words MATCH :match
      AND i.happened_at >= :since AND i.happened_at < :until
      AND (:conversation = '' OR i.listener = :conversation
           OR substr(i.listener, 1, length(:conversation) + 1) = :conversation || '/')
    ORDER BY w.rowid DESC LIMIT :most
)

-- name: postings_of [postgresql]
SELECT string_agg(CAST(seq AS text), ',') AS seqs FROM (
    SELECT seq FROM recall_item
    WHERE recall_terms(words) @@ CAST(:match AS tsquery)
      AND (:projects = '' OR project_id = ANY (string_to_array(:projects, ',')))
      AND (:kinds = '' OR kind = ANY (string_to_array(:kinds, ',')))
      AND light <= :light
      AND owner = ANY (string_to_array(:owners, ','))
      AND happened_at >= :since AND happened_at < :until
      AND (:conversation = '' OR listener = :conversation
           OR substr(listener, 1, length(:conversation) + 1) = :conversation || '/')
    ORDER BY happened_at DESC LIMIT :most
) AS newest

-- name: count_of [postgresql]
SELECT COUNT(*) AS n FROM recall_item
WHERE (:projects = '' OR project_id = ANY (string_to_array(:projects, ',')))
  AND owner = ANY (string_to_array(:owners, ','))

-- name: recent [sqlite]
-- What a question without words finds: the newest first.
SELECT i.seq FROM recall_item i
WHERE (:match = '' OR i.seq IN (SELECT rowid FROM recall_words WHERE recall_words MATCH :match))
  AND (:projects = '' OR i.project_id IN (SELECT value FROM json_each('["' || replace(:projects, ',', '","') || '"]')))
  AND (:kinds = '' OR i.kind IN (SELECT value FROM json_each('["' || replace(:kinds, ',', '","') || '"]')))
  AND i.happened_at >= :since AND i.happened_at < :until
  AND (:conversation = '' OR i.listener = :conversation
       OR substr(i.listener, 1, length(:conversation) + 1) = :conversation || '/')
ORDER BY i.happened_at DESC, i.seq DESC LIMIT :most

-- name: recent [postgresql]
SELECT seq FROM recall_item
WHERE (:match = '' OR recall_terms(words) @@ CAST(:match AS tsquery))
  AND (:projects = '' OR project_id = ANY (string_to_array(:projects, ',')))
  AND (:kinds = '' OR kind = ANY (string_to_array(:kinds, ',')))
  AND happened_at >= :since AND happened_at < :until
  AND (:conversation = '' OR listener = :conversation
       OR substr(listener, 1, length(:conversation) + 1) = :conversation || '/')
ORDER BY happened_at DESC, seq DESC LIMIT :most

-- name: numbers [sqlite]
-- The numbers of items by their ids.
SELECT group_concat(seq) AS seqs FROM recall_item
WHERE id IN (SELECT value FROM json_each('["' || replace(:ids, ',', '","') || '"]'))

-- name: numbers [postgresql]
SELECT string_agg(CAST(seq AS text), ',') AS seqs FROM recall_item WHERE id = ANY (string_to_array(:ids, ','))

-- name: around [sqlite]
-- The numbers of these items and of their neighbours of the same listener.
SELECT group_concat(DISTINCT n.seq) AS seqs FROM json_each(:seqs) s JOIN recall_item c ON c.seq = s.value
JOIN recall_item n ON n.listener = c.listener AND n.position BETWEEN c.position - :reach AND c.position + :reach
WHERE c.listener <> ''

-- name: around [postgresql]
SELECT string_agg(DISTINCT CAST(n.seq AS text), ',') AS seqs FROM recall_item c
JOIN recall_item n ON n.listener = c.listener AND n.position BETWEEN c.position - :reach AND c.position + :reach
WHERE c.listener <> '' AND c.seq = ANY (CAST(:seqs AS bigint[]))

-- name: rows [sqlite]
SELECT i.* FROM json_each(:seqs) s JOIN recall_item i ON i.seq = s.value

-- name: rows [postgresql]
SELECT * FROM recall_item WHERE seq = ANY (CAST(:seqs AS bigint[]))

-- name: check [sqlite]
-- Raises when the index and its items disagree.
INSERT INTO recall_words (recall_words, rank) VALUES ('integrity-check', 1)

-- name: rebuild [sqlite]
INSERT INTO recall_words (recall_words) VALUES ('rebuild')

-- name: merge [sqlite]
-- A step towards one segment, in which nothing that was dropped remains.
INSERT INTO recall_words (recall_words, rank) VALUES ('merge', :pages)

-- name: optimize [sqlite]
INSERT INTO recall_words (recall_words) VALUES ('optimize')

-- name: analyze [postgresql]
-- Right after much was added the planner knows nothing of it, and would walk the table instead of the index.
ANALYZE recall_item

-- name: clear
DELETE FROM recall_item

-- name: clear_vectors
DELETE FROM recall_vector

-- name: clear_words [sqlite]
INSERT INTO recall_words (recall_words) VALUES ('delete-all')

-- name: unembedded
-- Items that a model has not seen yet, the newest first, each with the one before it.
SELECT i.seq, i.id, i.project_id,
       (SELECT p.id FROM recall_item p
        WHERE p.listener = i.listener AND p.listener <> '' AND p.position = i.position - 1) AS before
FROM recall_item i
WHERE NOT EXISTS (SELECT 1 FROM recall_vector v WHERE v.model = :model AND v.seq = i.seq)
ORDER BY i.seq DESC LIMIT :most

-- name: add_vector
INSERT INTO recall_vector (seq, model, vector) SELECT seq, :model, :vector FROM recall_item WHERE seq = :seq
ON CONFLICT (model, seq) DO UPDATE SET vector = excluded.vector

-- name: vectors
-- All of one model, a page at a time.
SELECT v.seq, i.project_id, v.vector FROM recall_vector v JOIN recall_item i ON i.seq = v.seq
WHERE v.model = :model AND v.seq > :after ORDER BY v.seq LIMIT :most

-- name: vector_count
SELECT COUNT(*) AS n FROM recall_vector WHERE model = :model

-- name: other_vectors
DELETE FROM recall_vector WHERE model <> :model

-- name: changes [sqlite]
SELECT total_changes() AS n

-- name: prepare_near [postgresql]
-- What pgvector needs, made when a model is first used: a migration cannot count on the extension.
DO $prepare$
BEGIN
    PERFORM pg_advisory_xact_lock(7163384748731);
    CREATE OR REPLACE FUNCTION recall_direction(packed bytea) RETURNS vector
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (SELECT array_agg(CAST((get_byte(packed, i) + 128) % 256 - 128 AS real) ORDER BY i)::real[]::vector
                FROM generate_series(0, length(packed) - 1) AS i);
    -- An index is for one number of dimensions, and a statement that uses it must name that number: hence EXECUTE.
    CREATE OR REPLACE FUNCTION recall_near_index(wanted_model text, dimensions integer) RETURNS void
        LANGUAGE plpgsql AS $body$
    BEGIN
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS %I ON recall_vector'
            ' USING hnsw ((recall_direction(vector)::vector(%s)) vector_cosine_ops) WHERE model = %L',
            'recall_near_' || substr(md5(wanted_model), 1, 12), dimensions, wanted_model);
    END $body$;
    CREATE OR REPLACE FUNCTION recall_nearest(wanted_model text, dimensions integer, asked text, projects text[],
                                              owners text[], most integer)
        RETURNS TABLE (seq bigint, cosine double precision) LANGUAGE plpgsql AS $body$
    BEGIN
        PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true);
        RETURN QUERY EXECUTE format(
            'SELECT v.seq, 1 - (recall_direction(v.vector)::vector(%1$s) <=> $1::vector(%1$s))'
            ' FROM recall_vector v JOIN recall_item i ON i.seq = v.seq'
            ' WHERE v.model = %2$L AND i.owner = ANY ($3) AND ($2 IS NULL OR i.project_id = ANY ($2))'
            ' ORDER BY recall_direction(v.vector)::vector(%1$s) <=> $1::vector(%1$s) LIMIT $4',
            dimensions, wanted_model) USING asked, projects, owners, most;
    END $body$;
END $prepare$

-- name: near_index [postgresql]
SELECT recall_near_index(:model, CAST(:dimensions AS integer)) AS made

-- name: nearest [postgresql]
SELECT seq, cosine FROM recall_nearest(
    :model, CAST(:dimensions AS integer), :asked,
    CASE WHEN :projects = '' THEN NULL ELSE string_to_array(:projects, ',') END,
    string_to_array(:owners, ','), CAST(:most AS integer)
)

-- name: vectors_of [postgresql]
SELECT seq, vector FROM recall_vector WHERE model = :model AND seq = ANY (CAST(:seqs AS bigint[]))

-- name: some_vectors [postgresql]
-- Any: numbers are made of hashes, so the first are a fair sample.
SELECT v.vector FROM recall_vector v JOIN recall_item i ON i.seq = v.seq
WHERE v.model = :model AND (:projects = '' OR i.project_id = ANY (string_to_array(:projects, ',')))
ORDER BY v.model, v.seq LIMIT :most

-- name: count_own
SELECT COUNT(*) AS n FROM recall_item WHERE owner = :owner

-- name: is_young
-- Has a project fewer items than that?
SELECT COUNT(*) < :few AS young FROM (SELECT 1 AS one FROM recall_item WHERE project_id = :project_id LIMIT :few) AS first

-- name: holding
-- Items in whose words or files a text stands; :like in lower case between per cent signs.
SELECT id FROM recall_item WHERE owner = :owner AND LOWER(words || ' ' || files) LIKE :like ESCAPE '!'

-- name: drop_own_vectors
DELETE FROM recall_vector WHERE seq IN (SELECT seq FROM recall_item WHERE owner = :owner)

-- name: drop_own_items
DELETE FROM recall_item WHERE owner = :owner

-- name: newest_indexed
SELECT seq, words FROM recall_item ORDER BY seq DESC LIMIT :limit

-- name: is_indexed [sqlite]
SELECT 1 AS found FROM recall_words WHERE recall_words MATCH :match AND rowid = :seq

-- name: is_indexed [postgresql]
-- Here the index is the database's own, and sound.
SELECT 1 AS found FROM recall_item WHERE seq = :seq AND :match <> ''
