"""Bad days under the real client: a damaged store, and a worker that hangs. The session goes on, nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import threading

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Turn
from tests.client.held import counts, install, of, settled
from tests.client.test_outage import bash
from tests.faults.test_damaged_store import holdfast, waits
from tests.support import damage
from tests.support.daemon import DaemonHome, until


@pytest.mark.requirement("STO-6")
@pytest.mark.requirement("OPS-13")
def test_a_session_goes_on_over_a_damaged_store_and_doctor_says_what_to_do(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    assert holdfast(daemon, "backup").returncode == 0
    daemon.stop()
    damage.fold(daemon.home.database)
    damage.magic(daemon.home.database)
    daemon.launch()
    until(lambda: waits(daemon), "it waits for its store")
    api.script(bash("echo one"), Say("Done."))
    done = claude.run("Run it.")
    assert (done.text, done.code) == ("Done.", 0)
    checks = json.loads(holdfast(daemon, "doctor", "--json").stdout)["checks"]
    [store] = [check for check in checks if check["name"] == "store"]
    assert (store["state"], "holdfast restore" in store["fix"]) == ("fail", True)
    [backup] = [path for path in daemon.home.backups.iterdir() if path.suffix == ".db"]
    assert holdfast(daemon, "restore", str(backup), "--yes").returncode == 0
    seen = counts(settled(daemon, done.session, "SessionEnd"))
    assert (seen["UserPromptSubmit"], seen["PostToolUse"], seen["Stop"]) == (1, 1, 1)


@pytest.mark.requirement("EVT-9")
def test_a_worker_that_hangs_in_mid_session_is_a_wait_and_not_an_error(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    gate = threading.Event()
    api.script(bash("echo one"), Turn([bash("echo two")], hold=gate), Say("Done."))
    running = claude.start("Run both.")
    until(lambda: of(daemon.journal(), "PostToolUse"), "the first tool")
    before = daemon.facts["worker_pid"]
    os.kill(before, signal.SIGSTOP)
    gate.set()
    done = running.wait()
    assert done.text == "Done."
    seen = counts(settled(daemon, done.session, "SessionEnd"))
    assert daemon.facts["worker_pid"] != before
    assert daemon.status()["hung_workers"] == 1
    assert (seen["PreToolUse"], seen["PostToolUse"], seen["Stop"]) == (2, 2, 1)
