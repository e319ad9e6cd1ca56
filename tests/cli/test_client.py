"""Asking the daemon: what its errors become."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from holdfast.doors.cli.client import Client
from holdfast.errors import DaemonAway, HoldfastError, Refused, UsageError
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE


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


@pytest.mark.requirement("HSE-9")
def test_status_loads_next_to_nothing_while_the_daemon_answers(daemon: DaemonHome) -> None:
    """The daemon says whether recording is on here; `http.client` alone would be a quarter of the time."""
    heavy = ("http", "email", "ssl", "socket", "logging", "tomllib", "subprocess", "holdfast.road", "holdfast.spool")
    script = (
        "import sys; from holdfast.doors.cli.main import main; code = main(['status', '--json'])\n"
        f"loaded = [n for n in sys.modules if n.partition('.')[0] in {heavy!r} or n.startswith({heavy[-2:]!r})]\n"
        "print('loaded:', *loaded, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=daemon.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "loaded:"
    assert json.loads(done.stdout)["recording"] == {"here": True, "sentence": "on", "pauses": []}
