-- name: titled
SELECT id FROM album WHERE owner = :owner AND title = :title

-- name: begin
INSERT INTO album (id, owner, title, made_at) VALUES (:id, :owner, :title, :at)

-- name: paste
INSERT INTO picture (id, album_id, caption, taken_at) VALUES (:id, :album_id, :caption, :at)

-- name: all
SELECT title, caption FROM album LEFT JOIN picture ON picture.album_id = album.id WHERE owner = :owner ORDER BY title, caption
