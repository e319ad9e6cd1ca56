"""The road: one event in, one answer out. Scrub, identify, contributions, journal and effects in one commit, answer.

Nothing here knows a room. Whatever goes wrong, the answer is given and the session goes on; what could not be
committed is left in the spool, and only when that fails too is it left to the transcript.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from holdfast.errors import StoreError
from holdfast.events.answer import NOTHING, Answer, Part
from holdfast.events.entry import Entry, Program
from holdfast.events.event import Event, JsonObject, ToolEvent
from holdfast.events.fence import new_nonce
from holdfast.events.parse import parse
from holdfast.events.scene import Scene, Services, Source
from holdfast.ids import new_id, now_us
from holdfast.road.deadlines import Outcome, run_steps
from holdfast.road.edge import Payload
from holdfast.road.identity import Atlas
from holdfast.road.journal import Arrival, event_key, journal_text, keep, row
from holdfast.road.merge import merge
from holdfast.road.meter import Meter
from holdfast.road.own import is_own, reduced
from holdfast.road.windows import Windows, agent_of, ends_window
from holdfast.store.interface import Store, Tx

log = logging.getLogger(__name__)


class Scrubs(Protocol):
    """What the road needs of a scrubber."""

    def value(self, value: object, /) -> tuple[object, tuple[str, ...]]: ...


@dataclass(frozen=True, slots=True)
class Travelled:
    """What became of one event."""

    event: str
    answer: Answer
    kept: bool
    """Committed, or there already."""
    repeated: bool = False


@dataclass(slots=True)
class Road:
    """The road and what stands along it. Built by `daemon.compose`."""

    program: Program
    unknown: Entry
    store: Store
    scrubber: Scrubs
    atlas: Atlas
    windows: Windows
    meter: Meter
    services: Services
    owner: str
    on_recover: Callable[[Tx, Event], None]
    """Asks, in the event's own transaction, for the transcript to be compared with the journal."""
    put_aside: Callable[[Arrival, str, JsonObject], bool]
    """Leaves a scrubbed payload in the spool when the store will not take it."""
    last_fault: tuple[int, str] | None = None
    """When the store last refused an event, and why. `status` shows it, because a full disk takes no log either."""

    async def travel(
        self,
        payload: Payload,
        *,
        name: str | None = None,
        source: Source = "http",
        arrival_id: str | None = None,
        happened_at: int | None = None,
    ) -> Travelled:
        """Take one event down the road. Never raises, but for cancellation."""
        began = time.perf_counter()
        received = now_us()
        arrival = Arrival(arrival_id or new_id(), happened_at or received, received, source)
        clean, found = self.scrubber.value(payload.fields)
        assert isinstance(clean, dict)
        event = parse(clean, name)
        kind = event.hook_event_name
        self.meter.count(kind, "fired")
        travelled = Travelled(kind, NOTHING, kept=False)
        try:
            travelled = await self._travel(arrival, event, clean, found, payload)
        except StoreError as error:
            self.meter.count(kind, "failed")
            spooled = source != "spool" and self.put_aside(arrival, kind, clean)
            sentence = f"{error} {'It is in the spool.' if spooled else 'It was not kept.'}"
            self.last_fault = (received, f"{kind}: {sentence}")
            log.error("%s: %s", kind, sentence)
            travelled = Travelled(kind, NOTHING, kept=False)
        except Exception:
            self.meter.count(kind, "failed")
            spooled = source != "spool" and self.put_aside(arrival, kind, clean)
            log.exception("%s: unexpected failure; the answer is empty, spooled: %s", kind, spooled)
        self.meter.count(kind, "answered")
        self.meter.took(kind, time.perf_counter() - began)
        return travelled

    async def _travel(
        self, arrival: Arrival, event: Event, fields: JsonObject, found: tuple[str, ...], payload: Payload
    ) -> Travelled:
        kind = event.hook_event_name
        entry = self.program.get(kind, self.unknown)
        key = event_key(event, arrival.id)
        place = await self.windows.place(event, self.atlas.find(event.cwd), key, arrival.happened_at)
        own = is_own(event)
        scene = Scene(
            entry_id=arrival.id,
            at_us=arrival.happened_at,
            owner=self.owner,
            source=arrival.source,
            place=place,
            services=self.services,
            read=self.store.read,
        )
        outcome = Outcome()
        if entry.steps and not own and payload.fault is None:
            tool = event.tool_name if isinstance(event, ToolEvent) else None
            outcome = await run_steps([step for step in entry.steps if step.fits(tool)], event, scene)
        text, cut = journal_text(kind, reduced(fields) if own else fields)
        journal_row = row(arrival, event, key, place, self.owner, text, found, cut + payload.cut_bytes)
        try:
            is_new, parts = await self.store.write(
                lambda tx: self._commit(tx, journal_row, event, entry, place.session_id, outcome.parts)
            )
        except StoreError:
            raise
        except Exception:
            # An effect of a room is broken. The event itself is kept all the same, without any effect.
            log.exception("%s: what was to be recorded with it failed and was left out", kind)
            self.meter.count(kind, "failed")
            is_new, parts = await self.store.write(
                lambda tx: self._commit(tx, journal_row, event, entry, place.session_id, ())
            )
        answer = merge(kind, parts, tokens=entry.tokens, nonce=new_nonce()) if parts else NOTHING
        self._count(kind, answer, outcome, is_new)
        return Travelled(kind, answer, kept=True, repeated=not is_new)

    def _commit(
        self,
        tx: Tx,
        journal_row: dict[str, str | int | float | bytes | None],
        event: Event,
        entry: Entry,
        session_id: str,
        parts: tuple[Part, ...],
    ) -> tuple[bool, tuple[Part, ...]]:
        """Journal, session and effects: one transaction. An event seen before changes nothing, but is answered."""
        if not keep(tx, journal_row):
            return False, parts
        at = journal_row["happened_at"]
        tx.run("session.touch", id=session_id, at=at)
        reason = ends_window(event)
        if reason is not None:
            tx.run("session.end", id=session_id, at=at, reason=reason)
            if not agent_of(event):
                tx.run("session.end_agents", conversation=event.session_id, at=at, reason=reason)
        settled = tuple((part.record(tx) or part) if part.record else part for part in parts)
        if entry.recovers and journal_row["source"] != "transcript":
            self.on_recover(tx, event)
        return True, settled

    def _count(self, kind: str, answer: Answer, outcome: Outcome, is_new: bool) -> None:
        if not is_new:
            self.meter.count(kind, "repeated")
        if answer.context or answer.instructions:
            self.meter.count(kind, "injected")
        if answer.decision and answer.decision.kind == "deny":
            self.meter.count(kind, "denied")
        self.meter.count(kind, *["dropped"] * (answer.dropped + outcome.late), *["failed"] * outcome.failed)
