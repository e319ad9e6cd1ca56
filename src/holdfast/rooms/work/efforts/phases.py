"""Which phase is meant, and whether an effort may enter it. Pure.

Phases stand in order. The next one may be entered when what the present one asks for was shown; a phase inside the
present one at any time, in order; every other move is a jump and needs a reason. A skill without phases has no order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.rooms.work.errors import Invalid, PhaseNotSequential, UnknownPhase
from holdfast.rooms.work.model import Phase

_NUMBERED = re.compile(r"([0-9]{1,3}(?:\.[0-9A-Za-z]{1,4})?)\s*(?:[:.)-]\s*|\s+|\Z)(.*)", re.DOTALL)
_LONGEST = 200
_SHOWN = 30


def numbered(text: str) -> tuple[str, str]:
    """The number that a label begins with, and the rest: `2.1: Tests` is `2.1` and `Tests`."""
    found = _NUMBERED.fullmatch(text.strip())
    return (found[1], found[2].strip()) if found else ("", text.strip())


def find(phases: Sequence[Phase], asked: str, present: Phase | None) -> Phase:
    """The phase that is meant: by its label, its name or its number; or a new one inside the present one."""
    text = asked.strip()
    if not text:
        raise Invalid("Name the phase to enter.")
    if len(text) > _LONGEST:
        raise Invalid(f"The name of a phase has at most {_LONGEST} characters.")
    if not phases:
        return Phase(text, numbered(text)[0])
    wanted = text.casefold()
    number, name = numbered(text)
    by_number = [each for each in phases if each.number == number and name.casefold() in ("", each.name.casefold())]
    for found in (
        [each for each in phases if each.label.casefold() == wanted],
        [each for each in phases if each.name.casefold() == wanted],
        by_number if number else [],
    ):
        if found:
            return found[0]
    outer = number.partition(".")[0] if "." in number else ""
    if outer and present is not None and outer_of(present) == outer:
        return Phase(text, number)
    known = ", ".join(phase.label for phase in phases[:_SHOWN])
    raise UnknownPhase(f"This skill has no phase {text!r}. Its phases: {known}.")


def outer_of(phase: Phase) -> str:
    """The number of the phase that it stands in, or its own."""
    return phase.number.partition(".")[0]


def present(phases: Sequence[Phase], label: str) -> Phase | None:
    """The phase that an effort is in; one that the skill does not list is inside another."""
    if not label:
        return None
    return next((phase for phase in phases if phase.label == label), Phase(label, numbered(label)[0]))


def is_next(phases: Sequence[Phase], now: Phase | None, wanted: Phase) -> bool:
    """Does `wanted` come next after `now`?"""
    if not phases:
        return True
    outer = [phase for phase in phases if not phase.is_inner]
    if now is None:
        return wanted in (outer[0], phases[0])
    order = [phase.number for phase in outer]
    here = order.index(outer_of(now)) if outer_of(now) in order else -1
    if not wanted.is_inner:
        return wanted.number in order and order.index(wanted.number) == here + 1
    if outer_of(wanted) != outer_of(now):
        return False
    listed = [phase.number for phase in phases if phase.is_inner and outer_of(phase) == outer_of(wanted)]
    if wanted.number in listed:
        before = listed.index(now.number) if now.number in listed else -1
        return listed.index(wanted.number) == before + 1
    return not now.is_inner or _inner_key(wanted) > _inner_key(now)


def _inner_key(phase: Phase) -> tuple[int, str]:
    inner = phase.number.partition(".")[2]
    return (int(inner), "") if inner.isdecimal() else (0, inner.casefold())


def missing_proof(now: Phase | None, proof: Sequence[str]) -> list[str]:
    """What the present phase asks for and was not shown. A proof is `name=what`, or plain words where one is asked."""
    if now is None or not now.proof:
        return []
    given = {name.strip().casefold() for name, _, value in (each.partition("=") for each in proof) if value.strip()}
    words = [each for each in proof if "=" not in each and each.strip()]
    missing = [each for each in now.proof if each.casefold() not in given]
    return missing[len(words) :]


def enter(phases: Sequence[Phase], label: str, asked: str, reason: str, proof: Sequence[str]) -> Phase:
    """The phase that an effort in `label` enters, or the failure that says why it does not."""
    now = present(phases, label)
    wanted = find(phases, asked, now)
    if now is not None and wanted.label == now.label:
        return wanted
    if not is_next(phases, now, wanted):
        if not reason.strip():
            follows = following(phases, now)
            hint = f" The next one is {follows.label}." if follows else " It is in the last one."
            at = f" after {now.label}" if now else " at the beginning"
            raise PhaseNotSequential(
                f"{wanted.label} does not come{at}.{hint} To jump, give a reason that the user agreed to."
            )
        return wanted
    if not wanted.is_inner and (missing := missing_proof(now, proof)):
        raise Invalid(
            f"{now.label if now else ''} asks for proof before the next phase: {', '.join(missing)}. "
            "Give each as `name=what shows it`."
        )
    return wanted


def following(phases: Sequence[Phase], now: Phase | None) -> Phase | None:
    """The next phase of the skill's order, without those inside others."""
    outer = [phase for phase in phases if not phase.is_inner]
    if now is None:
        return outer[0] if outer else None
    numbers = [phase.number for phase in outer]
    at = numbers.index(outer_of(now)) + 1 if outer_of(now) in numbers else len(outer)
    return outer[at] if at < len(outer) else None
