"""When the house gives nothing unasked: then it does not even look. (What it gives: `tests/conversations`, and of any
room `tests/rooms/test_unasked.py`.)"""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.composition import Registry
from holdfast.events.answer import Part
from holdfast.events.event import SessionStart, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.items import hooks, wording
from holdfast.items.injecting import Injecting
from holdfast.items.settings import InjectSettings, PromptSettings
from tests.support.roads import run, scene

PROMPT = "Why did the expired cookie send people back to login?"


async def must_not_read(_: Any) -> Any:
    raise AssertionError("the store is read")


def seen(settings: InjectSettings = InjectSettings(), **changes: Any) -> Scene:  # noqa: B008
    services = Registry()
    services.add(Injecting(settings, PromptSettings()))
    return scene(services=services, read=must_not_read, **changes)


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("EVT-11")
@pytest.mark.parametrize(
    ("prompt", "changes"),
    [
        ("<task-notification>done</task-notification>", {}),
        ("   ", {}),
        ("<system-reminder>only the client speaks</system-reminder>", {}),
        (PROMPT, {"source": "spool"}),
        (PROMPT, {"source": "transcript"}),
        (PROMPT, {"off": frozenset({"user_prompt_submit.enabled"})}),
        (PROMPT, {"settings": InjectSettings(enabled=False)}),
        ("No, never use tabs.", {}),
    ],
)
def test_such_a_prompt_is_given_nothing(prompt: str, changes: dict[str, Any]) -> None:
    assert run(hooks.recall(UserPromptSubmit(prompt=prompt), seen(**changes))) is None


@pytest.mark.requirement("MEM-6")
@pytest.mark.requirement("MEM-27")
@pytest.mark.parametrize(
    ("source", "changes", "sign", "loses"),
    [
        ("startup", {"settings": InjectSettings(brief=False)}, wording.SIGN_OFF, False),
        ("startup", {"off": frozenset({"inject.brief"})}, wording.SIGN_OFF, False),
        ("compact", {"off": frozenset({"inject.enabled"})}, wording.SIGN_OFF, True),
        ("compact", {"source": "spool"}, "", True),
    ],
)
def test_without_a_brief_the_user_is_told_and_a_compaction_is_noted(
    source: str, changes: dict[str, Any], sign: str, loses: bool
) -> None:
    part = run(hooks.brief(SessionStart(source=source), seen(**changes)))
    assert isinstance(part, Part)
    assert (part.contexts, part.sign, part.record is not None) == ((), sign, loses)


def test_a_late_start_is_given_nothing_and_says_nothing() -> None:
    assert run(hooks.brief(SessionStart(), seen(source="spool"))) is None
