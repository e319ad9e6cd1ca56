"""Lists what rooms declare. Two rooms that declare the same name are an error with a sentence, and nothing starts.

Doors, daemon, upkeep, configuration and documentation ask here; none of them names a room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from msgspec import Meta, Struct

from holdfast.events.event import EVENTS
from holdfast.events.method import Method
from holdfast.events.tool import Tool
from holdfast.rooms import declaring
from holdfast.rooms.declaring import HOUSE, BadDeclaration, named
from holdfast.rooms.room import Check, Chosen, Import, Job, Pane, Room
from holdfast.sections import capped_by
from holdfast.store.catalog import Catalog, CatalogSource

HOUSE_IMPORTS = ("file", "claude")
"""`holdfast import` of an export, and of the transcripts of Claude Code: no room's."""
HOUSE_PANES = ("holdfast", "this turn")
"""The house's parts of the pane."""


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
            whose = f"by {named(by)} twice" if other == by else f"by {named(other)} and by {named(by)}"
            raise BadDeclaration(f"The {self._what} {name} is declared {whose}. Rename one of them.")
        self._by[name] = by
        return name


def gather(
    rooms: Iterable[Room],
    house_tools: Iterable[Tool[Any]] = (),
    house_verbs: Iterable[str] = (),
    house_jobs: Iterable[str] = (),
) -> Gathered:
    """Check and list the declarations of these rooms. What begins with `house_` belongs to no room."""
    listed = tuple(rooms)
    names, tools = _Taken("room"), _Taken("tool")
    for room in listed:
        declaring.check_fields(room)
        names.take(room.name, room.name)
        if not room.name.isidentifier() or not room.name.islower():
            raise BadDeclaration(f"The room {room.name!r} needs a name of small letters, digits and _.")
        if not room.duty.strip():
            raise BadDeclaration(f"The room {room.name} has no duty: say in one sentence what it does.")
    all_tools = [(HOUSE, tool) for tool in house_tools] + [(room.name, tool) for room in listed for tool in room.tools]
    for by, tool in all_tools:
        declaring.check_tool(by, tool)
        tools.take(tool.name, by)
    _check_verbs(listed, house_verbs)
    _check_imports_and_checks(listed)
    jobs, endpoints = _Taken("job", house_jobs), _Taken("endpoint")
    for room in listed:
        declaring.check_items(room)
        for job in declaring.check_jobs(room):
            jobs.take(job, room.name)
        for endpoint in declaring.check_endpoints(room):
            endpoints.take(endpoint, room.name)
    sections_of(listed)
    return Gathered(
        rooms=listed,
        tools={tool.name: tool for _, tool in all_tools},
        jobs={f"{room.name}.{job.name}": job for room in listed for job in room.jobs},
        imports=_by_name(
            "import", ((room.name, each.name, each) for room in listed for each in room.imports), HOUSE_IMPORTS
        ),
        checks=_by_name("check", ((room.name, each.name, each) for room in listed for each in room.checks)),
        methods=_methods(listed, all_tools),
        panes=_by_name("pane", ((room.name, room.pane.title, room.pane) for room in listed if room.pane), HOUSE_PANES),
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
            if groups.get(first) != room.name:
                taken.take(first, room.name)
                groups[first] = room.name


def _check_imports_and_checks(rooms: Iterable[Room]) -> None:
    for room in rooms:
        for check in room.checks:
            if not check.name.strip():
                raise BadDeclaration(
                    f"A check of the room {room.name} has no name: `holdfast doctor` lists it by that."
                )
        for each in room.imports:
            if not re.fullmatch(r"[a-z][a-z0-9-]*", each.name):
                raise BadDeclaration(
                    f"The import {each.name!r} of the room {room.name} needs a name of small letters, digits and -."
                )
            if not each.summary.strip():
                raise BadDeclaration(f"The import {each.name} of the room {room.name} has no `summary`.")
            if not each.example.startswith(f"import {each.name} "):
                raise BadDeclaration(
                    f"The import {each.name} of the room {room.name} needs an example that calls it with a path."
                )


def catalog_of(rooms: Iterable[Room]) -> Catalog:
    """Tables, queries and migrations of these rooms, for the store."""
    catalog = Catalog(*(CatalogSource(room.name, room.tables, room.sql) for room in rooms))
    catalog.check_made()
    return catalog


def _by_name(what: str, declared: Iterable[tuple[str, str, Any]], reserved: Iterable[str] = ()) -> dict[str, Any]:
    taken = _Taken(what, reserved)
    return {taken.take(name, by): each for by, name, each in declared}


def sections_of(rooms: Iterable[Room], reserved: Iterable[str] = ()) -> dict[str, type[Struct]]:
    """The sections of config.toml that rooms declare, by name. `reserved` names are the house's."""
    taken, types = _Taken("section", reserved), _Taken("Struct of settings")
    found: dict[str, type[Struct]] = {}
    for room in rooms:
        for name, section in _sections(room):
            declaring.check_settings(room.name, name, section)
            if section.__struct_fields__:  # `ground.chosen` knows a section by its type
                types.take(f"{section.__module__}.{section.__qualname__}", room.name)
            found[taken.take(name, room.name)] = section
    return found


def caps_of(sections: Iterable[type[Struct]], chosen: Chosen) -> dict[str, int]:
    """The most tokens of events, where a setting of these sections caps one (`sections.caps_event`)."""
    found: dict[str, int] = {}
    for section in sections:
        for name, hint in get_type_hints(section, include_extras=True).items():
            for meta in getattr(hint, "__metadata__", ()):
                if isinstance(meta, Meta) and (event := capped_by(meta.extra)):
                    most = int(getattr(chosen(section), name))
                    found[event] = min(most, found.get(event, most))
    return found


def days_of(rooms: Iterable[Room], chosen: Chosen) -> dict[str, dict[str, int]]:
    """The rooms' settings in days (`fleet.kept_days`), by room: tables may age by them (`store.table.Age`)."""
    return {
        room.name: {
            f"{name}.{key}": int(getattr(chosen(section), key))
            for name, section in _sections(room)
            for key in section.__struct_fields__
            if key.endswith("_days")
        }
        for room in rooms
    }


def _sections(room: Room) -> Iterator[tuple[str, type[Struct]]]:
    yield room.name, room.settings
    yield from room.more_settings
