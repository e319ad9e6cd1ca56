"""Decides about a tool without a store: in the hook's own process, when no daemon answers in time, and in a daemon that
waits for its store.

Only rooms that need neither the store nor jobs have a say here (`Room.alone`): guards hold while a daemon starts
slowly, fails, hangs or waits. Loading the program costs a hook half a second of a processor; it happens only then.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from holdfast.config import load
from holdfast.errors import HoldfastError
from holdfast.events.answer import EMPTY_BODY, NOTHING, Answer, Part, client_body
from holdfast.events.event import PreToolUse
from holdfast.events.parse import parse
from holdfast.ids import now_us
from holdfast.paths import Home
from holdfast.program import ROOMS
from holdfast.rooms.room import Ground


def decide(home: Home, payload: dict[str, Any], arrival_id: str) -> tuple[bytes, dict[str, str]]:
    """The same for a hook: the answer as the client reads it."""
    answer, decided = decided_alone(home, payload, arrival_id)
    return (client_body("PreToolUse", answer) if decided else EMPTY_BODY), decided


def decided_alone(home: Home, payload: dict[str, Any], arrival_id: str) -> tuple[Answer, dict[str, str]]:
    """(the answer, what was decided for the record); nothing when no room has anything to say."""
    event = parse(payload, "PreToolUse")
    if not isinstance(event, PreToolUse):
        return NOTHING, {}
    try:
        loaded = load(home.config)
    except HoldfastError:  # a broken settings file: defaults are the stricter choice
        loaded = load(home.config.with_name("no such file"))
    nothing = cast(Any, None)
    for room in ROOMS:
        if room.alone is None:
            continue
        ground = Ground(
            store=nothing, owner="", now=now_us, clean=lambda value: value, locate=lambda folder: (folder, folder),
            jobs=nothing, items=nothing, folder=home.root / room.name, chosen=loaded.section,
        )  # fmt: skip
        part = asyncio.run(room.alone(ground, event, arrival_id))
        if part is not None:
            return _answer(part), dict(part.noted)
    return NOTHING, {}


def _answer(part: Part) -> Answer:
    context = "\n".join(each.text for each in part.contexts)
    return Answer(context=context, decision=part.decision, message=part.message)
