"""Lists what rooms declare. Two rooms that declare the same name are an error with a sentence, and nothing starts.

Doors, daemon, upkeep, configuration and documentation ask here; none of them names a room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from msgspec import Meta, Struct

from holdfast.errors import HoldfastError
from holdfast.events.entry import capped_by
from holdfast.events.event import EVENTS
from holdfast.events.method import Method
from holdfast.events.tool import Tool
from holdfast.rooms.room import Check, Chosen, Import, Job, Pane, Room
from holdfast.store.catalog import Catalog, Source

HOUSE = "the house"
"""How sentences name the code that belongs to no room: searching, upkeep, recovery."""


HOUSE_IMPORTS = ("file", "claude")
"""`holdfast import` of an export, and of the transcripts of Claude Code: no room's."""


class BadDeclaration(HoldfastError):
    """A room's declaration is incomplete, or two rooms declare the same name."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that rooms declare, by name."""

    rooms: tuple[Room, ...]
    tools: Mapping[str, Tool[Any]]
    jobs: Mapping[str, Job]
    """By full name: `memory.summarise`."""
    imports: Mapping[str, Import]
    checks: Mapping[str, Check]
    methods: Mapping[str, Method[Any]]
    """RPC methods of the rooms' own."""
    panes: Mapping[str, Pane]
    """By title."""
    kinds: tuple[str, ...]
    """The kinds of every room's items: what a search may name."""


class _Taken:
    """Names of one kind, each with the room that declared it."""

    def __init__(self, what: str, reserved: Iterable[str] = ()) -> None:
        self._what = what
        self._by = dict.fromkeys(reserved, HOUSE)

    def take(self, name: str, by: str) -> str:
        """Take a name, or raise an error that names its owner."""
        if name in self._by:
            other = self._by[name]
            whose = f"by the room {by} twice" if other == by else f"by {_named(other)} and by {_named(by)}"
            raise BadDeclaration(f"The {self._what} {name} is declared {whose}. Rename one of them.")
        self._by[name] = by
        return name


def _named(who: str) -> str:
    return who if who == HOUSE else f"the room {who}"


def gather(rooms: Iterable[Room], house_tools: Iterable[Tool[Any]] = (), house_verbs: Iterable[str] = ()) -> Gathered:
    """Check and list the declarations of these rooms. `house_tools` and `house_verbs` belong to no room."""
    listed = tuple(rooms)
    names, tools = _Taken("room"), _Taken("tool")
    for room in listed:
        names.take(room.name, room.name)
        if not room.name.isidentifier() or not room.name.islower():
            raise BadDeclaration(f"The room {room.name!r} needs a name of small letters, digits and _.")
        if not room.duty.strip():
            raise BadDeclaration(f"The room {room.name} has no duty: say in one sentence what it does.")
    all_tools = [(HOUSE, tool) for tool in house_tools] + [(room.name, tool) for room in listed for tool in room.tools]
    for by, tool in all_tools:
        tools.take(tool.name, by)
        if not tool.summary.strip():
            raise BadDeclaration(f"The tool {tool.name} of {_named(by)} has no description: give its `summary`.")
    _check_verbs(listed, house_verbs)
    _check_imports(listed)
    _check_items(listed)
    return Gathered(
        rooms=listed,
        tools={tool.name: tool for _, tool in all_tools},
        jobs={f"{room.name}.{name}": job for room in listed for name, job in room.jobs.items()},
        imports=_by_name(
            "import", ((room.name, each.name, each) for room in listed for each in room.imports), HOUSE_IMPORTS
        ),
        checks=_by_name("check", ((room.name, each.name, each) for room in listed for each in room.checks)),
        methods=_methods(listed, all_tools),
        panes=_by_name("pane", ((room.name, room.pane.title, room.pane) for room in listed if room.pane)),
        kinds=tuple(kind for room in listed for family in room.families for kind in family.all_kinds),
    )


