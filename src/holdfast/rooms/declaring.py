"""Refuses declarations of rooms that are incomplete, each with a sentence that names the room.

`gather` asks here before it lists anything; `daemon.compose` asks for the program's lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import HoldfastError
from holdfast.events.event import EVENTS
from holdfast.events.steps import Program, Step
from holdfast.events.tool import Tool, Verb
from holdfast.rooms.room import Room
from holdfast.sections import kind_of

HOUSE = "the house"
"""How sentences name the code that belongs to no room: searching, upkeep, recovery."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORDS = re.compile(r"[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)?")
_WITH_TOOLS = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"})


class BadDeclaration(HoldfastError):
    """A room's declaration is incomplete, or two rooms declare the same name."""


def named(who: str) -> str:
    """A room, or the house, in a sentence."""
    return who if who == HOUSE else f"the room {who}"


# --- what each field of a room holds


def check_fields(room: Room) -> None:
    """Refuse a room with a field of another type than `Room` says: what gathers it would fail without a sentence."""
    if not isinstance(room, Room):
        raise BadDeclaration(f"ROOMS lists {room!r:.200}, which is no `Room`. List the `ROOM` of its folder.")
    for name, hint in _room_hints().items():
        if not _holds(getattr(room, name), hint):
            said = re.sub(r"\b(?:\w+\.)+", "", str(hint))
            raise BadDeclaration(
                f"`{name}` of the room {room.name} is {getattr(room, name)!r:.200}, where {said} belongs."
            )


@cache
def _room_hints() -> dict[str, Any]:
    return get_type_hints(Room)


def _holds(value: Any, hint: Any) -> bool:
    """Is it of this type? Of functions and protocols only what can be called is told apart."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return any(_holds(value, each) for each in inner)
    if kind is tuple and inner[-1] is Ellipsis:
        return isinstance(value, tuple | list) and all(_holds(each, inner[0]) for each in value)
    if kind is tuple:
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(_holds, value, inner))
    if kind is type:  # a section of settings: `check_settings` says more about it
        return True
    return isinstance(value, kind)


# --- tools and their verbs


def check_tool(by: str, tool: Tool[Any]) -> None:
    """Refuse a tool that no door could serve, or that nobody could call."""
    whose = f"The tool {tool.name} of {named(by)}"
    if not _NAME.fullmatch(tool.name):
        raise BadDeclaration(f"The tool {tool.name!r} of {named(by)} needs a name of small letters, digits and _.")
    if not tool.summary.strip():
        raise BadDeclaration(f"{whose} has no description: give its `summary`.")
    if not _is_struct(tool.arguments):
        raise BadDeclaration(f"{whose} needs a Struct for its `arguments`, not {tool.arguments!r}.")
    arguments: Any = tool.arguments
    for name, required, hint in _fields(arguments):
        if required and not _described(hint):
            raise BadDeclaration(
                f"{whose} does not say what its argument {name} is: "
                f'write `{name}: Annotated[…, Meta(description="…")]`.'
            )
    if tool.verb is not None:
        _check_verb(by, tool.verb, {name for name, _, _ in _fields(arguments)})


def _check_verb(by: str, verb: Verb, fields: set[str]) -> None:
    whose = f"The verb {verb.words} of {named(by)}"
    if not _WORDS.fullmatch(verb.words):
        raise BadDeclaration(f"The verb {verb.words!r} of {named(by)} needs one or two words of small letters.")
    if verb.example != verb.words and not verb.example.startswith(f"{verb.words} "):
        raise BadDeclaration(f"{whose} needs an example that calls it.")
    for what, names in (("places", verb.places), ("options", verb.options), ("fixed", verb.fixed)):
        for name in sorted(set(names) - fields):
            raise BadDeclaration(f"{whose} names {name} in its `{what}`, which is no argument of its tool.")


# --- settings


def check_settings(by: str, section: str, settings: Any) -> None:
    """Refuse a section of config.toml whose settings have no meaning, no default, or one that they would not take."""
    if not _is_struct(settings):
        raise BadDeclaration(
            f"The section {section} of {named(by)} needs a Struct with its settings, not {settings!r}."
        )
    for name, required, hint in _fields(settings):
        if _is_struct(hint):
            check_settings(by, f"{section}.{name}", hint)
            continue
        whose = f"The setting {section}.{name} of {named(by)}"
        if not _described(hint, inside=False):
            raise BadDeclaration(
                f'{whose} has no description: write `{name}: Annotated[…, Meta(description="…")] = …`.'
            )
        if required:
            raise BadDeclaration(f"{whose} has no default.")
        try:
            kind_of(hint)
        except TypeError as error:
            raise BadDeclaration(f"{whose} cannot be: {error}.") from error
    _check_defaults(by, section, settings)


@cache
def _check_defaults(by: str, section: str, settings: Any) -> None:
    """Each setting takes its own default: what nobody chose is never looked at again."""
    try:
        msgspec.convert(msgspec.to_builtins(settings()), settings)
    except (msgspec.ValidationError, TypeError) as error:
        why = str(error).replace("`$", f"`{section}")
        raise BadDeclaration(f"The section {section} of {named(by)} does not take its own defaults: {why}.") from error


# --- items


def check_items(room: Room) -> None:
    """Families, tables and index of a room fit each other. (That no two rooms share a family, a kind or an id
    letter is checked by `items.catalogue`.)"""
    declared = [family.name for family in room.families]
    held = {table.family for table in room.tables if table.family}
    if bool(declared) != (room.index is not None):
        raise BadDeclaration(f"The room {room.name} needs both `families` and `index`, or neither.")
    if strange := held - {*declared}:
        raise BadDeclaration(
            f"A table of the room {room.name} holds items of the family {min(strange)}. Add it to `families`."
        )
    if homeless := {*declared} - held:
        raise BadDeclaration(
            f"The family {min(homeless)} of the room {room.name} has no table: name it as `family` of one."
        )


# --- endpoints and jobs


def check_endpoints(room: Room) -> Iterator[str]:
    """What each endpoint of a room answers to: `GET /api/bells`."""
    for endpoint in room.endpoints:
        if not endpoint.path.startswith("/"):
            raise BadDeclaration(f"The endpoint {endpoint.path!r} of the room {room.name} does not begin with a /.")
        if not endpoint.methods:
            raise BadDeclaration(f"The endpoint {endpoint.path} of the room {room.name} has no `methods`.")
        yield from (f"{method.upper()} {endpoint.path}" for method in endpoint.methods)


def check_jobs(room: Room) -> Iterator[str]:
    """The full names of a room's jobs."""
    for job in room.jobs:
        if not _NAME.fullmatch(job.name):
            raise BadDeclaration(
                f"The job {job.name!r} of the room {room.name} needs a name of small letters, digits and _."
            )
        yield f"{room.name}.{job.name}"


