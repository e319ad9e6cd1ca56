"""New code, or a new client, under sessions of the real client: it serves, nothing is lost, no error is shown.

The older build is an earlier commit of this repository, in an installation of its own, as a clone has it; the newer one
takes its place there, as `git pull` does. Without the history (an sdist) it is the same code with one file changed.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from holdfast import build
from tests.cli.test_daemon import clone_of_its_own
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import OLDER, PINNED, client
from tests.client.bed.script import Say, Use
from tests.client.bed.tui import Tui
from tests.client.held import install, of
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
EARLIER = "36d37c1781d4878cb1306634f604b7702a8ab0fe"
"""Nine migrations, one room less, other hooks. Its migrations are a beginning of today's."""


def replace_by(package: Path, commit: str) -> bool:
    """Put the package as it was at a commit in the place of this one. False where git does not know the commit."""
    command = ["git", "-C", str(ROOT), "archive", commit, "src/holdfast"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    if done.returncode:
        return False
    shutil.rmtree(package)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(package.parent, filter="data")
    (package.parent / "src" / "holdfast").rename(package)
    return True


def replace_by_todays(package: Path) -> None:
    shutil.rmtree(package)
    shutil.copytree(build.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    with (package / "times.py").open("a") as file:
        file.write("# another build also where the older one is no earlier commit\n")


@pytest.mark.requirement("OPS-11")
def test_an_open_session_goes_on_over_an_upgrade(
    tui: Tui, claude: Claude, api: Api, home: DaemonHome, tmp_path: Path
) -> None:
    python, package = clone_of_its_own(tmp_path / "installed")
    is_earlier_commit = replace_by(package, EARLIER)

    def run(*words: str) -> dict[str, Any]:
        done = subprocess.run(
            [str(python), "-I", "-m", "holdfast.doors.cli.main", "--home", str(home.home.root), *words, "--json"],
            env=claude.environment(),
            cwd=claude.project,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    up = ("up", "--yes", "--client", str(claude.binary))
    assert run(*up)["daemon"]["did"] == "started"
    before = home.status()
    if is_earlier_commit:
        assert "build" not in before or before["build"] != build.identity()
    api.script(
        *(Use("Bash", {"command": "echo one"}), Say("One.")),
        *(Use("Bash", {"command": "echo two"}), Say("Two.")),
    )
    tui.start()
    tui.ask("Remember the upgrade of the turbine.")
    until(lambda: of(home.journal(), "Stop"), "the first turn")
    replace_by_todays(package)
    told = run(*up)
    assert (told["daemon"]["did"], told["daemon"]["url"]) == ("replaced", before["url"])
    tui.ask("Second.")
    until(lambda: len(of(home.journal(), "Stop")) == 2, "the second turn")
    after = home.status()
    assert (after["build"], after["outdated"]) == (build.identity(package), False)
    prompts = [entry["payload"]["prompt"] for entry in of(home.journal(), "UserPromptSubmit")]
    assert prompts == ["Remember the upgrade of the turbine.", "Second."]
    assert len(of(home.journal(), "PostToolUse")) == 2
    found = home.request("POST", "/api/tools/search", b'{"query": "upgrade turbine", "project": "all"}')[1]
    assert any("turbine" in line["title"] for line in found), "what the older build kept is found by the newer one"
    assert "ECONNREFUSED" not in tui.screen()
    assert "hook error" not in tui.screen().lower()


@pytest.mark.requirement("OPS-11")
def test_a_client_that_is_updated_later_gets_its_hooks_by_itself(older: Claude, api: Api, daemon: DaemonHome) -> None:
    """Also one that was installed after holdfast: then the hooks were commands only, of the oldest known events."""
    install(older, daemon, version=OLDER, all_events=True)
    settings = older.settings_path()

    def registered() -> dict[str, str]:
        table = json.loads(settings.read_text())["hooks"]
        return {event: groups[0]["hooks"][0]["type"] for event, groups in table.items()}

    api.script(Say("One."), Say("Two."), Use("Bash", {"command": "echo three"}), Say("Three."))
    before = registered()
    assert older.run("First.").text == "One."
    assert (registered(), "PostModelSwitch" in before) == (before, False), "nothing to renew for the same client"
    older.binary, older.version = client(PINNED), PINNED  # it is updated in its place
    assert older.run("Second.").text == "Two."
    until(lambda: "PostModelSwitch" in registered(), "the hooks are renewed")
    assert registered() == before | dict.fromkeys(("DirectoryAdded", "PreModelSwitch", "PostModelSwitch"), "http")
    done = older.run("Third.")
    assert done.text == "Three."
    assert {response["outcome"] for response in done.hooks("PostToolUse")} == {"success"}
    assert "3 hooks were added and 0 changed" in daemon.log()
    record = json.loads(daemon.home.manifest.read_text())
    assert [file["client"] for file in record["files"]] == [f"Claude Code {PINNED}"]
