"""What rooms declare, as the file that the command line reads instead of loading rooms.

`make docs` writes it to `cli/rooms.json`, and a test compares both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from holdfast.config import sections
from holdfast.doors.tools import schema
from holdfast.events.steps import Program, used_events
from holdfast.events.tool import Tool, Verb
from holdfast.rooms.gather import Gathered
from holdfast.rooms.room import Import, Room
from holdfast.sections import described
from holdfast.store.catalog import PACKAGE

_KINDS = {"string": "text", "integer": "int", "number": "float", "boolean": "bool"}


def rooms_table(declared: Gathered, program: Program) -> dict[str, Any]:
    """All that the command line must know of the rooms and of the program."""
    tables = [(room.name, table) for room in declared.rooms for table in room.tables]
    on_request: dict[str, list[str]] = {}
    for room, table in tables:
        if table.on_request and table.on_request not in on_request.setdefault(room, []):
            on_request[room].append(table.on_request)
    items = [table for _, table in tables if table.family]
    return {
        "rooms": [room.name for room in declared.rooms],
        "events": list(used_events(program)),
        "settings": {name: described(section) for name, section in sections(declared.rooms).items()},
        "sql": [_folder(room.sql) for room in declared.rooms if room.sql],
        "verbs": _verbs(declared),
        "imports": {name: _import(each) for name, each in declared.imports.items()},
        "kinds": list(declared.kinds),
        "away": {room.name: room.away for room in declared.rooms if room.away},
        "items": [table.name for table in items],
        "lasting": [table.name for table in items if table.lasts],
        "exported": [table.name for _, table in tables if table.exported and not table.on_request],
        "on_request": {room: " and ".join(words) for room, words in on_request.items()},
        "called": {
            name: list(called)
            for _, table in tables
            if (called := table.called or _one_and_several(table.counted))
            for name in (table.name, table.counted)
            if name
        }
        | {
            f"{table.counted}_mended": [f"{words} without it" for words in (table.called or ())]
            for _, table in tables
            if table.found == "mend" and table.counted
        },
    }


def _one_and_several(counted: str) -> tuple[str, str] | None:
    """What one row and several are called where a table says only under which plural they are counted."""
    if not counted:
        return None
    words = counted.replace("_", " ")
    one = f"{words[:-3]}y" if words.endswith("ies") else words.removesuffix("s")
    return one, words


def _folder(path: Path) -> str:
    """Within the package where it can be: the file is the same on every machine."""
    return str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else str(path)


def _import(declared: Import) -> dict[str, str]:
    names = ("summary", "help", "example", "takes", "counts", "said")
    return {name: getattr(declared, name) for name in names}


def _verbs(declared: Gathered) -> dict[str, Any]:
    """Commands by their first word, in the order of the rooms."""
    table: dict[str, Any] = {}
    for room in declared.rooms:
        for tool in room.tools:
            if tool.verb is None:
                continue
            first, _, below = tool.verb.words.partition(" ")
            section = tool.verb.group or room.name.capitalize()
            if not below:
                table[first] = table.get(first, {}) | _verb(tool, tool.verb, declared.kinds) | {"section": section}
                continue
            group = {"section": section, "summary": _about(room, first), "example": tool.verb.example}
            verbs = table.setdefault(first, group).setdefault("verbs", {})
            verbs[below] = _verb(tool, tool.verb, declared.kinds)
    return table


def _about(room: Room, first: str) -> str:
    """The sentence about a group of commands that begin with a word."""
    told = room.commands if isinstance(room.commands, str) else room.commands.get(first)
    return told or room.duty


def rooms_text(declared: Gathered, program: Program) -> str:
    """The file, as it stands beside the command line."""
    return json.dumps(rooms_table(declared, program), indent=1, ensure_ascii=False) + "\n"


def _verb(tool: Tool[Any], verb: Verb, kinds: Sequence[str]) -> dict[str, Any]:
    return {
        "tool": tool.name,
        "summary": tool.summary,
        "help": verb.help,
        "example": verb.example,
        "empty": verb.empty,
        "fixed": dict(verb.fixed),
        **({"steps": True} if verb.steps else {}),
        "fields": list(_fields(tool, verb, kinds)),
        **({"every_seconds": verb.every_seconds} if verb.every_seconds else {}),
        **({"at_terminal": {name: list(each) for name, each in verb.at_terminal.items()}} if verb.at_terminal else {}),
    }


def _fields(tool: Tool[Any], verb: Verb, kinds: Sequence[str]) -> Iterator[dict[str, Any]]:
    shape = schema(tool, kinds)
    required = set(shape.get("required", ()))
    named = False
    for field, about in shape.get("properties", {}).items():
        if field in verb.fixed:
            continue
        plain = _plain(about)
        many = plain.get("type") == "array"
        inner = _plain(plain.get("items", {})) if many else plain
        one: dict[str, Any] = {"field": field, "type": _KINDS.get(str(inner.get("type")), "text")}
        one |= {"help": _description(about, plain, inner), "required": field in required}
        one |= {
            name: inner[key]
            for name, key in (("min", "minimum"), ("max", "maximum"), ("choices", "enum"))
            if key in inner
        }
        if about.get("default") not in (None, "", [], False):
            one["default"] = about["default"]
        if field in verb.places or (field in required and not named and not verb.places):
            named = True
            one |= {"kind": "argument", "many": many or verb.joined} | ({"joined": True} if verb.joined else {})
        else:
            name = verb.options.get(field, "--" + field.replace("_", "-"))
            one |= {"kind": "option", "name": name, "many": many}
        yield one


def _description(*about: dict[str, Any]) -> str:
    return next((str(each["description"]) for each in about if "description" in each), "")


def _plain(about: dict[str, Any]) -> dict[str, Any]:
    """Of a value that may be absent, what it is when it is there."""
    options: Iterable[dict[str, Any]] = about.get("anyOf", ())
    return next((each for each in options if each.get("type") != "null"), about)
