"""Shared code names no room: rooms are gathered from `program.ROOMS` (HSE-1).

What rooms declare (their names, sections, families, tables, tools, verbs and imports) is looked for in every module
outside `rooms/` and `program.py`: in the paths of modules, in names of the code, and in strings. A name that is also an
ordinary word (`memory`, `prompt`) counts where it stands alone as a key, or where a text lists two of them; docstrings
may use it, help texts of commands may not. A family, table, tool or verb may be called by any single word that shared
code uses already (`note`, `deploy`, `release`): shared code had it first, and cannot mean the room by it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from holdfast.doors.cli.show import several
from holdfast.program import ROOMS
from holdfast.rooms.gather import gather, sections_of
from tests.test_architecture import SOURCE, modules

ORDINARY = frozenset(
    {
        "memory",
        "prompt",
        "summary",
        "summaries",
        "reading",
        "refusal",
        "costs",
        "remember",
        "undo",
        "guard",
        "guards",
        "commits",
    }
)
"""Names that shared code also uses as English words."""
THE_CLIENTS = "a field of the client's events"
A_TOOLS = "a field of a tool"
IN_MEMORY = "the name of a database that is in the computer's memory"
MEANT_OTHERWISE = {
    "commandline.effects.disposable": {"memory": IN_MEMORY},
    "commandline.inline.marks": {"memory": IN_MEMORY},
    "commandline.inline.programs": {"memory": IN_MEMORY},
    "commandline.inline.python": {"memory": IN_MEMORY},
    "commandline.running.hidden": {"prompt": "an option of programs", "summary": "an option of programs"},
    "doors.cli.generated": {"summary": A_TOOLS},
    "doors.cli.main": {"summary": A_TOOLS},
    "doors.cli.verbs.call": {"summary": A_TOOLS},
    "doors.cli.verbs.journal": {"prompt": THE_CLIENTS},
    "doors.cli.verbs.status": {"memory": "the computer's"},
    "doors.descriptions": {"summary": "a field of OpenAPI and OpenRPC"},
    "doors.rest": {"memory": "the computer's"},
    "doors.rooms_table": {"summary": A_TOOLS},
    "doors.tools": {"summary": A_TOOLS},
    "events.light": {"prompt": THE_CLIENTS},
    "install.checks_home": {"memory": "the computer's"},
    "items.injecting": {"memory": "the word in the fence: to an agent, whatever is kept is memory"},
    "judging.paths": {"guard": "the name of a project's rule file"},
    "judging.rebuilt": {"checkpoint": "a folder of a trained model"},
    "judging.rules": {"guard": "the beginning of a rule's name"},
    "judging.unknown_programs": {"fleet": "a word of other programs"},
    "recall.sentence_models": {"prompt": "a key of a model's own configuration"},
    "recall.state_asked": dict.fromkeys(("remember", "summary"), "a word with which people ask"),
    "recall.words": {"remember": "a list of English words", "undo": "a list of English words"},
    "events.correction": {"remember": "the word by which a person reminds"},
    "road.journal": {"prompt": THE_CLIENTS},
    "road.transcript": {"prompt": THE_CLIENTS},
    "undo.store": {"undo": "the package's own name, as refs of git and a command"},
    "upkeep.settings": {
        "observation": "a key of config.toml, which a table's `ages` names",
        "reading": "what a tool does",
    },
}
"""Where a name does not mean the room's, and what it means there."""


def declared() -> frozenset[str]:
    """The names that rooms declare, one and several of each."""
    gathered = gather(ROOMS)
    names = {room.name for room in ROOMS} | set(sections_of(ROOMS)) | set(gathered.imports)
    for room in ROOMS:
        names |= {family.name for family in room.families}
        names |= {table.name for table in room.tables}
        names |= {tool.name for tool in room.tools}
        names |= {tool.verb.words.split()[0] for tool in room.tools if tool.verb}
    return frozenset(names | {several(name, {}).replace(" ", "_") for name in names})


ENGLISH = frozenset(
    {
        *("code", "codes", "done", "confirm", "dismiss", "lost", "value", "values"),
        *("work", "works", "task", "tasks", "effort", "efforts"),
    }
)
"""Names of rooms' things that every program says."""
ROOM_NAMES = frozenset(room.name for room in ROOMS)
OWN_NAMES = ROOM_NAMES | set(sections_of(ROOMS)) | set(gather(ROOMS).imports)
"""By which only a room can be meant."""
_MANY = 4
"""Shared modules that say a word: from so many on it is a word of the language, whatever a room calls by it."""


