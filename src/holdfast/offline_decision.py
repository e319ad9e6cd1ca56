"""Decides about a tool in the hook's own process, when no daemon answers in time.

Only rooms that need neither the store nor jobs have a say here (`Room.alone`): guards hold while a daemon starts
slowly, fails, or hangs. Loading the program costs half a second of a processor; it happens only then.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from holdfast.config import load
from holdfast.errors import HoldfastError
from holdfast.events.answer import EMPTY_BODY, Answer, Part, client_body
from holdfast.events.event import PreToolUse
from holdfast.events.parse import parse
from holdfast.ids import now_us
from holdfast.paths import Home
from holdfast.program import ROOMS
from holdfast.rooms.room import Ground

DECIDED = "holdfast_decided"
"""The field of a spooled event that tells what was decided without the daemon."""


def decide(home: Home, payload: dict[str, Any], arrival_id: str) -> tuple[bytes, dict[str, str]]:
    """(the answer for the client, what was decided for the record); nothing when no room has anything to say."""
    event = parse(payload, "PreToolUse")
    if not isinstance(event, PreToolUse):
        return EMPTY_BODY, {}
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
    return EMPTY_BODY, {}


def _answer(part: Part) -> bytes:
    context = "\n".join(each.text for each in part.contexts)
    return client_body("PreToolUse", Answer(context=context, decision=part.decision, message=part.message))
