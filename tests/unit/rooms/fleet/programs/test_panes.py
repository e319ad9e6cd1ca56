"""Which agent runs in which pane of tmux, what is painted, and when a person has looked. The rest needs a real tmux."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.rooms.fleet.programs.panes import (
    BEFORE,
    STATUS,
    AgentPane,
    TmuxPane,
    looked_at,
    painting,
    placed,
    restoring,
)

SHELL, OWN, OTHER = TmuxPane("%0", 100, "$0", True), TmuxPane("%1", 200, "$0", False), TmuxPane("%2", 300, "$1", True)
PARENTS = {110: 100, 111: 110, 999: 1, 400: 401, 401: 400}


def agent(session: str, pid: int = 0, pane: str = "", **more: Any) -> dict[str, Any]:
    told = {"status": "working", "style": "bg=red", "since": "2026-11-17T12:00:00Z"}
    return {"session_id": session, "pid": pid, "pane": pane} | told | more


@pytest.mark.requirement("FLT-2")
def test_a_process_proves_the_pane() -> None:
    cases = [
        (agent("below the shell", 111), "%0"),
        (agent("the pane's own", 200), "%1"),
        (agent("by its number", pane="%2"), "%2"),
        (agent("of another server", 999, "%0"), None),
        (agent("going round", 400, "%0"), None),
        (agent("nowhere"), None),
    ]
    for told, pane in cases:
        found = placed([told], [SHELL, OWN, OTHER], PARENTS)
        assert [each.pane.id for each in found] == ([pane] if pane else []), told["session_id"]
    newer = agent("newer", 111, since="2026-11-17T12:00:05Z")
    assert [each.session_id for each in placed([newer, agent("older", 110)], [SHELL], PARENTS)] == ["newer"]


@pytest.mark.requirement("FLT-1")
def test_a_person_has_looked_who_did_something_in_front_of_it() -> None:
    def shown(pane: TmuxPane, status: str = "attention") -> AgentPane:
        return AgentPane(pane, f"{pane.id} {status}", status, "", 1_000.0)

    everyone = [shown(SHELL), shown(SHELL, "working"), shown(SHELL, "done"), shown(OWN), shown(OTHER)]
    assert looked_at(everyone, {"$0": 1_001.0}) == ["%0 attention", "%0 done"]
    assert looked_at(everyone, {"$0": 1_000.0, "$1": 2_000.0}) == ["%2 attention"], "a terminal left alone saw nothing"
    assert looked_at(everyone, {}) == []


@pytest.mark.requirement("FLT-2")
def test_a_pane_gets_back_what_it_had() -> None:
    paint = ["set-option", "-p", "-t", "%0"]
    unset = ["set-option", "-p", "-u", "-t", "%0"]
    had = "bg=blue\n-"
    assert painting("%0", "error", "bg=red", had) == [
        [*paint, BEFORE, had],
        [*paint, STATUS, "error"],
        [*paint, "window-style", "bg=red"],
        [*paint, "window-active-style", "bg=red"],
    ]
    assert painting("%0", "done", "", had)[2:] == [[*paint, "window-style", "bg=blue"], [*unset, "window-active-style"]]
    assert restoring("%0", had) == [
        [*paint, "window-style", "bg=blue"],
        [*unset, "window-active-style"],
        [*unset, STATUS],
        [*unset, BEFORE],
    ]
