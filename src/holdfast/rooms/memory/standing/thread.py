"""A thread: a line of what a summary left open, its kind and words, and the runs it may be about (MEM-18). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from holdfast.events.subjects import ABOUT
from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms
from holdfast.rooms.memory.model import Run, SummaryContent
from holdfast.rooms.memory.reading import cues
from holdfast.rooms.memory.reading.remarks import waits_for_somebody
from holdfast.rooms.memory.reading.settled import words_of
from holdfast.shell.scope import Scope, covers

STILL_FAILS = "Still fails: "
OFFERED = "Offered: "
"""Before what the agent offered to do, and nobody answered."""
SAYING = " — said: "
"""Between a run that still fails and the agent's words about it."""
Kind = Literal["fails", "asked", "left"]
FAILING = frozenset({"test", "build", "lint", "types", "deploy", "push"})
"""Kinds of runs whose failure is told; a listing, a reproduction and a health check are looked at and over."""
MOST_LINES = 40
"""Lines of one summary that are looked at."""


@dataclass(frozen=True, slots=True)
class Thread:
    line: str
    kind: Kind


def threads_of(content: SummaryContent) -> list[Thread]:
    return [Thread(line, kind_of(line)) for line in content.left_open.splitlines() if line][:MOST_LINES]


def kind_of(line: str) -> Kind:
    if line.startswith(STILL_FAILS):
        return "fails"
    if line.startswith(OFFERED):
        return "asked"
    return "asked" if line.partition(ABOUT)[0].endswith(("?", "？")) else "left"


_LEFT_ALONE = lazy_pattern(
    r"(?:i|we) left (?:\S+ ){1,6}(?:alone|untouched|as (?:it|they) (?:is|was|are|were))\b", re.IGNORECASE
)


_UNTRIED = lazy_pattern(
    r"(?:[\w' ]{1,30}: )?(?:(?:i|we) (?:could not|couldn't|did not|didn't|have not|haven't) (?:yet )?(?:try|tried"
    r"|see|seen|test|verif|check|reproduce|measure|look)|not (?:tested|verified|tried|covered|measured)|untested)",
    re.IGNORECASE,
)


def is_minor(thread: Thread) -> bool:
    """Was something left alone, only offered, or not tried out? Other threads are told first."""
    is_aside = _LEFT_ALONE.match(thread.line) or _UNTRIED.match(thread.line)
    return thread.line.startswith(OFFERED) or is_aside is not None


def failing(content: SummaryContent) -> list[Run]:
    """The runs whose failure is told."""
    return [run for run in content.runs if run.outcome == "failed" and run.kind in FAILING]


def scope(run: Run) -> Scope:
    return Scope("vcs" if run.kind in ("push", "commit") else run.kind, run.tool, run.paths, run.narrowed)


def includes(later: Run, earlier: Run) -> bool:
    """Did a later run include an earlier one? (A run of which only the title is known: did it have the same name?)"""
    return covers(scope(later), scope(earlier)) or (
        later.outcome == "passed" and is_whole_of(scope(later), scope(earlier))
    )


_WHOLE = frozenset({"build", "check", "verify", "validate", "ci", "all"})


def is_whole_of(later: Scope, earlier: Scope) -> bool:
    """Does a tool's whole build include a part of its tests? `gradle build`, `dbt build` and `make check` run them."""
    program, _, word = later.tool.partition(" ")
    same = program and program == earlier.tool.partition(" ")[0]
    return bool(same) and word in _WHOLE and not later.narrowed and earlier.kind in ("test", "build", "lint", "types")


_STUCK = re.compile(
    r"\b(?:must|has to|have to|needs? to|blocked|(?:un)?locked?|denied|rejected|refused|revoked|expired|forbidden"
    r"|unauthori[sz]ed|aborted|timed out|quota|protected|wants? an?|requires? an?"
    r"|cannot|could not|couldn't|holds|no (?:access|permission|rights)"
    r"|not (?:\w+ )?(?:out|live|released|rolled out|deployed|loaded|imported|published|shipped|uploaded|sent))\b",
    re.IGNORECASE,
)
"""Something stands in the way of a command that failed."""
_OVER = re.compile(r"\b(?:now|fixed|no longer|works|passes|solved|repaired)\b", re.IGNORECASE)


def tells_of_failure(text: str) -> bool:
    """Do these words tell what stands in the way of a command that failed, still?"""
    text = text[:500]
    if cues.UNSHIPPED.search(text) or cues.UNDEPLOYED.search(text):
        return True
    is_stuck = cues.FAILS.search(text) or _STUCK.search(text) or waits_for_somebody(text)
    return bool(is_stuck) and not _OVER.search(text)


COMMON = frozenset(
    terms(
        "still need needs update open missing later todo remaining follow up not yet should could would want also"
        " too that this"
        " them change have has been was were will next step the a an and or for of in on to with it is are do does"
        " did me you i we"
        " run running test tests wait waits waiting until someone somebody"
        " noch offen nicht muss müssen werden wird der die das den dem ein eine nur kann jemand mit auf und ist sind"
        " für vom von zum zur bei im am es al del los las el para con por una un sur dans pour avec du au aux les des"
    )
)


def telling(text: str) -> frozenset[str]:
    """The terms of a text that say what it is about."""
    return words_of(text) - COMMON


_SHARED = 0.5
"""The share of a thread's words that later work must name to settle it."""


def are_named(wanted: frozenset[str], texts: Iterable[frozenset[str]], least: int) -> bool:
    """Does any of these texts name enough of these words?"""
    return any(True for _ in naming(wanted, texts, least))


def naming(wanted: frozenset[str], texts: Iterable[frozenset[str]], least: int) -> Iterator[frozenset[str]]:
    """The texts that name enough of these words. A number says little: many texts have it."""
    wanted = frozenset(word for word in wanted if not word.replace("_", "").isdigit()) or wanted
    needed = max(1, min(least, len(wanted)), _SHARED * len(wanted))
    return (text for text in texts if len(wanted & text) >= needed)
