"""A story: a repository, its facts, the sessions on it, and what must be given in each. Written in TOML, read here.

A fact is something that was decided, found, left open or finished, known by words: all its patterns stand in one line.
`{root}` in a step is the folder of the session, `{memory}` the client's own memory folder of the project.
`{weekday of NAME}` in a prompt is the day of the week on which the session of that name is played.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

STORIES = Path(__file__).parent / "stories"
DAY = 24 * 3600.0
_WEEKDAY = re.compile(r"\{weekday of ([\w-]+)\}")


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns that must all be found in one line, unless one that excuses it is found too."""

    patterns: tuple[re.Pattern[str], ...]
    unless: re.Pattern[str] | None = None

    def found_in(self, line: str) -> bool:
        if self.unless is not None and self.unless.search(line):
            return False
        return all(pattern.search(line) for pattern in self.patterns)

    def __str__(self) -> str:
        words = " + ".join(pattern.pattern for pattern in self.patterns)
        return f"{words} (unless {self.unless.pattern})" if self.unless else words


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth telling, from the session it comes from to the one that settles or replaces it."""

    name: str
    words: Words
    until: str = ""
    """The session that settles it: in later briefs a line about it is no longer about the matter."""


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call of the model, which the client carries out."""

    tool: str
    input: Mapping[str, Any]
    says: str = ""
    fails: bool = False
    agent: tuple[Step, ...] = ()
    """What a subagent does."""
    answer: str = ""
    """What the subagent says at its end."""
    compacts: bool = False
    """The model reports a full window with this step, so that the client compacts the conversation."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt, what the model does, what it says at the end, and what must be given at the prompt."""

    prompt: str
    steps: tuple[Step, ...]
    says: str
    given: tuple[str, ...] = ()
    """Facts that must be recalled at this prompt."""
    about: tuple[str, ...] = ()
    """Further facts that the prompt is about: they may be given."""
    nothing: bool = False
    """The prompt is about nothing that happened before: nothing may be given."""
    telling: bool = False
    """The user tells something with this prompt, so its words may be given later as what the user said."""