# --- the program


def check_program(program: Program, rooms: Iterable[Room]) -> None:
    """Refuse a program with lines that could never run as they are written."""
    names = {room.name for room in rooms}
    for event in program.keys() - EVENTS.keys():
        raise BadDeclaration(f"The program has steps for {event}, which is no event of the client.")
    for event in EVENTS.keys() - program.keys():
        raise BadDeclaration(f"The program says nothing of {event}. An event without steps is `OnEvent()`.")
    for event, on_event in program.items():
        seen: set[str] = set()
        for step in on_event.steps:
            if not (isinstance(step, Step) and callable(step.run)):
                raise BadDeclaration(f"{step!r:.200} on {event} is no `Step` with a function to run.")
            whose = f"The step {step.name} on {event}"
            if step.name in seen:
                raise BadDeclaration(f"{whose} is listed twice, or two functions of one name are.")
            seen.add(step.name)
            room = room_of(step)
            if room and room not in names:
                raise BadDeclaration(
                    f"{whose} is of the room {room}, which is not in ROOMS. Add it there, by the name of its folder."
                )
            if step.tools and event not in _WITH_TOOLS:
                raise BadDeclaration(f"{whose} names tools, and no tool belongs to this event.")
            if step.later and step.may_deny:
                raise BadDeclaration(f"{whose} runs `later`, after the answer, so that it may not deny.")
            if (expected := _wrongly_typed(step.run, EVENTS[event])) is not None:
                raise BadDeclaration(f"{whose} takes {expected}, and is never given one there.")


def room_of(step: Step) -> str:
    """The room that a step belongs to, by the folder it stands in; '' for a function that is in none."""
    _, folder, room, *_ = (*step.run.__module__.split("."), "", "", "")
    return room if folder == "rooms" else ""


def _wrongly_typed(run: Callable[..., Any], event: type[Any]) -> str | None:
    """The event that a step is written for, when it is another one; None when it fits or cannot be told."""
    try:
        hints = [hint for name, hint in get_type_hints(run).items() if name != "return"]
    except (NameError, TypeError, AttributeError):
        return None
    kinds = [each for each in (get_args(hints[0]) or (hints[0],)) if isinstance(each, type)] if hints else []
    if not kinds or any(issubclass(event, each) for each in kinds):
        return None
    return " or ".join(each.__name__ for each in kinds)


# --- types


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


@cache
def _fields(struct: Any) -> tuple[tuple[str, bool, Any], ...]:
    """Of each field its name, whether it must be given, and its type. A start asks several times, and it takes long."""
    hints = get_type_hints(struct, include_extras=True)
    return tuple((field.name, field.required, hints[field.name]) for field in msgspec.structs.fields(struct))


def _described(hint: Any, *, inside: bool = True) -> bool:
    """Has a field a description of its own, or (`inside`) one of its elements, or a closed list of values?"""
    metas = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Meta)]
    if any(each.description for each in metas):
        return True
    if not inside:
        return False
    return get_origin(hint) is Literal or any(_described(each) for each in get_args(hint))
