-- name: add_tree
INSERT OR IGNORE INTO tree (path) VALUES (:path)

-- name: tree_id
SELECT id FROM tree WHERE path = :path

-- name: trees
SELECT path, whole_at FROM tree

-- name: note_whole
UPDATE tree SET whole_at = :at WHERE id = :tree

-- name: files
SELECT path, content, size, changed_ns FROM file WHERE tree = :tree

-- name: file
SELECT content, size, changed_ns FROM file WHERE tree = :tree AND path = :path

-- name: put_file
INSERT OR REPLACE INTO file (tree, path, content, size, changed_ns) VALUES (:tree, :path, :content, :size, :changed_ns)

-- name: drop_file
DELETE FROM file WHERE tree = :tree AND path = :path

-- name: drop_tree
DELETE FROM tree WHERE id = :tree

-- name: content
SELECT id FROM content WHERE digest = :digest AND language = :language

-- name: add_content
INSERT INTO content (digest, language, problem) VALUES (:digest, :language, :problem)

-- name: add_unit
INSERT INTO unit (content, kind, name, container, line, end_line)
VALUES (:content, :kind, :name, :container, :line, :end_line)

-- name: add_words
INSERT INTO words (rowid, name, doc, body) VALUES (:unit, :name, :doc, :body)

-- name: add_used
INSERT OR IGNORE INTO used (name, content, unit) VALUES (:name, :content, :unit)

-- name: add_imported
INSERT INTO imported (content, key, path, names) VALUES (:content, :key, :path, :names)

-- name: unused_contents
SELECT id FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.content = content.id)

-- name: drop_words
DELETE FROM words WHERE rowid IN (SELECT id FROM unit WHERE content = :content)

-- name: drop_units
DELETE FROM unit WHERE content = :content

-- name: drop_used
DELETE FROM used WHERE content = :content

-- name: drop_imported
DELETE FROM imported WHERE content = :content

-- name: drop_content
DELETE FROM content WHERE id = :content

-- name: languages
SELECT language, COUNT(*) FROM file JOIN content ON content.id = file.content
WHERE tree = :tree AND problem = '' GROUP BY language ORDER BY 2 DESC, 1

-- name: problems
SELECT problem, COUNT(*) FROM file JOIN content ON content.id = file.content
WHERE tree = :tree AND problem <> '' GROUP BY problem ORDER BY 2 DESC, 1

-- name: count_units
SELECT COUNT(*) FROM file JOIN unit ON unit.content = file.content
WHERE tree = :tree AND kind IN ('function', 'method', 'class')

-- name: units_of
SELECT '', kind, name, container, line, end_line FROM unit WHERE content = :content ORDER BY line, id

-- name: importers
-- Files whose imports end with one of these words. CROSS JOIN keeps the order: SQLite would walk all files instead.
SELECT file.path, file.content, imported.path, imported.names FROM json_each(:keys) AS wanted
CROSS JOIN imported ON imported.key = wanted.value
CROSS JOIN file ON file.content = imported.content AND file.tree = :tree LIMIT :limit

-- name: in_folder
SELECT path, content FROM file WHERE tree = :tree AND path >= :first AND path < :last LIMIT 5000

-- name: uses
-- Which of these names the units of these contents use.
SELECT used.name, used.content, unit.kind, unit.container, unit.name FROM json_each(:names) AS named
CROSS JOIN used ON used.name = named.value CROSS JOIN unit ON unit.id = used.unit
WHERE used.content IN (SELECT value FROM json_each(:contents)) LIMIT :limit

-- name: declared_by
-- Which of these names these contents declare themselves.
SELECT DISTINCT unit.content, unit.name FROM json_each(:names) AS named CROSS JOIN unit ON unit.name = named.value
WHERE unit.content IN (SELECT value FROM json_each(:contents))

