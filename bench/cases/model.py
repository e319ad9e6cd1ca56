"""What a case is, and how a file of cases is read: a bad one is refused with its file, its line and its key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

STEPS = {
    "ask": (1, 1),
    "say": (1, 1),
    "bash": (1, 2),
    "fail": (1, 2),
    "edit": (1, 2),
    "write": (1, 2),
    "read": (1, 1),
    "agent": (2, 2),
    "question": (2, 2),
    "interrupt": (0, 1),
}
"""The word of a step → how many texts it has, at least and at most."""
PLACES = ("brief", "prompt", "file")


class BadCase(Exception):
    """A sentence for the person who wrote the case."""

    def __init__(self, file: Path, line: int, key: str, why: str) -> None:
        super().__init__(f"{file}, line {line}, `{key}`: {why}" if line else f"{file} {why}")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens in a session."""

    what: str
    words: tuple[str, ...]

    def word(self, index: int) -> str:
        return self.words[index] if index < len(self.words) else ""


@dataclass(frozen=True, slots=True)
class Session:
    """One session on a day. `resume` is the number of an earlier session of the case (from 1)."""

    day: float
    steps: tuple[Step, ...] = ()
    branch: str = ""
    worktree: str = ""
    resume: int = 0
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be told at one place (one of `words`), or must not (none of them)."""

    at: str
    subject: str
    """The prompt, or the file; '' for the brief."""
    must: bool
    words: tuple[str, ...]
    why: str

    def found_in(self, line: str) -> bool:
        plain = " ".join(line.split())
        return any(_matches(word, plain) for word in self.words)

    def __str__(self) -> str:
        where = f"{self.at} {self.subject!r}" if self.subject else self.at
        return f"{where}: {'must' if self.must else 'must not'} say {' | '.join(self.words)} ({self.why})"


def _matches(word: str, line: str) -> bool:
    if len(word) > 1 and word.startswith("/") and word.endswith("/"):
        return re.search(word[1:-1], line, re.IGNORECASE) is not None
    return word.casefold() in line.casefold()


@dataclass(frozen=True, slots=True)
class Case:
    """Some sessions, and what the one after them is told."""

    name: str
    kind: str
    sessions: tuple[Session, ...]
    asked: Session
    """The session that is judged: when, where."""
    expected: tuple[Expectation, ...]


def load(file: Path) -> list[Case]:
    """The cases of a file, one per line. Empty lines and lines that begin with `//` are left out."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadCase(file, 0, "file", f"cannot be read ({problem})") from None
    cases: list[Case] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("//"):
            case = _Line(file, number).case(line)
            if case.name in {each.name for each in cases}:
                raise BadCase(file, number, "id", f"{case.name!r} is the id of an earlier case, too")
            cases.append(case)
    if not cases:
        raise BadCase(file, 0, "file", "holds no case")
    return cases


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file that is being read."""

    file: Path
    number: int

    def bad(self, key: str, why: str) -> BadCase:
        return BadCase(self.file, self.number, key, why)

    def case(self, line: str) -> Case:
        try:
            value = json.loads(line)
        except ValueError as problem:
            raise self.bad("line", f"is no JSON ({problem})") from None
        fields = self.fields("line", value, {"id", "class", "sessions", "asked", "expect"}, {"note"})
        sessions = self.listed("sessions", fields)
        played = tuple(self.session(f"sessions[{at}]", each, at) for at, each in enumerate(sessions, 1))
        for before, after in pairwise(played):
            if after.day < before.day:
                raise self.bad("sessions", "must stand in the order of their days")
        asked = self.session("asked", fields["asked"], len(played) + 1)
        if asked.day < played[-1].day or asked.steps:
            raise self.bad("asked", "must be on the last day or later, and has no steps")
        expected = tuple(
            one
            for at, each in enumerate(self.listed("expect", fields), 1)
            for one in self.expected(f"expect[{at}]", each)
        )
        self.check_paths(played, expected)
        return Case(self.text("id", fields), self.text("class", fields), played, asked, expected)

    def check_paths(self, sessions: Sequence[Session], expected: Sequence[Expectation]) -> None:
        """A path is a file in the project, and no folder of another file."""
        steps = (step for session in sessions for step in session.steps if step.what in ("edit", "write", "read"))
        named = {*(step.words[0] for step in steps), *(each.subject for each in expected if each.at == "file")}
        folders = {str(folder) for path in named for folder in PurePosixPath(path).parents}
        for path in sorted(named):
            if path.startswith("/") or ".." in PurePosixPath(path).parts or path in folders:
                raise self.bad("sessions", f"{path!r} must be a file in the project")

    def session(self, key: str, value: Any, number: int) -> Session:
        fields = self.fields(key, value, {"day"}, {"do", "branch", "worktree", "resume", "ends"})
        if not isinstance(fields["day"], int | float) or isinstance(fields["day"], bool) or fields["day"] < 0:
            raise self.bad(f"{key}.day", "must be a number, 0 or more")
        resume = fields.get("resume", 0)
        if not isinstance(resume, int) or not 0 <= resume < number:
            raise self.bad(f"{key}.resume", "must be the number of an earlier session, from 1")
        ends = fields.get("ends", True)
        if not isinstance(ends, bool):
            raise self.bad(f"{key}.ends", "must be true or false")
        steps = tuple(self.step(f"{key}.do[{at}]", each) for at, each in enumerate(fields.get("do", ()), 1))
        if steps and steps[0].what != "ask":
            raise self.bad(f"{key}.do[1]", "a prompt must come first")
        for at, (step, after) in enumerate(pairwise(steps), 2):
            if step.what in ("say", "interrupt") and after.what != "ask":
                raise self.bad(f"{key}.do[{at}]", f"the turn has ended with {step.what!r}: a prompt must come first")
        branch, worktree = (self.text(name, fields, key) if name in fields else "" for name in ("branch", "worktree"))
        return Session(float(fields["day"]), steps, branch, worktree, resume, ends)

    def step(self, key: str, value: Any) -> Step:
        if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
            raise self.bad(key, "must be a list of texts: what happens, then its words")
        what, *words = value
        if what not in STEPS:
            raise self.bad(key, f"{what!r} is none of {', '.join(STEPS)}")
        least, most = STEPS[what]
        if not least <= len(words) <= most:
            raise self.bad(key, f"{what!r} takes {least} to {most} texts, not {len(words)}")
        return Step(what, tuple(words))

    def expected(self, key: str, value: Any) -> Iterator[Expectation]:
        fields = self.fields(key, value, {"at", "why"}, {"prompt", "file", "must", "must_not"})
        at = self.text("at", fields, key)
        if at not in PLACES:
            raise self.bad(f"{key}.at", f"{at!r} is none of {', '.join(PLACES)}")
        subject = self.text(at, fields, key) if at != "brief" else ""
        if "must" not in fields and "must_not" not in fields:
            raise self.bad(key, "has neither `must` nor `must_not`")
        for name in ("must", "must_not"):
            if name in fields:
                words = self.words(f"{key}.{name}", fields[name])
                yield Expectation(at, subject, name == "must", words, self.text("why", fields, key))

    def words(self, key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(each, str) and each for each in value):
            raise self.bad(key, "must be a list of texts that are not empty")
        for word in value:
            try:
                _matches(word, "")
            except re.error as problem:
                raise self.bad(key, f"{word} is no regular expression ({problem})") from None
        return tuple(value)

    def fields(self, key: str, value: Any, needed: set[str], more: set[str]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.bad(key, "must be an object")
        if missing := sorted(needed - value.keys()):
            raise self.bad(missing[0] if key == "line" else f"{key}.{missing[0]}", "is missing")
        if unknown := sorted(value.keys() - needed - more):
            raise self.bad(unknown[0] if key == "line" else f"{key}.{unknown[0]}", "is no key of a case")
        return value

    def listed(self, key: str, fields: Mapping[str, Any]) -> list[Any]:
        value = fields[key]
        if not isinstance(value, list) or not value:
            raise self.bad(key, "must be a list that is not empty")
        return value

    def text(self, key: str, fields: Mapping[str, Any], within: str = "") -> str:
        value = fields.get(key)
        if not isinstance(value, str) or not value:
            raise self.bad(f"{within}.{key}" if within else key, "must be a text that is not empty")
        return value
