"""Compacted, cleared, resumed: the first request of the next window has what was promised, and not twice."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.install.plugin import source
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import OLDER, PINNED, client
from tests.client.bed.request import Kind, Request
from tests.client.bed.script import Say, Turn, Usage, Use
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.support.daemon import DaemonHome, until
from tests.support.patient import PatientHome

ASKED = "Please make the uploader resumable, ticket UPL-311."
CORRECTED = "no, I said chunks of 8 MB, not 16"
DECIDED = "I went with a journal file beside each upload because the server keeps no state."
FULL = Usage(input_tokens=5, cache_read_input_tokens=990_000)
POOR = Say("<analysis>x</analysis>\n<summary>POOR-SUMMARY: uploads were worked on.</summary>")


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """What the next window is given is made by steps of events: on a busy machine none must be left out because it is
    late, such as the checkpoint before /clear."""
    made = PatientHome()
    yield made
    made.remove()


def told(request: Request) -> str:
    """All that a request shows the model."""
    return "\n".join(each.text for each in request.texts())


def call(daemon: DaemonHome, tool: str, **arguments: Any) -> Any:
    status, result = daemon.request("POST", f"/api/tools/{tool}", json.dumps(arguments).encode())
    assert status == 200, result
    return result


def after_summary(api: Api, mark: str = "POOR-SUMMARY") -> Request:
    return next(request for request in api.of(Kind.MAIN) if mark in told(request))


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-16")
def test_an_automatic_compaction_in_print_mode(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    api.summary = POOR
    work = Use("Bash", {"command": "echo one", "description": "say one"})
    api.script(Turn([Say(DECIDED), work], usage=Usage(input_tokens=9_000)), Say("First part done."))
    first = claude.run(ASKED)
    again = Use("Bash", {"command": "echo two", "description": "say two"})
    api.script(Turn([Say("Changed it. Next I'll test a broken connection."), again], usage=FULL), Say("All done."))
    second = claude.run(CORRECTED, resume=first.session)
    assert second.code == 0
    (summed,) = api.of(Kind.COMPACTION)[:1]
    for text in (ASKED, CORRECTED, DECIDED):
        assert text in told(summed).split("Additional Instructions:")[-1], "the one who sums up is told what to keep"
    window = told(after_summary(api))
    for text in (ASKED, CORRECTED, DECIDED):
        assert window.count(text) == 1, text
    assert "- Next I'll test a broken connection." in window
    assert window.index(CORRECTED) < window.index(ASKED)
    status = daemon.status()["continuity"]
    assert status["last_checkpoint"].startswith("c")
    kept = call(daemon, "list_checkpoints", session=first.session)
    assert {each["reason"] for each in kept} >= {"compact", "end"}
    # Following is later work: a compaction that begins at once has saved by itself before the threshold is seen.
    assert [each["threshold"] for each in kept if each["reason"] == "threshold"] in ([], [70])
    lost = call(daemon, "lost", window=first.session)
    assert any(CORRECTED in line for line in lost["lost"])
    assert (lost["trigger"], "POOR-SUMMARY" in lost["summary"]) == ("auto", True)


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-7")
@pytest.mark.requirement("CON-8")
def test_compacted_by_hand_and_cleared_in_the_terminal(claude: Claude, api: Api, daemon: DaemonHome, tui: Tui) -> None:
    install(claude, daemon)
    api.summary = POOR
    api.script(Say(DECIDED), Say("Done with the chunks."), Say("Going on."), Say("A new day."), Say("Once more."))
    tui.start()
    tui.ask(ASKED)
    tui.ask(CORRECTED)
    tui.submit("/compact")
    until(lambda: daemon.journal(event="PostCompact"), "the compaction is over")
    tui.ask("Go on with it.")
    window = told(after_summary(api))
    for text in (ASKED, CORRECTED, DECIDED):
        assert window.count(text) == 1, text
    tui.submit("/clear")
    until(lambda: len(daemon.journal(event="SessionStart")) == 3, "cleared")
    session = daemon.journal(event="SessionStart")[0]["session_id"]
    tui.ask("Good morning.")
    cleared = told(api.of(Kind.MAIN)[-1])
    assert cleared.count("Checkpoint c") == 1
    assert "before /clear" in cleared
    assert ASKED in cleared, "the offer names what it is about"
    call(daemon, "dehydrate", summary="HAND-OVER-TEXT", session_id=session, project_id=str(claude.project))
    tui.submit("/clear")
    until(lambda: len(daemon.journal(event="SessionStart")) == 4, "cleared again")
    tui.ask("And again.")
    assert told(api.of(Kind.MAIN)[-1]).count("HAND-OVER-TEXT") == 1
    tui.submit("/exit")
    tui.wait_ended()


@pytest.mark.requirement("CON-14")
def test_compaction_without_a_model_and_its_ways_back(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    daemon.stop()
    daemon.home.config.write_text('[continuity]\ncompaction = "holdfast"\n')
    daemon.start()
    install(claude, daemon)
    plugin = claude.home / "plugin"
    shutil.copytree(source(), plugin)  # the client lays files beside what it loads
    by_plugin = ("--plugin-dir", str(plugin))
    api.summary = POOR
    work = Use("Bash", {"command": "echo one", "description": "say one"})
    again = Use("Bash", {"command": "echo two", "description": "say two"})
    api.script(Turn([Say(DECIDED), work], usage=Usage(input_tokens=9_000)), Say("First part done."))
    first = claude.run(ASKED, *by_plugin)
    api.script(Turn([Say("Changed it. Next I'll test a broken connection."), again], usage=FULL), Say("All done."))
    second = claude.run(CORRECTED, *by_plugin, resume=first.session)
    assert second.code == 0
    assert api.of(Kind.COMPACTION) == [], "no model was asked for a summary"
    window = told(api.of(Kind.MAIN)[-1])
    assert "[holdfast-note]" in window
    for text in (ASKED, DECIDED):
        assert window.count(text) == 1, text
    assert f"- {CORRECTED}" in window
    assert "leaves out what follows" not in window, "nothing is said twice"
    prompts = [entry["payload"]["prompt"] for entry in daemon.journal(event="UserPromptSubmit")]
    assert prompts == [ASKED, CORRECTED], "the note is nobody's prompt"
    kept = [each["reason"] for each in call(daemon, "list_checkpoints", session=first.session)]
    assert kept.count("compact") == 1
    assert call(daemon, "lost", window=first.session)["way"] == "holdfast"
    daemon.stop()  # and held down: the hooks would bring it back
    daemon.home.stopped.touch()
    third = Use("Bash", {"command": "echo three", "description": "say three"})
    api.script(*[POOR] * 3, when=lambda asked: "Your task is to create a detailed summary of " in told(asked))
    api.script(Turn([Say("Third."), third], usage=FULL), Say("Done again."))
    assert claude.run("Once more, please.", *by_plugin, resume=first.session).code == 0
    assert "POOR-SUMMARY" in told(api.of(Kind.MAIN)[-1]), "without the daemon the client compacts as it would"


@pytest.mark.requirement("CON-5")
@pytest.mark.requirement("CON-7")
@pytest.mark.requirement("CON-8")
def test_work_goes_on_over_an_upgrade_of_the_client_and_over_a_crash(
    older: Claude, api: Api, daemon: DaemonHome
) -> None:
    daemon.stop()
    daemon.home.config.write_text("[continuity]\nauto_resume_on_start = true\n")
    daemon.start()
    install(older, daemon, version=OLDER)
    api.script(Say("First part done."))
    first = older.run("Please look at the uploader.").session
    call(daemon, "dehydrate", summary="HAND-OVER-TEXT", session_id=first, project_id=str(older.project))
    older.binary, older.version = client(PINNED), PINNED  # it is updated in its place
    work = Use("Bash", {"command": "echo one > one.txt", "description": "write one"})
    api.script(Turn([Say(DECIDED), work]), Turn([Say("Never said.")], hold=threading.Event()))
    killed = older.start(ASKED)
    until(lambda: len(api.of(Kind.MAIN)) == 3 and daemon.journal(event="PostToolUse"), "it is in the middle of it")
    assert [told(each).count("HAND-OVER-TEXT") for each in api.of(Kind.MAIN)] == [0, 1, 1], "once in each window"
    killed.kill()
    killed.process.wait()
    api.script(Say("Going on."))
    done = older.run("Please go on.")
    window = told(api.of(Kind.MAIN)[-1])
    for text in (ASKED, DECIDED, "where the session before stood"):
        assert window.count(text) == 1, text
    assert "HAND-OVER-TEXT" not in window, "it was given"
    crashed = call(daemon, "list_checkpoints", project=str(older.project))
    assert [each["reason"] for each in crashed if each["session_id"] not in (first, done.session)] == ["crash"]
