"""The life of a GHAP: what may be written, what a change does to it, and how sure its outcome is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from holdfast.errors import Refused, UsageError
from holdfast.items.indexed import Author
from holdfast.items.ranks import outranks
from holdfast.items.web_words import TOOL, WEB
from holdfast.items.words import short_id
from holdfast.prose.one_line import one_line
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


def named(ghap: Ghap) -> str:
    """The short id of a GHAP."""
    return short_id(EXPERIENCE.letter, ghap.id)


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


def rounds(ghap: Ghap) -> list[Round]:
    """The rounds before the present one. What an import brought may be anything."""
    try:
        return msgspec.json.decode(ghap.history, type=list[Round]) if ghap.history else []
    except msgspec.MsgspecError:
        return []


def updated(ghap: Ghap, changes: Mapping[str, str], notes: str, now: int) -> Ghap:
    """The GHAP with some fields anew. A changed hypothesis, action or prediction pushes the old three to history,
    and what was captured before says nothing of the new ones."""
    told = {name: value for name, value in changes.items() if value and value != getattr(ghap, name)}
    if not told and not notes:
        raise UsageError("Nothing changes. Give a new hypothesis, action, prediction, strategy, domain, goal or notes.")
    if any(name in told for name in _TRIPLE):
        old = Round(ghap.hypothesis, ghap.action, ghap.prediction, now)
        kept = [*rounds(ghap), old][-MOST_ROUNDS:]
        ghap = replace(
            ghap,
            iterations=ghap.iterations + 1,
            history=msgspec.json.encode(kept).decode(),
            captured="",
            captured_run="",
        )
    joined = "\n".join(filter(None, (ghap.notes, notes)))[-LONGEST:]
    return replace(ghap, **told, notes=joined, updated_at=now)


def resolved(
    ghap: Ghap,
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
    """The GHAP with its outcome. A falsified one says what surprised and what the root cause was."""
    if outcome == "falsified" and not (surprise and root_cause):
        missing = " and ".join(
            name for name, given in (("surprise", surprise), ("root_cause", root_cause)) if not given
        )
        raise UsageError(
            f"A falsified entry needs {missing}. Give `surprise` in a sentence and `root_cause` as one of: "
            f"{', '.join(ROOT_CAUSES)}."
        )
    return replace(
        ghap,
        status=outcome,
        tier=tier(ghap, outcome, result),
        result=result or ghap.captured_run,
        surprise=surprise,
        root_cause=root_cause,
        cause=cause,
        lesson=lesson,
        notes="\n".join(filter(None, (ghap.notes, notes)))[-LONGEST:],
        updated_at=now,
        resolved_at=now,
        left_at=0,
    )


def tier(ghap: Ghap, outcome: Resolution, result: str) -> Tier:
    """How sure the outcome is: a captured run that agrees, evidence in words, neither."""
    if outcome == "abandoned":
        return "abandoned"
    if agrees(ghap.captured, outcome):
        return "gold"
    return "silver" if result.strip() else "bronze"


def agrees(captured: Compared, outcome: Resolution) -> bool:
    """Does a captured run say the same as the agent?"""
    return (captured, outcome) in (("match", "confirmed"), ("mismatch", "falsified"))


def settled(ghap: Ghap, compared: Compared, run: str, now: int) -> Ghap:
    """The GHAP as a captured run settles it, without the agent. What surprised is asked afterwards."""
    outcome: Resolution = "confirmed" if compared == "match" else "falsified"
    seen = replace(ghap, captured=compared, captured_run=run)
    return replace(
        seen, status=outcome, tier="gold", result=run, auto_captured=1, updated_at=now, resolved_at=now, left_at=0
    )


def spoken_by(ghap: Ghap, by: Author) -> Ghap:
    """The GHAP after somebody added words: it is a person's only while all its words are (SEC-8)."""
    return ghap if outranks(by, ghap.trust) else replace(ghap, trust=by)


def is_unexplained(ghap: Ghap) -> bool:
    """Was it falsified by a captured run, and nobody has said yet why?"""
    return bool(ghap.status == "falsified" and ghap.auto_captured and not ghap.surprise)


def explained(ghap: Ghap, now: int, *, surprise: str, root_cause: str, cause: str, lesson: str, notes: str) -> Ghap:
    """A GHAP that a run falsified, with the agent's answers. Its outcome stays."""
    told = resolved(
        ghap, "falsified", now, surprise=surprise, root_cause=root_cause, cause=cause, lesson=lesson, notes=notes
    )
    return replace(told, tier=ghap.tier, result=ghap.result, resolved_at=ghap.resolved_at)


def of_axis(ghap: Ghap, axis: Axis) -> str:
    """The words of an experience on one axis; '' when it has none there."""
    match axis:
        case "full":
            parts: tuple[str, ...] = (
                *(ghap.goal, ghap.hypothesis, ghap.action, ghap.prediction, ghap.result, ghap.surprise),
                *(ghap.cause, ghap.lesson),
            )
        case "strategy":
            parts = (ghap.strategy.replace("-", " "), ghap.goal, ghap.action, ghap.lesson)
        case "surprise":
            parts = (ghap.surprise,)
        case "root_cause":
            told = ghap.root_cause.replace("-", " ")
            parts = (told, ghap.cause, ghap.lesson) if told or ghap.cause else ()
    return " ".join(part for part in parts if part)


def axis(name: str) -> Axis:
    """One of the four axes, by its name."""
    match name:
        case "full" | "strategy" | "surprise" | "root_cause":
            return name
        case _:
            raise UsageError(f"{one_line(name, 40)!r} is no axis. It is one of: {', '.join(AXES)}.")


def title(ghap: Ghap) -> str:
    """Its outcome, in a line: the lesson, else the goal with its outcome."""
    if ghap.lesson:
        return one_line(ghap.lesson)
    if ghap.status == "falsified" and ghap.cause:
        return one_line(f"{ghap.goal}: {ghap.cause}")
    return one_line(f"{ghap.goal} ({ghap.hypothesis})")
