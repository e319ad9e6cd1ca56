"""A thread: a line of what a summary left open, its kind and words, and the runs it may be about (MEM-18). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from holdfast.events.subjects import ABOUT
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.openness import waits_for_a_word
from holdfast.prose.remarks import waits_for_somebody
from holdfast.prose.updates.settled import words_of
from holdfast.recall.tokens import terms
from holdfast.rooms.memory.model import RecordedRun, SummaryContent
from holdfast.shell.scope import Scope, covers

STILL_FAILS = "Still fails: "
OFFERED = "Offered: "
"""Before what the agent offered to do, and nobody answered."""
SAYING = " — said: "
"""Between a run that still fails and the agent's words about it."""
ThreadKind = Literal["fails", "asked", "left"]
FAILING = frozenset({"test", "build", "lint", "types", "deploy", "push"})
"""Kinds of runs whose failure is told; a listing, a reproduction and a health check are looked at and over."""
MOST_LINES = 40
"""Lines of one summary that are looked at."""


@dataclass(frozen=True, slots=True)
class Thread:
    line: str
    kind: ThreadKind


def threads_of(content: SummaryContent) -> list[Thread]:
    return [Thread(line, kind_of(line)) for line in content.left_open.splitlines() if line][:MOST_LINES]


def kind_of(line: str) -> ThreadKind:
    if line.startswith(STILL_FAILS):
        return "fails"
    if line.startswith(OFFERED):
        return "asked"
    return "asked" if line.partition(ABOUT)[0].endswith(("?", "？")) else "left"


_LEFT_ALONE = lazy_pattern(
    r"(?:i|we) left (?:\S+ ){1,6}(?:alone|untouched|as (?:it|they) (?:is|was|are|were))\b", re.IGNORECASE
)


_UNTRIED = lazy_pattern(
    r"(?:\A|(?<=[.!] ))(?:[\w' ]{1,30}: |(?:please )?(?:note|mind|be aware|keep in mind)(?: though)?(?:,? that)? )?"
    r"(?:(?:i|we) (?:could not|couldn't|did not|didn't|have not|haven't) (?:yet )?(?:try|tried|run"
    r"|see|seen|test|verif|check|reproduce|measure|look)|not (?:tested|verified|tried|covered|measured)|untested)",
    re.IGNORECASE,
)


_UNSEEN = lazy_pattern(
    r"\A(?:[\w' ]{1,30}: )?(?:i|we) (?:could not|couldn't|did not|didn't|have not|haven't) (?:yet )?(?:try|tried|see"
    r"|seen|test|verif|check|reproduce|measure"
    r"|look)\w{0,4}\b(?! (?:for|into|why|at why)\b)[^.]{0,80}\.?(?: \(about:|\Z)",
    re.IGNORECASE,
)
"""No more than that the agent has not seen it work, wherever: nobody waits for that."""
_GUESSED = lazy_pattern(
    r"\b(?:i think|i believe|i guess|i'd expect|i would expect|probably|presumably|perhaps|maybe|likely|vermutlich"
    r"|wahrscheinlich)\b[^.]{0,80}(?:\bnot|n't|\bnicht)\b[^.;]{0,20}"
    r"\b(?:check\w*|verif\w*|measur\w*|confirm\w*|test\w*|look\w*|prov\w*|tr(?:y|ied)|geprüft|gemessen|getestet)\b",
    re.IGNORECASE,
)
"""A guess that nobody looked into: "That is the rest of the gap, I think, but I haven't checked it."."""


def is_minor(thread: Thread) -> bool:
    """Was something left alone, only offered, not tried out, or guessed? Other threads are told first."""
    is_aside = (
        _LEFT_ALONE.match(thread.line) or _UNTRIED.search(thread.line[:500]) or _GUESSED.search(thread.line[:500])
    )
    return thread.line.startswith(OFFERED) or is_aside is not None


_AWAITED = lazy_pattern(
    r"\b(?:wait(?:s|ing)? (?:for|on|until)|await(?:s|ing)|blocked (?:by|on|until)|sign(?:s|ed)?[ -]?off"
    r"|(?:needs?|without|until|for|pending) (?:[\w'’]{1,20} ){0,3}?(?:ok|okay|approval|review|decision|go-?ahead|answer"
    r"|signature|permission|consent|agreement|contract|credentials|access)"
    r"|(?:must|has to|have to|needs? to|to) (?:\w{1,20} )?(?:approve|confirm|decide|agree|sign)"
    r"|(?:somebody|someone|you)(?: else)? (?:should|must|has to|have to|needs? to|need to)"
    r"|(?:wart(?:et|en)|steh(?:t|en)) (?:\S{1,40} ){0,4}?(?:auf|aus)|freigabe|attend(?:ent)?|espera(?:n)?"
    r"|(?:has to|have to|must|needs to|need to) be (?:\w{1,20} ){1,4}?by"
    r"|faltan? que|hasta (?:que|entonces)|until then|bis dahin|d'ici là|até lá)\b",
    re.IGNORECASE,
)
_NOT_RUN_THERE = lazy_pattern(
    r"\b(?:not|never|nobody|nicht|pas|still|nie|no)\b[^.;]{0,80}\b(?:production|prod|live|produktion|produktiv\w*"
    r"|producci[oó]n)\b|\bnot (?:yet )?(?:been )?(?:deployed|released|published|rolled out|applied)\b"
    r"|\b(?:nothing|none|not|never)\b[^.;]{0,40}\b(?:merged|rolled out|shipped)\b"
    r"|\bneeds? an? (?:test |trial |dry )?run (?:on|in|against|with)\b"
    r"|\b(?:production|prod)\b[^.;]{0,60}\b(?:not|never|still|yet)\b|n't\b[^.;]{0,60}"
    r"\b(?:production|prod)\b",
    re.IGNORECASE,
)


