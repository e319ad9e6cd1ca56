"""The rooms' verbs as the table that the command line reads: written by `make docs`, compared by a test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from holdfast.doors.tools import schema
from holdfast.events.tool import Tool, Verb
from holdfast.rooms.gather import Gathered

_KINDS = {"string": "text", "integer": "int", "number": "float", "boolean": "bool"}


def verbs_table(declared: Gathered) -> dict[str, Any]:
    """Commands by their first word, in the order of the rooms."""
    table: dict[str, Any] = {}
    for room in declared.rooms:
        for tool in room.tools:
            if tool.verb is None:
                continue
            first, _, below = tool.verb.words.partition(" ")
            section = tool.verb.group or room.name.capitalize()
            if not below:
                table[first] = _verb(tool, tool.verb) | {"section": section}
                continue
            group = {
                "section": section,
                "summary": room.commands or room.duty,
                "example": tool.verb.example,
                "verbs": {},
            }
            table.setdefault(first, group)["verbs"][below] = _verb(tool, tool.verb)
    return table


def verbs_text(declared: Gathered) -> str:
    """The file, as it stands beside the command line."""
    return json.dumps(verbs_table(declared), indent=1, ensure_ascii=False) + "\n"


def _verb(tool: Tool[Any], verb: Verb) -> dict[str, Any]:
    return {
        "tool": tool.name,
        "summary": tool.summary,
        "help": verb.help,
        "example": verb.example,
        "empty": verb.empty,
        "fixed": dict(verb.fixed),
        "fields": list(_fields(tool, verb)),
    }


def _fields(tool: Tool[Any], verb: Verb) -> Iterator[dict[str, Any]]:
    shape = schema(tool)
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
        if field in required and not named:
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
