"""Asking the daemon: what its errors become."""

from __future__ import annotations

import pytest

from holdfast.doors.cli.client import Client
from holdfast.errors import DaemonAway, HoldfastError, Refused, UsageError
from tests.support.daemon import DaemonHome


def test_errors_of_the_daemon_are_sentences_with_their_exit_codes(daemon: DaemonHome) -> None:
    client = Client(daemon.home)
    with pytest.raises(UsageError, match="whole numbers"):
        client.get("/api/journal", limit="many")
    with pytest.raises(HoldfastError, match="answered /api/nothing with 404"):
        client.get("/api/nothing")
    with pytest.raises(Refused, match="overwrites nothing"):
        client.post("/api/backup", {"path": str(daemon.home.token)})
    assert client.status()["running"] is True


def test_a_daemon_that_is_away_is_told_with_what_to_do(home: DaemonHome) -> None:
    with pytest.raises(DaemonAway, match="Run `holdfast up`"):
        Client(home.home).status()
