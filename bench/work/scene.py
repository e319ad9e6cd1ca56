"""A scene: a small repository, and the sessions in which someone works on it with a scripted model. Written in TOML.

Each step is one tool call, which the client carries out for real; `{root}` in a text is the repository's folder.
What a scene's sessions are asked about later stands in a file of its own, by somebody else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SCENES, QUESTIONS = FOLDER / "scenes", FOLDER / "questions"


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool, with what the model says beside it."""

    tool: str
    input: Mapping[str, Any]
    says: str
    fails: bool
    """The tool reports an error, and is meant to."""


@dataclass(frozen=True, slots=True)
class Turn:
    prompt: str
    steps: Sequence[Step]
    says: str


@dataclass(frozen=True, slots=True)
class Session:
    name: str
    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True)
class Scene:
    name: str
    files: Mapping[str, str]
    sessions: Sequence[Session]


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt of a later session, and the turns (`session/number`) that it is about."""

    prompt: str
    about: frozenset[str]


@dataclass(frozen=True, slots=True)
class Questions:
    related: Sequence[Question]
    """Prompts about what the scene's sessions did."""
    elsewhere: Sequence[str]
    """Prompts that are not about the project: words to a session, general questions, other tools."""
    new_work: Sequence[str]
    """Prompts about the project, on ground that no session has touched."""


def names() -> list[str]:
    return sorted(path.stem for path in SCENES.glob("*.toml"))


def load(name: str) -> Scene:
    value = tomllib.loads((SCENES / f"{name}.toml").read_text("utf-8"))
    sessions = [Session(each["name"], [_turn(turn) for turn in each["turn"]]) for each in value["session"]]
    return Scene(name, value["files"], sessions)


def questions(name: str) -> Questions:
    value = tomllib.loads((QUESTIONS / f"{name}.toml").read_text("utf-8"))
    known = {f"{each.name}/{number}" for each in load(name).sessions for number in range(1, len(each.turns) + 1)}
    related = [Question(each["prompt"], frozenset(each["about"])) for each in value["asked"]]
    for each in related:
        if not each.about or not each.about <= known:
            raise ValueError(f"{name}: {sorted(each.about - known)} is not a turn of this scene ({each.prompt!r}).")
    return Questions(related, value["elsewhere"], value["new_work"])


def _turn(value: Mapping[str, Any]) -> Turn:
    return Turn(value["prompt"], [_step(each) for each in value.get("step", [])], value["says"])


def _step(value: Mapping[str, Any]) -> Step:
    match value:
        case {"bash": command}:
            tool, given = "Bash", {"command": command, "description": value["why"]}
        case {"read": path}:
            part = {name: value[name] for name in ("offset", "limit") if name in value}
            tool, given = "Read", {"file_path": f"{{root}}/{path}"} | part
        case {"edit": path}:
            every = {"replace_all": True} if value.get("every") else {}
            tool, given = "Edit", {"file_path": f"{{root}}/{path}", "old_string": value["old"]} | every
            given["new_string"] = value["new"]
        case {"write": path}:
            tool, given = "Write", {"file_path": f"{{root}}/{path}", "content": value["text"]}
        case _:
            raise ValueError(f"A step is one of bash, read, edit, write; not {sorted(value)}.")
    return Step(tool, given, value.get("says", ""), bool(value.get("fails")))
