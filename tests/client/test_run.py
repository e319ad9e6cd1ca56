"""`holdfast run -- claude …`: a full window ends in a new client that goes on, in print mode and in the terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Turn, Use
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.client.test_continuity import ASKED, DECIDED, FULL, call, told
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE

HOLDFAST = (sys.executable, "-m", "holdfast.doors.cli", "run", "--")


def choose(daemon: DaemonHome, *lines: str) -> None:
    daemon.stop()
    daemon.home.config.write_text("\n".join(("[continuity]", *lines, "")))
    daemon.start()


@pytest.mark.requirement("CON-9")
def test_an_automatic_compaction_starts_the_client_again(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    choose(daemon, 'on_auto_compact = "restart"')
    install(claude, daemon)
    work = Use("Bash", {"command": "echo one", "description": "say one"})
    api.script(Turn([Say(DECIDED), work], usage=FULL), when=lambda asked: "holdfast-context" not in told(asked))
    api.script(Say("Done in the new window."), when=lambda asked: "Go on with the work of the session" in told(asked))
    done = subprocess.run(
        [*HOLDFAST, str(claude.binary), "-p", ASKED, "--permission-mode", "bypassPermissions", "--model", "opus"],
        cwd=claude.project,
        env=claude.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, "Done in the new window." in done.stdout) == (0, True), done.stderr
    assert "is started again" in done.stderr
    assert api.of(Kind.COMPACTION) == [], "nothing was summed up"
    window = told(api.of(Kind.MAIN)[-1])
    assert window.count("Hand-over, made from the journal:") == 1
    assert f"Task: {ASKED}" in window
    sessions = {entry["session_id"] for entry in daemon.journal(event="SessionStart")}
    assert len(sessions) == 2


@pytest.mark.requirement("CON-9")
@pytest.mark.requirement("CON-8")
@pytest.mark.requirement("WRK-5")
def test_a_handover_starts_the_terminals_client_again(claude: Claude, api: Api, daemon: DaemonHome, tui: Tui) -> None:
    choose(daemon, 'on_auto_compact = "restart"')
    install(claude, daemon)
    api.script(Say(DECIDED), Say("Handed over."), Say("Going on in the new window."), Say("Once more."))
    tui.start(before=HOLDFAST)
    tui.ask(ASKED)
    tui.key("C-c")  # the client asks for a second one; the runner does not mind
    session = daemon.journal(event="SessionStart")[0]["session_id"]
    call(daemon, "dehydrate", summary="HAND-OVER-TEXT", session_id=session, project_id=str(claude.project))
    tui.submit("Please end here.")
    tui.wait_for("Going on in the new window.")
    window = told(api.of(Kind.MAIN)[-1])
    assert window.count("HAND-OVER-TEXT") == 1
    tui.ask("Thank you.")
    starts = [entry["session_id"] for entry in daemon.journal(event="SessionStart")]
    assert len(set(starts)) == 2
    tui.submit("/exit")
    tui.wait_ended()
    until(lambda: len(daemon.journal(event="SessionEnd")) == 2, "both sessions ended")
