-- On which daemon a window of an effort runs: on a shared database the number of a process says nothing elsewhere.
ALTER TABLE effort_window ADD COLUMN home TEXT NOT NULL DEFAULT '';
