"""The bed's own tests: if one of these fails, no other client test means anything."""

import os
import threading
import tomllib
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude, read_lines
from tests.client.bed.install import CannotInstall, client
from tests.client.bed.recorder import EVENTS, Recorder, Reply
from tests.client.bed.request import Kind
from tests.client.bed.script import Fail, Say, Turn, Usage, Use
from tests.client.bed.tui import Tui


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "a scripted command"})


def test_a_plain_session_says_what_the_script_says(claude: Claude, api: Api) -> None:
    api.script(Say("Good day from the script."))
    done = claude.run("Say good day.")
    assert (done.code, done.text) == (0, "Good day from the script.")
    assert api.of(Kind.MAIN)[0].prompts()[-1] == "Say good day."
    assert api.left() == 0
    assert [line["type"] for line in done.transcript_lines()].count("assistant") == 1
    assert done.session == api.of(Kind.MAIN)[0].session


def test_a_tool_runs_and_its_result_reaches_the_model(claude: Claude, api: Api) -> None:
    step = bash("echo from-the-tool > made.txt && cat made.txt")
    api.script(step, Say("Done."))
    claude.run("Make a file.")
    assert (claude.project / "made.txt").read_text() == "from-the-tool\n"
    assert api.result(step) == ("from-the-tool", False)
    places = api.where("from-the-tool", Kind.MAIN)
    assert [(place.role, place.block) for place in places] == [
        ("assistant", "tool_use"),
        ("user", "tool_result"),
    ]


def test_a_parallel_batch_is_answered_in_one_request(claude: Claude, api: Api) -> None:
    first, second = bash("echo one"), bash("echo two")
    api.script(Turn([Say("Both at once."), first, second]), Say("Done."))
    claude.run("Do both.")
    assert api.id_of(first) != api.id_of(second)
    last = api.of(Kind.MAIN)[-1].tool_results()
    assert last == {api.id_of(first): ("one", False), api.id_of(second): ("two", False)}


def test_a_subagent_walks_its_own_script(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["SubagentStart", "PostToolUse", "SubagentStop"]))
    inner = bash("echo inside-the-agent")
    outer = agent("Count the beans.")
    api.script(outer, Say("The agent has finished."))
    api.agent("Count the beans", inner, Say("Seven beans."))
    done = claude.run("Have the beans counted.")
    assert done.text == "The agent has finished."
    assert "Seven beans." in api.result(outer).text
    assert api.result(inner) == ("inside-the-agent", False)
    agent_id = recorder.of("SubagentStart")[0]["agent_id"]
    assert {request.agent for request in api.of(Kind.AGENT)} == {agent_id}
    assert [payload.get("agent_id") for payload in recorder.of("PostToolUse")] == [agent_id, None]


def test_two_subagents_of_one_script_do_not_share_their_steps(claude: Claude, api: Api) -> None:
    first, second = agent("Count the beans."), agent("Count the beans.")
    api.script(Turn([first, second]), Say("Done."))
    api.agent("Count the beans", bash("echo counting"), Say("Seven beans."))
    claude.run("Have the beans counted twice.")
    assert len(api.of(Kind.AGENT)) == 4
    assert all("Seven beans." in api.result(use).text for use in (first, second))


def agent(prompt: str) -> Use:
    asked = {"description": "count", "prompt": prompt, "subagent_type": "general-purpose"}
    return Use("Agent", {**asked, "run_in_background": False})


def test_a_failing_command_is_a_failed_tool(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings())
    step = bash("echo partial; exit 3")
    api.script(step, Say("It failed."))
    claude.run("Fail.")
    assert api.result(step) == ("Exit code 3\npartial", True)
    failed = recorder.of("PostToolUseFailure")[0]
    assert (failed["tool_use_id"], failed["error"]) == (api.id_of(step), "Exit code 3\npartial")
    assert "PostToolUse" not in recorder.events()


def test_context_of_a_hook_reaches_the_model(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["UserPromptSubmit"]))
    recorder.context("UserPromptSubmit", "the moon is made of basalt")
    api.script(Say("Noted."))
    done = claude.run("What is the moon made of?")
    assert api.reached("the moon is made of basalt", Kind.MAIN)
    assert not api.reached("the moon is made of cheese")
    assert [hook["outcome"] for hook in done.hooks("UserPromptSubmit")] == ["success"]


