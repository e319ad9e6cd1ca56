"""What rooms call by its name is there: the queries of their SQL files, and the jobs that they declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.program import CATALOG, ROOMS
from holdfast.rooms.room import Room

SOURCE = Path(holdfast.__file__).parent
READS = frozenset({"one", "all", "run", "many"})


def calls(folder: Path) -> Iterator[tuple[str, str, list[ast.expr]]]:
    """(where, method, arguments) of every call of a method in a folder."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield f"{file.relative_to(SOURCE)}:{node.lineno}", node.func.attr, node.args


def text(arguments: list[ast.expr], at: int) -> str:
    """An argument that is written out; '' for another one."""
    value = arguments[at] if len(arguments) > at else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


@pytest.mark.requirement("HSE-4")
@pytest.mark.parametrize("room", [room.name for room in ROOMS])
def test_a_query_that_a_room_names_is_written(room: str) -> None:
    known = CATALOG.queries("sqlite").keys() | CATALOG.queries("postgresql").keys()
    groups = {name.partition(".")[0] for name in known}
    wrong = [
        f"{where}: there is no query {name}; write it in {room}.sql"
        for where, method, arguments in calls(SOURCE / "rooms" / room)
        if method in READS and (name := text(arguments, 0)) and name.partition(".")[0] in groups
        if "." in name and name not in known
    ]
    assert wrong == []


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_job_that_a_room_asks_for_is_declared(room: Room) -> None:
    wrong = [
        f"{where}: the room {room.name} declares no job {name}"
        for where, method, arguments in calls(SOURCE / "rooms" / room.name)
        if method == "ask" and (name := text(arguments, 1)) and len(arguments) >= 4 and name not in room.jobs
    ]
    assert wrong == []
