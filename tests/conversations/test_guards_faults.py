"""Guards that fail: a rule that matched stands, whatever breaks; our own fault lets only plain calls pass."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from holdfast.program import PROGRAM
from holdfast.rooms.guards.answering import words
from holdfast.rooms.guards.decisions import Records
from holdfast.rooms.guards.overriding.codes import Codes
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.targets.settling import Settling
from holdfast.undo.store import Undo
from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.conversations.test_guards import bash, decision, repository
from tests.support.roads import run

__all__ = ["repository"]
pytestmark = pytest.mark.requirement("WRK-6", "WRK-13")

STAGES = {
    "first sight": (Guards, "is_passed"),
    "reading": (Guards, "_read"),
    "a look": (Guards, "look"),
    "facts": (Settling, "settle"),
    "keeping": (Undo, "keep"),
    "noting": (Records, "note"),
    "a code": (Codes, "issue"),
    "a spent code": (Codes, "spend"),
    "recording": (Records, "add"),
    "wording": (words, "refusal"),
}
DESTROYS = ("rm -rf ~", "git reset --hard", "rm -rf src/new", "git clean -fdx", "echo hi; rm -rf ~ # " + "x" * 2_000)
PLAIN = ("ls -l", "grep -rn x src", "cat src/app.py | head", "echo done")


def broken(*arguments: Any, **named: Any) -> Any:
    raise ValueError("injected")


@pytest.mark.parametrize("stage", STAGES)
def test_a_fault_at_no_stage_lets_pass_what_destroys(
    stage: str, site: Site, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "src" / "new").mkdir()
    (repository / "src" / "new" / "only.txt").write_text("only copy\n")
    (repository / "src" / "app.py").write_text("changed\n")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            monkeypatch.setattr(*STAGES[stage], broken)
            for number, command in enumerate(DESTROYS):
                answer = await talk.tell(bash(command, repository, use=f"toolu_{number}"))
                kept = [each.command for each in talk.services.get(Guards).undo.listed()]
                assert decision(answer) in ("ask", "deny") or command in kept, command
            for number, command in enumerate(PLAIN):
                answer = await talk.tell(bash(command, repository, use=f"toolu_p{number}"))
                assert decision(answer) == "", command

    run(story())


def test_a_guard_that_is_late_asks_about_what_may_destroy(site: Site, repository: Path) -> None:
    async def never(event: Any, scene: Any) -> None:
        await asyncio.Event().wait()

    on_event = PROGRAM["PreToolUse"]
    first = replace(on_event.steps[0], run=never, seconds=0.0)
    program = MappingProxyType({**PROGRAM, "PreToolUse": replace(on_event, steps=(first, *on_event.steps[1:]))})

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            talk.composed.road.program = program
            assert decision(await talk.tell(bash("rm -rf ~", repository))) == "ask"
            assert decision(await talk.tell(bash("ls", repository, use="toolu_2"))) == ""

    run(story())


@pytest.mark.parametrize(
    "arguments",
    [
        {"command": "echo \ud800; rm -rf ~"},
        {"command": "rm -rf ~", "description": "\udfff"},
        {"command": "rm -rf ~ '\udcff'"},
        {"command": "rm -rf ~", "\ud800": 1},
        {"command": "rm -rf ~\x00"},
        {"command": "rm -rf ~", "timeout": 10**400},
    ],
    ids=repr,
)
def test_no_odd_text_hides_a_command(arguments: dict[str, Any], site: Site, repository: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            for payload in (bash("", repository), bash("", repository, use="toolu_\ud800", session="s\ud800")):
                answer = await talk.tell({**payload, "tool_input": arguments})
                assert decision(answer) in ("ask", "deny")

    run(story())


def test_bytes_that_cannot_be_kept_are_asked_about(site: Site, repository: Path) -> None:
    (repository / "notes").mkdir()
    (repository / "notes" / "x.txt").write_text("only copy\n")
    odd = str(repository / "notes").encode() + b"/\xe9.txt"
    with open(odd, "w") as file:
        file.write("only copy, too\n")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            for number, command in enumerate(("git clean -fdx", "rm -rf notes", "rm notes/*.txt")):
                answer = await talk.tell(bash(command, repository, use=f"toolu_{number}"))
                context = str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))
                assert decision(answer) in ("ask", "deny") or "holdfast undo" in context, command

    run(story())
