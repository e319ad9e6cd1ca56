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
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory.model import Run, Summary, SummaryContent
from holdfast.rooms.memory.reading import cues
from holdfast.rooms.memory.reading.closing import classify
from holdfast.rooms.memory.reading.remarks import waits_for_somebody
from holdfast.rooms.memory.reading.settled import Deed, came_to_nothing, deeds_needed, deeds_told, names_nothing
from holdfast.rooms.memory.reading.settled import is_done as was_done
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

_LONGEST_MATTER = 1_000
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


_UNWRITTEN = re.compile(
    r"\b(?:to be (?:written|added|created|documented)|(?:is|are|still) missing|not (?:yet )?(?:written|there|created)"
    r"|does(?: not|n't) exist|(?:still|must|should|needs? to) (?:be )?(?:written|created|added))\b",
    re.IGNORECASE,
)
"""A file that is not there yet: whoever writes it settles that."""
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
        self._whole, self._content = thread.line, content
        self.files = [_File(path) for path in files_named(line)] if self.kind == "left" else []
        self.rest = telling(_without(line, self.files)) if self.files else frozenset()
        self.is_unwritten = bool(self.files) and _UNWRITTEN.search(line) is not None
        self.is_unshipped = cues.UNSHIPPED.search(thread.line) is not None
        self.is_undeployed = cues.UNDEPLOYED.search(line) is not None
        self.is_red = cues.STILL_RED.search(thread.line) is not None
        self.broke = _broken(line, content) if self.kind == "left" else []
        failed = [run for run in content.runs if thread.line.startswith(f"{STILL_FAILS}{run.title}")]
        if self.kind == "fails" and not failed:
            failed = [_by_title(thread.line.removeprefix(STILL_FAILS))]
        self.failed = [scope(run) for run in failed] if self.kind == "fails" else []

    @cached_property
    def clauses(self) -> list[frozenset[str]]:
        return _clauses(self._line)

    @cached_property
    def matter(self) -> frozenset[str]:
        """What the work was about that left it, without words that any work has."""
        content = self._content
        told = "\n".join((content.title, content.request, content.learned))[:_LONGEST_MATTER]
        return (self.telling | telling(told)) - general_terms()

    @cached_property
    def needs(self) -> frozenset[str]:
        """The kinds of deeds that it waits for."""
        return deeds_needed(self._whole)


def _broken(line: str, content: SummaryContent) -> list[Scope]:
    """The runs whose failure a line tells of: it lives as long as they fail. What is not out waits for those that
    ship."""
    failed = failing(content)
    if not failed or not (tells_of_failure(line) or _names_run(line, failed)):
        return []
    ships = [run for run in failed if run.kind in ("push", "deploy")]
    is_sent = cues.UNSHIPPED.search(line) or cues.UNDEPLOYED.search(line) or telling(line) & _SHIPPING
    return [scope(run) for run in (ships if ships and (is_sent or len(ships) == len(failed)) else failed)]


