"""The life of an entry: what may be written, what a change does to it, and how sure its outcome is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from holdfast.errors import Refused, UsageError
from holdfast.items.indexed import Author
from holdfast.items.ranks import outranks
from holdfast.items.web_words import TOOL, WEB
from holdfast.items.words import one_line, short_id
from holdfast.rooms.learning.model import (
    AXES,
    DOMAINS,
    EXPERIENCE,
    RESOLUTIONS,
    ROOT_CAUSES,
    STRATEGIES,
    Axis,
    Compared,
    Ghap,
    Resolution,
    Round,
    Tier,
)

LONGEST = 10_000
"""Characters of one field."""
MOST_ROUNDS = 50
"""Rounds of the history that are kept, the newest."""
SESSION_ENDED = "session ended"
_CHOICES: Mapping[str, Sequence[str]] = {
    "domain": DOMAINS,
    "strategy": STRATEGIES,
    "root_cause": ROOT_CAUSES,
    "outcome": RESOLUTIONS,
}
_TRIPLE = ("hypothesis", "action", "prediction")


def named(entry: Ghap) -> str:
    """The short id of an entry."""
    return short_id(EXPERIENCE.letter, entry.id)


def choice(name: str, value: str) -> str:
    """A value of a closed list, however it is written. The error names all values."""
    allowed = _CHOICES[name]
    plain = "-".join(value.strip().lower().replace("_", "-").split())
    if plain not in allowed:
        shown = f"{one_line(value, 40)!r} is no {name}" if plain else f"{name} is missing"
        raise UsageError(f"{shown}. It is one of: {', '.join(allowed)}.")
    return plain


def text(name: str, value: str, *, required: bool = False) -> str:
    """Words of a field, within bounds."""
    plain = value.strip()
    if required and not plain:
        raise UsageError(f"{name} is empty. Say it in a sentence.")
    if len(plain) > LONGEST:
        raise UsageError(f"{name} has {len(plain):,} characters; at most {LONGEST:,} are kept. Nothing was written.")
    return plain


def learned_here(words: str) -> None:
    """Refuses a value whose words were told by a page or a tool, as their marks say (SEC-6)."""
    for mark, teller in ((WEB, "a page of the web"), (TOOL, "what a tool answered")):
        if mark in words:
            raise Refused(f"This sentence repeats {teller}; a value is learned from experience. It was not kept.")


def rounds(entry: Ghap) -> list[Round]:
    """The rounds before the present one. What an import brought may be anything."""
    try:
        return msgspec.json.decode(entry.history, type=list[Round]) if entry.history else []
    except msgspec.MsgspecError:
        return []


def updated(entry: Ghap, changes: Mapping[str, str], notes: str, now: int) -> Ghap:
    """The entry with some fields anew. A changed hypothesis, action or prediction pushes the old three to history,
    and what was captured before says nothing of the new ones."""
    told = {name: value for name, value in changes.items() if value and value != getattr(entry, name)}
    if not told and not notes:
        raise UsageError("Nothing changes. Give a new hypothesis, action, prediction, strategy, domain, goal or notes.")
    if any(name in told for name in _TRIPLE):
        old = Round(entry.hypothesis, entry.action, entry.prediction, now)
        kept = [*rounds(entry), old][-MOST_ROUNDS:]
        entry = replace(
            entry,
            iterations=entry.iterations + 1,
            history=msgspec.json.encode(kept).decode(),
            captured="",
            captured_run="",
        )
    joined = "\n".join(filter(None, (entry.notes, notes)))[-LONGEST:]
    return replace(entry, **told, notes=joined, updated_at=now)


def resolved(
    entry: Ghap,
    outcome: Resolution,
    now: int,
    *,
    result: str = "",
    surprise: str = "",
    root_cause: str = "",
    cause: str = "",
    lesson: str = "",
    notes: str = "",
) -> Ghap:
    """The entry with its outcome. A falsified one says what surprised and what the root cause was."""
    if outcome == "falsified" and not (surprise and root_cause):
        missing = " and ".join(
            name for name, given in (("surprise", surprise), ("root_cause", root_cause)) if not given
        )
        raise UsageError(
            f"A falsified entry needs {missing}. Give `surprise` in a sentence and `root_cause` as one of: "
            f"{', '.join(ROOT_CAUSES)}."
        )
    return replace(
        entry,
        status=outcome,
        tier=tier(entry, outcome, result),
        result=result or entry.captured_run,
        surprise=surprise,
        root_cause=root_cause,
        cause=cause,
        lesson=lesson,
        notes="\n".join(filter(None, (entry.notes, notes)))[-LONGEST:],
        updated_at=now,
        resolved_at=now,
        left_at=0,
    )


def tier(entry: Ghap, outcome: Resolution, result: str) -> Tier:
    """How sure the outcome is: a captured run that agrees, evidence in words, neither."""
    if outcome == "abandoned":
        return "abandoned"
    if agrees(entry.captured, outcome):
        return "gold"
    return "silver" if result.strip() else "bronze"


def agrees(captured: Compared, outcome: Resolution) -> bool:
    """Does a captured run say the same as the agent?"""
    return (captured, outcome) in (("match", "confirmed"), ("mismatch", "falsified"))


def settled(entry: Ghap, compared: Compared, run: str, now: int) -> Ghap:
    """The entry as a captured run settles it, without the agent. What surprised is asked afterwards."""
    outcome: Resolution = "confirmed" if compared == "match" else "falsified"
    seen = replace(entry, captured=compared, captured_run=run)
    return replace(
        seen, status=outcome, tier="gold", result=run, auto_captured=1, updated_at=now, resolved_at=now, left_at=0
    )


def spoken_by(entry: Ghap, by: Author) -> Ghap:
    """The entry after somebody added words: it is a person's only while all its words are (SEC-8)."""
    return entry if outranks(by, entry.trust) else replace(entry, trust=by)


