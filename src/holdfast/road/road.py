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
from holdfast.events.entry import Entry, Program, Step
from holdfast.events.event import Event, JsonObject, ToolEvent
from holdfast.events.fence import new_nonce
from holdfast.events.parse import misfits, parse
from holdfast.events.scene import Place, Scene, Services, Source
from holdfast.ids import new_id, now_us
from holdfast.road.deadlines import Outcome, run_steps
from holdfast.road.edge import Payload
from holdfast.road.follow import Follower
from holdfast.road.identity import Atlas
from holdfast.road.journal import Arrival, bounded, event_key, journal_text, keep, row
from holdfast.road.merge import merge, strongest
from holdfast.road.meter import Meter
from holdfast.road.own import is_own, is_own_tool, reduced, without_own_calls
from holdfast.road.windows import Windows, agent_of, ends_window
from holdfast.store.interface import Store, Tx, Value

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
    broken: bool = False
    """It failed by itself, not because of the store: trying again would not help."""


@dataclass(frozen=True, slots=True)
class Considered:
    """An event before it is kept: where it belongs, what its steps gave, and its entry for the journal."""

    event: Event
    entry: Entry
    place: Place
    outcome: Outcome
    row: dict[str, Value]
    later: tuple[Step, ...] = ()
    scene: Scene | None = None


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
    now: Callable[[], int] = now_us
    follower: Follower | None = None
    """Runs the later steps in the background. Without one (in tests) they run like the others."""
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
        received = self.now()
        arrival = Arrival(arrival_id or new_id(), happened_at or received, received, source)
        try:
            clean, found = cleaned(self.scrubber, payload)
            event = parse(clean, name)
        except Exception:
            log.exception("%s: it cannot be scrubbed, so it was not kept", name)
            self.meter.count(name or "", "fired", "failed", "answered")
            return Travelled(name or "", NOTHING, kept=False, broken=True)
        kind = event.hook_event_name
        self.meter.count(kind, "fired", *("misfit" for _ in misfits(event)))
        considered: Considered | None = None
        self._crowd(+1)
        try:
            considered = await self._consider(arrival, event, clean, found, payload)
            travelled = await self._conclude(considered)
        except StoreError as error:
            spooled = self._fail(arrival, kind, clean)
            sentence = f"{error} {'It is in the spool.' if spooled else 'It was not kept.'}"
            self.last_fault = (received, f"{kind}: {sentence}")
            log.error("%s: %s", kind, sentence)
            travelled = Travelled(kind, self._decided(considered), kept=False)
        except Exception:
            spooled = self._fail(arrival, kind, clean)
            log.exception("%s: unexpected failure, spooled: %s", kind, spooled)
            travelled = Travelled(kind, self._decided(considered), kept=False, broken=True)
        finally:
            self._crowd(-1)
        self.meter.count(kind, "answered")
        self.meter.took(kind, time.perf_counter() - began)
        return travelled

    def _crowd(self, more: int) -> None:
        """What can wait lets pass what is on the road."""
        if self.follower:
            self.follower.crowd += more

    def _fail(self, arrival: Arrival, kind: str, clean: JsonObject) -> bool:
        """What could not be committed is put aside, unless it is in the spool already."""
        self.meter.count(kind, "failed")
        return arrival.source != "spool" and self.put_aside(arrival, kind, clean)

    async def _consider(
        self, arrival: Arrival, event: Event, fields: JsonObject, found: tuple[str, ...], payload: Payload
    ) -> Considered:
        """Find the event's place and hear its steps. Nothing but the place is written."""
        kind = event.hook_event_name
        entry = self.program.get(kind, self.unknown)
        key = event_key(event, arrival.id)
        place = await self.windows.place(event, self.atlas.find(event.cwd), key, arrival.happened_at)
        own = is_own(event)
        event, fields = without_own_calls(event, fields)
        scene = Scene(
            entry_id=arrival.id,
            at_us=arrival.happened_at,
            owner=self.owner,
            source=arrival.source,
            place=place,
            services=self.services,
            read=self.store.read,
            now=self.now,
        )
        outcome = Outcome()
        later: tuple[Step, ...] = ()
        if entry.steps and payload.fault is None:
            tool = event.tool_name if isinstance(event, ToolEvent) else None
            steps = [step for step in entry.steps if step.fits(tool)]
            if own:  # nothing is captured of our own; but a command line is a command line to a guard
                steps = [step for step in steps if step.may_deny and not is_own_tool(event)]
            later = tuple(step for step in steps if step.later and self.follower)
            outcome = await run_steps([step for step in steps if step not in later], event, scene)
        text, cut = journal_text(kind, reduced(fields) if own else fields)
        journal_row = row(arrival, event, key, place, self.owner, text, found, cut + payload.cut_bytes)
        return Considered(event, entry, place, outcome, journal_row, later, scene)

    async def _conclude(self, considered: Considered) -> Travelled:
        """Commit the event with its effects, and merge the answer."""
        kind = considered.event.hook_event_name
        is_new, parts = await self._keep(considered)
        if is_new and considered.later and self.follower and considered.scene:
            self.follower.offer(considered.event, considered.scene, considered.later)
        answer = merge(kind, parts, tokens=considered.entry.tokens, nonce=new_nonce()) if parts else NOTHING
        self._count(kind, answer, considered.outcome, is_new)
        return Travelled(kind, answer, kept=True, repeated=not is_new)

    async def _keep(self, considered: Considered) -> tuple[bool, tuple[Part, ...]]:
        """The event is kept even if an effect of a room is broken: without that effect, but not without the others.

        Of the part whose effect is broken only its decision stays: a guard that matched is not overruled by a failure.
        """
        parts = considered.outcome.parts
        while True:
            recording: list[int] = []
            try:
                return await self.store.write(
                    lambda tx, parts=parts, recording=recording: self._commit(tx, considered, parts, recording)  # type: ignore[misc]
                )
            except StoreError:
                raise
            except Exception:
                if not any(part.record for part in parts):
                    raise
                kind = considered.event.hook_event_name
                log.exception("%s: what was to be recorded with it failed and was left out", kind)
                self.meter.count(kind, "failed")
                parts = tuple(
                    Part(decision=part.decision) if not recording or index in recording else part
                    for index, part in enumerate(parts)
                )

    def _commit(
        self, tx: Tx, considered: Considered, parts: tuple[Part, ...], recording: list[int]
    ) -> tuple[bool, tuple[Part, ...]]:
        """Journal, session and effects: one transaction. An event seen before changes nothing, but is answered.

        `recording` names the part whose effect is being written, for the one who has to do with its failure.
        """
        event, journal_row, session_id = considered.event, considered.row, considered.place.session_id
        recording.clear()
        if not keep(tx, journal_row):
            return False, parts
        at = journal_row["happened_at"]
        tx.run("session.touch", id=session_id, at=at)
        reason = ends_window(event)
        if reason is not None:
            tx.run("session.end", id=session_id, at=at, reason=reason)
            if not agent_of(event):
                tx.run("session.end_agents", conversation=event.session_id, at=at, reason=reason)
        settled = []
        for index, part in enumerate(parts):
            recording[:] = [index]
            settled.append((part.record(tx) or part) if part.record else part)
        recording.clear()
        if considered.later and self.follower:
            self.follower.note(tx, str(journal_row["id"]))
        if considered.entry.recovers and journal_row["source"] not in ("transcript", "import"):
            self.on_recover(tx, event)
        return True, tuple(settled)

    def _decided(self, considered: Considered | None) -> Answer:
        """The answer when nothing could be kept: what guards decided stands, the rest is left out."""
        if considered is None:
            return NOTHING
        decision = strongest(part.decision for part in considered.outcome.parts)
        if decision is None or decision.kind == "allow":
            return NOTHING
        if decision.kind == "deny":
            self.meter.count(considered.event.hook_event_name, "denied")
        return Answer(decision=decision)

    def _count(self, kind: str, answer: Answer, outcome: Outcome, is_new: bool) -> None:
        if not is_new:
            self.meter.count(kind, "repeated")
        if answer.context or answer.instructions:
            self.meter.count(kind, "injected")
        if answer.decision and answer.decision.kind == "deny":
            self.meter.count(kind, "denied")
        self.meter.count(kind, *["dropped"] * (answer.dropped + outcome.late), *["failed"] * outcome.failed)


def cleaned(scrubber: Scrubs, payload: Payload) -> tuple[JsonObject, tuple[str, ...]]:
    """A payload without secrets, its ids within bounds, and the names of what was removed."""
    clean, found = scrubber.value(payload.fields)
    assert isinstance(clean, dict)
    return bounded(clean), found
