"""Windows under the real client: clear, compact and resume each open the next one."""

from __future__ import annotations

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say
from tests.client.bed.tui import Tui
from tests.client.held import install, of, settled
from tests.support.daemon import DaemonHome, until


@pytest.mark.requirement("EVT-1")
def test_resume_opens_the_next_window_of_the_conversation(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    api.script(Say("First."), Say("Second."))
    first = claude.run("One.")
    second = claude.run("Two.", resume=first.session)
    assert second.session == first.session
    until(lambda: len(of(daemon.journal(session=first.session), "SessionEnd")) == 2, "both ends")
    starts = of(settled(daemon, first.session, "SessionEnd"), "SessionStart")
    assert [start["payload"]["source"] for start in starts] == ["startup", "resume"]
    assert starts[0]["window"] != starts[1]["window"]
    prompts = of(daemon.journal(session=first.session), "UserPromptSubmit")
    assert [prompt["window"] for prompt in prompts] == [start["window"] for start in starts]


@pytest.mark.requirement("EVT-1")
def test_clear_begins_a_new_conversation_and_compact_a_new_window(
    claude: Claude, api: Api, daemon: DaemonHome, tui: Tui
) -> None:
    install(claude, daemon, all_events=True)
    api.script(Say("One."), Say("Two."), Say("Three."))
    api.summary = Say("<summary>We counted to two.</summary>")
    tui.start()
    tui.ask("Count one.")
    tui.submit("/clear")
    until(lambda: of(daemon.journal(event="SessionStart"), "SessionStart")[-1]["payload"]["source"] == "clear", "clear")
    tui.ask("Count two.")
    tui.submit("/compact")
    until(lambda: daemon.journal(event="PostCompact"), "the compaction is over")
    tui.ask("Count three.")
    tui.submit("/exit")
    tui.wait_ended()
    starts = daemon.journal(event="SessionStart")
    assert [start["payload"]["source"] for start in starts] == ["startup", "clear", "compact"]
    assert starts[0]["session_id"] != starts[1]["session_id"] == starts[2]["session_id"]
    assert len({start["window"] for start in starts}) == 3
    prompts = daemon.journal(event="UserPromptSubmit")
    assert [prompt["payload"]["prompt"] for prompt in prompts] == ["Count one.", "Count two.", "Count three."]
    assert [prompt["window"] for prompt in prompts] == [start["window"] for start in starts]
    assert [entry["source"] for entry in daemon.journal(event="PreCompact")] == ["command"]
    ends = settled(daemon, starts[0]["session_id"], "SessionEnd") + settled(
        daemon, starts[1]["session_id"], "SessionEnd"
    )
    assert [end["payload"]["reason"] for end in of(ends, "SessionEnd")] == ["clear", "prompt_input_exit"]
    status = daemon.status()["sessions"]
    assert (status["active"], status["total"]) == (0, 3)
