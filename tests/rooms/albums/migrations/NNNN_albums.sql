-- Albums, and the pictures in them.
CREATE TABLE album (
    id      TEXT PRIMARY KEY,
    owner   TEXT NOT NULL,
    title   TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX album_title ON album (owner, title);
CREATE TABLE picture (
    id       TEXT PRIMARY KEY,
    album_id TEXT NOT NULL,
    caption  TEXT NOT NULL,
    taken_at BIGINT NOT NULL
);
CREATE INDEX picture_album ON picture (album_id);
