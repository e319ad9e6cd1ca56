"""Lines that would end the daemon, or type a person's answer, however they spell it."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging.own_guard import findings, may_name_daemon
from tests.support.table import each_of


@pytest.mark.requirement("WRK-7")
@each_of(
    "pattern, names",
    [
        *(("holdfast", True), ("hold.ast", True), ("[h]oldfast", True), ("holdf", True), ("h.l.f.st", True)),
        *(("hold.*t", True), ("/opt/holdfast/bin", True), ("fast", True)),
        *(("fastapi", False), ("old", False), ("node", False), ("-9", False), ("threshold", False), ("", False)),
        ("a" * 10_000, False),
    ],
)
def test_a_pattern_that_may_match_the_daemon(pattern: str, names: bool) -> None:
    assert may_name_daemon(pattern) is names


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, decision",
    [
        ("pkill -f 'hold.ast'", "ask"),
        ("kill -9 $(pgrep -f holdf)", "ask"),
        ("ps aux | grep '[h]oldfast' | awk '{print $2}' | xargs kill", "ask"),
        ("tmux send-keys 'holdfast guard allow-' 'once g1 A' Enter", "deny"),
        ("zellij action write-chars 'holdfast guard allow-once 26b275bc QUAELS'", "deny"),
        ("kitten @ send-text 'holdfast guard allow-once g26b275bc QUAELS\\n'", "deny"),
        ("git commit -m 'docs: holdfast guard allow-once g3fa9c21b K7Q2MX'", ""),
        ("echo 'holdfast guard allow-once g3fa9c21b K7Q2MX' >> README.md", ""),
        ("zellij action write-chars 'holdfast guard allow-once --help'", ""),
        ("pgrep -f holdfast", ""),
        ("pkill -0 -f holdfast", ""),
        ("ps aux | grep node | xargs kill", ""),
        ("tmux send-keys 'npm test' Enter", ""),
    ],
)
def test_a_line_that_takes_its_guard_away(line: str, decision: str) -> None:
    assert [each.decision for each in findings(read(line).runs)] == ([decision] if decision else [])
