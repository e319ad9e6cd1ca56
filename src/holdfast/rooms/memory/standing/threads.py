"""Which threads are still open: what fails, what was asked, what was left for later (MEM-18). Pure.

A thread is a line of a summary's `left_open`. It is settled by a later run that includes the failed one, by the user's
answer, by later work that says so, or by `done`. One that names a file is settled by a write of that file, or by words
that name it as done; other work on the same subject leaves it open. It is never pushed out by newer trivia.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from holdfast.events.subjects import ABOUT
from holdfast.items.words import mark_of
from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms
from holdfast.rooms.memory.model import Run, Summary, SummaryContent
from holdfast.rooms.memory.reading import cues
from holdfast.rooms.memory.reading.closing import classify
from holdfast.rooms.memory.rules import files_named
from holdfast.shell.scope import Scope, covers

STILL_FAILS = "Still fails: "
OFFERED = "Offered: "
"""Before what the agent offered to do, and nobody answered."""
SAYING = " — said: "
"""Between a run that still fails and the agent's words about it."""
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
    if line.startswith(OFFERED):
        return "asked"
    return "asked" if line.partition(ABOUT)[0].endswith(("?", "？")) else "left"


_LEFT_ALONE = lazy_pattern(
    r"(?:i|we) left (?:\S+ ){1,6}(?:alone|untouched|as (?:it|they) (?:is|was|are|were))\b", re.IGNORECASE
)


def is_minor(thread: Thread) -> bool:
    """Was something left alone, or only offered? Other threads are told first."""
    return thread.line.startswith(OFFERED) or _LEFT_ALONE.match(thread.line) is not None


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


_UNWRITTEN = re.compile(
    r"\b(?:to be (?:written|added|created|documented)|(?:is|are|still) missing|not (?:yet )?(?:written|there|created)"
    r"|does(?: not|n't) exist|(?:still|must|should|needs? to) (?:be )?(?:written|created|added))\b",
    re.IGNORECASE,
)
"""A file that is not there yet: whoever writes it settles that."""
_STUCK = re.compile(
    r"\b(?:must|has to|have to|needs? to|blocked|locked|denied|rejected|refused|not (?:out|live|released"
    r"|deployed|loaded|imported))\b",
    re.IGNORECASE,
)
"""Something stands in the way of a command that failed."""
_SHIPPING = frozenset(
    terms(
        "push merge branch pr pull request deploy release publish ship upload rollout version import load staging live"
    )
)
_PROSE = (".md", ".rst", ".txt", ".adoc", ".html", ".org")


class _Open:
    """What a thread's line is compared by, worked out once."""

    def __init__(self, thread: Thread, content: SummaryContent) -> None:
        self.kind = thread.kind
        line = thread.line.partition(ABOUT)[0] if thread.kind == "left" else thread.line
        bare = telling(thread.line.partition(ABOUT)[0])
        self.telling = bare if len(bare) > 1 else telling(thread.line.replace(ABOUT, " "))
        self._line = line if thread.kind == "left" else ""
        self.files = [_File(path) for path in files_named(line)] if self.kind == "left" else []
        self.rest = telling(_without(line, self.files)) if self.files else frozenset()
        self.is_unwritten = bool(self.files) and _UNWRITTEN.search(line) is not None
        self.is_unshipped = cues.UNSHIPPED.search(thread.line) is not None
        self.is_undeployed = cues.UNDEPLOYED.search(line) is not None
        self.is_red = cues.STILL_RED.search(thread.line) is not None
        self.is_stuck = self.is_unshipped or cues.FAILS.search(line) is not None or _STUCK.search(line) is not None
        self.broke = [scope(run) for run in failing(content)] if self.is_stuck else []
        failed = [run for run in content.runs if thread.line.startswith(f"{STILL_FAILS}{run.title}")]
        if self.kind == "fails" and not failed:
            failed = [_by_title(thread.line.removeprefix(STILL_FAILS))]
        self.failed = [scope(run) for run in failed] if self.kind == "fails" else []

    @cached_property
    def clauses(self) -> list[frozenset[str]]:
        return _clauses(self._line)


