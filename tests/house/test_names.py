"""Shared code names no room: rooms are gathered from `program.ROOMS` (HSE-1).

What rooms declare (their names, sections, families, tables, tools, verbs and imports) is looked for in every module
outside `rooms/` and `program.py`: in the paths of modules, in names of the code, and in strings. Docstrings may use
them, help texts of commands may not. Some of these names are words of the language too. Three lists say which, and what
shared code means by them: `ENGLISH` everywhere, `AS_A_NAME` for names in the code, `MEANT_OTHERWISE` module by module.
A new room says so itself, of names of its own: in `ELSEWHERE` of `tests/conversations/test_ROOM.py`.
No word becomes free by being used often.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from holdfast.doors.cli.show import several
from holdfast.program import ROOMS
from holdfast.rooms.gather import gather, sections_of
from holdfast.rooms.room import Room
from tests.test_architecture import modules

ENGLISH = {
    "cluster": "of servers, or of a database",
    "code": "source code; the number with which a process ends",
    "done": "finished",
    "effort": "one run of a skill: a word of the glossary, by which rules ask for a moment",
    "lost": "gone without anybody's wish",
    "task": "of the event loop, or of a build tool",
    "threads": "of a process",
    "undo": "the shared package: bytes that a command would destroy are kept by it",
    "value": "of a setting, a field or a variable",
    "work": "what is done",
}
"""Names of rooms' things that shared code says in another meaning, in many modules."""
FREE = frozenset({"note", "deploy", "release", "todo", "step", "entry"})
"""Words of shared code that no room of the product has, and that a new room may call a family or a tool by. A room that
wants another one says in its `ELSEWHERE` which meaning shared code has for it."""
AS_A_NAME = {
    "commits": "the end of a transaction; commits of git",
    "memory": "the computer's",
    "prompt": "a field of the client's events",
    "reading": "what a reader does",
    "refusal": "any answer that says no",
    "remember": "to keep for later in the same call",
    "summary": "one line about a tool, a check or a run",
}
"""What variables, functions and fields of shared code may be called, and what they mean there. A sentence that people
read may not say these words: there they would mean the room's."""
WORD_LISTS = (
    "commandline.",
    "events.correction",
    "events.corrections.",
    "events.subjects",
    "judging.",
    "prose.",
    "recall.intent",
    "recall.state_asked",
    "scrub.shape",
    "shell.",
)
"""Modules whose strings are options of other programs, or words of people's languages: there the name of a room's thing
counts only when it is a string of its own, or in a sentence that people read. What a contributor's room is called may
stand in such a list by chance."""
THE_CLIENTS = "a field of the client's events"
A_TOOLS = "a field of a tool"
ALL_KEPT = "all that holdfast keeps, as an agent calls it"
WHAT_IS_TYPED = "what a user types, whether a room keeps it or not"
IN_MEMORY = "the name of a database that is in the computer's memory"
A_STEP = "any step that may refuse, as `CONTRIBUTING.md` says it"
A_WORD_OF_PEOPLE = "a word that people and agents write in their sentences"
TO_COST = "the verb: to cost time"
MEANT_OTHERWISE = {
    "config": {"guard": A_STEP},
    "doors.cli.generated": {"summary": A_TOOLS},
    "doors.cli.main": {"summary": A_TOOLS},
    "doors.cli.options": {"confirm": "what click calls a question", "costs": TO_COST, "guard": A_STEP},
    "doors.cli.table": {"guard": A_STEP, "prompt": "the client's line for typing"},
    "doors.cli.verbs.call": {"summary": A_TOOLS},
    "doors.cli.verbs.journal": {"prompt": THE_CLIENTS},
    "doors.cli.verbs.pause": {"guard": A_STEP},
    "doors.cli.verbs.status": {"memory": "the computer's"},
    "doors.descriptions": {"summary": "a field of OpenAPI and OpenRPC"},
    "doors.rest": {"memory": "the computer's"},
    "doors.rooms_table": {"summary": A_TOOLS},
    "doors.tools": {"summary": A_TOOLS},
    "events.light": {"prompt": THE_CLIENTS},
    "install.checks_clients": {"guard": A_STEP},
    "install.checks_hooks": {"costs": TO_COST},
    "install.checks_home": {"memory": "the computer's"},
    "items.hooks": {"prompt": WHAT_IS_TYPED},
    "items.injecting": {"memory": ALL_KEPT},
    "items.settings": {"prompt": WHAT_IS_TYPED},
    "items.tools": {"memory": ALL_KEPT},
    "items.wording": {"memory": ALL_KEPT},
    "recall.sentence_models": {"prompt": "a key of a model's own configuration"},
    "recall.words": {"remember": "a list of English words"},
    "events.correction": {"correction": "a correction in a prompt"},
    "road.journal": {"prompt": THE_CLIENTS},
    "road.transcript": {"prompt": THE_CLIENTS},
    "road.memory_spool": {"memory": "the computer's"},
    "source.index_file": {"memory": IN_MEMORY},
    "store.sqlite.connect": {"memory": IN_MEMORY},
    "undo.restoring_git": {"commits": "commits of git"},
    "undo.store": {"commits": "commits of git"},
}
"""Where a name does not mean the room's, and what it means there."""


