"""New code is installed under an open session of the real client: it serves, nothing is lost, no error is shown.

The older build is a copy of the package in an installation of its own, as a clone has it; the newer one is the same
copy with a changed file, as after `git pull`. Stores of older versions are tested in tests/contract/test_migrations.py.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast import build
from tests.cli.test_daemon import clone_of_its_own
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.bed.tui import Tui
from tests.client.held import of
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE


@pytest.mark.requirement("OPS-11")
def test_an_open_session_goes_on_over_an_upgrade(
    tui: Tui, claude: Claude, api: Api, home: DaemonHome, tmp_path: Path
) -> None:
    python, package = clone_of_its_own(tmp_path / "installed")

    def up() -> dict[str, Any]:
        done = subprocess.run(
            [
                *(str(python), "-I", "-m", "holdfast.doors.cli.main", "--home", str(home.home.root)),
                *("up", "--yes", "--json", "--client", str(claude.binary)),
            ],
            env=claude.environment(),
            cwd=claude.project,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    assert up()["daemon"]["did"] == "started"
    before = home.status()
    api.script(Use("Bash", {"command": "echo one"}), Say("One."), Use("Bash", {"command": "echo two"}), Say("Two."))
    tui.start()
    tui.ask("First.")
    until(lambda: of(home.journal(), "Stop"), "the first turn")
    with (package / "times.py").open("a") as file:
        file.write("# as after a pull\n")
    told = up()
    assert (told["daemon"]["did"], told["daemon"]["url"]) == ("replaced", before["url"])
    tui.ask("Second.")
    until(lambda: len(of(home.journal(), "Stop")) == 2, "the second turn")
    after = home.status()
    assert (after["build"], after["outdated"]) == (build.identity(package), False)
    assert after["build"] != before["build"]
    prompts = [entry["payload"]["prompt"] for entry in of(home.journal(), "UserPromptSubmit")]
    assert prompts == ["First.", "Second."]
    assert len(of(home.journal(), "PostToolUse")) == 2
    assert "ECONNREFUSED" not in tui.screen()
    assert "hook error" not in tui.screen().lower()
