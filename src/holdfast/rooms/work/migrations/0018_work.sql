-- Work: tasks, efforts, their windows, what waits to be delivered, agents and messages. Ids are text.

-- A task is a folder. It holds efforts, and is never finished.
CREATE TABLE work_task (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    dir_path   TEXT NOT NULL,
    title      TEXT NOT NULL,
    keywords   TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX work_task_folder ON work_task (owner, dir_path);

-- An effort is one run of a skill on a task. `config` is the skill's configuration as it was when the effort began.
CREATE TABLE effort (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    agent        TEXT NOT NULL,
    skill        TEXT NOT NULL,
    mode         TEXT NOT NULL,
    title        TEXT NOT NULL,
    ordinal      BIGINT NOT NULL,
    lifecycle    TEXT NOT NULL,
    phase        TEXT NOT NULL,
    heartbeat    TEXT NOT NULL,
    config       TEXT NOT NULL,
    directives   TEXT NOT NULL,
    loaded_files TEXT NOT NULL,
    started_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    finished_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX effort_ordinal ON effort (task_id, ordinal);
CREATE INDEX effort_time ON effort (owner, started_at);
-- An agent with a name has one active effort in a project.
CREATE UNIQUE INDEX effort_of_agent ON effort (owner, project_id, agent) WHERE lifecycle = 'active' AND agent <> '';

-- One context window of an effort: the main agent's, or a subagent's. `session_id` is the window's id.
CREATE TABLE effort_window (
    effort_id       TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    conversation    TEXT NOT NULL,
    agent_id        TEXT NOT NULL,
    prev_session_id TEXT NOT NULL,
    heartbeat       BIGINT NOT NULL,
    context_percent BIGINT NOT NULL,
    loaded_files    TEXT NOT NULL,
    process         BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    logged_at       BIGINT NOT NULL,
    ended_at        BIGINT NOT NULL,
    PRIMARY KEY (effort_id, session_id)
);
CREATE INDEX effort_window_conversation ON effort_window (conversation);

-- The log of an effort: what was done, phases that were entered, hand-overs, the end.
CREATE TABLE effort_entry (
    id           TEXT PRIMARY KEY,
    effort_id    TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    phase        TEXT NOT NULL,
    text         TEXT NOT NULL,
    proof        TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX effort_entry_of ON effort_entry (effort_id, happened_at);

-- A document of an effort, such as its plan. Its log is made of the entries.
CREATE TABLE effort_artifact (
    effort_id  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (effort_id, kind)
);

-- What waits to be given to the main agent of an effort, once: a hand-over, a file to read, or a text. What was made in the
-- window `not_in` waits for another one.
CREATE TABLE work_pending (
    id        TEXT PRIMARY KEY,
    effort_id TEXT NOT NULL,
    not_in    TEXT NOT NULL,
    kind      TEXT NOT NULL,
    path      TEXT NOT NULL,
    text      TEXT NOT NULL,
    made_at   BIGINT NOT NULL
);
CREATE INDEX work_pending_of ON work_pending (effort_id);

-- An agent with a name (AGENT_ID), and the agent that coordinates it.
CREATE TABLE work_agent (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    name       TEXT NOT NULL,
    label      TEXT NOT NULL,
    parent     TEXT NOT NULL,
    project_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX work_agent_name ON work_agent (owner, name);

-- What agents and people said to each other: dialogue, signals of teammates, failures.
CREATE TABLE work_message (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    effort_id    TEXT NOT NULL,
    conversation TEXT NOT NULL,
    kind         TEXT NOT NULL,
    sender       TEXT NOT NULL,
    recipient    TEXT NOT NULL,
    text         TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX work_message_time ON work_message (owner, happened_at);
CREATE INDEX work_message_conversation ON work_message (conversation, happened_at);
