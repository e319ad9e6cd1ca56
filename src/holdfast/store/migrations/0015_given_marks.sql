-- What kind of words the model was given, as its room says: for `holdfast seen --json`.
ALTER TABLE given ADD COLUMN marks TEXT NOT NULL DEFAULT '';