def is_unexplained(entry: Ghap) -> bool:
    """Was it falsified by a captured run, and nobody has said yet why?"""
    return bool(entry.status == "falsified" and entry.auto_captured and not entry.surprise)


def explained(entry: Ghap, now: int, *, surprise: str, root_cause: str, cause: str, lesson: str, notes: str) -> Ghap:
    """An entry that a run falsified, with the agent's answers. Its outcome stays."""
    told = resolved(
        entry, "falsified", now, surprise=surprise, root_cause=root_cause, cause=cause, lesson=lesson, notes=notes
    )
    return replace(told, tier=entry.tier, result=entry.result, resolved_at=entry.resolved_at)


def of_axis(entry: Ghap, axis: Axis) -> str:
    """The words of an experience on one axis; '' when it has none there."""
    match axis:
        case "full":
            parts: tuple[str, ...] = (
                *(entry.goal, entry.hypothesis, entry.action, entry.prediction, entry.result, entry.surprise),
                *(entry.cause, entry.lesson),
            )
        case "strategy":
            parts = (entry.strategy.replace("-", " "), entry.goal, entry.action, entry.lesson)
        case "surprise":
            parts = (entry.surprise,)
        case "root_cause":
            told = entry.root_cause.replace("-", " ")
            parts = (told, entry.cause, entry.lesson) if told or entry.cause else ()
    return " ".join(part for part in parts if part)


def axis(name: str) -> Axis:
    """One of the four axes, by its name."""
    match name:
        case "full" | "strategy" | "surprise" | "root_cause":
            return name
        case _:
            raise UsageError(f"{one_line(name, 40)!r} is no axis. It is one of: {', '.join(AXES)}.")


def title(entry: Ghap) -> str:
    """Its outcome, in a line: the lesson, else the goal with its outcome."""
    if entry.lesson:
        return one_line(entry.lesson)
    if entry.status == "falsified" and entry.cause:
        return one_line(f"{entry.goal}: {entry.cause}")
    return one_line(f"{entry.goal} ({entry.hypothesis})")
