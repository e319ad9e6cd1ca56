"""What is given unasked: whether it is, what an agent was given before, and the claim to what it is given now."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence, Set

from holdfast.events.answer import Context, Part
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId
from holdfast.items import tables
from holdfast.items.model import Given, Listener, Occasion
from holdfast.items.settings import InjectSettings, PromptSettings
from holdfast.store.interface import Tx

ORIGIN = "memory"
"""How the fence names what is given: an agent knows it as memory, whichever room keeps it."""
_MOST_AGENTS = 500


class Injecting:
    """The user's choice of what is given unasked. `off` is what the project switches off (`Scene.off`)."""

    def __init__(self, settings: InjectSettings, at_prompt: PromptSettings) -> None:
        self.settings = settings
        self.at_prompt = at_prompt
        self._lines_given: OrderedDict[str, set[str]] = OrderedDict()

    def is_on(self, off: Set[str] = frozenset()) -> bool:
        """Is anything given unasked?"""
        return self.settings.enabled and "inject.enabled" not in off

    def gives_brief(self, off: Set[str] = frozenset()) -> bool:
        return self.is_on(off) and self.settings.brief and "inject.brief" not in off

    def recalls(self, off: Set[str] = frozenset()) -> bool:
        """Are prompts given what fits them?"""
        return self.is_on(off) and self.at_prompt.enabled and "user_prompt_submit.enabled" not in off

    def gives_lines(self, off: Set[str] = frozenset()) -> bool:
        """Are prompts given lines of rooms that are no items?"""
        return self.at_prompt.include_code and "user_prompt_submit.include_code" not in off

    def lines_given(self, conversation: ConversationId, agent_id: str) -> set[str]:
        """Ids of lines that are no items, which an agent was given: they are not given twice."""
        name = f"{conversation}/{agent_id}"
        given = self._lines_given.setdefault(name, set())
        self._lines_given.move_to_end(name)
        while len(self._lines_given) > _MOST_AGENTS:
            self._lines_given.popitem(last=False)
        return given


def claimed(
    scene: Scene,
    who: Listener,
    occasion: Occasion,
    about: str,
    given: Sequence[Given],
    text: Callable[[Sequence[Given]], str],
) -> Part | None:
    """A part that injects these items, except those that this agent was given in the meantime. `about` is the file of a
    file's history, which is given once."""
    if not given:
        return None

    def record(tx: Tx) -> Part | None:
        if about and tables.file_was_given(tx, who, about):
            return Part()
        rest = [each for each in given if not tables.was_given(tx, who, each)]
        tables.inject(tx, scene.entry_id, scene.at_us, who, occasion, about, rest)
        if len(rest) == len(given):
            return None
        return Part(contexts=(Context(text(rest), ORIGIN),)) if rest else Part()

    return Part(contexts=(Context(text(given), ORIGIN),), record=record)
