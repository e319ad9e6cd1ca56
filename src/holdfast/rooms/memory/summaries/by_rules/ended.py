"""How the runs of a piece of work ended, and the lines about those that still fail (MEM-17). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.closing import Statement
from holdfast.prose.one_line import one_line
from holdfast.prose.remarks import waits_for_somebody
from holdfast.rooms.memory.model import Ended, Observation, RecordedRun, SummaryContent
from holdfast.rooms.memory.standing import threads
from holdfast.rooms.memory.standing.threads import FAILING, SAYING, STILL_FAILS
from holdfast.rooms.memory.standing.worth import PASSED_AFTER
from holdfast.shell.line import CHECKED

_LONGEST = 260
_LONGEST_MESSAGE = 4_000
_SENTENCE = lazy_pattern(r"(?<=[.!])\s+|\n")


class Runs:
    """How the runs of a piece of work ended: a later run settles the earlier ones that it includes (MEM-17)."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self.last: list[RecordedRun] = []
        """The last of each run, in their order."""
        self.lessons: list[str] = []
        """What made a failing run pass."""
        self._edits: dict[int, list[Observation]] = {}
        self._broke_off = False
        """The last line that checked something failed behind its checks: `pytest && ./submit train`."""
        for each in observations:
            if each.runs:
                self._broke_off = not each.outcome and all(run.outcome == "passed" for run in each.runs)
            if each.kind == "edit" and each.outcome != "failed":
                for edits in self._edits.values():
                    edits.append(each)
            for run in runs_of(each):
                self._take(run)

    @property
    def failing(self) -> list[RecordedRun]:
        return [run for run in self.last if run.outcome == "failed" and run.kind in FAILING]

    @property
    def shipped(self) -> bool:
        return any(run.outcome == "passed" and run.kind in ("push", "deploy") for run in self.last)

    @property
    def outcome(self) -> Ended:
        if self.failing:
            return "failed"
        if self._broke_off:
            return ""
        return "passed" if any(run.outcome == "passed" and run.kind in CHECKED for run in self.last) else ""

    def believe(self, message: str, said: Sequence[Statement], parts: Sequence[SummaryContent] = ()) -> None:
        """The agent may show by another command that a check passes: `make docs` behind a failed `mkdocs build`. What
        failed before an edit counts as passed when the agent says so and something else passed since. Of a whole
        session, its parts have judged that. `said` are the statements of the message; a bare "Lint is clean." is
        none."""
        if parts:
            self._believe_parts(parts)
            return
        message = message[-_LONGEST_MESSAGE:]
        if any(map(_is_red, said)) or _NOT_ALL.search(message):
            return
        texts = _SENTENCE.split(message)
        for run in [each for each in self.failing if self._edits.get(id(each))]:
            since = self.last[self.last.index(run) + 1 :]
            shown = (each for each in since if each.outcome == "passed" and not threads.includes(run, each))
            is_shown = any(each.kind == "test" or run.kind != "test" for each in shown)
            if is_shown and any(passes_now(each, run.kind) for each in texts):
                self.last.remove(run)

    def _believe_parts(self, parts: Sequence[SummaryContent]) -> None:
        known = {run.title for part in parts for run in threads.failing(part)}
        told = {line for part in parts for line in part.left_open.splitlines()}
        over = told.difference(threads.still_open(parts))

        def is_over(run: RecordedRun) -> bool:
            return run.title not in known or any(line.startswith(f"{STILL_FAILS}{run.title}") for line in over)

        self.last = [run for run in self.last if run not in self.failing or not is_over(run)]

    def _take(self, run: RecordedRun) -> None:
        if not run.outcome:
            self._doubt(run)
            return  # nobody knows, so it settles nothing
        edits: list[Observation] = []
        for old in [each for each in self.last if threads.includes(run, each)]:
            self.last.remove(old)
            edited = self._edits.pop(id(old), [])
            if old.outcome == "failed" and run.outcome == "passed" and edited:
                what = ", ".join(unique(edit.title.removeprefix("Edited ") for edit in edited)[:3])
                self.lessons.append(f"{one_line(old.title, 140)}{PASSED_AFTER}{one_line(what, 140)}")
            edits += [each for each in edited if each not in edits]
        self.last.append(run := replace(run))
        if run.outcome == "failed":
            self._edits[id(run)] = edits

    def _doubt(self, run: RecordedRun) -> None:
        """Nobody can tell how a run ended that came after an edit: then nobody says that it still fails."""
        for old in [each for each in self.last if each.outcome == "failed" and threads.includes(run, each)]:
            if self._edits.get(id(old)):
                self.last.remove(old)
                self._edits.pop(id(old))


