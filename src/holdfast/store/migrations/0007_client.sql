-- Which program a window belongs to, as it says itself; NULL while nobody has said it.
ALTER TABLE session ADD COLUMN client TEXT;
ALTER TABLE session ADD COLUMN client_version TEXT;
