"""Decides which of the lines that fit a prompt stand out enough to be given. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.items.model import Item
from holdfast.recall import FLOOR_ASKED, FLOOR_HINTED, Candidate, Hit
from holdfast.recall.intent import Intent
from holdfast.recall.sure import SURENESS, Sureness, enough, features

Works = list[list[tuple[Item, Hit]]]
"""Hits by piece of work, the best first; in each the item that says most comes first."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an item must reach to be given. `python -m bench.left_out` chooses them."""

    floor: float = 0.36
    question_floor: float = 0.24
    """Where the prompt asks something."""
    hint_floor: float = FLOOR_HINTED
    """Where it speaks of something that happened before."""
    asked_floor: float = FLOOR_ASKED
    """Where it asks for memory."""
    sureness: Sureness = SURENESS
    """What fits must also stand out, unless someone asked for it to be kept."""

    def floor_for(self, intent: Intent) -> float:
        plain = self.question_floor if intent.question else self.floor
        return {"": plain, "hint": self.hint_floor, "asks": self.asked_floor}[intent.strength]


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """What fits a prompt."""

    works: Works
    rival: float = 0.0
    """The best score of other work, which does not fit."""
    judged: bool = True
    """By its words. What was done in a time is not: there all fits."""


def is_other(item: Item, works: Works) -> bool:
    """Does an item tell of none of these pieces of work?"""
    known = {each.listed.work or each.id for work in works for each, _ in work}
    whole = item.listed.whole_of
    if whole and any(work.startswith(whole) for work in known):
        return False
    return (item.listed.work or item.id) not in known


def seen_of(entries: Sequence[Candidate], found: Found, intent: Intent) -> list[tuple[float, ...]]:
    """How each line stands beside the others, in the order of the weights (`recall.sure`)."""
    fits: dict[str, float] = {item.id: max(hit.fit for _, hit in work) for work in found.works for item, _ in work}
    return features([fits[each.id] for each in entries], [each.score for each in entries], found.rival, intent.question)


def standing_out(entries: Sequence[Candidate], found: Found, intent: Intent, limits: Sureness) -> set[str]:
    """The ids of the lines of which it is sure enough that the prompt means them."""
    if not found.judged:
        return {each.id for each in entries}
    sure = [limits.of(each) for each in seen_of(entries, found, intent)]
    return {entries[at].id for at in enough(sure, limits, many=intent.many)}