-- name: defined_elsewhere
-- Which of these names another file of the tree declares, too.
SELECT DISTINCT named.value FROM json_each(:names) AS named JOIN unit ON unit.name = named.value AND unit.content <> :content
JOIN file ON file.content = unit.content AND file.tree = :tree

-- name: declared
SELECT file.path, kind, unit.name, container, line, end_line, changed_ns, size, 0.0, said.c1, said.c2
FROM unit CROSS JOIN file INDEXED BY file_content ON file.content = unit.content AND file.tree = :tree
CROSS JOIN words_content AS said ON said.id = unit.id
WHERE unit.name = :name LIMIT :limit

-- name: note_gone
-- The names of a content that no file declares any more. Called when a file lost that content.
INSERT OR IGNORE INTO gone (name, path) SELECT DISTINCT old.name, :path FROM unit AS old
WHERE old.content = :content AND old.name <> '' AND NOT EXISTS (
    SELECT 1 FROM unit JOIN file ON file.content = unit.content WHERE unit.name = old.name
)

-- name: cut_gone
DELETE FROM gone WHERE id <= (SELECT MAX(id) FROM gone) - :most

-- name: places_of
-- Where the units of these names stand, in this folder and in others.
SELECT unit.name, file.path, file.tree, size, changed_ns FROM json_each(:names) AS named
CROSS JOIN unit ON unit.name = named.value CROSS JOIN file ON file.content = unit.content LIMIT :limit

-- name: gone_of
SELECT gone.name, gone.path FROM json_each(:names) AS named CROSS JOIN gone ON gone.name = named.value LIMIT :limit

-- name: at_line
-- The innermost unit around a line.
SELECT file.path, kind, name, container, line, end_line, changed_ns, size, 0.0 FROM file
JOIN unit ON unit.content = file.content
WHERE tree = :tree AND path = :path AND line <= :line AND end_line >= :line
ORDER BY end_line - line, unit.id DESC LIMIT 1

-- name: frequencies
SELECT term, doc FROM json_each(:words) AS wanted CROSS JOIN vocabulary ON term = wanted.value

-- name: extent
SELECT COALESCE(MAX(id), 0) FROM unit

-- name: best
-- The units that fit these words best, of every folder and kind. Nothing is joined here: a word may stand in thousands.
SELECT rowid FROM words WHERE words MATCH :words ORDER BY bm25(words, 3.0, 2.0, 1.0) LIMIT :most

-- name: found
-- Those of these units that stand in a folder, with the words that they have (doc, body). `ranked` says which are
-- best. Without INDEXED BY, SQLite walks all files of the folder for each unit.
SELECT file.path, kind, unit.name, container, line, end_line, changed_ns, size, 0.0, said.c1, said.c2
FROM json_each(:units) AS wanted CROSS JOIN unit ON unit.id = wanted.value
CROSS JOIN file INDEXED BY file_content ON file.content = unit.content AND file.tree = :tree
CROSS JOIN words_content AS said ON said.id = unit.id
WHERE kind IN (SELECT value FROM json_each(:kinds)) LIMIT :most

-- name: has_part
SELECT 1 FROM vocabulary WHERE instr(term, :part) LIMIT 1

-- name: names
-- All names as they are written: of units, of what they use and import, of files and folders.
SELECT name FROM unit UNION SELECT container FROM unit UNION SELECT name FROM used
UNION SELECT key FROM imported UNION SELECT path FROM imported UNION SELECT names FROM imported
UNION SELECT path FROM file UNION SELECT path FROM tree UNION SELECT name FROM gone UNION SELECT path FROM gone

-- name: has_path
SELECT 1 FROM file JOIN tree ON tree.id = file.tree
WHERE tree.path || '/' || file.path = :path OR substr('/' || file.path, -length(:ending)) = :ending
UNION SELECT 1 FROM gone JOIN tree ON tree.path || '/' || gone.path = :path
UNION SELECT 1 FROM gone WHERE substr('/' || gone.path, -length(:ending)) = :ending LIMIT 1