_SOMEBODY_ACTS = lazy_pattern(
    r"(?<![\w`./-])(?!(?:It|This|That|They|These|Those|There|The|We|You|What|Which|Each|All|Nothing|None|Both|He|She|One"
    r"|Everything|Tests?|Also|Still|Now|And|But|So)\b)[A-ZÀ-Þ][a-zà-ÿ]{1,19}(?: [a-z]{2,12})? "
    r"(?:has to|must|needs to|should|has not|hasn't|hasn’t|has yet to|can only|is the only)\b"
)
"""Somebody who is named must act, or has not yet: "Ingrid has to restart the nodes.", "Pedro hasn't reviewed it."."""
BY_USER = "The user said: "
"""Before what the user said must happen first."""
_BLOCKED = lazy_pattern(
    r"\b(?:refus\w+|den(?:ied|ies)|reject\w*|lacks?|locked|timed out|forbidden|unauthori[sz]ed|aborted|gave up)\b",
    re.IGNORECASE,
)
"""Something stands in the way."""
_LEAST = 3


def pressing(thread: Thread) -> int:
    """How soon a thread is told, 0 first: what waits for somebody's deed or for production, and what fails; then what
    was asked; then what was left; what is minor last."""
    line = thread.line[:500]
    if line.startswith(BY_USER):  # only what must happen first is told so
        return 0
    if thread.line.startswith(OFFERED) or _LEFT_ALONE.match(line):
        return _LEAST
    if thread.kind == "fails" or waits_for_somebody(line) or _AWAITED.search(line):
        return 0
    if _UNSEEN.search(line) and not waits_for_a_word(line):
        return _LEAST
    if _NOT_RUN_THERE.search(line):
        return 0
    if cues.UNSHIPPED.search(line) or waits_for_a_word(line) or is_blocked(line) or _SOMEBODY_ACTS.search(line):
        return 0
    return _LEAST if is_minor(thread) else 1 if thread.kind == "asked" else 2


def is_blocked(line: str) -> bool:
    """Does something stand in the way?"""
    return _BLOCKED.search(line[:500]) is not None


def is_least(thread: Thread) -> bool:
    """Is it left out first, where a brief is too long?"""
    return pressing(thread) == _LEAST


def most_pressing(lines: Sequence[str], most: int) -> list[str]:
    """So many lines, in their order: those that wait for somebody are not left out for others."""
    by_need = sorted(range(len(lines)), key=lambda at: pressing(Thread(lines[at], kind_of(lines[at]))))
    return [lines[at] for at in sorted(by_need[:most])]


def failing(content: SummaryContent) -> list[RecordedRun]:
    """The runs whose failure is told."""
    return [run for run in content.runs if run.outcome == "failed" and run.kind in FAILING]


def scope(run: RecordedRun) -> Scope:
    return Scope("vcs" if run.kind in ("push", "commit") else run.kind, run.tool, run.paths, run.narrowed)


def includes(later: RecordedRun, earlier: RecordedRun) -> bool:
    """Did a later run include an earlier one? (A run of which only the title is known: did it have the same name?)"""
    return covers(scope(later), scope(earlier)) or (
        later.outcome == "passed" and is_whole_of(scope(later), scope(earlier))
    )


def _names_less(later: Scope, earlier: Scope) -> bool:
    """Is it the same command with fewer words behind it: `./build.sh test` after `./build.sh test flash`? Where
    something is sent, each word may name another place."""
    if (later.tool, later.kind, later.paths) != (earlier.tool, earlier.kind, earlier.paths):
        return False
    if later.kind in ("deploy", "push", "commit") or not later.narrowed:
        return False
    words, all_words = later.narrowed.split(), earlier.narrowed.split()
    return (
        len(words) < len(all_words) and all_words[: len(words)] == words and not all_words[len(words)].startswith("-")
    )


_WHOLE = frozenset({"build", "check", "verify", "validate", "ci", "all", "compose build"})


def is_whole_of(later: Scope, earlier: Scope) -> bool:
    """Does a tool's whole build include a part of its tests? `gradle build`, `dbt build` and `make check` run them."""
    if _names_less(later, earlier):
        return True
    program, _, word = later.tool.partition(" ")
    same = program and program == earlier.tool.partition(" ")[0]
    return bool(same) and word in _WHOLE and not later.narrowed and earlier.kind in ("test", "build", "lint", "types")


_STUCK = re.compile(
    r"\b(?:must|has to|have to|needs? to|blocked|(?:un)?locked?|denied|rejects?|rejected|refuses"
    r"|refused|lacks?|revoked|expired|forbidden"
    r"|unauthori[sz]ed|aborted|timed out|quota|protected|wants? an?|requires? an?"
    r"|cannot|could not|couldn't|holds|no (?:access|permission|rights)"
    r"|not (?:\w+ )?(?:out|live|released|rolled out|deployed|loaded|imported|published|shipped|uploaded|submitted"
    r"|sent))\b",
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
    wanted = _without_numbers(wanted)
    needed = max(1, min(least, len(wanted)), _SHARED * len(wanted))
    return (text for text in texts if len(wanted & text) >= needed)


@lru_cache(maxsize=4_096)
def _without_numbers(wanted: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in wanted if not word.replace("_", "").isdigit()) or wanted
