"""Which threads are still open: what fails, what was asked, what was left for later (MEM-18). Pure.

A thread is a line of a summary's `left_open`. It is settled by a later run that includes the failed one, by the user's
answer, by later work that says so, or by `done`. It is never pushed out by newer trivia.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
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

_MOST_LINES = 40
"""Lines of one summary that are looked at."""


@dataclass(frozen=True, slots=True)
class Thread:
    line: str
    kind: Kind


def threads_of(content: SummaryContent) -> list[Thread]:
    return [Thread(line, kind_of(line)) for line in content.left_open.splitlines() if line][:_MOST_LINES]


def kind_of(line: str) -> Kind:
    if line.startswith(STILL_FAILS):
        return "fails"
    return "asked" if line.partition(ABOUT)[0].endswith(("?", "？")) else "left"


def scope(run: Run) -> Scope:
    return Scope("vcs" if run.kind in ("push", "commit") else run.kind, run.tool, run.paths, run.narrowed)


def includes(later: Run, earlier: Run) -> bool:
    """Did a later run include an earlier one? (A run of which only the title is known: did it have the same name?)"""
    return covers(scope(later), scope(earlier))


class _Open:
    """What a thread's line is compared by, worked out once."""

    def __init__(self, thread: Thread, content: SummaryContent) -> None:
        self.kind = thread.kind
        self.telling = _telling(thread.line.replace(ABOUT, " "))
        self.files = frozenset(files_named(thread.line)) if self.kind == "left" else frozenset()
        self.is_unshipped = cues.UNSHIPPED.search(thread.line) is not None
        self.is_red = cues.STILL_RED.search(thread.line) is not None
        failed = [run for run in content.runs if thread.line == f"{STILL_FAILS}{run.title}"]
        if self.kind == "fails" and not failed:
            failed = [_by_title(thread.line.removeprefix(STILL_FAILS))]
        self.failed = [scope(run) for run in failed] if self.kind == "fails" else []


class _Work:
    """What later work may settle threads by, worked out once, and only what is asked for."""

    def __init__(self, content: SummaryContent) -> None:
        self._content = content
        self.files = frozenset(content.files) if content.outcome == "passed" else frozenset()
        self.ran = [scope(run) for run in content.runs if run.outcome]
        passed = [run for run in content.runs if run.outcome == "passed"]
        self.shipped = any(run.kind in ("push", "deploy") for run in passed)
        self.is_green = any(run.kind == "test" and not run.narrowed and set(run.paths) & {"", "="} for run in passed)

    @cached_property
    def request(self) -> list[frozenset[str]]:
        return [_telling(self._content.request)]

    @cached_property
    def stated(self) -> list[frozenset[str]]:
        """The words of a request that tells what is the case."""
        told = self._content.request
        return self.request if cues.STATED.search(told) and not told.endswith("?") else []

    @cached_property
    def claims(self) -> list[frozenset[str]]:
        """The words of what it says was done or found."""
        content = self._content
        lines = "\n".join((content.done, content.title, content.learned, content.said)).splitlines()
        said = [each for each in lines if each][:_MOST_LINES]
        worked = bool(content.files) or "Committed" in content.done
        if not worked:
            said = [each for each in said if cues.CHANGE.search(each)]
        return [_telling(each) for each in dict.fromkeys(said) if classify(each).kind != "open"]

    @cached_property
    def named(self) -> frozenset[str]:
        """All words of the claims: most threads share too few with any of them."""
        return frozenset().union(*self.claims)

    def settles(self, thread: _Open, *, same_talk: bool) -> bool:
        """`same_talk`: both are turns of one conversation."""
        match thread.kind:
            case "fails":  # also by a run that failed: then that one is the newer thread
                return any(covers(run, each) for run in self.ran for each in thread.failed)
            case "asked":
                return same_talk or _are_named(thread.telling, self.request, least=2)
            case "left":
                return self._has_done(thread) or self._has_run(thread)

    def _has_run(self, thread: _Open) -> bool:
        """Tests that were said to fail, and a push or a release that was said to have failed, went well later."""
        return self.shipped if thread.is_unshipped else self.is_green and thread.is_red

    def _has_done(self, thread: _Open) -> bool:
        """Do later words say that it was done, or was a file that it names changed and tested?"""
        if thread.files & self.files or _are_named(thread.telling, self.stated, least=3):
            return True
        if not _are_named(thread.telling, [self.named], least=2):
            return False
        return _are_named(thread.telling, self.claims, least=2)


def _by_title(title: str) -> Run:
    """The run that a title of an older version tells of."""
    name, *words = title.partition(":")[0].removeprefix("Ran ").split(" ")
    return Run("test", " ".join((name, *words)), title)


def _are_named(wanted: frozenset[str], texts: Iterable[frozenset[str]], least: int) -> bool:
    needed = max(1, min(least, len(wanted)), _SHARED * len(wanted))
    return any(len(wanted & text) >= needed for text in texts)


_COMMON = frozenset(
    terms(
        "still need needs update open missing later todo remaining follow up not yet should could would want also"
        " too that this"
        " them change have has been was were will next step the a an and or for of in on to with it is are do does"
        " did me you i we"
        " run running test tests"
    )
)


def _telling(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _COMMON


def still_open(parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines of the turns of one conversation, the oldest first, without what a later turn settled."""
    found: dict[str, None] = {}
    works = [_Work(part) for part in parts]
    for at, part in enumerate(parts):
        for thread in threads_of(part):
            asked = _Open(thread, part)
            if not any(later.settles(asked, same_talk=True) for later in works[at + 1 :]):
                found[thread.line] = None
    return list(found)


def open_threads(summaries: Sequence[Summary], done: frozenset[tuple[str, str]]) -> list[tuple[Summary, Thread]]:
    """The open threads of a project, from summaries in the order of time; `done` has (subject, mark of the line)
    of those that somebody declared settled, with '' for all lines of a subject. What is told twice is said by the
    newest."""
    found: dict[str, tuple[Summary, Thread]] = {}
    works = [(summary, _Work(summary.content)) for summary in summaries]
    for at, summary in enumerate(summaries):
        for thread in threads_of(summary.content):
            if (summary.subject, "") in done or (summary.subject, mark_of(thread.line)) in done:
                continue
            asked = _Open(thread, summary.content)
            if not any(
                work.settles(asked, same_talk=later.conversation == summary.conversation and later.level == "turn")
                for later, work in works[at + 1 :]
                if later.id != summary.id
            ):
                found[" ".join(sorted(_telling(thread.line))) or thread.line] = (summary, thread)
    return list(found.values())
