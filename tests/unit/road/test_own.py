"""Which calls are holdfast's own, and what is kept of them (EVT-10)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.events.event import PostToolUse, PreToolUse, Stop
from holdfast.events.parse import parse
from holdfast.paths import own_programs
from holdfast.road.own import is_own, is_own_tool, reduced, without_own_calls
from tests.support.payloads import load
from tests.support.table import each_of

US = Path(sys.executable).with_name("holdfast")
OWN = [
    "holdfast status",
    "holdfast",
    f"{US} search 'rm -rf'",
    "cd /tmp && holdfast log 'done; next' || holdfast status",
    "HOLDFAST_HOME=/tmp/x AGENT_ID=a holdfast status",
    "holdfast search x 2>&1 | head -20",
    "holdfast search x 2>/dev/null | grep y | wc -l",
    "holdfast search x | grep -in -A3 'y z' | cat -n | tail -n 5",
    "holdfast search x | grep -e y -e z --color=never | head -c100",
    "holdfast status --json | jq -r '.daemon.pid'",
    "holdfast one\nholdfast two",
    "holdfast log \\\n  --note 'fixed #12'",
    "holdfast log \"a && b\" ''",
    "holdfast get 'a;b|c>d(e)'",
]
NOT_OWN = [
    "",
    "echo holdfast",
    "cd holdfast",
    "holdfast; rm -rf ~",
    "holdfast;rm -rf ~",
    "holdfast && rm -rf ~",
    "holdfast&&rm -rf ~",
    "holdfast & rm -rf ~",
    "holdfast || rm -rf ~",
    "holdfast | sh",
    "holdfast |& sh",
    "holdfast | tee ~/.bashrc",
    "holdfast&&(rm -rf ~)",
    "holdfast;(rm -rf ~)",
    "(holdfast; rm -rf ~)",
    "{ holdfast; rm -rf ~; }",
    "holdfast <(rm -rf ~)",
    "holdfast > ~/.bashrc",
    "holdfast >> notes",
    "holdfast < secrets",
    "holdfast $(rm -rf ~)",
    'holdfast "$(rm -rf ~)"',
    "holdfast `rm -rf ~`",
    "holdfast status\nrm -rf ~",
    "holdfast status # ok\nrm -rf ~",
    "holdfast a#b; rm -rf ~",
    "holdfast x \\\\\nrm -rf ~",
    "holdfast 'unclosed",
    "PATH=/evil holdfast status",
    "LD_PRELOAD=/evil.so holdfast status",
    "./holdfast status",
    "evil/bin/holdfast status",
    "holdfast-evil status",
    "sudo holdfast status",
    "cat secrets | holdfast log",
    "head secrets; holdfast status",
    "bash -c 'holdfast; rm -rf ~'",
    "holdfast <<EOF\nrm -rf ~\nEOF",
    "if holdfast; then rm -rf ~; fi",
    "! holdfast",
    "/tmp/x/bin/holdfast go",
    "/home/dev/.local/bin/holdfast status",
    "holdfast status | cat /etc/passwd",
    "holdfast status | cat - notes",
    "holdfast status | head -n 5 notes",
    "holdfast status | tail -f notes",
    "holdfast status | wc -l notes",
    "holdfast status | wc --files0-from=names",
    "holdfast status | grep -r . /etc",
    "holdfast status | grep -r .",
    "holdfast status | grep -ir x",
    "holdfast status | grep x notes",
    "holdfast status | grep -e x notes",
    "holdfast status | grep notes -ex",
    "holdfast status | grep -f patterns",
    "holdfast status | grep --file=patterns",
    "holdfast status | grep -- x notes",
    "holdfast status | grep *",
    "holdfast status | grep $X",
    "holdfast status | jq . notes",
    "holdfast status | jq -f program",
    "holdfast status | jq --slurpfile a notes .",
    "holdfast status | jq '$ENV.HOME'",
    "holdfast status | jq 'import \"/etc/x\" as $x; $x'",
]


def bash(command: Any) -> PreToolUse:
    return PreToolUse(tool_name="Bash", tool_input={"command": command})


@pytest.mark.requirement("EVT-10")
@each_of("command", OWN)
def test_a_command_line_that_runs_nothing_but_holdfast_is_our_own(command: str) -> None:
    assert is_own(bash(command))
    assert not is_own_tool(bash(command)), "a guard must see it"


@pytest.mark.requirement("EVT-10")
def test_the_usual_link_is_ours_when_it_leads_to_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, link = tmp_path / "home", tmp_path / ".local" / "bin" / "holdfast"
    link.parent.mkdir(parents=True)
    monkeypatch.setenv("HOLDFAST_HOME", str(home))
    monkeypatch.setenv("HOME", str(tmp_path))
    for target, own in ((US, True), (home / "bin" / "holdfast", True), (home / "evil" / "holdfast", False)):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        own_programs.cache_clear()
        assert is_own(bash(f"{link} status")) == own, target
    assert is_own(bash(f"{home}/bin/holdfast status"))
    own_programs.cache_clear()


@pytest.mark.requirement("EVT-10")
@each_of("command", NOT_OWN)
def test_whatever_else_runs_or_writes_makes_it_not_our_own(command: str) -> None:
    assert not is_own(bash(command))


@pytest.mark.requirement("EVT-10")
@pytest.mark.parametrize(
    ("tool", "own"),
    [
        ("mcp__holdfast__search", True),
        ("mcp__plugin_holdfast_holdfast__search", True),
        ("mcp__other__holdfast__search", False),
        ("mcp__holdfaster__search", False),
        ("xmcp__holdfast__search", False),
        ("Bash", False),
        ("", False),
    ],
)
def test_our_own_tools_are_known_by_their_server(tool: str, own: bool) -> None:
    event = PostToolUse(tool_name=tool, tool_input={"query": "holdfast"})
    assert (is_own(event), is_own_tool(event)) == (own, own)


@pytest.mark.parametrize("odd", [None, 7, ["holdfast"], {"a": "holdfast"}])
def test_an_odd_command_is_not_ours(odd: Any) -> None:
    assert not is_own(bash(odd))
    assert not is_own(PreToolUse(tool_name="Bash", tool_input=odd))
    assert not is_own(Stop(last_assistant_message="holdfast status"))


@pytest.mark.requirement("EVT-10")
def test_of_our_own_call_only_that_it_happened_is_kept() -> None:
    payload = load("PostToolUse-Bash")
    assert reduced(payload) == {
        key: value for key, value in payload.items() if key not in ("tool_input", "tool_response")
    }
    assert "error" not in reduced(load("PostToolUseFailure-Bash-exit3"))


@pytest.mark.requirement("EVT-10")
def test_a_batch_does_not_bring_our_own_calls_back() -> None:
    ours = [
        {
            "tool_name": "mcp__holdfast__search",
            "tool_input": {"query": "q"},
            "tool_use_id": "t1",
            "tool_response": "old",
        },
        {
            "tool_name": "Bash",
            "tool_input": {"command": "holdfast status"},
            "tool_use_id": "t2",
            "tool_response": "old",
        },
    ]
    other = load("PostToolBatch")["tool_calls"][0]
    payload = load("PostToolBatch", tool_calls=[*ours, other, {"tool_name": 7}])
    event, fields = without_own_calls(parse(payload), payload)
    expected = [
        {"tool_name": "mcp__holdfast__search", "tool_use_id": "t1"},
        {"tool_name": "Bash", "tool_use_id": "t2"},
        other,
        {"tool_name": 7},
    ]
    assert fields == payload | {"tool_calls": expected}
    assert event.tool_calls == expected  # type: ignore[attr-defined]
    stop = load("Stop")
    assert without_own_calls(parse(stop), stop) == (parse(stop), stop)
