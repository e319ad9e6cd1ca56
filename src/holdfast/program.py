"""The product on one page: its rooms, and what happens on every event.

Each entry names, in order, what contributes to the answer; whether the answer may say no; how many tokens of context
it may add; and how long it may take. Everything fails open: a step that is late or broken is dropped, logged and
counted, and the answer goes out with the rest. The journal is kept for every event, listed steps or not. A step marked
`later` runs after the answer.
"""

from __future__ import annotations

from types import MappingProxyType

from holdfast.events.entry import Entry, Program, Step
from holdfast.events.event import EVENTS
from holdfast.rooms import citations, memory
from holdfast.rooms.gather import catalog_of
from holdfast.rooms.room import Room

ROOMS: tuple[Room, ...] = (citations.ROOM, memory.ROOM)
"""Doors, daemon, upkeep, configuration and documentation gather from these, and name none of them."""

_WEB = frozenset({"WebFetch"})
_FILES = frozenset({"Read", "Edit", "Write", "NotebookEdit"})

_LISTED: dict[str, Entry] = {
    "SessionStart": Entry((Step(memory.hooks.brief, seconds=1.0),), tokens=1_500, recovers=True),
    "UserPromptSubmit": Entry((Step(memory.hooks.keep_prompt), Step(memory.hooks.recall)), tokens=1_500, recovers=True),
    "PreToolUse": Entry(
        (
            Step(citations.hooks.before_fetch, tools=_WEB, seconds=4.0, may_deny=True),
            Step(memory.hooks.file_history, tools=_FILES),
        ),
        tokens=1_000,
    ),
    "PostToolUse": Entry(
        (Step(citations.hooks.after_fetch, tools=_WEB, seconds=4.0), Step(memory.hooks.observe, later=True)),
        tokens=1_000,
    ),
    "PostToolUseFailure": Entry(
        (Step(citations.hooks.after_failed_fetch, tools=_WEB), Step(memory.hooks.observe, later=True)),
        tokens=2_500,
    ),
    "SubagentStart": Entry(tokens=1_000),
    "Stop": Entry((Step(memory.hooks.summarise),), recovers=True),
    "SubagentStop": Entry((Step(memory.hooks.summarise),), recovers=True),
    "SessionEnd": Entry((Step(memory.hooks.summarise),), recovers=True),
}

PROGRAM: Program = MappingProxyType({name: _LISTED.get(name, Entry()) for name in EVENTS})
"""All 33 events; those that are not listed above are journaled and answered with `{}`."""

UNKNOWN = Entry()
"""An event of a newer client is journaled and answered with `{}`."""

CATALOG = catalog_of(ROOMS)
"""The tables, queries and migrations of all rooms."""