def common() -> frozenset[str]:
    """Single words that rooms declare and that shared code says all over: nobody can have meant a room everywhere."""
    single = {name for name in declared() - OWN_NAMES if name.isalpha() and not ordinary(name)}
    said: Counter[str] = Counter()
    for _, path in SHARED:
        source = path.read_text("utf-8")
        said.update(single & (plain_words(source) | looked_at(source)[1]))
    names = {name for name, number in said.items() if number >= _MANY}
    return frozenset(names | {several(name, {}) for name in names})


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9_-]*[a-z0-9]", text)) & names()


def ordinary(word: str) -> bool:
    return word in ORDINARY or any(word == several(each, {}) for each in ORDINARY)


def named(text: str) -> set[str]:
    """The names of rooms' things that a string means."""
    found = words_of(text)
    if " " not in text.strip():
        return found
    return found if len(found) > 1 else {word for word in found if not ordinary(word)}


def singular(word: str) -> str:
    return next((name for name in names() if several(name, {}) == word and name != word), word)


def strings(tree: ast.Module) -> Iterator[str]:
    """All strings but docstrings; the docstring of a command is its help text."""
    quiet: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(each) for each in node.decorator_list):
            yield ast.get_docstring(node) or ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
            yield node.value


def identifiers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


@cache
def looked_at(source: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The strings and the identifiers of a file. They are asked for many times, and parsing takes long."""
    tree = ast.parse(source)
    return tuple(strings(tree)), frozenset(identifiers(tree))


@cache
def plain_words(source: str) -> frozenset[str]:
    return frozenset(word for text in looked_at(source)[0] for word in re.findall(r"[a-z]+", text))


@cache
def names() -> frozenset[str]:
    """The names that shared code may not say. (Not made on import: each worker imports all tests.)"""
    return declared() - ENGLISH - common()


def violations(module: str, source: str) -> set[str]:
    texts, said = looked_at(source)
    found = {word for text in texts for word in named(text)}
    found |= {name for name in said & names() if not ordinary(name)}
    found |= set(module.split(".")) & (ROOM_NAMES - ENGLISH)
    allowed = MEANT_OTHERWISE.get(module, {})
    return {word for word in found if singular(word) not in allowed and word not in allowed}


SHARED = [(module, path) for module, path in modules() if module.split(".")[0] not in ("rooms", "program")]


@pytest.mark.requirement("HSE-1")
def test_shared_code_names_nothing_of_a_room() -> None:
    wrong = {module: found for module, path in SHARED if (found := violations(module, path.read_text("utf-8")))}
    assert wrong == {}


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("doors.x", 'NAMES = {"memory": "memories"}', {"memory", "memories"}),
        ("doors.x", 'option("--kind", help="memory, summary, edit")', {"memory", "summary"}),
        ("doors.x", 'option("--citations")', {"citations"}),
        ("doors.x", "def run(citations: bool) -> None: ...", {"citations"}),
        ("doors.x", 'client.post("/api/tools/citations_import")', {"citations_import"}),
        ("doors.x", '@click.command()\ndef x():\n    """Like `holdfast import claude-mem`."""', {"claude-mem"}),
        ("doors.memory", "", {"memory"}),
        ("doors.x", '"""Memory is what memory does: prompts and summaries."""', set()),
        ("doors.x", 'log.info("events wait in memory")', set()),
        ("doors.x", "entry.prompt = memory", set()),
    ],
)
def test_what_counts_as_naming_a_room(module: str, source: str, found: set[str]) -> None:
    assert violations(module, source) == found


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("word", ["note", "notes", "deploy", "release", "todo", "step", "entry"])
def test_a_family_may_be_called_by_an_ordinary_word(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room whose family shared code says all over: no list of this file must be added to."""
    before = declared()
    monkeypatch.setattr(sys.modules[__name__], "declared", lambda: before | {word})
    changed = ((before - ENGLISH - common()) | {word}) - common()
    monkeypatch.setattr(sys.modules[__name__], "names", lambda: changed)
    wrong = {module: found for module, path in SHARED if (found := violations(module, path.read_text("utf-8")))}
    assert wrong == {}


def test_every_exception_is_needed() -> None:
    for module, words in MEANT_OTHERWISE.items():
        path = SOURCE.joinpath(*module.split(".")).with_suffix(".py")
        text = Path(path).read_text("utf-8")
        said = {singular(word) for part in looked_at(text)[0] for word in named(part)}
        assert set(words) <= said, module
