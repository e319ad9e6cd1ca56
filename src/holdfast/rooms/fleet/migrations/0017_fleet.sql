-- The fleet room: what every agent does at this moment, and the client's own task list.
-- The status follows from the columns behind it; all of them are stored, so that it survives a restart.
CREATE TABLE fleet_agent (
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    owner        TEXT NOT NULL,
    home         TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    kind         TEXT NOT NULL,
    agent_type   TEXT NOT NULL,
    name         TEXT NOT NULL,
    parent       TEXT NOT NULL,
    pane         TEXT NOT NULL,
    pid          BIGINT NOT NULL,
    status       TEXT NOT NULL,
    since        BIGINT NOT NULL,
    needs        TEXT NOT NULL,
    message      TEXT NOT NULL,
    in_turn      BIGINT NOT NULL,
    background   BIGINT NOT NULL,
    team         BIGINT NOT NULL,
    asks         TEXT NOT NULL,
    asked_at     BIGINT NOT NULL,
    failed       TEXT NOT NULL,
    failure      TEXT NOT NULL,
    failed_at    BIGINT NOT NULL,
    idle_at      BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    owes         BIGINT NOT NULL,
    ended_at     BIGINT NOT NULL,
    ended_by     TEXT NOT NULL,
    changed_at   BIGINT NOT NULL,
    PRIMARY KEY (conversation, agent_id)
);
CREATE INDEX fleet_agent_time ON fleet_agent (owner, changed_at);

CREATE TABLE fleet_task (
    conversation TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    subject      TEXT NOT NULL,
    assignee     TEXT NOT NULL,
    made_at      BIGINT NOT NULL,
    done_at      BIGINT NOT NULL,
    PRIMARY KEY (conversation, task_id)
);
CREATE INDEX fleet_task_time ON fleet_task (owner, made_at);
