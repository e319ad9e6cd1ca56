"""The shape of the code, kept by tests: who may import whom, what stays light, how long a file may be."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "holdfast"
PLAIN = {
    "",
    "ids",
    "errors",
    "times",
    "paths",
    "spool",
    "lock",
    "settings_file",
    "layout",
    "visible",
    "config",
    "sections",
    "gitfiles",
    "git_calls",
    "pauses",
    "sender",
    "project_file",
    "restarts",
    "patterns",
    "processes",
    "worktree_paths",
}
"""Single files at the top that anyone may use (config: only those who read it)."""

MAY_IMPORT: dict[str, set[str]] = {
    "events": {"store.interface"},
    "store": set(),
    "scrub": set(),
    "shell": {"events"},
    "commandline": {"shell"},
    "judging": {"events", "commandline", "shell"},
    "undo": {"commandline", "events.going"},
    "jobs": {"store.interface"},
    "source": {"recall.tokens", "scrub", "store.queries"},
    "road": {"events", "shell", "store.interface", "jobs", "scrub"},
    "recall": {"events", "store.interface"},
    "prose": {"events", "recall.intent", "recall.tokens", "shell.tools"},
    "items": {"prose", "events", "store.interface", "store.table", "store.generated", "store.values", "recall"},
    "config": {"items.settings", "program", "rooms.gather", "rooms.room", "upkeep.settings"},
    "composition": {
        "events",
        "store.interface",
        "store.record",
        "jobs",
        "road",
        "scrub",
        "items",
        "rooms.declaring",
        "rooms.gather",
        "rooms.room",
    },
    "rooms": {
        "events",
        "prose",
        "store.interface",
        "store.table",
        "store.shared",
        "store.catalog",
        "store.values",
        "items",
        "recall",
        "shell",
        "commandline",
        "judging",
        "undo",
        "source",
    },
    "upkeep": {
        "events",
        "store.interface",
        "store.table",
        "store.catalog",
        "store.generated",
        "store.copies",
        "items",
        "recall",
        "rooms.room",
        "jobs",
    },
    "program": {"events", "items", "rooms", "upkeep", "store.catalog"},
    "install": {"events", "store", "program", "leave"},
    "daemon": {
        "events",
        "revive",
        "store",
        "scrub",
        "jobs",
        "road",
        "recall",
        "source.worker",
        "items",
        "upkeep",
        "rooms",
        "program",
        "doors",
        "composition",
        "build",
        "offline_decision",
    },
    "doors": {
        "events",
        "store",
        "scrub",
        "jobs",
        "road",
        "recall",
        "items",
        "upkeep",
        "rooms",
        "program",
        "install",
        "alone",
        "revive",
        "hook",
        "command_client",
        "statusline",
        "build",
        "composition",
    },
    "alone": {"command_client", "road.clean", "road.recording", "scrub", "revive", "offline_decision"},
    "offline_decision": {"events", "program", "rooms.room"},
    "hook": {"command_client"},
    "command_client": {"alone", "plugin_overlap", "revive"},
}
"""Downwards only: doors, daemon, install → program → rooms → recall → the store's interface and events."""

READS_SETTINGS = {"daemon", "doors", "install", "config", "composition", "offline_decision"}


@cache
def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file. Many tests look at them, and walking takes longer than looking."""
    return tuple(ast.walk(tree(path)))


@cache
def imports(path: Path) -> frozenset[str]:
    """The modules of holdfast that a file imports, wherever in it, without the leading name."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("holdfast")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("holdfast"):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if _is_module(name) else str(node.module) for name in names}
    return frozenset(name.removeprefix("holdfast").removeprefix(".") for name in found)


@cache
def _is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split(".")[1:])
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_imports_point_downwards() -> None:
    wrong = []
    for module, path in modules():
        top = module.split(".")[0]
        for name in imports(path):
            first = name.split(".")[0]
            allowed = MAY_IMPORT.get(top, set())
            if first == top or first in PLAIN - {"config"} or first in allowed or name in allowed:
                continue
            if first == "config" and top in READS_SETTINGS:
                continue
            if any(name.startswith(f"{entry}.") for entry in allowed):
                continue
            wrong.append(f"{module} imports {name}")
    assert wrong == []


