"""Whatever is declared twice refuses to start, and `make docs` with it: one line for each kind of name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from holdfast.daemon.compose import Parts
from holdfast.daemon.rehearsal import rehearse
from holdfast.errors import HoldfastError
from holdfast.events.endpoint import Endpoint
from holdfast.events.tool import Tool, Verb
from holdfast.paths import Home
from holdfast.program import PROGRAM, ROOMS
from holdfast.rooms.room import Check, Job, Pane, Room
from tests.rooms import bells, notebook
from tests.rooms.daemon import numbered
from tests.rooms.notebook.model import NOTE
from tests.rooms.notebook.settings import Settings


class Chimes(Struct):
    """No settings."""


RING = bells.ROOM.tools[0]
TABLES = {table.name: table for room in ROOMS for table in room.tables}


def bell(**changes: Any) -> Room:
    """The bells with another declaration of their own."""
    return replace(bells.ROOM, **changes)


def other(**changes: Any) -> Room:
    """A second room, with nothing but this."""
    return replace(Room("gongs", "Rings gongs.", Settings, lambda ground: ()), **changes)


def notes(letter: str, family: str = "note") -> Room:
    """The notebook, whose items have another letter or name."""
    room = numbered(notebook.ROOM)
    tables = tuple(replace(table, family=family) for table in room.tables)
    return replace(room, tables=tables, families=(replace(NOTE, letter=letter, name=family, kinds=()),))


TWICE: dict[str, Callable[[], tuple[tuple[Room, ...], str]]] = {
    "room": lambda: ((bell(), bell()), "The room bells is declared by the room bells twice."),
    "tool": lambda: (
        (bell(), other(tools=(RING,))),
        "The tool ring is declared by the room bells and by the room gongs",
    ),
    "tool of the house": lambda: (
        (bell(tools=(Tool("search", "Ring.", bells.Ring, bells.ring),)),),
        "The tool search is declared by the house and by the room bells",
    ),
    "verb": lambda: (
        (bell(), other(tools=(Tool("gong", "Ring.", bells.Ring, bells.ring, verb=Verb("ring", "ring big")),))),
        "The verb ring is declared by the room bells and by the room gongs",
    ),
    "verb of the house": lambda: (
        (bell(tools=(replace(RING, verb=Verb("status", "status")),)),),
        "The verb status is declared by the house and by the room bells",
    ),
    "table": lambda: ((bell(tables=(TABLES["citation"],)),), "citation"),
    "section": lambda: (
        (bell(more_settings=(("memory", Chimes),)),),
        "The section memory is declared by the room memory and by the room bells",
    ),
    "section, in one room": lambda: (
        (bell(more_settings=(("chimes", Settings), ("chimes", Chimes))),),
        "The section chimes is declared by the room bells twice",
    ),
    "section of the house": lambda: (
        (bell(more_settings=(("store", Settings),)),),
        "The section store is declared by the house and by the room bells",
    ),
    "job": lambda: (
        (bell(jobs=(Job("oil", bells.oil), Job("oil", bells.polish, slow=True))),),
        "The job bells.oil is declared by the room bells twice",
    ),
    "id letter": lambda: ((notes("p"),), "have the same id letter, p"),
    "family": lambda: ((notes("n", "memory"),), "Two rooms have items of the family memory"),
    "import": lambda: (
        (bell(), other(imports=bells.ROOM.imports)),
        "The import tower is declared by the room bells and by the room gongs",
    ),
    "import of the house": lambda: (
        (bell(imports=(replace(bells.ROOM.imports[0], name="claude", example="import claude x"),)),),
        "The import claude is declared by the house and by the room bells",
    ),
    "check": lambda: (
        (bell(), other(checks=(Check("bells are clean", bells.is_clean),))),
        "The check bells are clean is declared by the room bells and by the room gongs",
    ),
    "endpoint": lambda: (
        (bell(), other(endpoints=bells.ROOM.endpoints)),
        "The endpoint GET /api/bells/{hour} is declared by the room bells and by the room gongs",
    ),
    "endpoint of the house": lambda: (
        (bell(endpoints=(Endpoint("/api/status", bells.hours, methods=("GET",)),)),),
        "The endpoint /api/status of the room bells is answered by the house",
    ),
    "RPC method": lambda: (
        (bell(), other(methods=bells.ROOM.methods)),
        "The method bells.prompt is declared by the room bells and by the room gongs",
    ),
    "pane title": lambda: (
        (bell(), other(pane=bells.ROOM.pane)),
        "The pane bell tower is declared by the room bells and by the room gongs",
    ),
    "pane title of the house": lambda: (
        (bell(pane=Pane("this turn", bells.at_a_glance)),),
        "The pane this turn is declared by the house and by the room bells",
    ),
    "service": lambda: (
        (bell(), other(build=bells.ROOM.build, more_settings=())),
        "A service of the type Bells is built by the room bells and by the room gongs",
    ),
}


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("kind", TWICE)
def test_what_is_declared_twice_is_refused_with_a_sentence(kind: str, tmp_path: Path) -> None:
    rooms, sentence = TWICE[kind]()
    with pytest.raises(HoldfastError) as caught:
        asyncio.run(rehearsed(tmp_path, *rooms))
    assert sentence in str(caught.value)


@pytest.mark.requirement("HSE-1")
def test_what_is_declared_once_is_not(tmp_path: Path) -> None:
    asyncio.run(rehearsed(tmp_path, bells.ROOM, numbered(notebook.ROOM)))


@pytest.mark.requirement("HSE-1")
@pytest.mark.requirement("HSE-4")
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "SELECT id FROM memory, note",
            "The query notebook.x of the room notebook names memory, a table of the room mem",
        ),
        ("SELECT id FROM job", "The query notebook.x of the room notebook names job, which is the house's own."),
        ("SELECT color FROM note", "The query notebook.x cannot run: no such column: color."),
        ("SELEKT id FROM note", 'The query notebook.x cannot run: near "SELEKT": syntax error.'),
        ("SELECT id FROM note WHERE owner = :owner AND project_id IN (SELECT id FROM project)", ""),
    ],
)
def test_sql_that_could_not_run_or_meets_another_rooms_is_refused(query: str, sentence: str, tmp_path: Path) -> None:
    room = numbered(notebook.ROOM)
    assert room.sql is not None
    with (room.sql / "notebook.sql").open("a") as file:
        file.write(f"\n-- name: x\n{query}\n")
    if not sentence:
        asyncio.run(rehearsed(tmp_path, room))
        return
    with pytest.raises(HoldfastError) as caught:
        asyncio.run(rehearsed(tmp_path, room))
    assert sentence in str(caught.value)


async def rehearsed(folder: Path, *rooms: Room) -> None:
    home = Home(folder / "h")
    home.prepare()
    await rehearse(home, Parts(rooms=(*ROOMS, *rooms), program=PROGRAM))
