"""Whether something is given unasked, as the user chose it, less what a project switches off."""

from __future__ import annotations

from collections.abc import Callable, Set

import pytest

from holdfast.ids import ConversationId
from holdfast.items.injecting import Injecting
from holdfast.items.settings import InjectSettings, PromptSettings

ALL = {"is_on", "gives_brief", "recalls", "gives_lines"}


def given(injecting: Injecting, off: Set[str] = frozenset()) -> set[str]:
    """The names of what is given."""
    asked: dict[str, Callable[[Set[str]], bool]] = {name: getattr(injecting, name) for name in ALL}
    return {name for name, is_given in asked.items() if is_given(off)}


@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize(
    ("settings", "at_prompt", "off", "left"),
    [
        (InjectSettings(), PromptSettings(), "", ALL),
        (InjectSettings(enabled=False), PromptSettings(), "inject.enabled", {"gives_lines"}),
        (InjectSettings(brief=False), PromptSettings(), "inject.brief", ALL - {"gives_brief"}),
        (InjectSettings(), PromptSettings(enabled=False), "user_prompt_submit.enabled", ALL - {"recalls"}),
        (
            InjectSettings(),
            PromptSettings(include_code=False),
            "user_prompt_submit.include_code",
            ALL - {"gives_lines"},
        ),
    ],
)
def test_the_user_and_the_project_switch_off_the_same(
    settings: InjectSettings, at_prompt: PromptSettings, off: str, left: set[str]
) -> None:
    assert given(Injecting(settings, at_prompt)) == left
    assert given(Injecting(InjectSettings(), PromptSettings()), {off}) == left
    assert given(Injecting(settings, at_prompt), {off, "another.switch"}) == left


def test_the_lines_that_an_agent_was_given_are_remembered_of_the_last_agents() -> None:
    injecting = Injecting(InjectSettings(), PromptSettings())
    injecting.lines_given(ConversationId("c"), "").add("a commit")
    assert injecting.lines_given(ConversationId("c"), "") == {"a commit"}
    assert injecting.lines_given(ConversationId("c"), "helper") == set(), "a subagent was given nothing"
    for number in range(600):
        injecting.lines_given(ConversationId(f"c{number}"), "")
    assert injecting.lines_given(ConversationId("c"), "") == set()
    assert injecting.lines_given(ConversationId("c599"), "") == set()
