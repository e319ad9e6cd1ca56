"""What rooms declare is gathered; a declaration that is incomplete or taken refuses to start, with a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from holdfast import config
from holdfast.doors.cli.table import VERBS
from holdfast.errors import HoldfastError
from holdfast.events.entry import caps_event, with_caps
from holdfast.events.tool import Tool, Verb
from holdfast.items.indexed import Family
from holdfast.program import PROGRAM, ROOMS
from holdfast.rooms.gather import caps_of, catalog_of, gather, sections_of
from holdfast.rooms.room import Check, Import, Pane, Room
from holdfast.store.table import Table


class Nothing(Struct):
    """No settings, no arguments."""


async def answer(*_: Any) -> Any:
    return None


def room(name: str = "notes", **changes: Any) -> Room:
    return replace(Room(name, "Keeps notes.", Nothing, lambda ground: ()), **changes)


def tool(name: str = "note", words: str = "", summary: str = "Keep a note.") -> Tool[Any]:
    return Tool(name, summary, Nothing, answer, verb=Verb(words, words) if words else None)


def imported(name: str, **changes: Any) -> Import:
    return replace(Import(name, "Take over notes.", f"import {name} FILE", Nothing, answer), **changes)


FAMILY = Family("note", "n")
TABLE = Table("note", ("id",), owner=None, plain={}, kept_back="a test")


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("rooms", "said"),
    [
        ((room(), room()), "The room notes is declared by the room notes twice"),
        ((room("my notes"),), "The room 'my notes' needs a name of small letters"),
        ((room(duty=" "),), "The room notes has no duty"),
        ((room(tools=(tool(summary=""),)),), "The tool note of the room notes has no description"),
        ((room(tools=(tool(), tool())),), "The tool note is declared by the room notes twice"),
        (
            (room(tools=(tool(),)), room("more", tools=(tool(),))),
            "The tool note is declared by the room notes and by the room more",
        ),
        ((room(tools=(tool(words="status"),)),), "The verb status is declared by the house and by the room notes"),
        (
            (room(tools=(tool(words="jot"),)), room("more", tools=(tool("other", "jot"),))),
            "The verb jot is declared by the room notes and by the room more",
        ),
        (
            (room(tools=(tool(words="jot"), tool("two", "jot"))),),
            "The verb jot is declared by the room notes twice",
        ),
        (
            (room(tools=(tool(words="jot down"),)), room("more", tools=(tool("other", "jot up"),))),
            "The verb jot is declared by the room notes and by the room more",
        ),
        (
            (room(tools=(Tool("note", "Keep.", Nothing, answer, verb=Verb("jot", "note it")),)),),
            "The verb jot of the room notes needs an example that calls it",
        ),
        (
            (room(imports=(imported("x"),)), room("more", imports=(imported("x"),))),
            "The import x is declared by the room notes and by the room more",
        ),
        ((room(imports=(imported("claude"),)),), "The import claude is declared by the house and by the room notes"),
        ((room(imports=(imported("x", summary=""),)),), "The import x of the room notes has no `summary`"),
        ((room(imports=(imported("x", example="import x"),)),), "needs an example that calls it with a path"),
        (
            (room(pane=Pane("Notes", answer)), room("more", pane=Pane("Notes", answer))),
            "The pane Notes is declared by the room notes and by the room more",
        ),
        ((room(families=(FAMILY,)),), "The room notes needs both `families` and `index`"),
        ((room(index=answer),), "The room notes needs both `families` and `index`"),
        (
            (room(families=(FAMILY,), index=answer, tables=(replace(TABLE, family="letter"),)),),
            "A table of the room notes holds items of the family letter. Add it to `families`.",
        ),
        ((room(checks=(Check("c", answer), Check("c", answer))),), "The check c is declared by the room notes twice"),
    ],
)
def test_what_is_wrong_is_named(rooms: tuple[Room, ...], said: str) -> None:
    with pytest.raises(HoldfastError) as caught:
        gather(rooms, house_verbs=VERBS)
    assert said in str(caught.value)


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("rooms", "said"),
    [
        ((room("store"),), "The section store is declared by the house and by the room store"),
        (
            (room(), room("more", more_settings={"notes": Nothing})),
            "The section notes is declared by the room notes and by the room more",
        ),
    ],
)
def test_a_section_is_declared_once(rooms: tuple[Room, ...], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        config.sections(rooms)


@pytest.mark.requirement("HSE-1")
def test_a_table_is_declared_once() -> None:
    with pytest.raises(HoldfastError, match="note"):
        catalog_of((*ROOMS, room(tables=(TABLE,)), room("more", tables=(TABLE,))))


@pytest.mark.requirement("HSE-1")
def test_a_room_brings_its_section_its_tools_and_its_jobs() -> None:
    declared = gather(ROOMS, house_verbs=VERBS)
    assert {room.name for room in declared.rooms} <= set(sections_of(ROOMS))
    assert {tool.name for room in ROOMS for tool in room.tools} <= set(declared.tools)
    assert {f"{room.name}.{name}" for room in ROOMS for name in room.jobs} == set(declared.jobs)


@pytest.mark.requirement("CTX-5")
def test_a_setting_may_cap_what_an_event_adds() -> None:
    class Prompting(Struct, frozen=True):
        budget: Annotated[int, Meta(extra=caps_event("UserPromptSubmit"))] = 300
        other: int = 5

    chosen: dict[str, int] = caps_of([room(settings=Prompting)], lambda section: section())
    assert chosen == {"UserPromptSubmit": 300}
    capped = with_caps(PROGRAM, chosen)
    assert capped["UserPromptSubmit"].tokens == 300
    assert capped["UserPromptSubmit"].steps == PROGRAM["UserPromptSubmit"].steps
    assert capped["SessionStart"] == PROGRAM["SessionStart"]
    assert with_caps(PROGRAM, {"UserPromptSubmit": 9_000}) == PROGRAM, "never more than the program lists"
    assert caps_of(ROOMS, lambda section: section()) == {"UserPromptSubmit": 2_000}
