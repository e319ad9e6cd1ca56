"""What the model was given in a session: at which event and turn, in which words, and what it cost (MEM-27)."""

from __future__ import annotations

from bisect import bisect_right
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import NothingFound, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.ids import ConversationId, ItemId
from holdfast.items import tables
from holdfast.items.service import Items
from holdfast.store.interface import Reader
from holdfast.times import when

_MOST = 2_000
_SEVERAL = 5


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    session: Annotated[
        str, Meta(description="A session's id, or its beginning; empty: the caller's own, else this project's newest.")
    ] = ""


class Piece(Struct, frozen=True, omit_defaults=True):
    """What the model was given at one event."""

    time: str
    turn: int
    """The number of the prompt it was given with; 0 before the first."""
    event: str
    origin: str
    tokens: int
    text: str
    items: list[str] = []
    """Ids of the items that it tells."""
    agent: str = ""
    """The subagent that it was given to."""
    entry: str = ""
    type: str = ""
    """What kind of words they were, where their room says so: `reminder`, `outcome`, `premortem`."""
    suggested_action: str = ""
    auto_captured: bool = False
    token_count: int = 0
    """The same as `tokens`, by the name that the learning loop's source has for it."""


class GivenInSession(Struct, frozen=True):
    """All that the model was given in a session."""

    session: str
    project: str
    turns: int
    tokens: int
    given: list[Piece]


async def seen(asked: Seen, caller: Caller) -> GivenInSession:
    items = caller.services.get(Items)
    return await items.read(lambda reader: _seen(reader, items, asked.session, caller))


def _seen(reader: Reader, items: Items, named: str, caller: Caller) -> GivenInSession:
    conversation, project_id = _meant(reader, named, caller)
    prompts = tables.prompts_in(reader, ConversationId(conversation), caller.owner)
    told: dict[str, list[str]] = {}
    for row in tables.injected_in(reader, ConversationId(conversation), _MOST):
        item = items.catalogue.item(reader, ItemId(str(row["item_id"])), caller.owner)
        if item is not None:
            told.setdefault(str(row["entry_id"]), []).append(items.catalogue.short(item.listed))
    pieces = [
        Piece(
            time=when(int(row["happened_at"] or 0)),
            turn=bisect_right(prompts, int(row["happened_at"] or 0)),
            event=str(row["event"]),
            origin=str(row["origins"]),
            tokens=int(row["tokens"] or 0),
            text=str(row["text"]),
            items=told.get(str(row["entry_id"]), []),
            agent=str(row["agent_id"]),
            entry=str(row["entry_id"]),
            token_count=int(row["tokens"] or 0),
            **_marks(str(row["marks"])),
        )
        for row in tables.given_in(reader, ConversationId(conversation), caller.owner, _MOST)
    ]
    project = tables.project_name(reader, project_id, caller.owner)
    return GivenInSession(conversation, project, len(prompts), sum(each.tokens for each in pieces), pieces)


def _marks(held: str) -> dict[str, Any]:
    """What a room says of its words."""
    marks = msgspec.json.decode(held, type=dict[str, str | bool]) if held else {}
    told: dict[str, Any] = {name: str(marks[name]) for name in ("type", "suggested_action") if name in marks}
    return {**told, "auto_captured": marks.get("auto_captured") is True}


def _meant(reader: Reader, named: str, caller: Caller) -> tuple[str, str]:
    """The session that is meant, and its project."""
    if wanted := named or caller.conversation:
        return session_named(reader, wanted, caller.owner)
    last = None if caller.is_nowhere else tables.last_conversation(reader, caller.project_id, caller.owner)
    if last is None:
        raise NothingFound("No session was seen in this folder. Name one, or go to its project.")
    return last


def session_named(reader: Reader, wanted: str, owner: str) -> tuple[str, str]:
    """The one session whose id begins so, and its project: lists show the beginning of an id alone."""
    found = tables.conversations_named(reader, wanted, owner, _SEVERAL)
    exact = [each for each in found if each[0] == wanted]
    if not found:
        raise NothingFound(f"No session begins with {wanted}. `holdfast journal` shows the sessions.")
    if len(found) > 1 and not exact:
        ids = ", ".join(each[0][: len(wanted) + 8] for each in found)
        raise UsageError(f"Several sessions begin with {wanted}: {ids}. Write more of it.")
    return (exact or found)[0]


TOOLS: tuple[Tool[Any], ...] = (
    Tool("seen", "What the model was given in a session, where, and what it cost.", Seen, seen, for_agents=False),
)