@dataclass(frozen=True, slots=True)
class Session:
    name: str
    day: float
    turns: tuple[Turn, ...]
    folder: str = ""
    """Another worktree, beside the repository."""
    resume: str = ""
    """The session whose conversation goes on."""
    before: tuple[str, ...] = ()
    """Commands that the world runs in the repository before the session."""
    brief: tuple[str, ...] = ()
    """Facts that must be in the brief."""
    not_in_brief: tuple[str, ...] = ()
    """Facts that must not be in the brief: settled, replaced, or of no worth."""
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Facts that must be given when the agent opens a file."""
    never: tuple[Words, ...] = ()
    """Lines that may be given by no hook."""


@dataclass(frozen=True, slots=True)
class Check:
    """One test of a toolchain that is played by a script: it passes while the file has these words."""

    tool: str
    suite: str
    test: str
    file: str
    needs: str
    says: str


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    files: Mapping[str, str]
    facts: Mapping[str, Fact]
    sessions: tuple[Session, ...]
    checks: tuple[Check, ...] = ()
    protected: tuple[str, ...] = ()
    """Branches that `origin` lets nobody push to, until a file `open` stands in it."""
    never: tuple[Words, ...] = ()
    """Lines that may be given in no session of this project."""

    def facts_known(self, session: Session) -> list[Fact]:
        """The facts that still hold when a session begins, whichever session they come from."""
        settled = {each.name for each in self.sessions if each.day < session.day}
        return [fact for fact in self.facts.values() if fact.until not in settled]


def on_days(story: Story, first_day: float) -> Story:
    """The story as it is told when it begins at this time (seconds since the epoch): days of the week have names."""
    days = {session.name: first_day + session.day * DAY for session in story.sessions}

    def weekday(named: re.Match[str]) -> str:
        return datetime.fromtimestamp(days[named[1]], UTC).strftime("%A").lower()

    def told(turn: Turn) -> Turn:
        return replace(turn, prompt=_WEEKDAY.sub(weekday, turn.prompt))

    sessions = tuple(replace(session, turns=tuple(map(told, session.turns))) for session in story.sessions)
    return replace(story, sessions=sessions)


def names() -> list[str]:
    return sorted(path.stem for path in STORIES.glob("*.toml"))


def load(name: str) -> Story:
    """A story by its name. What it names and does not have is an error."""
    value = tomllib.loads((STORIES / f"{name}.toml").read_text("utf-8"))
    facts = {key: Fact(key, _words(each), each.get("until", "")) for key, each in value["fact"].items()}
    story = Story(
        name,
        value["files"],
        facts,
        tuple(sorted((_session(each) for each in value["session"]), key=lambda each: each.day)),
        tuple(Check(**each) for each in value.get("check", ())),
        tuple(value.get("protected", ())),
        tuple(map(_words, value.get("never", ()))),
    )
    _examine(story)
    return story


def _examine(story: Story) -> None:
    played: set[str] = set()
    for session in story.sessions:
        wanted = {*session.brief, *session.not_in_brief, *(fact for each in session.files.values() for fact in each)}
        for turn in session.turns:
            wanted |= {*turn.given, *turn.about}
        unknown = sorted(wanted - story.facts.keys())
        if unknown:
            raise ValueError(f"{story.name}/{session.name} names facts that the story does not have: {unknown}.")
        if session.name in played or (session.resume and session.resume not in played):
            raise ValueError(f"{story.name}/{session.name} is there twice, or resumes a session that is not before it.")
        played.add(session.name)
    late = {fact.until for fact in story.facts.values() if fact.until} - played
    if late:
        raise ValueError(f"{story.name}: facts hold until sessions that do not exist: {sorted(late)}.")


def _session(value: Mapping[str, Any]) -> Session:
    return Session(
        value["name"],
        value["day"],
        tuple(map(_turn, value["turn"])),
        value.get("folder", ""),
        value.get("resume", ""),
        tuple(value.get("before", ())),
        tuple(value.get("brief", ())),
        tuple(value.get("not_in_brief", ())),
        {path: tuple(facts) for path, facts in value.get("files", {}).items()},
        tuple(map(_words, value.get("never", ()))),
    )


def _turn(value: Mapping[str, Any]) -> Turn:
    return Turn(
        value["prompt"],
        tuple(map(_step, value.get("step", ()))),
        value["says"],
        tuple(value.get("given", ())),
        tuple(value.get("about", ())),
        bool(value.get("nothing")),
        bool(value.get("telling")),
    )


def _step(value: Mapping[str, Any]) -> Step:
    inner: tuple[Step, ...] = ()
    match value:
        case {"bash": command}:
            tool, given = "Bash", {"command": command, "description": value.get("why", "Run it")}
        case {"read": path}:
            tool, given = "Read", {"file_path": _path(path)}
        case {"edit": path}:
            tool, given = "Edit", {"file_path": _path(path), "old_string": value["old"], "new_string": value["new"]}
        case {"write": path}:
            tool, given = "Write", {"file_path": _path(path), "content": value["text"]}
        case {"agent": prompt}:
            kind = {"subagent_type": "general-purpose", "run_in_background": False}
            tool, given = "Agent", {"description": value.get("why", "Look into it"), "prompt": prompt} | kind
            inner = tuple(map(_step, value.get("step", ())))
        case _:
            raise ValueError(f"A step is one of bash, read, edit, write, agent; not {sorted(value)}.")
    fails, compacts = bool(value.get("fails")), bool(value.get("compacts"))
    return Step(tool, given, value.get("says", ""), fails, inner, value.get("answer", ""), compacts)


def _path(path: str) -> str:
    return path if path.startswith("{") else f"{{root}}/{path}"


def _words(value: str | Sequence[str] | Mapping[str, Any]) -> Words:
    if isinstance(value, Mapping):
        unless = re.compile(value["unless"], re.IGNORECASE) if "unless" in value else None
        return Words(_patterns(value["says"]), unless)
    return Words(_patterns(value))


def _patterns(value: str | Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each, re.IGNORECASE) for each in ([value] if isinstance(value, str) else value))
