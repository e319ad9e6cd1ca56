"""How rules are listed on a terminal, and what is said to one command."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.rooms.guards import verbs
from holdfast.rooms.guards.verbs import rules


def rule(name: str, scope: str = "built-in", action: str = "ask", decided: int = 0, reason: str = "") -> dict[str, Any]:
    reason = reason or f"it harms by {name}"
    return {"id": name, "action": action, "scope": scope, "decided": decided, "reason": reason}


@pytest.mark.requirement("WRK-6")
def test_own_rules_are_listed_one_by_one_and_those_built_in_by_their_names() -> None:
    listed = [
        rule("cloud.aws", decided=2, reason="it deletes something in AWS"),
        rule("cloud.aws", decided=1, reason="it deletes objects in S3"),
        rule("cloud.aws", action="warn", reason="it stops a machine"),
        rule("files.delete", action="deny"),
        rule("mine", "user"),
        rule("mine", "project", "deny"),
    ]
    _, *rows, last = rules(listed, 120)
    assert [row.split()[:3] for row in rows] == [
        ["mine", "ask", "user"],
        ["mine", "deny", "project"],
        ["cloud.aws", "ask", "built-in"],
        ["cloud.aws", "warn", "built-in"],
        ["files.delete", "deny", "built-in"],
    ]
    assert "3  it deletes something in AWS (and 1 more)" in rows[2]
    assert last == "6 rules in all; --json lists each."


@pytest.mark.requirement("WRK-6")
def test_the_excuse_that_let_a_part_pass_is_named() -> None:
    excuse = {"name": "made-by-line", "says": "the line itself has made it before", "rule": "database.destroy"}
    result = {
        "decision": "allow",
        "rule": "",
        "reason": "",
        "instead": "",
        "kept": False,
        "parts": ["createdb app", "dropdb app"],
        "excuses": [excuse | {"command": "dropdb app"}],
        "mode": "on",
    }
    assert [line.strip() for line in verbs.tested(result, 120)][1:] == [
        "lets pass  dropdb app: database.destroy does not count (made-by-line: the line itself has made it before)",
        "runs  createdb app",
        "runs  dropdb app",
    ]
    _, said, *_ = verbs.tested(result | {"mode": "dry-run"}, 120)
    assert "dry-run" in said


@pytest.mark.requirement("WRK-13")
def test_an_undo_says_where_that_is_what_it_wrote_over() -> None:
    result = {"id": "3fa9c21b", "command": "sed -i s/a/b/ f", "restored": ["/p/f"], "before": ""}
    assert list(verbs.undone(result, 120)) == ["Brought back 1, as before this ran: sed -i s/a/b/ f", "  /p/f"]
    *_, last = verbs.undone(result | {"before": "9c21b3fa"}, 120)
    assert last == "What was there is kept: `holdfast undo 9c21b3fa --over` brings it back."
