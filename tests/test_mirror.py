"""A module's tests are found under its own path: src/holdfast/road/merge.py, tests/unit/road/test_merge.py.

A test that needs a process stands in tests/processes under the same path. A test of several modules is named after a
behaviour and stands in the folder of their package. Modules that only declare (no function in them) need no test.

Other modules may be proven elsewhere: `PROVEN_BY` says where and why, and how many modules of a package are. That
number may only fall: a new module without a test at its path fails here, and so does a number that could be lower.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import modules, nodes

TESTS = Path(__file__).parent
MIRRORS = ("unit", "processes")


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The modules of a package that have no test at their own path."""

    modules: int
    """How many. It may only fall."""
    folder: str
    """Where they are proven."""
    why: str


CONVERSATION = "a room is hook JSON in, answer out"

PROVEN_BY = {
    "command_client": Elsewhere(1, "faults", "the command client is a process"),
    "commandline": Elsewhere(38, "unit/commandline", "one function of the package, tested by kind of command"),
    "composition": Elsewhere(1, "conversations", "every conversation runs on what it builds"),
    "daemon": Elsewhere(10, "faults", "a daemon is a process"),
    "doors": Elsewhere(10, "faults", "a door needs the daemon behind it"),
    "doors.cli": Elsewhere(40, "cli", "a command is a process"),
    "errors": Elsewhere(1, "cli", "the exit codes of commands"),
    "events": Elsewhere(7, "conversations", "types, which every conversation parses and answers"),
    "gitfiles": Elsewhere(1, "processes/road", "real repositories, as identity finds them"),
    "install": Elsewhere(17, "processes/install", "the files of one installation, tested as a whole"),
    "items": Elsewhere(15, "contract", "items live in tables, on both databases"),
    "judging": Elsewhere(14, "unit/judging", "one decision of the package, tested by tables of commands"),
    "offline_decision": Elsewhere(1, "cli", "the hook decides by itself only where no daemon runs"),
    "program": Elsewhere(1, "conversations", "the program is what conversations run"),
    "prose": Elsewhere(6, "unit/prose", "one reading of a text, tested by kind of sentence"),
    "recall": Elsewhere(8, "contract", "recall is SQL, on both databases"),
    "restarts": Elsewhere(1, "processes/doors/cli", "a process does what was asked for"),
    "road": Elsewhere(13, "conversations", "the road is hook JSON in, answer out"),
    "rooms": Elsewhere(3, "rooms", "what declares and builds a room, shown by the made-up rooms"),
    "rooms.citations": Elsewhere(8, "conversations", CONVERSATION),
    "rooms.code": Elsewhere(7, "conversations", CONVERSATION),
    "rooms.commits": Elsewhere(8, "conversations", CONVERSATION),
    "rooms.continuity": Elsewhere(27, "conversations", CONVERSATION),
    "rooms.fleet": Elsewhere(14, "conversations", CONVERSATION),
    "rooms.guards": Elsewhere(21, "conversations", CONVERSATION),
    "rooms.learning": Elsewhere(18, "conversations", CONVERSATION),
    "rooms.memory": Elsewhere(31, "conversations", CONVERSATION),
    "rooms.work": Elsewhere(20, "conversations", CONVERSATION),
    "scrub": Elsewhere(14, "unit/scrub", "one function of the package, tested by kind of secret"),
    "settings_file": Elsewhere(1, "cli", "the file is read and written by commands"),
    "shell": Elsewhere(16, "unit/shell", "one function of the package, tested by kind of command"),
    "source": Elsewhere(7, "processes/source", "files are read in a process of their own"),
    "store": Elsewhere(22, "contract", "every store keeps one contract, on both databases"),
    "undo": Elsewhere(7, "processes", "files are kept and brought back in real folders and repositories"),
    "upkeep": Elsewhere(15, "contract", "upkeep is about tables, on both databases"),
}
"""By package: the longest name that fits a module counts."""


@cache
def mirrored() -> dict[str, Path]:
    """The test files of the mirrored folders, by the module that their path names."""
    found = {}
    for mirror in MIRRORS:
        for path in (TESTS / mirror).rglob("test_*.py"):
            folders = path.relative_to(TESTS / mirror).parent.parts
            found[".".join([*folders, path.stem.removeprefix("test_")])] = path
    return found


@cache
def proven_by_tests() -> dict[str, Path]:
    """The modules that a test elsewhere names in `PROVES`: a new room says for itself where its modules are proven."""
    found: dict[str, Path] = {}
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8")
        if "\nPROVES = (" in text:
            [said] = [each for each in ast.parse(text).body if isinstance(each, ast.Assign) and _is_proves(each)]
            found |= dict.fromkeys(ast.literal_eval(said.value), path)
    return found


def _is_proves(statement: ast.Assign) -> bool:
    return [each.id for each in statement.targets if isinstance(each, ast.Name)] == ["PROVES"]


def place_of(module: str) -> str | None:
    fitting = [name for name in PROVEN_BY if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def declares_only(path: Path) -> bool:
    return not any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes(path))


def untested() -> list[str]:
    """The modules that do something and have no test at their path."""
    return [
        name
        for name, path in modules()
        if name not in mirrored()
        and name not in proven_by_tests()
        and path.name != "__init__.py"
        and not declares_only(path)
    ]


@pytest.mark.requirement("HSE-7")
def test_every_test_file_stands_at_the_path_of_its_module_or_package() -> None:
    known = {name for name, _ in modules()}
    lost = set()
    for name, path in mirrored().items():
        package = name.rpartition(".")[0]
        is_part = any(name.startswith(f"{module}_") for module in known if module)
        if name not in known and not is_part and package and f"holdfast.{package}" not in path.read_text("utf-8"):
            lost.add(str(path))
    assert lost == set(), "they use nothing of the package in whose folder they stand"


@pytest.mark.requirement("HSE-7")
def test_every_module_is_tested_at_its_path_or_where_it_is_said() -> None:
    assert [name for name in untested() if place_of(name) is None] == []
    assert [each.folder for each in PROVEN_BY.values() if not list((TESTS / each.folder).rglob("test_*.py"))] == []


@pytest.mark.requirement("HSE-7")
def test_a_module_that_a_test_claims_to_prove_is_there_and_has_no_other_place() -> None:
    """Only a room says so, of its own modules: what is shared stands in `PROVEN_BY`."""
    functions = {name for name, path in modules() if not declares_only(path)}
    assert proven_by_tests().keys() - functions == set()
    assert proven_by_tests().keys() & mirrored().keys() == set()
    assert [name for name in proven_by_tests() if place_of(name) not in (None, "rooms")] == []
    assert [name for name, path in proven_by_tests().items() if name.split(".")[1] not in path.name] == []


@pytest.mark.requirement("HSE-7")
def test_the_modules_without_a_test_at_their_path_only_become_fewer() -> None:
    """More: write the test at the new module's path. Fewer: write the new number into `PROVEN_BY`."""
    there = Counter(place_of(name) for name in untested())
    said = {name: each.modules for name, each in PROVEN_BY.items()}
    more = {
        name: [module for module in untested() if place_of(module) == name]
        for name, number in said.items()
        if there[name] > number
    }
    assert more == {}, "a module of these packages has no test at its path"
    assert {name: there[name] for name, number in said.items() if there[name] < number} == {}, "write the new number"
    assert [name for name, number in said.items() if not number] == [], "a line that is no longer needed"