CONVERSATIONS = Path(__file__).parents[1] / "conversations"
ROOM_NAMES = frozenset(room.name for room in ROOMS)


def plural(word: str) -> str:
    return several(word, {}).replace(" ", "_")


def declared_by(rooms: tuple[Room, ...]) -> set[str]:
    """The names that these rooms declare; of things that can be counted, one and several."""
    things = {room.name for room in rooms}
    for room in rooms:
        things |= {family.name for family in room.families}
        things |= {table.name for table in room.tables}
    names = things | {plural(name) for name in things} | set(sections_of(rooms)) | set(gather(rooms).imports)
    for room in rooms:
        names |= {tool.name for tool in room.tools}
        names |= {tool.verb.words.split()[0] for tool in room.tools if tool.verb}
    return names


@cache
def declared() -> frozenset[str]:
    return frozenset(declared_by(ROOMS))


def elsewhere_in(source: str) -> dict[str, str]:
    """What a room's own test says of the room's names: what shared code, which said them before, means by them."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and [ast.unparse(each) for each in node.targets] == ["ELSEWHERE"]:
            told: dict[str, str] = ast.literal_eval(node.value)
            return told
    return {}


@cache
def told_by(room: str) -> Mapping[str, str]:
    test = CONVERSATIONS / f"test_{room}.py"
    return elsewhere_in(test.read_text("utf-8")) if test.exists() else {}


def freed(names: Mapping[str, str], own: set[str]) -> set[str]:
    """The words that a room may say something of, and says it."""
    return {word for word, meaning in names.items() if word in own and meaning.strip()}


@cache
def elsewhere() -> frozenset[str]:
    """The names of rooms that mean something else in shared code, as the rooms say."""
    return frozenset(word for room in ROOMS for word in freed(told_by(room.name), declared_by((room,))))


@cache
def names() -> frozenset[str]:
    """The names that shared code may not say. (Not made on import: each worker imports all tests.)"""
    free = {*ENGLISH, *FREE, *elsewhere()}
    return declared() - free - {plural(word) for word in free}


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9_-]*[a-z0-9]", text.lower())) & names()


def may_be_a_name(word: str) -> bool:
    return word in AS_A_NAME or any(word == plural(each) for each in AS_A_NAME)


def named(module: str, text: str) -> set[str]:
    """The names of rooms' things that a string says."""
    is_said = re.fullmatch(r"[\w-]*|[A-Z].*[.!?]", text.strip(), re.DOTALL)
    return words_of(text) if is_said or not module.startswith(WORD_LISTS) else set()


def singular(word: str) -> str:
    return next((name for name in names() if plural(name) == word and name != word), word)


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


def violations(module: str, source: str) -> set[str]:
    return {
        word for word in said(module, source) if singular(word) not in allowed(module) and word not in allowed(module)
    }


