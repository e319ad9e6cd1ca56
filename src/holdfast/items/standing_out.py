"""Decides which of the lines that fit a prompt stand out enough to be given. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.items.model import Item
from holdfast.recall import FLOOR_ASKED, FLOOR_HINTED, Candidate, Hit
from holdfast.recall.intent import Intent
from holdfast.recall.sure import SURENESS, Standing, Sureness, clear, features
from holdfast.recall.tokens import terms

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

    def least_for(self, intent: Intent) -> float:
        """How likely it must be that words are not shared by chance (`recall.sure.SharedWords`)."""
        plain = 0.0 if intent.question else self.sureness.words.order
        return {"": plain, "hint": self.sureness.words.hint, "asks": 0.0}[intent.strength]


LIMITS = Limits()
BY_VECTOR = Limits(
    floor=0.4,
    asked_floor=0.08,
    sureness=replace(SURENESS, fit=2.3, share=0.74, ahead=1.1, asks=0.82, base=-2.6, further=0.18),
)
"""Where a sentence model knows the prompt: what fits it is then more often meant, though its score is less far ahead.
From `python -m bench.left_out --model`."""


@dataclass(frozen=True, slots=True)
class FittingWorks:
    """What fits a prompt."""

    works: Works
    rival: float = 0.0
    """The best score of other work, which does not fit."""
    judged: bool = True
    """By its words. What was done in a time is not: there all fits."""


def is_other(item: Item, works: Works) -> bool:
    """Does an item mention none of these pieces of work?"""
    known = {each.listed.work or each.id for work in works for each, _ in work}
    whole = item.listed.whole_of
    if whole and any(work.startswith(whole) for work in known):
        return False
    return (item.listed.work or item.id) not in known


def seen_of(
    candidates: Sequence[Candidate], found: FittingWorks, intent: Intent, telling: frozenset[str] = frozenset()
) -> list[tuple[float, ...]]:
    """How each line stands beside the others, in the order of the weights (`recall.sure`). `telling` are the words that
    say what the prompt is about; none: that is not looked at."""
    best: dict[str, Hit] = {}
    for work in found.works:
        hit = max((hit for _, hit in work), key=lambda hit: hit.fit)
        best |= {item.id: hit for item, _ in work}
    return features(
        [
            Standing(
                best[each.id].fit,
                each.score,
                best[each.id].covered,
                best[each.id].pairs,
                len(telling.intersection(terms(each.text))) / len(telling) if telling else 1.0,
            )
            for each in candidates
        ],
        found.rival,
        intent.question,
    )


def is_order(intent: Intent) -> bool:
    """Is it an order or a statement that speaks of nothing that was before?"""
    return not (intent.question or intent.strength)


def standing_out(
    candidates: Sequence[Candidate],
    found: FittingWorks,
    intent: Intent,
    limits: Limits,
    telling: frozenset[str] = frozenset(),
) -> set[str]:
    """The ids of the lines of which it is sure enough that the prompt means them."""
    if not found.judged:
        return {each.id for each in candidates}
    seen = seen_of(candidates, found, intent, telling)
    least, order = limits.least_for(intent), is_order(intent)
    return {candidates[at].id for at in clear(seen, limits.sureness, many=intent.many, least=least, order=order)}
