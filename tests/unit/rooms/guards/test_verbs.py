"""How rules are listed on a terminal."""

from __future__ import annotations

from typing import Any

import pytest

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