_GOES_WELL = r"\b[^.;:,]{0,60}?\b(?:pass(?:es|ed)?|green|clean|gone|fixed|succeeds?|again|grün|vertes?|verdes?)(?!\w)"
_ALL = r"|everything|all|both|alles|tout|todo"
_SPEAKS_OF = {
    "test": rf"(?:tests?|specs?|suite|\w*test\b|tests?_\w+{_ALL})",
    "build": rf"(?:builds?|image|bundle|docs?|it|bau|build{_ALL})",
    "lint": rf"(?:lint\w*|hooks?|checks?|warnings?|errors?|findings?|format\w*{_ALL})",
    "types": rf"(?:types?|errors?|build|tsc|mypy|pyright|compiler?{_ALL})",
}
_PASSES = {kind: lazy_pattern(rf"\b{words}{_GOES_WELL}", re.IGNORECASE) for kind, words in _SPEAKS_OF.items()}
_WORKS_NOW = {
    "build": lazy_pattern(r"\b(?:image|bundle|docs?|app|project|it) (?:now )?(?:builds?|compiles?)\b", re.IGNORECASE),
    "types": lazy_pattern(r"\b(?:type[- ]?checks?|compiles?)\b(?= (?:again|now|clean)|[.,;]|\Z)", re.IGNORECASE),
}
_NOT_ALL = lazy_pattern(
    r"\b(?:still|remain\w*|left|failing|fails?|failed|red|broken|other (?:one|two|three|\d+|tests?)|could(?: not|n't)"
    r"|\d+ of (?:the )?\d+|most|except|skipped|noch|bleib\w*|übrig|encore|reste\w*|todavía|quedan?)\b",
    re.IGNORECASE,
)
"""Something of it does not pass, or nobody can tell."""
_DENIES = lazy_pattern(r"\b(?:not|never|only|except|but|nicht|nur|pas|no)\b|n't\b", re.IGNORECASE)
_NONE_LEFT = lazy_pattern(r"\b(?:no|0|zero) (?:\w+ )?(?:errors?|warnings?|failures?|findings?)\b", re.IGNORECASE)


def passes_now(text: str, kind: str) -> bool:
    """Does a sentence say that a check of this kind passes as things are?"""
    text = text[:500]
    if kind in ("lint", "types") and _NONE_LEFT.search(text):
        return True
    found = kind in _PASSES and (_PASSES[kind].search(text) or (kind in _WORKS_NOW and _WORKS_NOW[kind].search(text)))
    return bool(found) and not _DENIES.search(text) and not cues.FAILS.search(text)


def runs_of(observation: Observation) -> tuple[RecordedRun, ...]:
    """The runs of an observation; of one that an older version stored, what its title tells."""
    if observation.runs or observation.kind not in ("test", "build"):
        return observation.runs
    name = observation.title.partition(":")[0].removeprefix("Ran ")
    return (RecordedRun(observation.kind, name, observation.title, observation.outcome),)


def failures(
    failing: Sequence[RecordedRun], said: Sequence[Statement], unshipped: Sequence[Statement]
) -> tuple[list[str], list[Statement]]:
    """A line for each run that still fails, with the agent's words about it; and the statements that are said so."""
    sent = [run for run in failing if run.kind in ("push", "deploy")]
    told = [*unshipped, *_next_open(said, unshipped)]
    lines = [one_line(_each_once(told), _LONGEST)] if told else []
    for run in failing:
        if unshipped and run in sent:
            continue  # the words say it, and why
        about = next((each for each in said if each not in told and _is_red(each)), None)
        about = about or (_who_acts(said) if len(failing) == 1 else None)
        if about and run.kind not in ("push", "deploy"):
            told.append(about)
            lines.append(f"{STILL_FAILS}{run.title}{SAYING}{one_line(about.text, 200)}")
        elif run in sent or ":" in run.title:  # else it names no test and no error
            lines.append(f"{STILL_FAILS}{run.title}")
    return lines, told