def said(module: str, source: str) -> set[str]:
    """The names of rooms' things that a module says."""
    texts, identified = looked_at(source)
    found = {word for text in texts for word in named(module, text)}
    found |= {name for name in identified & names() if not may_be_a_name(name)}
    return found | (set(module.split(".")) & (ROOM_NAMES & names()))


def allowed(module: str) -> Mapping[str, str]:
    return MEANT_OTHERWISE.get(module, {})


SHARED = [(module, path) for module, path in modules() if module.split(".")[0] not in ("rooms", "program")]


@pytest.mark.requirement("HSE-1")
def test_shared_code_names_nothing_of_a_room() -> None:
    wrong = {module: found for module, path in SHARED if (found := violations(module, path.read_text("utf-8")))}
    assert wrong == {}, "call the room's thing otherwise, or say in its ELSEWHERE what shared code means by the word"


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
        ("doors.x", 'log.info("Summaries follow.")', {"summaries"}),
        ("commandline.x", 'OPTIONS = "--dump --memory --summary"', set()),
        ("commandline.x", 'KEY = "memory"', {"memory"}),
        ("judging.x", 'SERVERS = "notes citations playlists".split()', set()),
        ("judging.x", 'WHY = "It would empty the citations."', {"citations"}),
        ("items.x", 'SERVERS = "notes citations playlists".split()', {"citations"}),
        ("doors.x", "entry.prompt = memory", set()),
    ],
)
def test_what_counts_as_naming_a_room(module: str, source: str, found: set[str]) -> None:
    assert violations(module, source) == found


@pytest.mark.requirement("HSE-1")
def test_a_family_may_be_called_by_a_free_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """`note` is the family of the room that contributors copy."""
    before = declared()
    monkeypatch.setattr(sys.modules[__name__], "declared", lambda: before | FREE | {plural(word) for word in FREE})
    names.cache_clear()
    try:
        test_shared_code_names_nothing_of_a_room()
    finally:
        names.cache_clear()


@pytest.mark.requirement("HSE-1")
def test_a_room_says_itself_what_its_names_mean_elsewhere() -> None:
    said = elsewhere_in('PROVES = ()\nELSEWHERE = {"recipe": "a rule of a makefile", "habit": " ", "table": "rows"}\n')
    assert freed(said, {"recipe", "recipes", "habit"}) == {"recipe"}
    assert elsewhere_in("PROVES = ()\n") == {}


@pytest.mark.requirement("HSE-1")
def test_what_rooms_say_so_is_said_and_needed() -> None:
    for room in ROOMS:
        told, own = told_by(room.name), declared_by((room,))
        assert {*told} - own == set(), f"{room.name}: not its own names"
        assert {*told} - freed(told, own) == set(), f"{room.name}: say what shared code means by them"
        assert {word for word in told if not {word, plural(word)} & spoken()} == set(), f"{room.name}: nobody says it"


@pytest.mark.requirement("HSE-1")
def test_a_word_is_not_free_because_it_is_said_often(monkeypatch: pytest.MonkeyPatch) -> None:
    before = declared()
    monkeypatch.setattr(sys.modules[__name__], "declared", lambda: before | {"folder"})
    names.cache_clear()
    try:
        assert sum("folder" in violations(module, path.read_text("utf-8")) for module, path in SHARED) > 20
    finally:
        names.cache_clear()


@cache
def spoken() -> frozenset[str]:
    """The words of shared code, in its names and its strings."""
    every = (looked_at(path.read_text("utf-8")) for _, path in SHARED)
    return frozenset(
        word
        for texts, identified in every
        for word in (*identified, *(each for text in texts for each in re.findall("[a-z]+", text.lower())))
    )


def test_every_exception_is_needed() -> None:
    sources = {module: path.read_text("utf-8") for module, path in SHARED}
    for module, words in MEANT_OTHERWISE.items():
        assert set(words) <= {singular(word) for word in said(module, sources[module])}, module
    assert [each for each in WORD_LISTS if not any(module.startswith(each) for module in sources)] == []
    assert {name for name in (*ENGLISH, *AS_A_NAME) if not {name, plural(name)} & declared() & spoken()} == set()
    assert spoken() >= FREE