def test_context_of_a_command_hook_reaches_the_model(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["SessionStart"], kind="command"))
    recorder.context("SessionStart", "the session began at dawn")
    api.script(Say("Noted."))
    claude.run("Hello.")
    assert recorder.of("SessionStart")[0]["source"] == "startup"
    assert api.reached("the session began at dawn", Kind.MAIN)


def test_a_denied_tool_does_not_run(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["PreToolUse"]), scope="project")
    recorder.deny("not on my watch")
    step = bash("touch made.txt")
    api.script(step, Say("Understood."))
    claude.run("Make a file.")
    assert not (claude.project / "made.txt").exists()
    text, is_error = api.result(step)
    assert is_error
    assert "not on my watch" in text


def test_a_dead_recorder_stops_nothing(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["PreToolUse"]))
    recorder.reply("PreToolUse", Reply(die=True))
    step = bash("echo went on")
    api.script(step, Say("Done."))
    done = claude.run("Go on.")
    assert recorder.events()[0] == "PreToolUse"
    assert [hook["outcome"] for hook in done.hooks("PreToolUse")] == ["error"]
    assert api.result(step).text == "went on"


def test_hooks_that_ask_the_model_use_up_no_step(claude: Claude, api: Api) -> None:
    asking = [{"type": kind, "prompt": f"the {kind} judge of $ARGUMENTS"} for kind in ("prompt", "agent")]
    claude.settings({"hooks": {"PreToolUse": [{"hooks": asking}]}})
    api.side("the prompt judge", Say('{"ok": true, "reason": "fine"}'))
    api.side("the agent judge", Use("StructuredOutput", {"ok": True, "reason": "fine"}))
    step = bash("echo judged")
    api.script(step, Say("Done."))
    assert claude.run("Be judged.").text == "Done."
    assert api.result(step) == ("judged", False)
    assert api.reached("the prompt judge", Kind.SIDE)
    assert api.reached("the agent judge", Kind.SIDE)
    assert len(api.of(Kind.MAIN)) == 2


def test_an_api_failure_is_seen_and_retried_when_allowed(claude: Claude, api: Api) -> None:
    api.script(Fail(529, "overloaded_error", retry=True), Say("Recovered."))
    assert claude.run("Try.").text == "Recovered."
    api.script(Fail(500, "api_error", "no such thing"))
    failed = claude.run("Try again.")
    assert failed.code != 0
    assert "no such thing" in failed.text


def test_a_held_answer_waits_for_the_test(claude: Claude, api: Api) -> None:
    gate = threading.Event()
    api.script(Turn([Say("At last.")], hold=gate))
    running = claude.start("Wait for me.")
    api.wait_for(lambda asked: asked.kind is Kind.MAIN)
    assert api.busy()
    assert running.process.poll() is None
    gate.set()
    assert running.wait().text == "At last."


def test_a_run_past_its_timeout_is_ended_and_fails(claude: Claude, api: Api) -> None:
    api.script(Turn([Say("Never.")], hold=threading.Event()))
    running = claude.start("Wait for ever.")
    api.wait_for(lambda asked: asked.kind is Kind.MAIN)
    with pytest.raises(AssertionError, match="did not end within"):
        running.wait(timeout=0.2)
    with pytest.raises(ProcessLookupError):
        os.killpg(running.process.pid, 0)


def test_a_request_without_a_step_is_kept(claude: Claude, api: Api) -> None:
    claude.run("Nobody wrote an answer to this.")
    assert [asked.prompts()[-1] for asked in api.unscripted] == ["Nobody wrote an answer to this."]
    api.unscripted.clear()


def test_a_machine_without_npm_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_TEST_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotInstall, match="npm is not on PATH"):
        client("2.1.325")
    assert [path.name for path in tmp_path.iterdir()] == ["2.1.325.lock"]


def test_the_client_keeps_nothing_of_the_callers_environment(
    claude: Claude, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "of-another-client")
    monkeypatch.setenv("SOME_VARIABLE", "of-another-client")
    step = bash("env")
    api.script(step, Say("Seen."))
    claude.run("Show the environment.")
    assert f"HOME={claude.home}" in api.result(step).text
    assert "of-another-client" not in api.result(step).text


def test_resume_continues_the_session(claude: Claude, api: Api) -> None:
    api.script(Say("The word is heliotrope."), Say("Heliotrope."))
    first = claude.run("Choose a word.")
    second = claude.run("Which word?", resume=first.session)
    assert second.session == first.session
    assert [place.role for place in api.where("The word is heliotrope.")] == ["assistant"]


