"""The shape of the code, kept by tests: who may import whom, what stays light, how long a file may be."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

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
    "gitfiles",
}
"""Single files at the top that anyone may use (config: only those who read it)."""

MAY_IMPORT: dict[str, set[str]] = {
    "events": {"store.interface"},
    "store": set(),
    "scrub": set(),
    "shell": {"events"},
    "jobs": {"store.interface"},
    "road": {"events", "shell", "store.interface", "jobs", "scrub"},
    "recall": {"events", "store.interface"},
    "items": {"events", "store.interface", "store.table", "store.generated", "recall"},
    "config": {"program", "rooms.gather", "rooms.room", "upkeep.settings"},
    "composition": {
        "events",
        "store.interface",
        "store.record",
        "jobs",
        "road",
        "scrub",
        "items",
        "rooms.gather",
        "rooms.room",
    },
    "rooms": {"events", "store.interface", "store.table", "store.shared", "store.catalog", "items", "recall", "shell"},
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
    "install": {"events", "store", "program"},
    "daemon": {
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
        "doors",
        "composition",
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
        "composition",
    },
    "alone": {"hook", "road.clean", "scrub", "revive"},
    "hook": {"alone"},
}
"""Downwards only: doors, daemon, install → program → rooms → recall → the store's interface and events."""

READS_SETTINGS = {"daemon", "doors", "install", "config", "composition"}


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


def imports(path: Path) -> set[str]:
    """The modules of holdfast that a file imports, wherever in it, without the leading name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("holdfast")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("holdfast"):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if _is_module(name) else str(node.module) for name in names}
    return {name.removeprefix("holdfast").removeprefix(".") for name in found}


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


def test_rooms_never_import_each_other() -> None:
    wrong = []
    for module, path in modules():
        if module.startswith("rooms."):
            room = module.split(".")[1]
            wrong += [
                f"{module} imports {name}"
                for name in imports(path)
                if name.startswith("rooms.") and name.split(".")[1] not in (room, "room")
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


OWN_CLOCK = {"rooms.memory.summaries.refresh"}
"""To be empty, too."""


def test_rooms_and_items_ask_the_ground_for_the_time() -> None:
    """The clock is handed in (HSE-5)."""
    wrong = {
        module
        for module, path in modules()
        if module.split(".")[0] in ("rooms", "items") and "now_us()" in path.read_text("utf-8")
    }
    assert wrong - OWN_CLOCK == set()


def test_no_file_is_too_long() -> None:
    lengths = sorted(len(path.read_text("utf-8").splitlines()) for _, path in modules())
    assert lengths[-1] <= 600
    assert lengths[int(len(lengths) * 0.9)] <= 300


def test_rules_are_pure() -> None:
    """No clock, no files, no sockets, no settings in a room's rules."""
    impure = {"time", "os", "pathlib", "socket", "subprocess", "random", "asyncio", "logging"}
    for module, path in modules():
        if module.startswith("rooms.") and module.endswith(".rules"):
            names = {
                name.split(".")[0]
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
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
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        if not (isinstance(node, ast.ImportFrom) and node.level)
    }
    package_of = {"Stemmer": "pystemmer", "re2": "google_re2", "mcp_types": "mcp"}
    foreign = imported - sys.stdlib_module_names - {"holdfast"}
    assert {name for name in foreign if package_of.get(name, name) not in names} == set()