FROM_RECALL = {
    "recall": {"Item", "Query", "find", "index", "remove"},
    "recall.intent": {"read_intent"},
    "recall.keep": {"is_question"},
    "recall.tokens": {"general_terms", "terms", "time_terms", "unique"},
}
"""What rooms take from recall: functions on words, and those that work in the room's own transaction (decision 16)."""


def taken_from_recall(code: Sequence[ast.AST]) -> set[tuple[str, str]]:
    """(module, name) of all that a file takes from recall."""
    found = set()
    for node in code:
        match node:
            case ast.ImportFrom(module=str(module), names=aliases) if module.startswith("holdfast.recall"):
                found |= {(module.removeprefix("holdfast."), alias.name) for alias in aliases}
            case ast.Import(names=aliases):
                found |= {("recall", alias.name) for alias in aliases if alias.name.startswith("holdfast.recall")}
            case ast.Attribute(value=ast.Name(id="recall"), attr=name):
                found.add(("recall", name))
    return found


@pytest.mark.requirement("HSE-4")
def test_rooms_take_from_recall_only_what_is_listed() -> None:
    taken = {
        (module, *each)
        for module, path in modules()
        if module.startswith("rooms.")
        for each in taken_from_recall(nodes(path))
    }
    assert {each for each in taken if each[2] not in FROM_RECALL.get(each[1], set())} == set()
    assert {(module, name) for _, module, name in taken} == {
        (module, name) for module, names in FROM_RECALL.items() for name in names
    }, "a name that no room takes"


CONTRACT = {"room", "declaring", "gather", "building"}
"""What all rooms are declared, checked, listed and built by."""


def test_rooms_never_import_each_other() -> None:
    wrong = []
    for module, path in modules():
        if module.startswith("rooms."):
            room = module.split(".")[1]
            allowed = CONTRACT if room in CONTRACT else {room, "room"}
            wrong += [
                f"{module} imports {name}"
                for name in imports(path)
                if name.startswith("rooms.") and name.split(".")[1] not in allowed
            ]
    assert wrong == []


def test_only_the_program_names_a_room() -> None:
    """Doors, daemon, upkeep, configuration, installation and documentation gather from `ROOMS` (HSE-1)."""
    rooms = {path.name for path in (SOURCE / "rooms").iterdir() if (path / "__init__.py").is_file()}
    wrong = [
        f"{module} imports {name}"
        for module, path in modules()
        if not module.startswith("rooms.") and module != "program"
        for name in imports(path)
        if name.startswith("rooms.") and name.split(".")[1] in rooms
    ]
    assert wrong == []


def test_no_door_needs_the_daemon() -> None:
    """The daemon opens the doors; a door that imported it would close a circle."""
    wrong = [
        f"{module} imports {name}"
        for module, path in modules()
        if module.startswith("doors.")
        for name in imports(path)
        if name.split(".")[0] == "daemon"
    ]
    assert wrong == []


