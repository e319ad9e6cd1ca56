"""The road under the real client: every event of a session arrives once, whatever becomes of the daemon meanwhile."""

from __future__ import annotations

import json

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import OLDER
from tests.client.bed.script import Say, Turn, Use
from tests.client.held import counts, install, of, settled
from tests.support.daemon import DaemonHome, until

PLAIN = {
    "SessionStart": 1,
    "UserPromptSubmit": 1,
    "PreToolUse": 1,
    "PostToolUse": 1,
    "Stop": 1,
    "SessionEnd": 1,
}


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "a scripted command"})


@pytest.mark.requirement("EVT-2")
@pytest.mark.requirement("EVT-7")
@pytest.mark.requirement("EVT-16")
@pytest.mark.parametrize("scope", ["user", "local", "project"])
def test_each_event_of_a_plain_session_arrives_once(claude: Claude, api: Api, daemon: DaemonHome, scope: str) -> None:
    install(claude, daemon, scope)
    use = bash("echo from-the-tool")
    api.script(use, Say("It says from-the-tool."))
    done = claude.run("Run it.")
    assert done.text == "It says from-the-tool."
    entries = settled(daemon, done.session, "SessionEnd")
    seen = counts(entries)
    assert {name: seen[name] for name in PLAIN} == PLAIN
    assert seen.keys() == PLAIN.keys(), "only what is used is registered"
    by_http = {entry["event"] for entry in entries if entry["source"] == "http"}
    by_command = {entry["event"] for entry in entries if entry["source"] == "command"}
    if scope == "project":
        assert by_http == set()
    else:
        assert by_command == {"SessionStart", "UserPromptSubmit"}
    assert {str(entry["client"]) for entry in entries} == {str({"name": "claude-code", "version": claude.version})}
    [post] = of(entries, "PostToolUse")
    assert post["tool_use_id"] == api.id_of(use)
    assert post["payload"]["tool_response"]["stdout"] == "from-the-tool"
    assert not [line for line in done.lines if line.get("outcome") == "error"]


@pytest.mark.requirement("EVT-1")
def test_the_older_client_is_served_too(older: Claude, api: Api, daemon: DaemonHome) -> None:
    install(older, daemon, version=OLDER)
    use = bash("echo from-the-tool")
    api.script(use, Say("Done."))
    done = older.run("Run it.")
    entries = settled(daemon, done.session, "SessionEnd")
    seen = counts(entries)
    assert {name: seen[name] for name in PLAIN} == PLAIN
    assert of(entries, "PostToolUse")[0]["tool_use_id"] == api.id_of(use)


@pytest.mark.requirement("EVT-7")
def test_a_parallel_batch_arrives_whole(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon, all_events=True)
    uses = [bash(f"echo number-{number}") for number in range(6)]
    api.script(Turn([Say("All at once."), *uses]), Say("Done."))
    done = claude.run("Run all six.")
    entries = settled(daemon, done.session, "SessionEnd")
    wanted = sorted(api.id_of(use) for use in uses)
    for event in ("PreToolUse", "PostToolUse"):
        assert sorted(entry["tool_use_id"] for entry in of(entries, event)) == wanted
    until(lambda: of(daemon.journal(session=done.session), "PostToolBatch"), "the batch, which nobody waits for")
    [batch] = of(daemon.journal(session=done.session), "PostToolBatch")
    assert sorted(call["tool_use_id"] for call in batch["payload"]["tool_calls"]) == wanted


@pytest.mark.requirement("EVT-13")
def test_a_failing_command_is_a_failure_with_its_exit_code(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    api.script(bash("echo bad >&2; exit 3"), Say("It failed."))
    done = claude.run("Run it.")
    entries = settled(daemon, done.session, "SessionEnd")
    assert counts(entries)["PostToolUse"] == 0
    [failure] = of(entries, "PostToolUseFailure")
    assert failure["payload"]["error"].startswith("Exit code 3")


@pytest.mark.requirement("EVT-1")
def test_a_subagent_has_a_window_of_its_own(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon, all_events=True)
    inner = bash("echo inside")
    asked = {"description": "count", "prompt": "Count the beans.", "subagent_type": "general-purpose"}
    api.script(Use("Agent", asked | {"run_in_background": False}), Say("Done."))
    api.agent("Count the beans", inner, Say("Seven."))
    done = claude.run("Have them counted.")
    entries = settled(daemon, done.session, "SubagentStop", "SessionEnd")
    [start], [stop] = of(entries, "SubagentStart"), of(entries, "SubagentStop")
    [inside] = [entry for entry in of(entries, "PostToolUse") if entry["tool_use_id"] == api.id_of(inner)]
    assert start["agent_id"] == stop["agent_id"] == inside["agent_id"] is not None
    assert start["window"] == stop["window"] == inside["window"] != of(entries, "SessionStart")[0]["window"]
    assert of(entries, "Stop")[0]["window"] == of(entries, "SessionStart")[0]["window"]


@pytest.mark.requirement("SEC-1")
def test_a_secret_in_a_command_and_its_output_is_never_written(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    secret = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
    api.script(bash(f"echo token {secret}"), Say(f"The token is {secret}."))
    done = claude.run("Show me the token.")
    settled(daemon, done.session, "SessionEnd")
    kept = json.dumps(daemon.journal(session=done.session)) + daemon.log()
    assert "[scrubbed:" in kept
    assert secret not in kept
    for file in daemon.home.root.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file.name