def _methods(rooms: Iterable[Room], tools: Iterable[tuple[str, Tool[Any]]]) -> dict[str, Method[Any]]:
    """The rooms' RPC methods. A name has a namespace, so that no tool is hidden by one."""
    found = _by_name("method", ((room.name, each.name, each) for room in rooms for each in room.methods))
    names = {tool.name for _, tool in tools}
    for name, method in found.items():
        if "." not in name or name in names or name.startswith("rpc."):
            raise BadDeclaration(f"The method {name} needs a namespace of its own, as in `hooks.stop`.")
        if method.event and method.event not in EVENTS:
            raise BadDeclaration(f"The method {name} is the event {method.event}, which the client does not have.")
    return found


def _check_verbs(rooms: Iterable[Room], house_verbs: Iterable[str]) -> None:
    """A command is taken once. A first word belongs to one room; it may be a command of its own, too."""
    taken, below = _Taken("verb", house_verbs), _Taken("verb")
    groups: dict[str, str] = {}
    for room in rooms:
        for verb in (tool.verb for tool in room.tools if tool.verb):
            first = verb.words.partition(" ")[0]
            below.take(verb.words, room.name)
            if not verb.example.startswith(verb.words):
                raise BadDeclaration(f"The verb {verb.words} of the room {room.name} needs an example that calls it.")
            if groups.get(first) != room.name:
                taken.take(first, room.name)
                groups[first] = room.name


def _check_imports(rooms: Iterable[Room]) -> None:
    for room in rooms:
        for each in room.imports:
            if not each.summary.strip():
                raise BadDeclaration(f"The import {each.name} of the room {room.name} has no `summary`.")
            if not each.example.startswith(f"import {each.name} "):
                raise BadDeclaration(
                    f"The import {each.name} of the room {room.name} needs an example that calls it with a path."
                )


def _check_items(rooms: Iterable[Room]) -> None:
    """Families, tables and index of a room fit each other. (That no two rooms share a family, a kind or an id
    letter is checked by `items.catalogue`.)"""
    for room in rooms:
        declared = {family.name for family in room.families}
        named = {table.family for table in room.tables if table.family}
        if bool(declared) != (room.index is not None):
            raise BadDeclaration(f"The room {room.name} needs both `families` and `index`, or neither.")
        if strange := named - declared:
            raise BadDeclaration(
                f"A table of the room {room.name} holds items of the family {min(strange)}. Add it to `families`."
            )


def catalog_of(rooms: Iterable[Room]) -> Catalog:
    """Tables, queries and migrations of these rooms, for the store."""
    return Catalog(*(Source(room.name, room.tables, room.sql) for room in rooms))


def _by_name(what: str, declared: Iterable[tuple[str, str, Any]], reserved: Iterable[str] = ()) -> dict[str, Any]:
    taken = _Taken(what, reserved)
    return {taken.take(name, by): each for by, name, each in declared}


def sections_of(rooms: Iterable[Room], reserved: Iterable[str] = ()) -> dict[str, type[Struct]]:
    """The sections of config.toml that rooms declare, by name. `reserved` names are the house's."""
    taken = _Taken("section", reserved)
    found: dict[str, type[Struct]] = {}
    for room in rooms:
        for name, section in _sections(room):
            found[taken.take(name, room.name)] = section
    return found


def caps_of(rooms: Iterable[Room], chosen: Chosen) -> dict[str, int]:
    """The most tokens of events, where a setting of a room caps one (`events.entry.caps_event`)."""
    found: dict[str, int] = {}
    for section in sections_of(rooms).values():
        for name, hint in get_type_hints(section, include_extras=True).items():
            for meta in getattr(hint, "__metadata__", ()):
                if isinstance(meta, Meta) and (event := capped_by(meta.extra)):
                    found[event] = int(getattr(chosen(section), name))
    return found


def _sections(room: Room) -> Iterator[tuple[str, type[Struct]]]:
    yield room.name, room.settings
    yield from room.more_settings.items()