def _names_run(line: str, failed: Sequence[Run]) -> bool:
    """Does it name what a deploy was for: the "eu" of `./rollout.sh eu`?"""
    said = telling(line)
    return any(said & telling(run.narrowed) for run in failed if run.kind == "deploy")


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
        self.sending = [scope(run) for run in passed if run.kind in ("push", "deploy")]
        self.is_green = any(run.kind == "test" and not run.narrowed and set(run.paths) & {"", "="} for run in passed)

    @property
    def _title(self) -> str:
        """What came of it; '' when the title says only what was asked."""
        title = self._content.title
        return title if title.rstrip("…") not in self._content.request else ""

    @cached_property
    def request(self) -> list[frozenset[str]]:
        return [telling(self._content.request)]

    @cached_property
    def stated(self) -> list[frozenset[str]]:
        """The words of a request that tells what is the case; its questions tell nothing."""
        sentences = _SENTENCE.split(self._content.request)
        told = " ".join(each for each in sentences if not each.endswith(("?", "？")) and not came_to_nothing(each))
        return [telling(told)] if cues.STATED.search(told) else []

    @cached_property
    def _claimed(self) -> list[tuple[str, frozenset[str]]]:
        """What it says was done or found: the lines, and their words."""
        content = self._content
        lines = "\n".join((content.done, self._title, content.learned, content.said)).splitlines()
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
        if thread.kind != "asked" and self._tells_it_was_done(thread):
            return True
        match thread.kind:
            case "fails":  # also by a run that failed: then that one is the newer thread
                return any(covers(run, each) for run in self.ran for each in thread.failed) or any(
                    is_whole_of(run, each) for run in self.passed for each in thread.failed
                )
            case "asked":
                return same_talk or self._has_answered(thread)
            case "left" if thread.is_unshipped:
                return self._was_sent(thread) or self._tells_it_arrived(thread) or self._passed_now(thread)
            case "left" if thread.is_undeployed:
                sent = self._was_sent(thread, deployed=True) or self._passed_now(thread)
                return sent or self._tells_it_arrived(thread) or self._has_done(thread)
            case "left":
                return self._has_done(thread) or (self.is_green and thread.is_red) or self._passed_now(thread)

    def _was_sent(self, thread: _Open, *, deployed: bool = False) -> bool:
        """Did anything go out? The same script for another target is something else."""
        sent = [each for each in self.sending if not deployed or each.kind == "deploy"]
        others = [each for each in sent if not any(_is_other_target(each, old) for old in thread.broke)]
        return bool(others)

    def _tells_it_was_done(self, thread: _Open) -> bool:
        """Does the user, or the agent, say that somebody did what the thread waits for?"""
        if not thread.needs:
            return False
        if any(was_done(deed, thread.needs, thread.telling) for deed in self.user_did):
            return True
        if any(deed.kinds & thread.needs and was_done(deed, thread.needs, thread.matter) for deed in self.user_did):
            return True  # "Ana merged the PR of the 429s": the session that left it was about them
        least = max(2, (len(thread.telling) + 2) // 3)
        return not thread.files and any(was_done(deed, thread.needs, thread.telling, least) for deed in self.agent_did)

    def may_have_done(self, thread: _Open) -> bool:
        """Does the user say that something was done, without a word of what, and does the thread wait for such?"""
        return thread.kind != "asked" and any(names_nothing(deed, thread.needs) for deed in self.user_did)

    @cached_property
    def user_did(self) -> tuple[Deed, ...]:
        return deeds_told(self._content.request)

    @cached_property
    def agent_did(self) -> tuple[Deed, ...]:
        lines = dict.fromkeys((self._title, *self._content.said.splitlines()[:_MOST_LINES]))
        return tuple(deed for line in lines for deed in deeds_told(line) if classify(line).kind not in _NOT_TOLD)

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


_NOT_TOLD = frozenset({"open", "question", "tried"})


def _is_other_target(sent: Scope, broken: Scope) -> bool:
    return sent.tool == broken.tool and sent.kind == broken.kind and sent.narrowed not in ("", broken.narrowed)


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


_SENTENCE = lazy_pattern(r"(?<=[.!?？])\s+")
_CLAUSE = lazy_pattern(r"[.;,] ")
_LEAST_OF_A_CLAUSE = 3


def _clauses(line: str) -> list[frozenset[str]]:
    """The words of each part of a line that says several things: who settles one of them has settled it."""
    parts = [telling(part) for part in _CLAUSE.split(line)]
    return [words for words in parts if len(words) >= _LEAST_OF_A_CLAUSE] if len(parts) > 1 else []


def still_open(parts: Sequence[SummaryContent]) -> list[str]:
    """The open lines of the turns of one conversation, the oldest first, without what a later turn settled."""
    works = [_work_of(part) for part in parts]
    waiting: list[_Waiting] = []
    for at, part in enumerate(parts):
        later = [(number, work, True) for number, work in enumerate(works) if number > at]
        opened = [(thread, _Open(thread, part)) for thread in threads_of(part)]
        waiting += [_Waiting(at, thread, asked, _first(asked, later)) for thread, asked in opened]
    _settle_the_only_one(waiting, works)
    return list(dict.fromkeys(each.thread.line for each in waiting if each.over is None))


def open_lines(content: SummaryContent, talk: Sequence[SummaryContent], later: Sequence[SummaryContent]) -> list[str]:
    """The lines of a summary that are still open after later turns of its conversation, and after other later work."""
    if not content.left_open:
        return []
    works = [_work_of(each) for each in (*talk, *later)]
    steps = [(at, work, at < len(talk)) for at, work in enumerate(works)]
    opened = [(thread, _Open(thread, content)) for thread in threads_of(content)]
    waiting = [_Waiting(-1, thread, asked, _first(asked, steps)) for thread, asked in opened]
    _settle_the_only_one(waiting, works)
    return [each.thread.line for each in waiting if each.over is None]


@dataclass(slots=True)
class _Waiting:
    """A thread, when it was left, and when it was settled."""

    at: int
    thread: Thread
    asked: _Open
    over: int | None


def _first(asked: _Open, later: Iterable[tuple[int, _Work, bool]]) -> int | None:
    """The number of the first work that settles it; with each work: is it of the same conversation?"""
    return next((at for at, work, same_talk in later if work.settles(asked, same_talk=same_talk)), None)


def _settle_the_only_one(waiting: Sequence[_Waiting], works: Sequence[_Work]) -> None:
    """An "ok, merged." says not what: it settles a thread that alone waits for such a deed, and none of several."""
    for at, work in enumerate(works):
        if all(deed.words for deed in work.user_did):
            continue
        then = [each for each in waiting if each.at < at and (each.over is None or each.over >= at)]
        fitting = [each for each in then if work.may_have_done(each.asked)]
        longest = max((each.asked.telling for each in fitting), key=len, default=frozenset[str]())
        if all(each.asked.telling <= longest for each in fitting):  # one thing, told more than once
            for each in fitting:
                each.over = at


def is_done(summary: Summary, line: str, done: frozenset[tuple[str, str]]) -> bool:
    """Did somebody declare this line, or all of the summary, settled?"""
    return (summary.subject, "") in done or (summary.subject, mark_of(line)) in done


def open_threads(summaries: Sequence[Summary], done: frozenset[tuple[str, str]]) -> list[tuple[Summary, Thread]]:
    """The open threads of a project, from summaries in the order of time; `done` has (subject, mark of the line)
    of those that somebody declared settled, with '' for all lines of a subject. What is told twice is said by the
    newest."""
    found: dict[str, tuple[Summary, Thread, frozenset[str]]] = {}
    works = [_work_of(summary.content) for summary in summaries]
    waiting: list[_Waiting] = []
    for at, summary in enumerate(summaries):
        for thread in threads_of(summary.content):
            if is_done(summary, thread.line, done):
                continue
            asked = _Open(thread, summary.content)
            later = (
                (number, works[number], each.conversation == summary.conversation and each.level == "turn")
                for number, each in enumerate(summaries[at + 1 :], at + 1)
                if each.id != summary.id
            )
            waiting.append(_Waiting(at, thread, asked, _first(asked, later)))
    _settle_the_only_one(waiting, works)
    for each in waiting:
        if each.over is None:
            key = " ".join(sorted(telling(each.thread.line))) or each.thread.line
            found[key] = (summaries[each.at], each.thread, each.asked.telling)
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
