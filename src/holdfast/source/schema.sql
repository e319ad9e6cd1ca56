-- The index of one project, a SQLite file of its own. `FORM` in index_file.py is its version: raise it with every change here.

-- One folder of the project: a worktree. `whole_at`: when all of it was read; 0 before that.
CREATE TABLE tree (
    id       INTEGER PRIMARY KEY,
    path     TEXT NOT NULL UNIQUE,
    whole_at INTEGER NOT NULL DEFAULT 0
);

-- What a file holds, by its hash. `problem`: why it could not be read.
CREATE TABLE content (
    id       INTEGER PRIMARY KEY,
    digest   BLOB NOT NULL,
    language TEXT NOT NULL,
    problem  TEXT NOT NULL DEFAULT '',
    UNIQUE (digest, language)
);

CREATE TABLE file (
    tree       INTEGER NOT NULL,
    path       TEXT NOT NULL,
    content    INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    PRIMARY KEY (tree, path)
) WITHOUT ROWID;
CREATE INDEX file_content ON file (content, tree);

CREATE TABLE unit (
    id        INTEGER PRIMARY KEY,
    content   INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    name      TEXT NOT NULL,
    container TEXT NOT NULL,
    line      INTEGER NOT NULL,
    end_line  INTEGER NOT NULL
);
CREATE INDEX unit_content ON unit (content);
CREATE INDEX unit_name ON unit (name, content);

-- A name that a unit uses.
CREATE TABLE used (
    name    TEXT NOT NULL,
    content INTEGER NOT NULL,
    unit    INTEGER NOT NULL,
    PRIMARY KEY (name, content, unit)
) WITHOUT ROWID;
CREATE INDEX used_content ON used (content);

-- An import, once for each word by which it is looked up.
CREATE TABLE imported (
    content INTEGER NOT NULL,
    key     TEXT NOT NULL,
    path    TEXT NOT NULL,
    names   TEXT NOT NULL
);
CREATE INDEX imported_key ON imported (key);
CREATE INDEX imported_content ON imported (content);

-- Names that some folder declared once and none declares any more, with the file that did: what still names them is old.
CREATE TABLE gone (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    UNIQUE (name, path)
);

-- The words of a unit, stemmed; its row has the number of the unit.
CREATE VIRTUAL TABLE words USING fts5(name, doc, body, tokenize = "ascii tokenchars '_'");

-- In how many units a word stands.
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
