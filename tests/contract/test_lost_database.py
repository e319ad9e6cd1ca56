"""A PostgreSQL store that comes to harm under a home that knows it: dropped, a table gone, another one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from holdfast import spool
from tests.contract import postgres
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

HOLDFAST = Path(sys.executable).with_name("holdfast")
BASH = load("PostToolUse-Bash")


@pytest.fixture
def shared(home: DaemonHome, postgres_server: postgres.Server) -> Iterator[tuple[DaemonHome, str]]:
    """A daemon on a database of its own, with three events and a backup of them."""
    with postgres_server.database() as url:
        home.environment["HOLDFAST_STORE"] = url
        home.start()
        for number in range(3):
            use(home, f"kept-{number}")
        assert holdfast(home, "backup", str(home.home.backups / "copy.jsonl")).returncode == 0
        try:
            yield home, url
        finally:
            home.stop()


def holdfast(home: DaemonHome, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HOLDFAST, *words], env=home.environment, capture_output=True, text=True, check=False, timeout=120
    )


def use(home: DaemonHome, name: str) -> None:
    assert home.post("PostToolUse", BASH | {"tool_use_id": name}) == (200, {})


def waits(home: DaemonHome) -> bool:
    try:
        return home.get("/api/health")[0] == 503
    except OSError:
        return False


def drop_database(server: postgres.Server, url: str) -> None:
    name = sql.Identifier(url.rpartition("/")[2])
    server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def make_database(server: postgres.Server, url: str) -> None:
    name = sql.Identifier(url.rpartition("/")[2])
    server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(name))


def execute(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


HARMS = ["dropped", "a table", "another's"]


def harm(kind: str, server: postgres.Server, url: str) -> None:
    match kind:
        case "dropped":
            drop_database(server, url)
        case "a table":
            execute(url, "DROP TABLE holdfast.journal CASCADE")
        case _:
            execute(url, "UPDATE holdfast.fact SET value = 'somebody else' WHERE name = 'store_id'")


@pytest.mark.requirement("STO-6")
@pytest.mark.requirement("OPS-13")
@pytest.mark.parametrize("kind", HARMS)
def test_a_lost_database_is_named_and_brought_back(
    shared: tuple[DaemonHome, str], postgres_server: postgres.Server, kind: str
) -> None:
    home, url = shared
    if kind == "another's":  # nobody meets this at work
        home.stop()
        harm(kind, postgres_server, url)
        home.launch()
    else:
        harm(kind, postgres_server, url)
    for number in range(10):
        until(lambda number=number: _sent(home, f"after-{number}"), "it answers", 30)  # type: ignore[misc]
    until(lambda: waits(home), "it is noticed", 60)
    told = str(home.get("/api/health")[1]["error"])
    assert "holdfast restore" in told
    assert postgres_server.password not in told
    status = holdfast(home, "status")
    assert "waits for its store" in status.stdout
    checks = json.loads(holdfast(home, "doctor", "--json").stdout)["checks"]
    assert next(one for one in checks if one["name"] == "store")["state"] == "fail"

    if kind == "dropped":
        make_database(postgres_server, url)
    done = holdfast(home, "restore", str(home.home.backups / "copy.jsonl"), "--yes", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["journal"] >= 3
    until(lambda: home.answers() and not spool.waiting(home.home.spool), "it works", 60)
    there = {entry["tool_use_id"] for entry in home.journal(event="PostToolUse")}
    assert {"kept-0", "kept-1", "kept-2"} <= there
    assert {f"after-{n}" for n in range(10)} <= there, "all that came meanwhile"


def _sent(home: DaemonHome, name: str) -> bool:
    try:
        return home.post("PostToolUse", BASH | {"tool_use_id": name}) == (200, {})
    except (OSError, KeyError):
        return False


@pytest.mark.requirement("OPS-13")
def test_beginning_anew_renames_the_schema(shared: tuple[DaemonHome, str]) -> None:
    home, url = shared
    done = holdfast(home, "restore", "--empty", "--yes", "--json")
    assert done.returncode == 0, done.stderr
    aside = json.loads(done.stdout)["set_aside"]
    assert aside.startswith("holdfast_aside_")
    assert home.journal(event="PostToolUse") == []
    with psycopg.connect(url) as connection:
        found = connection.execute(
            sql.SQL("SELECT COUNT(*) FROM {}").format(sql.Identifier(aside, "journal"))
        ).fetchone()
    assert found
    assert found[0] >= 3


@pytest.mark.requirement("OPS-13")
def test_a_backup_of_the_other_kind_is_refused(shared: tuple[DaemonHome, str], tmp_path: Path) -> None:
    home, _ = shared
    other = DaemonHome()
    try:
        other.start()
        file = tmp_path / "copy.db"
        assert holdfast(other, "backup", str(file)).returncode == 0
        done = holdfast(home, "restore", str(file), "--yes")
        assert (done.returncode, "this home uses a PostgreSQL store" in done.stderr) == (1, True), done.stderr
        done = holdfast(other, "restore", str(home.home.backups / "copy.jsonl"), "--yes")
        assert (done.returncode, "this home uses a SQLite store" in done.stderr) == (1, True), done.stderr
    finally:
        other.remove()
