"""The daemon whose PostgreSQL is away from the start: it waits and keeps what comes; what cannot pass ends it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from typing import Any

import psycopg
import pytest

from holdfast import spool
from holdfast.doors.cli.client import Client
from holdfast.errors import DaemonAway
from tests.contract import postgres
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")
SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
ASKED = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {}}


def health(home: DaemonHome) -> tuple[int, Any]:
    try:
        return home.get("/api/health")
    except OSError:
        return 0, None


def waits(home: DaemonHome) -> bool:
    return health(home)[0] == 503


def supervisor(home: DaemonHome, url: str) -> subprocess.CompletedProcess[str]:
    """Start a supervisor that is expected to end by itself."""
    command = [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", str(home.home.root)]
    environment = home.environment | {"HOLDFAST_STORE": url}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)


def without_token(home: DaemonHome) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", home.facts["port"], timeout=PATIENCE)
    try:
        connection.request("POST", "/hooks/Stop", b"{}")
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.requirement("EVT-8")
@pytest.mark.requirement("EVT-9")
def test_a_database_that_is_away_at_the_start_is_waited_for(home: DaemonHome) -> None:
    with postgres.server() as server, server.database() as url:
        server.stop()
        home.launch(HOLDFAST_STORE=url)
        try:
            until(lambda: waits(home), "it answers")
            until(home.guarded, "it has a guardian")
            before = home.facts
            told = health(home)[1]["error"]
            assert "cannot be reached" in told
            assert "Connection refused" in told
            assert home.get("/api/status") == (503, {"error": told})
            assert home.request("POST", "/mcp", json.dumps(ASKED).encode())[1]["id"] == 7
            assert without_token(home) == 401

            assert home.post("PostToolUse", BASH | {"tool_use_id": "one", "tool_response": SECRET}) == (200, {})
            assert home.post("PostToolUse", b"{")[0] == 400
            done = home.hook(load("SessionStart-startup"))
            assert (done.returncode, done.stderr) == (0, b"")
            assert "waits for its store" in json.loads(done.stdout)["systemMessage"]
            assert home.post("PostToolUse", BASH | {"tool_use_id": "one", "tool_response": SECRET}) == (200, {})
            waiting = spool.waiting(home.home.spool)
            assert len(waiting) == 4
            assert SECRET not in "".join(path.read_text() for path in waiting)
            destroys = BASH | {"tool_use_id": "two", "tool_input": {"command": "rm -rf ~"}}
            denied = home.post("PreToolUse", destroys | {"hook_event_name": "PreToolUse"})[1]
            assert denied["hookSpecificOutput"]["permissionDecision"] == "deny", "guards need no store"
            with pytest.raises(DaemonAway, match="cannot be reached"):
                Client(home.home).status()

            server.start()
            until(home.answers, "the daemon works")
            until(lambda: not spool.waiting(home.home.spool), "the spool is drained")
            assert home.facts == before, "the same daemon, the same worker"
            assert [(entry["event"], entry["tool_use_id"], entry["source"]) for entry in home.journal()] == [
                ("PostToolUse", "one", "spool"),
                ("PostToolUse", None, "spool"),
                ("SessionStart", None, "spool"),
                ("PreToolUse", "two", "spool"),
            ]
            refused = home.request("POST", "/api/tools/guard_refusals", b"{}")[1]
            assert [row["decision"] for row in refused] == ["deny"], "it was not unguarded"
            assert home.status()["store"]["kind"] == "postgresql"
            assert not (home.home.logs / "last-error").exists()
            assert home.log().count("cannot be reached") == 1
            assert server.password not in home.log() + told
        finally:
            home.stop()


@pytest.mark.requirement("EVT-9")
def test_a_waiting_daemon_can_be_stopped_and_its_guardian_takes_a_dead_supervisors_place(home: DaemonHome) -> None:
    url = f"postgresql://{postgres.ROLE}:hush@127.0.0.1:1/nothing"
    home.launch(HOLDFAST_STORE=url)
    until(lambda: waits(home), "it answers")
    until(home.guarded, "it has a guardian")
    before = home.facts
    os.kill(before["pid"], signal.SIGKILL)
    until(lambda: home.facts.get("pid") not in (None, before["pid"]), "a new supervisor")
    until(lambda: waits(home), "it answers again")
    assert home.facts["port"] == before["port"]
    assert home.post("PostToolUse", BASH) == (200, {})
    home.stop()
    assert home.facts == {}
    assert not home.home.socket.exists()


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("{password}", "hush-hush"), "password authentication failed"),
        ((":{password}@", "@"), "no password supplied"),
        (("/postgres", "/nothing"), 'database "nothing" does not exist'),
        ((":{port}/", ":99999/"), "invalid port number"),
        (("/postgres", "/postgres?sslmode=bogus"), "invalid sslmode value"),
    ],
    ids=["password", "no password", "database", "port", "option"],
)
def test_what_does_not_go_away_by_itself_is_one_sentence(
    home: DaemonHome, postgres_server: postgres.Server, change: tuple[str, str], reason: str
) -> None:
    facts = {"password": postgres_server.password, "port": postgres_server.port}
    old, new = (text.format(**facts) for text in change)
    done = supervisor(home, postgres_server.url.replace(old, new))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "cannot be opened" in done.stderr
    assert reason in done.stderr
    assert "hush-hush" not in done.stderr
    assert postgres_server.password not in done.stderr
    assert (home.home.logs / "last-error").read_text() == done.stderr.removeprefix("holdfast: ").strip()


@pytest.mark.requirement("OPS-5")
@pytest.mark.requirement("STO-6")
def test_a_newer_schema_is_one_sentence_and_events_wait(home: DaemonHome, postgres_server: postgres.Server) -> None:
    with postgres_server.database() as url:
        home.start(HOLDFAST_STORE=url)
        home.stop()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO holdfast.schema_migration (number, name, checksum, applied_at) VALUES (9999, 'new', '', 1)"
            )
        home.launch(HOLDFAST_STORE=url)
        until(lambda: waits(home), "it answers", 20)
        assert "made by a newer holdfast" in health(home)[1]["error"]
        assert home.post("PostToolUse", BASH) == (200, {})
        assert len(spool.waiting(home.home.spool)) == 1
        home.stop()


@pytest.mark.requirement("OPS-5")
def test_a_wrong_password_that_shows_only_when_the_database_is_back_ends_the_waiting(home: DaemonHome) -> None:
    with postgres.server() as server:
        server.stop()
        home.launch(HOLDFAST_STORE=server.url.replace(server.password, "hush-hush"))
        until(lambda: waits(home), "it answers")
        assert home.post("PostToolUse", BASH) == (200, {})
        server.start()
        until(home.reap, "the daemon ended")
        assert "password authentication failed" in (home.home.logs / "last-error").read_text()
        assert len(spool.waiting(home.home.spool)) == 1


@pytest.mark.requirement("EVT-8")
def test_a_database_without_room_for_another_connection_is_waited_for(
    home: DaemonHome, postgres_server: postgres.Server
) -> None:
    with postgres_server.database() as url, psycopg.connect(url, autocommit=True) as keeper:
        keeper.execute("CREATE ROLE crowded LOGIN SUPERUSER PASSWORD 'crowded'")
        keeper.execute("ALTER ROLE crowded NOSUPERUSER CONNECTION LIMIT 0")
        keeper.execute(f"GRANT ALL ON DATABASE {keeper.info.dbname} TO crowded")
        try:
            home.launch(HOLDFAST_STORE=url.replace(f"keeper:{postgres_server.password}", "crowded:crowded"))
            until(lambda: waits(home), "it answers")
            assert "too many connections" in health(home)[1]["error"]
            keeper.execute("ALTER ROLE crowded CONNECTION LIMIT 10")
            until(home.answers, "the daemon works")
        finally:
            home.stop()
            keeper.execute("DROP OWNED BY crowded CASCADE")
            keeper.execute("DROP ROLE crowded")
