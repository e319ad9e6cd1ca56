"""What this room contributes to events: offers, reminders, outcomes, and what a session's end does.

A step that has nothing to do returns at once: what it must know of an agent is in memory. Texts are given to a live
event only; what is written stands in the event's own transaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import replace

from msgspec.structs import replace as with_changes

from holdfast.events.answer import Context, Part
from holdfast.events.event import PreToolUse, SessionEnd, SessionStart, SubagentStop
from holdfast.events.scene import Scene
from holdfast.rooms.learning import tables, words
from holdfast.rooms.learning.entries import AgentKnown
from holdfast.rooms.learning.model import Ghap
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.store.interface import Tx

log = logging.getLogger(__name__)
ORIGIN = "learning"


def who_of(event: PreToolUse | SessionStart) -> Who:
    return Who(event.session_id, event.agent_id or "")


def reach(scene: Scene, *, started: bool = False) -> words.CallWays:
    """How this agent can answer. Where an entry was started there is a way; without a command that is a tool. (At a
    session's start the client's connection to its tools may not be there yet.)"""
    return words.CallWays(scene.has_tools or (started and not scene.has_command), scene.has_command)


async def offer(event: SessionStart, scene: Scene) -> Part | None:
    """Offer an entry that an earlier session left; what this very session left is its own again."""
    service = scene.services.get(Learning)
    who = who_of(event)
    service.entries.changed(who)
    if event.source == "compact":
        return None  # the entry stays active
    goes_on = event.source == "resume"

    def return_to(tx: Tx) -> None:
        tables.come_back(tx, who, scene.owner)
        state = tables.state(tx, who, scene.owner)
        if state.warned:  # a session that goes on begins a cycle
            tables.set_state(tx, who, with_changes(state, warned=0), scene.at_us, scene.owner)

    def returned() -> None:
        service.entries.changed(who)

    kept = Part(record=return_to, after=returned) if goes_on else None
    if not scene.is_live or not service.on_start.enabled or "session_start.enabled" in scene.off:
        return kept
    try:
        async with asyncio.timeout(service.on_start.timeout):
            found = await scene.read(
                lambda reader: (
                    None
                    if tables.active(reader, who, scene.owner) or (goes_on and tables.left_by(reader, who, scene.owner))
                    else tables.orphans(reader, scene.place.project_id, event.session_id, scene.owner, scene.now(), 1)
                )
            )
    except TimeoutError:
        log.warning("the entry of an earlier session was not offered: the store was too slow")
        return kept
    if not found:
        return kept
    entry: Ghap = found[0]
    context = Context(words.offer(entry, reach(scene, started=True), scene.at_us), ORIGIN, (("type", "orphan"),))
    return replace(kept, contexts=(context,)) if kept else Part(contexts=(context,))


def check_in(event: PreToolUse, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """Count the tool calls of an agent with an active entry, and remind it of the entry every few of them."""
    service = scene.services.get(Learning)
    if not scene.is_live:
        return None
    who = Who(event.session_id, event.agent_id or "")
    known = service.entries.at_hand(who)
    return _read_and_count(service, who, scene) if known is None else _counted(service, who, known, scene)


async def _read_and_count(service: Learning, who: Who, scene: Scene) -> Part | None:
    try:
        async with asyncio.timeout(service.checkin.timeout):
            known = await service.entries.known(who, scene)
    except TimeoutError:
        log.warning("a tool call was not counted: the store was too slow")
        return None
    return _counted(service, who, known, scene)


def _counted(service: Learning, who: Who, known: AgentKnown, scene: Scene) -> Part | None:
    entry = known.entry
    if entry is None:
        return None
    calls = known.state.calls + 1
    is_on = service.checkin.enabled and "ghap_checkin.enabled" not in scene.off
    due = is_on and calls >= service.checkin.frequency
    state = known.state = with_changes(known.state, calls=0 if due else calls)
    text = words.check_in(entry, calls, reach(scene, started=True)) if due else ""
    return Part(
        contexts=(Context(text, ORIGIN, (("type", "reminder"),)),) if text else (),
        record=lambda tx: service.entries.set_state(tx, who, state, scene.at_us),
    )


async def leave(event: SessionEnd | SubagentStop, scene: Scene) -> Part | None:
    """An unresolved entry waits for the next session; what nobody took up by now is abandoned."""
    service = scene.services.get(Learning)
    is_session = isinstance(event, SessionEnd)
    if not service.on_end.enabled or (isinstance(event, SubagentStop) and not event.agent_type):
        return None  # a SubagentStop without a type is a compaction's
    who = Who(event.session_id, "*" if is_session else event.agent_id or "")

    changed = [Who(event.session_id, "" if is_session else who.agent_id)]

    def record(tx: Tx) -> None:
        left, gone = service.entries.end(tx, who, scene.place.project_id, scene.at_us, is_session=is_session)
        changed.extend(gone)
        if left or gone:
            log.info("session %s ended: %d entries wait to be adopted, %d abandoned", event.session_id, left, len(gone))

    return Part(record=record, after=lambda: service.entries.changed(*changed))