def test_auto_compaction_is_provoked_by_reported_usage(claude: Claude, api: Api, recorder: Recorder) -> None:
    claude.settings(recorder.settings(["PreCompact", "PostCompact", "SessionStart"]))
    api.summary = Say("<summary>We spoke of heliotrope.</summary>")
    full = Turn([bash("echo so much")], usage=Usage(input_tokens=990_000))
    api.script(full, Say("Lighter now."))
    done = claude.run("Fill the window.")
    assert done.text == "Lighter now."
    assert recorder.of("PreCompact")[0]["trigger"] == "auto"
    assert "We spoke of heliotrope." in recorder.of("PostCompact")[0]["compact_summary"]
    assert [payload["source"] for payload in recorder.of("SessionStart")] == ["startup", "compact"]
    assert api.reached("We spoke of heliotrope.", Kind.MAIN)


def test_clear_begins_a_new_session(claude: Claude, api: Api, recorder: Recorder, tui: Tui) -> None:
    claude.settings(recorder.settings(["SessionStart", "SessionEnd"]))
    api.script(Say("First answer."), Say("Second answer."))
    tui.start()
    tui.ask("First question")
    assert "First answer." in tui.screen()
    tui.ask("/clear")
    tui.ask("Second question")
    assert "Second answer." in tui.screen()
    assert not api.of(Kind.MAIN)[-1].prompts().count("First question")
    assert recorder.of("SessionEnd")[0]["reason"] == "clear"
    assert [payload["source"] for payload in recorder.of("SessionStart")] == ["startup", "clear"]


def test_compact_puts_the_summary_in_place_of_the_conversation(
    claude: Claude, api: Api, recorder: Recorder, tui: Tui
) -> None:
    claude.settings(recorder.settings(["PreCompact", "PostCompact"]))
    api.summary = Say("<summary>They chose heliotrope.</summary>")
    api.script(Say("First answer."), Say("Second answer."), Say("Third answer."))
    tui.start()
    tui.ask("First question")
    tui.ask("Second question")
    tui.submit("/compact")
    recorder.wait_for("PostCompact")
    tui.wait_idle()
    tui.ask("Third question")
    assert recorder.of("PreCompact")[0]["trigger"] == "manual"
    last = api.of(Kind.MAIN)[-1]
    assert api.where("First answer.", Kind.MAIN)[-1].request != last.index
    assert api.where("They chose heliotrope.", Kind.MAIN)[0].request == last.index


def test_the_interactive_client_resumes_and_exits(claude: Claude, api: Api, recorder: Recorder, tui: Tui) -> None:
    claude.settings(recorder.settings(["SessionStart", "SessionEnd"]))
    api.script(Say("The word is heliotrope."), Say("Heliotrope."))
    first = claude.run("Choose a word.")
    tui.start(resume=first.session)
    tui.ask("Which word?")
    assert "Heliotrope." in tui.screen()
    tui.submit("/exit")
    tui.wait_ended()
    assert recorder.of("SessionStart")[1]["source"] == "resume"
    assert recorder.of("SessionEnd")[-1]["reason"] == "prompt_input_exit"
    prompts = [line for line in read_lines(claude.transcript(first.session)) if line["type"] == "user"]
    assert len(prompts) >= 2


def test_the_older_client_does_the_basics(older: Claude, api: Api, recorder: Recorder) -> None:
    assert older.command("--version").stdout.startswith(older.version)
    older.settings(recorder.settings(["UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"]))
    recorder.context("UserPromptSubmit", "the moon is made of basalt")
    step, outer, inner = bash("echo by the older"), agent("Count the beans."), bash("echo inside")
    api.script(step, outer, Say("Done."))
    api.agent("Count the beans", inner, Say("Seven beans."))
    done = older.run("Do the basics.")
    assert done.text == "Done."
    assert api.reached("the moon is made of basalt", Kind.MAIN)
    assert api.result(step) == ("by the older", False)
    assert api.result(inner) == ("inside", False)
    assert "Seven beans." in api.result(outer).text
    assert recorder.of("PreToolUse")[0]["tool_use_id"] == api.id_of(step)


def test_the_table_of_events_is_the_pinned_clients(claude: Claude) -> None:
    table = Path(__file__).parents[2] / "src" / "holdfast" / "install" / "client_events.toml"
    since = tomllib.loads(table.read_text())["since"]
    known = [event for entry in since for event in entry["events"]]
    assert sorted(known) == sorted(EVENTS)
    program = claude.binary.read_bytes()
    assert all(f'"{event}"'.encode() in program for event in EVENTS)
