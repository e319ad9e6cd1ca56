"""Which threads are still open: what fails, what was asked, what was left for later (MEM-18). Pure.

A thread is a line of a summary's `left_open`. It is settled by a later run that includes the failed one, by the user's
answer, by later work that says so, or by `done`. It is never pushed out by newer trivia.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from holdfast.items.words import mark_of
from holdfast.recall.tokens import terms
from holdfast.rooms.memory.model import Run, Summary, SummaryContent
from holdfast.rooms.memory.rules import files_named
from holdfast.rooms.memory.summaries import cues
from holdfast.rooms.memory.summaries.closing import classify
from holdfast.shell.scope import Scope, covers

STILL_FAILS = "Still fails: "
ABOUT = " (about: "
Kind = Literal["fails", "asked", "left"]
FAILING = frozenset({"test", "build", "lint", "types", "deploy", "push"})
"""Kinds of runs whose failure is told; a listing, a reproduction and a health check are looked at and over."""
_SHARED = 0.5
"""The share of a thread's words that later work must name to settle it."""


@dataclass(frozen=True, slots=True)
class Thread:
    line: str
    kind: Kind


def threads_of(content: SummaryContent) -> list[Thread]:
    return [Thread(line, kind_of(line)) for line in content.left_open.splitlines() if line]


def kind_of(line: str) -> Kind:
    if line.startswith(STILL_FAILS):
        return "fails"
    return "asked" if line.partition(ABOUT)[0].endswith(("?", "？")) else "left"


def scope(run: Run) -> Scope:
    return Scope("vcs" if run.kind in ("push", "commit") else run.kind, run.tool, run.paths, run.narrowed)


def includes(later: Run, earlier: Run) -> bool:
    """Did a later run include an earlier one? (A run of which only the title is known: did it have the same name?)"""
    return covers(scope(later), scope(earlier))


def is_settled(thread: Thread, content: SummaryContent, later: SummaryContent, *, same_talk: bool) -> bool:
    """Does later work settle a thread of an earlier summary? `same_talk`: both are turns of one conversation."""
    match thread.kind:
        case "fails":
            return _reran(thread, content, later)
        case "asked":
            return same_talk or _is_named(thread.line.replace(ABOUT, " "), [later.request], least=2)
        case "left":
            return _was_done(thread.line, later) or _ran_since(thread.line, later)


def _reran(thread: Thread, content: SummaryContent, later: SummaryContent) -> bool:
    """Also by a run that failed: then that one is the newer thread."""
    failed = [run for run in content.runs if thread.line == f"{STILL_FAILS}{run.title}"]
    if not failed:
        failed = [_by_title(thread.line.removeprefix(STILL_FAILS))]
    return any(run.outcome and includes(run, each) for run in later.runs for each in failed)


def _by_title(title: str) -> Run:
    """The run that a title of an older version tells of."""
    name, *words = title.partition(":")[0].removeprefix("Ran ").split(" ")
    return Run("test", " ".join((name, *words)), title)


def _ran_since(line: str, later: SummaryContent) -> bool:
    """Tests that were said to fail, and a push or a release that was said to have failed, went well later."""
    passed = [run for run in later.runs if run.outcome == "passed"]
    if cues.UNSHIPPED.search(line):
        return any(run.kind in ("push", "deploy") for run in passed)
    whole = any(run.kind == "test" and not run.narrowed and set(run.paths) & {"", "="} for run in passed)
    return whole and cues.STILL_RED.search(line) is not None


def _was_done(line: str, later: SummaryContent) -> bool:
    """Do later words say that it was done, or was a file that it names changed and tested?"""
    if later.outcome == "passed" and set(files_named(line)) & set(later.files):
        return True
    said = [*later.done.splitlines(), later.title, *later.learned.splitlines(), *later.said.splitlines()]
    worked = bool(later.files) or "Committed" in later.done
    claims = [each for each in said if each and classify(each).kind != "open"]
    told = later.request if cues.STATED.search(later.request) and not later.request.endswith("?") else ""
    if told and _is_named(line, [told], least=3):
        return True
    return _is_named(line, [each for each in claims if worked or cues.CHANGE.search(each)], least=2)


def _is_named(line: str, texts: Iterable[str], least: int) -> bool:
    wanted = _telling(line)
    return any(
        len(shared) >= min(least, len(wanted)) and len(shared) >= _SHARED * len(wanted)
        for text in texts
        if (shared := wanted & _telling(text))
    )


_COMMON = frozenset(
    terms(
        "still need needs update open missing later todo remaining follow up not yet should could would want also"
        " too that this"
        " them change have has been was were will next step the a an and or for of in on to with it is are do does"
        " did me you i we"
        " run running test tests"
    )
)


def _telling(text: str) -> set[str]:
    return set(terms(text)) - _COMMON


def still_open(parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines of the turns of one conversation, the oldest first, without what a later turn settled."""
    found: dict[str, None] = {}
    for at, part in enumerate(parts):
        for thread in threads_of(part):
            if not any(is_settled(thread, part, later, same_talk=True) for later in parts[at + 1 :]):
                found[thread.line] = None
    return list(found)


def open_threads(summaries: Sequence[Summary], done: frozenset[tuple[str, str]]) -> list[tuple[Summary, Thread]]:
    """The open threads of a project, from summaries in the order of time; `done` has (subject, mark of the line)
    of those that somebody declared settled, with '' for all lines of a subject. What is told twice is said by the
    newest."""
    found: dict[str, tuple[Summary, Thread]] = {}
    for at, summary in enumerate(summaries):
        for thread in threads_of(summary.content):
            if (summary.subject, "") in done or (summary.subject, mark_of(thread.line)) in done:
                continue
            later = [each for each in summaries[at + 1 :] if each.id != summary.id]
            if not any(_settles(each, summary, thread) for each in later):
                found[_same(thread.line)] = (summary, thread)
    return list(found.values())


def _settles(later: Summary, summary: Summary, thread: Thread) -> bool:
    same = later.conversation == summary.conversation and later.level == "turn"
    return is_settled(thread, summary.content, later.content, same_talk=same)


def _same(line: str) -> str:
    return " ".join(sorted(_telling(line))) or line