class _File:
    """A file that a thread names."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_prose = path.endswith(_PROSE)
        self.name = frozenset(terms(path))
        self.stem = frozenset(terms(posixpath.basename(path).rpartition(".")[0]))

    def is_one_of(self, paths: Iterable[str]) -> bool:
        """Is it among these? A thread may name it without its folder."""
        return any(each == self.path or each.endswith(f"/{self.path}") for each in paths)

    def is_named_in(self, said: frozenset[str]) -> bool:
        return self.stem <= said and len(self.name & said) >= min(2, len(self.name))


def _without(line: str, files: Iterable[_File]) -> str:
    for each in files:
        line = line.replace(each.path, " ")
    return line


class _Work:
    """What later work may settle threads by, worked out once, and only what is asked for."""

    def __init__(self, content: SummaryContent) -> None:
        self._content = content
        self.files = frozenset(content.files) if content.outcome != "failed" else frozenset()
        self.is_tested = content.outcome == "passed"
        self.ran = [scope(run) for run in content.runs if run.outcome]
        passed = [run for run in content.runs if run.outcome == "passed"]
        self.passed = [scope(run) for run in passed]
        self.shipped = any(run.kind in ("push", "deploy") for run in passed)
        self.deployed = any(run.kind == "deploy" for run in passed)
        self.is_green = any(run.kind == "test" and not run.narrowed and set(run.paths) & {"", "="} for run in passed)

    @cached_property
    def request(self) -> list[frozenset[str]]:
        return [telling(self._content.request)]

    @cached_property
    def stated(self) -> list[frozenset[str]]:
        """The words of a request that tells what is the case."""
        told = self._content.request
        return self.request if cues.STATED.search(told) and not told.endswith("?") else []

    @cached_property
    def _claimed(self) -> list[tuple[str, frozenset[str]]]:
        """What it says was done or found: the lines, and their words."""
        content = self._content
        lines = "\n".join((content.done, content.title, content.learned, content.said)).splitlines()
        said = [each for each in lines if each and not each.endswith(("?", "？"))][:_MOST_LINES]
        worked = bool(content.files) or "Committed" in content.done
        if not worked:
            said = [each for each in said if cues.CHANGE.search(each) and not cues.DENIED.search(each)]
        return [(each, telling(each)) for each in dict.fromkeys(said) if classify(each).kind != "open"]

    @cached_property
    def claims(self) -> list[frozenset[str]]:
        return [words for _, words in self._claimed]

    @cached_property
    def done(self) -> list[frozenset[str]]:
        """The words of the claims that something was done, and not that it was left alone, or merely touched."""
        return [
            words for line, words in self._claimed if not line.startswith("Edited ") and not cues.DENIED.search(line)
        ]

    @cached_property
    def sent(self) -> list[frozenset[str]]:
        """The words of the claims that something reached those it was for."""
        return [words for line, words in self._claimed if cues.SHIPPED.search(line) and not cues.DENIED.search(line)]

    @cached_property
    def named(self) -> frozenset[str]:
        """All words of the claims: most threads share too few with any of them."""
        return frozenset().union(*self.claims)

    def settles(self, thread: _Open, *, same_talk: bool) -> bool:
        """`same_talk`: both are turns of one conversation."""
        match thread.kind:
            case "fails":  # also by a run that failed: then that one is the newer thread
                return any(covers(run, each) for run in self.ran for each in thread.failed) or any(
                    is_whole_of(run, each) for run in self.passed for each in thread.failed
                )
            case "asked":
                return same_talk or self._has_answered(thread)
            case "left" if thread.is_unshipped:
                return self.shipped or self._tells_it_arrived(thread) or self._passed_now(thread)
            case "left" if thread.is_undeployed:
                return self.deployed or self._tells_it_arrived(thread) or self._has_done(thread)
            case "left":
                return self._has_done(thread) or (self.is_green and thread.is_red) or self._passed_now(thread)

    def _has_answered(self, thread: _Open) -> bool:
        """Was it decided in another conversation: by a request that names it, or by work that did it?"""
        if _are_named(thread.telling, self.request, least=2):
            return True
        if cues.AGREED.match(self._content.request) and any(thread.telling & words for words in self.request):
            return True
        return bool(self._content.files) and _are_named(thread.telling, self.done, least=2)

    def _tells_it_arrived(self, thread: _Open) -> bool:
        """Do the agent's words, or the user's, say that it reached those it was for?"""
        if _are_named(thread.telling, [*self.stated, *self.sent], least=3):
            return True
        about = [*self.request, *self.sent]
        if self.sent and any(thread.telling & words for words in about):
            return True
        told = self._content.request
        is_over = cues.SETTLED.search(told) or cues.SHIPPED.search(told)
        if not (self.stated and is_over):
            return False
        return any(words & _SHIPPING or len(words & thread.telling) > 1 for words in self.stated)

    def _passed_now(self, thread: _Open) -> bool:
        """Did every command that failed then go well?"""
        return bool(thread.broke) and all(any(covers(run, old) for run in self.passed) for old in thread.broke)

    def _has_done(self, thread: _Open) -> bool:
        """Do later words say that it was done, or was a file that it names written?"""
        if cues.SETTLED.search(self._content.request) and any(len(thread.telling & each) > 1 for each in self.stated):
            return True
        if thread.files:
            return any(self._has_written(thread, each) for each in thread.files)
        if _are_named(thread.telling, self.stated, least=3):
            return True
        if self.stated and any(_are_named(clause, self.stated, least=3) for clause in thread.clauses):
            return True
        if not _are_named(thread.telling, [self.named], least=2):
            return False
        return _are_named(thread.telling, self.claims, least=2)

    def _has_written(self, thread: _Open, file: _File) -> bool:
        """Was this file written, as the thread wants it? A change of code counts when it was tested, or when it is
        told with the thread's own words."""
        if file.is_one_of(self.files) and (
            thread.is_unwritten or file.is_prose or self.is_tested or self.named & thread.rest
        ):
            return True
        said = [*self.done, *self.stated]
        return any(file.stem <= each and (file.is_named_in(each) or _most_of(thread.rest, each)) for each in said)


