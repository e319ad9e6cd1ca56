"""What rooms call by its name is there: the queries of their SQL files, and the jobs that they declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.program import CATALOG, ROOMS
from holdfast.rooms.room import HOUSE_SERVICES, Room

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
    declared = {job.name for job in room.jobs}
    wrong = [
        f"{where}: the room {room.name} declares no job {name}"
        for where, method, arguments in calls(SOURCE / "rooms" / room.name)
        if method == "ask" and (name := text(arguments, 1)) and len(arguments) >= 4 and name not in declared
    ]
    assert wrong == []


def services_asked_for(source: str) -> set[tuple[str, str]]:
    """(where the type is from, its name) of every `services.get(…)` of a module; '' is the module itself."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=on, attr="get"), args=[kind]) if ast.unparse(on).endswith(
                "services"
            ):
                first, *rest = ast.unparse(kind).split(".")
                found.add(
                    (".".join([imported.get(first, ""), *([first] if rest else [])]), rest[-1] if rest else first)
                )
    return found


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("room", [room.name for room in ROOMS])
def test_a_room_asks_for_its_own_services_and_those_of_the_house(room: str) -> None:
    house = {(kind.__module__, kind.__name__) for kind in HOUSE_SERVICES}
    wrong = [
        f"{file.relative_to(SOURCE)} asks for {module}.{name}"
        for file in sorted((SOURCE / "rooms" / room).rglob("*.py"))
        for module, name in services_asked_for(file.read_text("utf-8"))
        if module and not module.startswith(f"holdfast.rooms.{room}") and (module, name) not in house
    ]
    assert wrong == []


@pytest.mark.requirement("HSE-1")
def test_every_service_of_the_house_is_asked_for() -> None:
    asked = {
        name for file in (SOURCE / "rooms").rglob("*.py") for _, name in services_asked_for(file.read_text("utf-8"))
    }
    assert {kind.__name__ for kind in HOUSE_SERVICES} <= asked


def test_the_search_for_services_finds_each_way_to_ask() -> None:
    asked = (
        "from holdfast.a.b import C\nfrom holdfast.a import d\nf(scene.services.get(C), services.get(d.E), x.get(C))"
    )
    assert services_asked_for(asked) == {("holdfast.a.b", "C"), ("holdfast.a.d", "E")}