CLOCKS = {"now_us", "time.time", "time.time_ns", "time.localtime", "time.ctime", "time.strftime"}
CLOCKS |= {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.gmtime"}
"""All that tells the present moment. Measuring how long something takes (`time.monotonic`) needs no common clock, and
`ids.new_id` makes a name."""


def clocks_of(path: Path) -> set[str]:
    """The clocks that a file asks or hands on."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names if alias.name in CLOCKS}
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute):
            before = getattr(node.value, "attr", getattr(node.value, "id", ""))
            found.add(f"{before}.{node.attr}")
    return found & CLOCKS


@pytest.mark.requirement("HSE-5")
def test_rooms_items_and_upkeep_read_no_clock_of_their_own() -> None:
    """The clock is handed in, so that a test can pass days."""
    parts = ("rooms", "items", "upkeep", "composition")
    found = {
        module: clocks for module, path in modules() if module.split(".")[0] in parts and (clocks := clocks_of(path))
    }
    assert found == {}


MEANT_TWICE = {
    "Settings": "each room's section of config.toml",
    "Inner": "a command inside another: as the shell reads it, and as the judge follows it",
    "Item": "any room's item; `recall.Item` is what the index holds of one, and is always written so",
    "Part": "a contribution to an answer; a piece of a shell script, which stays inside its module",
    "Reader": "reads the store; the readers of command lines stay inside their packages",
}
"""Public types that share a name with another one, and what each means."""


def types_of(code: Sequence[ast.stmt]) -> list[str]:
    """The public types that a file makes: classes, and names of types (`Kind = Literal[…]`, `Spot: TypeAlias = …`)."""
    names = []
    for node in code:
        match node:
            case ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
    return [name for name in names if name[0].isupper() and not name.isupper()]


@pytest.mark.requirement("HSE-6")
@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("class Line: ...", ["Line"]),
        ("Kind = Literal['a', 'b']", ["Kind"]),
        ("Place = tuple[int, int]", ["Place"]),
        ("ItemId = NewType('ItemId', str)", ["ItemId"]),
        ("Spot: TypeAlias = dict[str, Any]", ["Spot"]),
        ("Look = Fresh | Changed", ["Look"]),
        ("T = TypeVar('T')\nMOST = 3\n_MOST: int = 4\n_Row = dict[str, Any]\nclass _Seen: ...\nname = 'x'", []),
        ("def f():\n    Inside = 1", []),
    ],
)
def test_what_counts_as_a_type(source: str, named: list[str]) -> None:
    assert types_of(ast.parse(source).body) == named


@pytest.mark.requirement("HSE-6")
def test_one_word_names_one_class() -> None:
    """Two public types with one name are read as the same thing."""
    found: dict[str, list[str]] = {}
    for module, path in modules():
        for name in types_of(tree(path).body):
            found.setdefault(name, []).append(module)
    twice = {name: where for name, where in found.items() if len(where) > 1}
    wrong = {name: where for name, where in twice.items() if name not in MEANT_TWICE}
    assert wrong == {}, "call one of them otherwise, or say in MEANT_TWICE why both are the same thing"
    assert set(MEANT_TWICE) == set(twice), "an exception that is no longer needed"


def test_no_file_is_too_long() -> None:
    lengths = sorted(len(path.read_text("utf-8").splitlines()) for _, path in modules())
    assert lengths[-1] <= 600
    assert lengths[int(len(lengths) * 0.9)] <= 300


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From `def` to the last line."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def test_no_function_is_longer_than_a_screen() -> None:
    """Sixty lines, without exceptions."""
    benches = [(file.stem, file) for file in (SOURCE.parents[1] / "bench").rglob("*.py")]
    long = [
        f"{module}.{node.name}: {lines_of(node)}"
        for module, path in [*modules(), *benches]
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) > 60
    ]
    assert len(benches) > 50
    assert long == []


def test_what_counts_as_a_line_of_a_function() -> None:
    source = "@decorated\ndef outer():\n    async def inner():\n        pass\n\n    return inner\n"
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert {node.name: lines_of(node) for node in found} == {"outer": 5, "inner": 2}


@pytest.mark.requirement("HSE-1")
def test_no_folder_of_a_room_has_more_than_sixteen_modules() -> None:
    """A reader finds a module by its folder: more of them get sub-packages, named by what they do."""
    folders = Counter(path.parent for module, path in modules() if module.startswith("rooms."))
    assert [str(folder) for folder, count in folders.items() if count > 16] == []


def test_rules_are_pure() -> None:
    """No clock, no files, no sockets, no settings in a room's rules."""
    impure = {"time", "os", "pathlib", "socket", "subprocess", "random", "asyncio", "logging"}
    for module, path in modules():
        if module.startswith("rooms.") and module.endswith(".rules"):
            names = {
                name.split(".")[0]
                for node in nodes(path)
                if isinstance(node, ast.Import | ast.ImportFrom)
                for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
            }
            assert not names & impure, module
            assert ".now(" not in path.read_text("utf-8"), module


def test_whatever_is_imported_is_declared() -> None:
    """A package that is only in a developer's environment is missing on everyone else's machine."""
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[^\w.-]", line)[0].lower().replace("-", "_") for group in groups for line in group}
    imported = {
        name.split(".")[0]
        for _, path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        if not (isinstance(node, ast.ImportFrom) and node.level)
    }
    package_of = {"yaml": "pyyaml", "Stemmer": "pystemmer", "re2": "google_re2", "mcp_types": "mcp"}
    foreign = imported - sys.stdlib_module_names - {"holdfast"}
    assert {name for name in foreign if package_of.get(name, name) not in names} == set()
