-- What a summary is worth, on which branch work was done, how each part of a command line ended, which sentences an agent
-- was shown, which threads somebody declared settled, and what users corrected.

-- `branch` is '' or NULL outside git. `runs` is a JSON list or NULL: one text per test, build, push or commit.
ALTER TABLE observation ADD COLUMN branch TEXT;
ALTER TABLE observation ADD COLUMN runs TEXT;
ALTER TABLE summary ADD COLUMN branch TEXT NOT NULL DEFAULT '';
ALTER TABLE summary ADD COLUMN runs TEXT;
-- In thousandths; -1: an older version wrote the summary, and it is rated when it is read.
ALTER TABLE summary ADD COLUMN worth BIGINT NOT NULL DEFAULT -1;

-- Hashes of the sentences that were shown; '' means that the whole item was.
ALTER TABLE injection ADD COLUMN said TEXT NOT NULL DEFAULT '';

-- A thread (a line of what a summary leaves open) that somebody declared settled. `line` is the hash of that line, '' for
-- all lines of the summary.
CREATE TABLE settled_thread (
    subject     TEXT NOT NULL,
    line        TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    owner       TEXT NOT NULL,
    PRIMARY KEY (subject, line)
);

-- What a user corrected in a prompt. It holds beyond its session only when the user confirms it; then it is a memory.
CREATE TABLE correction (
    prompt_id   TEXT PRIMARY KEY,
    text        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    state       TEXT NOT NULL,
    memory_id   TEXT NOT NULL,
    happened_at BIGINT NOT NULL
);
CREATE INDEX correction_state ON correction (state, happened_at);