@lru_cache(maxsize=1_024)
def _work_of(content: SummaryContent) -> _Work:
    """Later work is asked about many threads, at every prompt."""
    return _Work(content)


def _most_of(wanted: frozenset[str], said: frozenset[str]) -> bool:
    return bool(wanted) and len(wanted & said) * 2 >= len(wanted)


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
        " run running test tests wait waits waiting until someone somebody"
        " noch offen nicht muss müssen werden wird der die das den dem ein eine nur kann jemand mit auf und ist sind"
    )
)


def telling(text: str) -> frozenset[str]:
    """The terms of a text that say what it is about."""
    return frozenset(terms(text)) - _COMMON


_CLAUSE = lazy_pattern(r"[.;,] ")
_LEAST_OF_A_CLAUSE = 3


def _clauses(line: str) -> list[frozenset[str]]:
    """The words of each part of a line that says several things: who settles one of them has settled it."""
    parts = [telling(part) for part in _CLAUSE.split(line)]
    return [words for words in parts if len(words) >= _LEAST_OF_A_CLAUSE] if len(parts) > 1 else []


def still_open(parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines of the turns of one conversation, the oldest first, without what a later turn settled."""
    works = [_work_of(part) for part in parts]
    found: dict[str, None] = {}
    for at, part in enumerate(parts):
        found |= dict.fromkeys(_unsettled(part, works[at + 1 :], ()))
    return list(found)


def open_lines(content: SummaryContent, talk: Sequence[SummaryContent], later: Sequence[SummaryContent]) -> list[str]:
    """The lines of a summary that are still open after later turns of its conversation, and after other later work."""
    if not content.left_open:
        return []
    return _unsettled(content, [_work_of(each) for each in talk], [_work_of(each) for each in later])


def _unsettled(content: SummaryContent, talk: Sequence[_Work], later: Sequence[_Work]) -> list[str]:
    found: list[str] = []
    for thread in threads_of(content):
        asked = _Open(thread, content)
        if not any(work.settles(asked, same_talk=True) for work in talk) and not any(
            work.settles(asked, same_talk=False) for work in later
        ):
            found.append(thread.line)
    return found


def is_done(summary: Summary, line: str, done: frozenset[tuple[str, str]]) -> bool:
    """Did somebody declare this line, or all of the summary, settled?"""
    return (summary.subject, "") in done or (summary.subject, mark_of(line)) in done


def open_threads(summaries: Sequence[Summary], done: frozenset[tuple[str, str]]) -> list[tuple[Summary, Thread]]:
    """The open threads of a project, from summaries in the order of time; `done` has (subject, mark of the line)
    of those that somebody declared settled, with '' for all lines of a subject. What is told twice is said by the
    newest."""
    found: dict[str, tuple[Summary, Thread, frozenset[str]]] = {}
    works = [(summary, _work_of(summary.content)) for summary in summaries]
    for at, summary in enumerate(summaries):
        for thread in threads_of(summary.content):
            if is_done(summary, thread.line, done):
                continue
            asked = _Open(thread, summary.content)
            if not any(
                work.settles(asked, same_talk=later.conversation == summary.conversation and later.level == "turn")
                for later, work in works[at + 1 :]
                if later.id != summary.id
            ):
                found[" ".join(sorted(telling(thread.line))) or thread.line] = (summary, thread, asked.telling)
    return _each_once(list(found.values()))


def _each_once(found: Sequence[tuple[Summary, Thread, frozenset[str]]]) -> list[tuple[Summary, Thread]]:
    """Without the threads of a conversation that another of its threads says with more words."""
    talks: dict[tuple[str, Kind], list[frozenset[str]]] = {}
    for summary, thread, words in found:
        talks.setdefault((summary.conversation, thread.kind), []).append(words)
    return [
        (summary, thread)
        for summary, thread, words in found
        if len(words) < 2 or not any(words < other for other in talks[summary.conversation, thread.kind])
    ]
