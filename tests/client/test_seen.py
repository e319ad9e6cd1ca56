"""What the user sees and limits, under the real client: sign of life, pauses, `seen`, and what a line names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.pauses import Pause, PauseFile
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Use
from tests.client.bed.tui import Tui
from tests.client.held import install, settled
from tests.client.test_mcp import server
from tests.client.test_memory import FACT, PARAPHRASE, given, repair
from tests.support.daemon import DaemonHome, until

HOLDFAST = Path(sys.executable).with_name("holdfast")


@pytest.fixture
def quiet(claude: Claude, home: DaemonHome) -> DaemonHome:
    """holdfast for this client, without a brief: what is recalled is recalled by the prompt."""
    home.start(HOLDFAST_MEMORY_BRIEF="no")
    install(claude, home)
    return home


def without_command(claude: Claude) -> None:
    """A PATH on which there is no `holdfast`."""
    folders = os.environ["PATH"].split(os.pathsep)
    claude.env["PATH"] = os.pathsep.join(each for each in folders if not os.access(f"{each}/holdfast", os.X_OK))


@pytest.mark.requirement("MEM-28")
@pytest.mark.parametrize("there", ["nothing", "command", "mcp"])
def test_a_recalled_line_names_what_works_in_this_session(
    claude: Claude, api: Api, quiet: DaemonHome, there: str
) -> None:
    repair(claude, api, quiet)
    without_command(claude)
    options: list[str] = []
    if there == "command":
        claude.env["PATH"] = f"{HOLDFAST.parent}{os.pathsep}{claude.env['PATH']}"
    if there == "mcp":
        config = claude.home / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"memory": server(quiet, "stdio")}}))
        options = ["--mcp-config", str(config)]
    show = Use("Bash", {"command": "holdfast show ID"})
    api.script(show, Say("Because of the cookie."))
    done = claude.run(PARAPHRASE, *options)
    text = given(api, done, "UserPromptSubmit")
    assert FACT in text
    assert ("`holdfast show ID`" in text) is (there == "command")
    assert ("the tool `get` of holdfast's MCP server" in text) is (there == "mcp")
    if there == "mcp":
        assert api.reached("mcp__memory__get")
    assert ("command not found" in api.result(show).text) is (there != "command")


@pytest.mark.requirement("MEM-27")
def test_the_user_is_told_at_the_start_and_the_model_is_not(
    claude: Claude, api: Api, daemon: DaemonHome, tui: Tui
) -> None:
    install(claude, daemon)
    repair(claude, api, daemon)
    api.script(Say("Hello."))
    tui.start()
    tui.wait_for("of memory, guards on")
    tui.ask("Say hello.")
    tui.wait_for("Hello.")
    assert not api.reached("of memory, guards on")


@pytest.mark.requirement("MEM-30")
def test_a_paused_session_leaves_nothing_and_is_guarded(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    repair(claude, api, daemon)
    PauseFile(daemon.home.pauses).add(Pause("all"))
    push = Use("Bash", {"command": "git push --force origin main", "description": "Push"})
    api.script(push, Say("The Tulip takeover is planned."))
    before = len(daemon.journal())
    done = claude.run(f"{PARAPHRASE} It is about the Tulip takeover.")
    assert given(api, done) == ""
    assert api.result(push).is_error
    PauseFile(daemon.home.pauses).change(lambda pauses: [])
    claude.env["HOLDFAST_HOME"] = str(daemon.home.root)
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "no job waits")
    assert len(daemon.journal()) == before


@pytest.mark.requirement("MEM-27")
def test_seen_shows_what_the_model_was_given(claude: Claude, api: Api, quiet: DaemonHome) -> None:
    repair(claude, api, quiet)
    api.script(Say("Because of the cookie."))
    done = claude.run(PARAPHRASE)
    settled(quiet, done.session, "SessionEnd")
    command = [str(HOLDFAST), "--home", str(quiet.home.root), "seen", done.session[:8]]
    asked = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    [piece] = json.loads(asked.stdout)["given"]
    assert (piece["event"], piece["turn"]) == ("UserPromptSubmit", 1)
    assert FACT in piece["text"]
    assert piece["text"] in given(api, done, "UserPromptSubmit")
    assert any(request.session == done.session for request in api.of(Kind.MAIN))
    page = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert f"{piece['tokens']} tokens" in page
    assert FACT in " ".join(page.split())


@pytest.mark.requirement("MEM-26")
def test_what_the_client_remembers_itself_is_recalled_and_not_told_as_an_edit(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    api.script(Say("Hello."))
    first = claude.run("Say hello.")
    folder = first.transcript.parent / "memory"
    fact = "---\nname: deploy\ndescription: Deploys go out on Fridays only\n---\n\nBecause the warehouse closes then.\n"
    write = Use("Write", {"file_path": str(folder / "deploy.md"), "content": fact})
    index = Use("Write", {"file_path": str(folder / "MEMORY.md"), "content": "- [Deploys](deploy.md) — when\n"})
    api.script(write, index, Say("Remembered."))
    second = claude.run("Remember that deploys go out on Fridays, because of the warehouse.")
    settled(daemon, second.session, "PostToolUse", "SessionEnd")
    written = (folder / "deploy.md").read_bytes()  # the client adds to the front matter which session wrote it
    status, found = daemon.request("POST", "/api/tools/search", b'{"project": "all", "limit": 50}')
    assert status == 200
    assert "Deploys go out on Fridays only" in [line["title"] for line in found if line["kind"] == "memory"]
    assert not [line for line in found if line["kind"] in ("edit", "read")]
    assert str(folder) not in json.dumps(found)
    api.script(Say("On Fridays."))
    third = claude.run("When may deploys go out, and what does the warehouse have to do with it?")
    assert "warehouse closes" in given(api, third, "UserPromptSubmit")
    at_start = given(api, third, "SessionStart").partition("SessionStart hook additional context")[2]
    assert "Deploys go out on Fridays only" not in at_start.partition("hook additional context")[0]
    assert (folder / "deploy.md").read_bytes() == written
