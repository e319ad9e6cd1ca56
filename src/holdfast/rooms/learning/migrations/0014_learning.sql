-- The learning loop. The last eight characters of an item's id are its short form, hence the indexes on them.

-- An entry: goal, hypothesis, action, prediction, and what came of it. A resolved entry is an experience.
CREATE TABLE ghap (
    id             TEXT PRIMARY KEY,
    owner          TEXT NOT NULL,
    project_id     TEXT NOT NULL,
    conversation   TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    goal           TEXT NOT NULL,
    hypothesis     TEXT NOT NULL,
    action         TEXT NOT NULL,
    prediction     TEXT NOT NULL,
    domain         TEXT NOT NULL,
    strategy       TEXT NOT NULL,
    iterations     BIGINT NOT NULL,
    history        TEXT NOT NULL,
    status         TEXT NOT NULL,
    tier           TEXT NOT NULL,
    result         TEXT NOT NULL,
    surprise       TEXT NOT NULL,
    root_cause     TEXT NOT NULL,
    cause          TEXT NOT NULL,
    lesson         TEXT NOT NULL,
    notes          TEXT NOT NULL,
    captured       TEXT NOT NULL,
    captured_run   TEXT NOT NULL,
    auto_captured  BIGINT NOT NULL,
    trust          TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    resolved_at    BIGINT NOT NULL,
    left_at        BIGINT NOT NULL
);
CREATE INDEX ghap_short ON ghap (substr(id, 29));
CREATE INDEX ghap_time ON ghap (owner, created_at);
CREATE INDEX ghap_resolved ON ghap (owner, project_id, resolved_at);
-- One agent of one conversation has one active entry.
CREATE UNIQUE INDEX ghap_active ON ghap (owner, conversation, agent_id) WHERE status = 'active';

-- Where an agent of a conversation is in the loop: calls since the last check-in, and whether it was warned.
CREATE TABLE loop_state (
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    calls        BIGINT NOT NULL,
    warned       BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (conversation, agent_id)
);

-- One test, build or command that ran, as its output tells, and what its failure is known by.
CREATE TABLE known_run (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    tool         TEXT NOT NULL,
    label        TEXT NOT NULL,
    paths        TEXT NOT NULL,
    narrowed     TEXT NOT NULL,
    verdict      TEXT NOT NULL,
    error        TEXT NOT NULL,
    tests        TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX known_run_conversation ON known_run (conversation, happened_at);
CREATE INDEX known_run_project ON known_run (owner, project_id, happened_at);

-- A test that passed and failed without a change between.
CREATE TABLE flaky_test (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    test       TEXT NOT NULL,
    times      BIGINT NOT NULL,
    first_at   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL
);
CREATE INDEX flaky_test_project ON flaky_test (owner, project_id);

-- What solved a failure: found again by the keys of the failure.
CREATE TABLE remedy (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    entry_id     TEXT NOT NULL,
    problem      TEXT NOT NULL,
    symptoms     TEXT NOT NULL,
    root_cause   TEXT NOT NULL,
    solution     TEXT NOT NULL,
    files        TEXT NOT NULL,
    category     TEXT NOT NULL,
    command      TEXT NOT NULL,
    learned      TEXT NOT NULL,
    good         DOUBLE PRECISION NOT NULL,
    bad          DOUBLE PRECISION NOT NULL,
    shown        BIGINT NOT NULL,
    used         BIGINT NOT NULL,
    worked       BIGINT NOT NULL,
    outdated     BIGINT NOT NULL,
    judged_at    BIGINT NOT NULL,
    trust        TEXT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX remedy_short ON remedy (substr(id, 29));
CREATE INDEX remedy_time ON remedy (owner, happened_at);
CREATE TABLE remedy_key (
    remedy_id TEXT NOT NULL,
    key       TEXT NOT NULL,
    weight    BIGINT NOT NULL,
    PRIMARY KEY (remedy_id, key)
);
CREATE INDEX remedy_by_key ON remedy_key (key);

-- What an agent said would happen, without an entry, before a run that settled it.
CREATE TABLE implied_prediction (
    id           TEXT PRIMARY KEY,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    words        TEXT NOT NULL,
    expects      TEXT NOT NULL,
    domain       TEXT NOT NULL,
    came_true    BIGINT NOT NULL,
    happened_at  BIGINT NOT NULL
);
CREATE INDEX implied_prediction_time ON implied_prediction (owner, happened_at);

-- Groups of experiences that tell of the same, on one axis. Made anew; ids stay with their members.
CREATE TABLE cluster (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    axis       TEXT NOT NULL,
    terms      TEXT NOT NULL,
    size       BIGINT NOT NULL,
    mean       DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE cluster_member (
    cluster_id TEXT NOT NULL,
    ghap_id    TEXT NOT NULL,
    distance   DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (cluster_id, ghap_id)
);

-- What experience taught, in one sentence that was compared with its cluster.
CREATE TABLE learned_value (
    id          TEXT PRIMARY KEY,
    owner       TEXT NOT NULL,
    project_id  TEXT NOT NULL,
    text        TEXT NOT NULL,
    axis        TEXT NOT NULL,
    cluster_id  TEXT NOT NULL,
    distance    DOUBLE PRECISION NOT NULL,
    most        DOUBLE PRECISION NOT NULL,
    support     BIGINT NOT NULL,
    made_by     TEXT NOT NULL,
    trust       TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX learned_value_short ON learned_value (substr(id, 29));
CREATE INDEX learned_value_time ON learned_value (owner, created_at);
