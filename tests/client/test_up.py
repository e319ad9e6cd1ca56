"""`up` and `doctor` with the real client: what they prove is what Claude Code really runs (OPS-12)."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from holdfast.events.event import SELF_TEST_SESSIONS
from tests.client.bed.claude import Claude
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE
from tests.support.shell import COMMAND


def up(claude: Claude, home: DaemonHome) -> tuple[int, dict[str, Any]]:
    words = [*COMMAND, "--home", str(home.home.root), "up", "--yes", "--json", "--client", str(claude.binary)]
    environment = claude.environment() | {"HOLDFAST_HOME": str(home.home.root)}
    done = subprocess.run(
        words, env=environment, cwd=claude.project, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.requirement("OPS-12")
def test_the_real_client_runs_what_up_has_installed_and_up_says_when_it_does_not(
    claude: Claude, home: DaemonHome
) -> None:
    code, told = up(claude, home)
    assert code == 0, told
    assert [proof["name"] for proof in told["proofs"]][-1] == "hooks by Claude Code"
    assert told["proofs"][-1]["sentence"] == (
        "Claude Code 2.1.325 itself ran the hooks of a session: SessionStart by command, SessionEnd by http."
    )
    assert home.status()["sessions"]["total"] == 0, "the self-test leaves no session behind"
    assert home.journal(event="SessionStart")[0]["session_id"].startswith(SELF_TEST_SESSIONS)
    settings = json.loads(claude.settings_path().read_text())
    claude.settings(settings | {"disableAllHooks": True})
    code, told = up(claude, home)
    assert code == 1
    assert [proof["passed"] for proof in told["proofs"]] == [False, False, True, True, False]
    assert told["proofs"][-1]["sentence"].startswith(
        "The hooks by Claude Code failed: Claude Code 2.1.325 ran a session, and no hook of it arrived. "
    )
    assert [check["name"] for check in told["checks"] if check["state"] == "fail"] == ["hooks on"]