def _who_acts(said: Sequence[Statement]) -> Statement | None:
    """Who must act, right behind the sentence that tells what stands in the way: one failure is one thread."""
    for before, each in pairwise(said):
        if before.block == each.block and waits_for_somebody(each.text) and threads.tells_of_failure(before.text):
            return each
    return None


def _each_once(told: Sequence[Statement]) -> str:
    """The sentences in one line. One that was joined with the sentence before it stands for both."""
    texts = [each.text for each in told]
    return " ".join(text for at, text in enumerate(texts) if not any(text in later for later in texts[at + 1 :]))


def not_sent(runs: Runs, said: Sequence[Statement]) -> list[Statement]:
    """The sentence that tells why something did not reach those it was for: who, what and why say more than the name
    of the command that failed."""
    ships = [run for run in runs.failing if run.kind in ("push", "deploy")]
    if runs.shipped and not any(run.kind == "deploy" for run in ships):
        return []
    surely = [each for each in said if cues.UNSHIPPED.search(each.text[:500])]
    if not ships:
        return surely[:1]
    telling = [each for each in said if each.kind not in ("question", "check", "tried")]
    found = [each for each in telling if each in surely or threads.tells_of_failure(each.text)]
    silent = [each for each in telling if each.kind != "change"]  # what was changed tells of no failure
    found = found or [each for each in silent if any(names_sending(each.text, run) for run in runs.failing)]
    found.sort(key=lambda each: each.is_point)  # a sentence says more than a point: "Upload: refused."
    whole = [each for each in surely if not each.is_point]
    return (whole or found)[:1]


def names_sending(text: str, run: RecordedRun) -> bool:
    """Do these words, of whatever language, name the push or deploy that failed and what it was for?"""
    return run.kind in ("push", "deploy") and len(threads.telling(text) & threads.telling(run.title)) >= _NAMED


_NAMED = 2
_TERSE = 4
"""Words of a sentence that leads to the one that says why: "Not shipped."."""


def _next_open(said: Sequence[Statement], unshipped: Sequence[Statement]) -> list[Statement]:
    """What stands in the way and who must act, when the sentences behind say it: "Security must open the port
    first."."""
    if not unshipped:
        return []
    at = said.index(unshipped[0]) + 1
    told: list[Statement] = []
    length, before = len(unshipped[0].text), unshipped[0]
    for each in said[at : at + 3]:
        leads = len(before.text.split()) < _TERSE and before.block == each.block
        goes_on = each.kind == "open" or waits_for_somebody(each.text)
        goes_on = goes_on or (each.block == before.block and threads.tells_of_failure(each.text))
        length += len(each.text) + 1
        if not (leads or goes_on) or each.kind == "question" or length > _LONGEST:
            break
        told.append(each)
        before = each
    return told


_RED_NOW = lazy_pattern(
    r"(?:\b(?:is|are|stays?|remains?|still|now|and|rot|bleibt)|['’]s) (?:\w{1,12} ){0,2}?(?:red|failing|broken)\b"
    r"|\b(?:test|tests|spec|specs|check|build|case|it|which|that)\b[^.;]{0,60}\bfails?\b"
    r"(?! (?:when|if|with(?:out)?|on the old)\b)",
    re.IGNORECASE,
)
"""It says that a run fails as things are."""


def _is_red(statement: Statement) -> bool:
    """Do these words mention something that fails, still?"""
    text = statement.text[:500]
    if statement.kind in ("check", "tried", "question"):
        return False
    is_told = statement.kind == "open" and cues.FAILS.search(text) is not None
    return is_told or bool(cues.STILL_RED.search(text) or _RED_NOW.search(text))


def unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))
