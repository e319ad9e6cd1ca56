"""A module's tests are found under its own path: src/holdfast/road/merge.py, tests/unit/road/test_merge.py.

A test that needs a process stands in tests/processes under the same path. A test of several modules is named after a
behaviour and stands in the folder of their package. Modules that are proven elsewhere are listed here with the reason;
a line that is no longer needed fails too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import modules

TESTS = Path(__file__).parent
MIRRORS = ("unit", "processes")

PROVEN_BY = {
    "offline_decision": ("cli", "the hook decides by itself only where no daemon runs"),
    "commandline": ("unit/commandline", "one function of the package, tested by kind of command"),
    "composition": ("conversations", "every conversation runs on what it builds"),
    "daemon": ("faults", "a daemon is a process"),
    "doors": ("faults", "a door needs the daemon behind it"),
    "doors.cli": ("cli", "a command is a process"),
    "errors": ("cli", "the exit codes of commands"),
    "events": ("conversations", "types, which every conversation parses and answers"),
    "gitfiles": ("processes/road", "real repositories, as identity finds them"),
    "command_client": ("faults", "the command client is a process"),
    "hook": ("faults", "the command client is a process"),
    "install": ("processes/install", "the files of one installation, tested as a whole"),
    "items": ("contract", "items live in tables, on both databases"),
    "judging": ("unit/judging", "one decision of the package, tested by tables of commands"),
    "program": ("conversations", "the program is what conversations run"),
    "recall": ("contract", "recall is SQL, on both databases"),
    "restarts": ("processes/doors/cli", "a wish is fulfilled by a process"),
    "road": ("conversations", "the road is hook JSON in, answer out"),
    "rooms": ("conversations", "a room is hook JSON in, answer out"),
    "scrub": ("unit/scrub", "one function of the package, tested by kind of secret"),
    "settings_file": ("cli", "the file is read and written by commands"),
    "shell": ("unit/shell", "one function of the package, tested by kind of command"),
    "source": ("processes/source", "files are read in a process of their own"),
    "store": ("contract", "every store keeps one contract, on both databases"),
    "undo": ("processes", "files are kept and brought back in real folders and repositories"),
    "upkeep": ("contract", "upkeep is about tables, on both databases"),
}
"""Where modules without a test of their own are proven, by the longest name that fits, and why."""


@cache
def mirrored() -> dict[str, Path]:
    """The test files of the mirrored folders, by the module that their path names."""
    found = {}
    for mirror in MIRRORS:
        for path in (TESTS / mirror).rglob("test_*.py"):
            folders = path.relative_to(TESTS / mirror).parent.parts
            found[".".join([*folders, path.stem.removeprefix("test_")])] = path
    return found


def place_of(module: str) -> str | None:
    fitting = [name for name in PROVEN_BY if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def untested() -> list[str]:
    return [name for name, path in modules() if name not in mirrored() and path.name != "__init__.py"]


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
    assert [folder for folder, _ in PROVEN_BY.values() if not list((TESTS / folder).rglob("test_*.py"))] == []


@pytest.mark.requirement("HSE-7")
def test_no_exception_is_left_over() -> None:
    assert {name for name in PROVEN_BY if not any(place_of(module) == name for module, _ in modules())} == set()
