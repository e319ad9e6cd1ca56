"""The whole daemon on PostgreSQL: the same road, and what happens while the database is away."""

from __future__ import annotations

import os
import signal

import pytest

from tests.contract import postgres
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")


@pytest.mark.requirement("STO-1")
def test_the_daemon_on_postgresql_keeps_every_event_once(home: DaemonHome, postgres_server: postgres.Server) -> None:
    with postgres_server.database() as url:
        home.start(HOLDFAST_STORE=url)
        try:
            assert home.status()["store"]["kind"] == "postgresql"
            for number in range(40):
                assert home.post("PostToolUse", BASH | {"tool_use_id": f"use-{number % 20}"}) == (200, {})
            os.kill(home.facts["worker_pid"], signal.SIGKILL)
            assert home.post("PostToolUse", BASH | {"tool_use_id": "use-0"}) == (200, {})
            uses = [entry["tool_use_id"] for entry in home.journal()]
            assert uses == [f"use-{number}" for number in range(20)]
            assert postgres_server.password not in str(home.status()) + home.log()
        finally:
            home.stop()


@pytest.mark.requirement("EVT-8")
def test_a_database_that_is_away_costs_no_event(home: DaemonHome) -> None:
    with postgres.server() as server, server.database() as url:
        home.start(HOLDFAST_STORE=url)
        try:
            assert home.post("PostToolUse", BASH | {"tool_use_id": "before"}) == (200, {})
            server.stop()
            for number in range(3):
                assert home.post("PostToolUse", BASH | {"tool_use_id": f"away-{number}"}) == (200, {})
            assert home.get("/api/health")[0] == 200
            assert len(list(home.home.spool.glob("*.json"))) == 3
            server.start()
            until(lambda: not list(home.home.spool.glob("*.json")), "the spool is drained")
            entries = home.journal()
            assert [entry["tool_use_id"] for entry in entries] == ["before", "away-0", "away-1", "away-2"]
            assert [entry["source"] for entry in entries] == ["http", "spool", "spool", "spool"]
        finally:
            home.stop()
