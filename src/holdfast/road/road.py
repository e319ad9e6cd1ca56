"""The road: one event in, one answer out.

In this order: steps that may deny, on the payload as it came and before the store is touched; clean; identify; the
other steps; journal and effects in one commit; merge; answer.
Nothing here knows a room. Whatever goes wrong, the answer is given and the session goes on; what could not be
committed is left in the spool, and only when that fails too is it left to the transcript. An event waits for the store
for less than a second in all (`patience`), and not at all while the store is known to be away (`gate`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, TypeVar

from holdfast.errors import StoreAway, StoreError
from holdfast.events.answer import NOTHING, Answer, Part
from holdfast.events.client import client_named
from holdfast.events.event import Event, JsonObject, SessionEnd, SessionStart, ToolEvent, agent_of, is_self_test
from holdfast.events.fence import new_nonce
from holdfast.events.parse import misfits, parse
from holdfast.events.running import RunningClients
from holdfast.events.scene import Place, Scene, Services, Source
from holdfast.events.steps import OnEvent, Program, Step
from holdfast.events.tombstone import bury, own_marks
from holdfast.ids import EntryId, WindowId, new_id, now_us
from holdfast.pauses import Pause, words
from holdfast.project_file import SIGN_OF_LIFE, ProjectFiles
from holdfast.road.choosing import StepChoice
from holdfast.road.clean import Clean, ScrubsValues, clean
from holdfast.road.deadlines import Rests, StepsRun, run_steps
from holdfast.road.duplicate_events import DuplicateEvents
from holdfast.road.edge import Payload
from holdfast.road.follow import Follower, committed
from holdfast.road.gate import Gate
from holdfast.road.guarding import guards_of, spoken
from holdfast.road.identity import Atlas
from holdfast.road.journal import LIVE, Arrival, bounded, event_key, journal_text, keep, note_given, row
from holdfast.road.memory_spool import IN_SPOOL
from holdfast.road.merge import merge
from holdfast.road.meter import Meter
from holdfast.road.own import is_own, reduced, without_own_calls
from holdfast.road.patience import IN_ALL, Patience
from holdfast.road.plain_entry import PlainEntry
from holdfast.road.reach import Reach
from holdfast.road.recording import Recording
from holdfast.road.windows import Windows, ends_window
from holdfast.scrub import Busy
from holdfast.sender import NOBODY, Sender
from holdfast.store.interface import Row, Store, Tx, Value
from holdfast.times import clock_time

log = logging.getLogger(__name__)

T = TypeVar("T")

_LARGE = 32 * 1024
"""Bytes from which a body is cleaned beside the loop, so that other sessions do not wait for it."""
_LOOK_SECONDS = 0.02
"""While several events are on the road, one look at the files that pause recording serves those of so long."""
_LARGE_ODD = 8 * 1024
"""The same for one that may hold private tags: reading what is oddly written takes ten times as long."""


@dataclass(frozen=True, slots=True)
class Travelled:
    """What happened to one event."""

    event: str
    answer: Answer
    kept: bool
    """Nothing more is to be done for it: it is committed, or there already, or not to be recorded."""
    repeated: bool = False
    paused: bool = False
    """It was not recorded, because recording is paused."""
    broken: bool = False
    """It failed by itself, not because of the store: trying again would not help."""


@dataclass(frozen=True, slots=True)
class Considered:
    """An event before it is kept: where it belongs, what its steps gave, and its entry for the journal."""

    event: Event
    on_event: OnEvent
    place: Place
    outcome: StepsRun
    row: dict[str, Value]
    later: tuple[Step, ...] = ()
    scene: Scene | None = None
    agent: str = ""
    nonce: str = ""
    """Of the fence around what the model is given."""


@dataclass(slots=True)
class Road:
    """The road and what stands along it. Built by `daemon.compose`."""

    program: Program
    unknown: OnEvent
    store: Store
    scrubber: ScrubsValues
    atlas: Atlas
    windows: Windows
    meter: Meter
    services: Services
    owner: str
    on_recover: Callable[[Tx, Event], None]
    """Asks, in the event's own transaction, for the transcript to be compared with the journal."""
    put_aside: Callable[[Arrival, str, JsonObject], str]
    """Keeps a scrubbed payload when the store will not take it: where it is then, or '' when it is lost."""
    now: Callable[[], int] = now_us
    follower: Follower | None = None
    """Runs the later steps in the background. Without one (in tests) they run like the others."""
    gate: Gate = field(default_factory=Gate)
    patience: float | None = IN_ALL
    """Seconds that a live event waits for the store, in all."""
    recording: Recording | None = None
    """Says which events are not recorded. Without one (in tests) all are."""
    projects: ProjectFiles = field(default_factory=ProjectFiles)
    signs: bool = True
    """Whether the user is told in a line, at a session's start, that holdfast is there."""
    reach: Reach = field(default_factory=Reach)
    clients: RunningClients = field(default_factory=RunningClients)
    rests: Rests = field(default_factory=Rests)
    twins: DuplicateEvents = field(default_factory=DuplicateEvents)
    washing: Executor = field(default_factory=lambda: ThreadPoolExecutor(1, "scrub"))
    """Where large and hostile bodies are cleaned, away from the event loop."""
    last_fault: tuple[int, str] | None = None
    """When the store last refused an event, and why. `status` shows it, because a full disk takes no log either."""
    _choice: StepChoice = field(default_factory=StepChoice)

    async def travel(
        self,
        payload: Payload,
        *,
        name: str | None = None,
        source: Source = "http",
        arrival_id: str | None = None,
        happened_at: int | None = None,
        agent: str = "",
        command: str = "",
        sender: Sender = NOBODY,
    ) -> Travelled:
        """Take one event down the road. Never raises, but for cancellation."""
        began = time.perf_counter()
        received = self.now()
        arrival = Arrival(EntryId(arrival_id or new_id()), happened_at or received, received, source, agent, sender)
        patience = Patience(self.store, self.patience if arrival.is_live else None, self.gate.why_closed)
        cleaning = _Once(lambda: self._clean(payload, name))
        guarded = await self._ask_guards(arrival, payload, name, patience, cleaning)
        try:
            event, cleaned = await cleaning.result_for_last()
        except Exception:
            log.exception("%s: its secrets could not be removed, so it was not stored", name)
            self.meter.count(name or "", "fired", "failed", "answered")
            return Travelled(name or "", self._decided(name or "", guarded), kept=False, broken=True)
        if cleaned.found or not payload.mended:
            guarded = guarded.with_parts(spoken(part, self.scrubber) for part in guarded.parts)
        kind = event.hook_event_name
        if source == "command":
            self.reach.note_command(event.session_id, command)
            self.clients.note(event.session_id, sender)
        self.meter.count(kind, "fired", *("misfit" for _ in misfits(event)))
        travelled = await self._kept_or_aside(arrival, event, cleaned, guarded, patience, payload)
        self.meter.count(kind, "answered")
        self.meter.took(kind, time.perf_counter() - began)
        return travelled

    async def _kept_or_aside(
        self, arrival: Arrival, event: Event, cleaned: Clean, guarded: StepsRun, patience: Patience, payload: Payload
    ) -> Travelled:
        """The rest of the way. An event that fails there is put aside, and what guards decided is answered."""
        kind = event.hook_event_name
        if self.follower:
            self.follower.enter()
        try:
            pause = self._pause_of(arrival, event)
            if pause:
                return await self._pass_over(arrival, event, pause, guarded, patience)
            return await self._go_on(arrival, event, cleaned, guarded, patience, payload)
        except StoreError as error:
            where = await self._fail(arrival, kind, cleaned.fields)
            self._note_fault(arrival, kind, error, where)
            return Travelled(kind, self._decided(kind, guarded), kept=False)
        except Exception:
            where = await self._fail(arrival, kind, cleaned.fields)
            log.exception("%s: unexpected failure; it is %s", kind, where or "not kept")
            return Travelled(kind, self._decided(kind, guarded), kept=False, broken=True)
        finally:
            if self.follower:
                self.follower.leave()

    def _note_fault(self, arrival: Arrival, kind: str, error: StoreError, where: str) -> None:
        """The store refused an event, which is somewhere else now, or nowhere."""
        sentence = f"{error} {f'It is {where}.' if where else 'It was not kept.'}"
        self.last_fault = (arrival.received_at, f"{kind}: {sentence}")
        if isinstance(error, StoreAway):
            self.gate.close(str(error))
        else:
            log.error("%s: %s", kind, sentence)

    async def _clean(self, payload: Payload, name: str | None) -> tuple[Event, Clean]:
        """The event as it is kept. Ids stay within what an index takes."""

        def work(*, quickly: bool) -> Clean:
            return clean(
                payload.fields,
                self.scrubber,
                mended=payload.mended,
                size=payload.size,
                quickly=quickly,
                breathe=self.follower.let_road_go_first() if self.follower and not quickly else None,
            )

        try:
            is_small = payload.size <= (_LARGE if payload.mended else _LARGE_ODD)
            cleaned = work(quickly=True) if is_small else None
        except Busy:
            cleaned = None
        if cleaned is None:
            # One at a time: two threads of pure Python would only take the interpreter from each other and the loop.
            cleaned = await asyncio.get_running_loop().run_in_executor(self.washing, partial(work, quickly=False))
        cleaned = Clean(bounded(cleaned.fields), cleaned.found, cleaned.cut + payload.cut_bytes)
        return parse(cleaned.fields, name), cleaned

    async def _ask_guards(
        self,
        arrival: Arrival,
        payload: Payload,
        name: str | None,
        patience: Patience,
        cleaning: _Once[tuple[Event, Clean]],
    ) -> StepsRun:
        """The steps that may deny, before the store is touched. They see the payload as it came (EVT-18)."""
        if not arrival.is_live or payload.fault is not None:
            return StepsRun()
        try:
            steps, as_came = guards_of(self.program, payload.fields, name)
            if as_came is None:
                return StepsRun()
            place = self.windows.remembered(as_came, self.atlas.find(as_came.cwd))

            async def kept() -> Event:
                return (await cleaning.result())[0]

            return await run_steps(steps, as_came, self._scene(arrival, as_came, place, patience, kept))
        except Exception:
            log.exception("%s: the steps that may deny could not be asked", name)
            return StepsRun(failed=1)

    def _scene(
        self,
        arrival: Arrival,
        event: Event,
        place: Place,
        patience: Patience,
        kept: Callable[[], Awaitable[Event]] | None = None,
        *,
        looked: bool = False,
    ) -> Scene:
        """`looked`: this event has led to a look at the project's file already."""
        return Scene(
            entry_id=EntryId(arrival.id),
            at_us=arrival.happened_at,
            owner=self.owner,
            source=arrival.source,
            place=place,
            services=self.services,
            read=patience.read,
            now=self.now,
            off=(self.projects.looked_at if looked else self.projects.at)(place.worktree_path).off,
            has_command=self.reach.has_command(event.session_id),
            has_tools=self.reach.has_tools(event.session_id),
            kept=kept,
            sender=arrival.sender,
        )

    # --- what is not recorded

    def _pause_of(self, arrival: Arrival, event: Event) -> Pause | None:
        """The pause that this event lies in, if any. A paused session that is cleared goes on paused."""
        if self.recording is None or is_self_test(event):
            return None
        now, session, cwd = self.now(), event.session_id, event.cwd
        if arrival.is_live and isinstance(event, SessionStart) and event.source == "clear":
            self.recording.session_after_clear(session, cwd, now)
        fresh_for = _LOOK_SECONDS if self.follower and self.follower.on_road > 1 else 0.0
        pause = self.recording.pause_of(session, cwd, event.transcript_path, arrival.happened_at, now, fresh_for)
        if pause and isinstance(event, SessionEnd) and event.reason == "clear":
            self.recording.session_was_cleared(cwd, pause, now)
        return pause

    async def _pass_over(
        self, arrival: Arrival, event: Event, pause: Pause, guarded: StepsRun, patience: Patience
    ) -> Travelled:
        """Recording is paused: nothing of the event is written, whatever its way. What guards decide stands."""
        kind = event.hook_event_name
        self.meter.count(kind, "paused")
        parts = guarded.parts
        if arrival.is_live:
            on_event = self.program.get(kind, self.unknown)
            place = self.windows.remembered(event, self.atlas.find(event.cwd))
            steps = [step for step in on_event.steps if step.in_pause]
            parts += (await run_steps(steps, event, self._scene(arrival, event, place, patience))).parts
            if pause.scope == "session" and self.gate.cause is None:
                await self._bury(arrival, event, patience)
        answer = merge(kind, parts, tokens=self.program.get(kind, self.unknown).tokens, nonce=new_nonce())
        answer = self._with_sign(event, answer, parts, words(pause, clock_time))
        if answer.decision and answer.decision.kind == "deny":
            self.meter.count(kind, "denied")
        return Travelled(kind, answer, kept=True, paused=True)

    async def _bury(self, arrival: Arrival, event: Event, patience: Patience) -> None:
        """Leave marks (hashes of ids) by which the event is known if it comes again under another session's id: a fork
        repeats its parent's lines."""
        about: Row = {
            "event_key": event_key(event, arrival.id),
            "event": event.hook_event_name,
            "agent_id": agent_of(event),
            "prompt_id": event.prompt_id,
            "tool_use_id": event.tool_use_id if isinstance(event, ToolEvent) else None,
        }
        with suppress(StoreError):
            await patience.write(lambda tx: bury(tx, own_marks(about), arrival.happened_at))

    def _with_sign(self, event: Event, answer: Answer, parts: Iterable[Part], recording: str = "") -> Answer:
        """The answer with a line for the user, at a session's start, if the user wants one."""
        if not isinstance(event, SessionStart) or not self.signs:
            return answer
        if SIGN_OF_LIFE in self.projects.at(self.atlas.find(event.cwd).worktree).off:
            return answer
        signs = [
            *([recording] if recording else []),
            *(part.sign for part in parts if part.sign and not (part.contexts and answer.dropped)),
        ]
        line = f"holdfast: {', '.join(signs)}" if signs else ""
        return replace(answer, message="\n".join(filter(None, (line, answer.message))) or None)

    async def _fail(self, arrival: Arrival, kind: str, fields: JsonObject) -> str:
        """What could not be committed is put aside, unless it waits already. Where it is, or '' when it is lost."""
        self.meter.count(kind, "failed")
        if arrival.source == "spool":
            return IN_SPOOL
        where = await asyncio.to_thread(self.put_aside, arrival, kind, fields)
        if not where:
            self.meter.count(kind, "lost")
        return where

    async def _go_on(
        self, arrival: Arrival, event: Event, cleaned: Clean, guarded: StepsRun, patience: Patience, payload: Payload
    ) -> Travelled:
        """Identify, hear the other steps, keep, answer. While the gate is closed a live event goes aside at once."""
        if arrival.is_live and self.gate.cause is not None:
            kind = event.hook_event_name
            await self._fail(arrival, kind, cleaned.fields)
            return Travelled(kind, self._decided(kind, guarded), kept=False)
        considered = await self._consider(arrival, event, cleaned, guarded, patience, payload)
        return await self._conclude(considered, patience)

    async def _consider(
        self, arrival: Arrival, event: Event, cleaned: Clean, guarded: StepsRun, patience: Patience, payload: Payload
    ) -> Considered:
        """Find the event's place and hear its steps. Nothing but the place is written."""
        kind, fields = event.hook_event_name, cleaned.fields
        is_test = is_self_test(event)
        on_event = self.unknown if is_test else self.program.get(kind, self.unknown)
        key = event_key(event, arrival.id)
        if arrival.is_live:
            key = self.twins.key_for(event, arrival.source, key)
        where = self.atlas.find(event.cwd)
        if is_test:  # it is of no session and no project, and leaves none behind
            place = Place("", where.name, "", where.worktree, WindowId(""), 0, where.place)
        else:
            place = await self.windows.place(event, where, key, arrival.happened_at, patience.write)
        own = is_own(event)
        event, fields = without_own_calls(event, fields)
        scene = self._scene(arrival, event, place, patience, looked=self.recording is not None and not is_test)
        outcome = guarded
        later: tuple[Step, ...] = ()
        if on_event.steps and payload.fault is None:
            chosen = self._choice.steps(on_event, event, self.rests, own=own, live=arrival.is_live)
            steps, later = (chosen.now, chosen.later) if self.follower else (chosen.all, ())
            heard = await run_steps(steps, event, scene)
            if arrival.is_live:
                self.rests.note(heard.slow)
            outcome = guarded + heard
        text, cut = journal_text(kind, reduced(fields) if own else fields)
        journal_row = row(arrival, event, key, place, self.owner, text, cleaned.found, cut + cleaned.cut)
        nonce = new_nonce() if outcome.parts else ""
        return Considered(event, on_event, place, outcome, journal_row, later, scene, arrival.agent, nonce)

    async def _conclude(self, considered: Considered, patience: Patience) -> Travelled:
        """Commit the event with its effects, and merge the answer."""
        kind = considered.event.hook_event_name
        is_new, parts = await self._keep(considered, patience)
        if is_new and considered.later and self.follower and considered.scene:
            self.follower.offer(considered.event, considered.scene, considered.later)
        answer = merge(kind, parts, tokens=considered.on_event.tokens, nonce=considered.nonce) if parts else NOTHING
        answer = self._with_sign(considered.event, answer, parts)
        self._count(kind, answer, considered.outcome, is_new)
        return Travelled(kind, answer, kept=True, repeated=not is_new)

    async def _keep(self, considered: Considered, patience: Patience) -> tuple[bool, tuple[Part, ...]]:
        """The event is kept even if an effect of a room is broken: without that effect, but not without the others.

        Of the part whose effect is broken only its decision stays: a guard that matched is not overruled by a failure.
        """
        parts = considered.outcome.parts
        if not parts and self._is_plain(considered):
            follower = self.follower.home if considered.later and self.follower else ""
            return await patience.write(PlainEntry(considered.row, follower)), ()
        while True:
            recording: list[int] = []
            try:
                is_new, settled = await patience.write(
                    lambda tx, parts=parts, recording=recording: self._commit(tx, considered, parts, recording)  # type: ignore[misc]
                )
                if is_new and parts:
                    committed(parts)
                return is_new, settled
            except StoreError:
                raise
            except Exception:
                if not any(part.record for part in parts):
                    raise
                kind = considered.event.hook_event_name
                log.exception("%s: a step could not record its part; the event is stored without it", kind)
                self.meter.count(kind, "failed")
                parts = tuple(
                    Part(decision=part.decision) if not recording or index in recording else part
                    for index, part in enumerate(parts)
                )

    def _is_plain(self, considered: Considered) -> bool:
        """Is there nothing to write but the entry, the time of its window and the note for the later steps?"""
        return (
            considered.row["source"] in LIVE
            and not considered.on_event.recovers
            and not considered.agent
            and ends_window(considered.event) is None
        )

    def _commit(
        self, tx: Tx, considered: Considered, parts: tuple[Part, ...], recording: list[int]
    ) -> tuple[bool, tuple[Part, ...]]:
        """Journal, session and effects: one transaction. An event seen before changes nothing, but is answered.

        `recording` names the part whose effect is being written, for the one who has to do with its failure.
        """
        event, journal_row, window_id = considered.event, considered.row, considered.place.window_id
        recording.clear()
        if not keep(tx, journal_row):
            return False, parts
        at = journal_row["happened_at"]
        tx.run("session.touch", id=window_id, at=at)
        if considered.agent and (client := client_named(considered.agent)):
            tx.run("session.client", id=window_id, name=client.name, version=client.version)
        reason = ends_window(event)
        if reason is not None:
            tx.run("session.end", id=window_id, at=at, reason=reason)
            if not agent_of(event):
                tx.run("session.end_agents", conversation=event.session_id, at=at, reason=reason)
        settled = []
        for index, part in enumerate(parts):
            recording[:] = [index]
            settled.append((part.record(tx) or part) if part.record else part)
        recording.clear()
        if any(part.contexts or part.decision for part in settled):
            # The same as the answer after the commit.
            kind, tokens = event.hook_event_name, considered.on_event.tokens
            origins = [context.origin for part in settled for context in part.contexts]
            rules = [part.decision.rule for part in settled if part.decision]
            marks = {name: value for part in settled for context in part.contexts for name, value in context.marks}
            answer = merge(kind, settled, tokens=tokens, nonce=considered.nonce)
            note_given(tx, journal_row, answer, origins or rules, marks)
        if considered.later and self.follower:
            self.follower.note(tx, EntryId(str(journal_row["id"])))
        if considered.on_event.recovers and journal_row["source"] not in ("transcript", "import"):
            self.on_recover(tx, event)
        return True, tuple(settled)

    def _decided(self, kind: str, guarded: StepsRun) -> Answer:
        """The answer when nothing could be kept: what guards decided and said stands, the rest is left out."""
        tokens = self.program.get(kind, self.unknown).tokens
        answer = merge(kind, guarded.parts, tokens=tokens, nonce=new_nonce()) if guarded.parts else NOTHING
        decision = answer.decision if answer.decision and answer.decision.kind != "allow" else None
        if decision and decision.kind == "deny":
            self.meter.count(kind, "denied")
        return replace(answer, decision=decision, updated_input=None)

    def _count(self, kind: str, answer: Answer, outcome: StepsRun, is_new: bool) -> None:
        if not is_new:
            self.meter.count(kind, "repeated")
        if answer.context or answer.instructions:
            self.meter.count(kind, "injected")
        if answer.decision and answer.decision.kind == "deny":
            self.meter.count(kind, "denied")
        self.meter.count(kind, *["dropped"] * (answer.dropped + outcome.late), *["failed"] * outcome.failed)


class _Once(Generic[T]):
    """`work`, run when its result is first asked for and not again."""

    __slots__ = ("_running", "_work")

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._running: asyncio.Future[T] | None = None

    async def result(self) -> T:
        """The result. It comes about even if the one who asks is cancelled meanwhile."""
        if self._running is None:
            self._running = asyncio.ensure_future(self._work())
        return await asyncio.shield(self._running)

    async def result_for_last(self) -> T:
        """The result for the last one who asks. If nobody asked before, as for most events, it needs no task."""
        return await (self._work() if self._running is None else self.result())
