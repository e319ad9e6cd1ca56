"""Runs the steps that come after the answer, so that capture is quick on the road and does its slow work later.

The entry's own transaction notes that such steps wait. The transaction that writes their effects removes the note. So a
crash between the two repeats the steps and doubles nothing. Events on the road go first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from holdfast.errors import StoreError
from holdfast.events.answer import Part
from holdfast.events.event import Event, ToolEvent
from holdfast.events.parse import parse
from holdfast.events.scene import Place, Scene, Services
from holdfast.events.steps import OnEvent, Program, Step
from holdfast.ids import EntryId
from holdfast.road.deadlines import run_steps
from holdfast.road.meter import Meter
from holdfast.store.interface import Reader, Store, Tx

log = logging.getLogger(__name__)

_BATCH = 16
_SLICE_SECONDS = 0.001
"""After so long others have their turn. After every entry, they would meet many more events on the road, and each of
these needs several turns."""
_MOST_AT_HAND = 2_000
"""Events kept in memory for their later steps; beyond that they are read back from the journal."""
_LULL = 0.03
"""Seconds without an event on the road, after which the later steps run. Between two calls of a turn a client has work
of its own for both cores; while the model thinks there is time for many entries at once, in one transaction."""
_LONGEST_WAIT, _CROWD_WAIT = 1.0, 0.25
_MANY_WAITING = 400
"""So many entries wait for no lull, unless the road is crowded."""
_CROWD = 24
"""More events at once on the road are not answered as they come: later steps would only make them wait longer. They
get a batch in each `_CROWD_WAIT` then; what does not fit into memory waits in the store."""
_RETRY_SECONDS = 5.0
_BREATH_SECONDS, _BLINK_SECONDS, _WORKED_SECONDS = 0.002, 0.0003, 0.001


@dataclass(frozen=True, slots=True)
class FollowUp:
    """An entry whose later steps must still run."""

    event: Event
    scene: Scene
    steps: tuple[Step, ...]


class Follower:
    """Runs later steps, a few entries at a time."""

    def __init__(
        self, store: Store, home: str, program: Program, unknown: OnEvent, meter: Meter, services: Services
    ) -> None:
        self._store = store
        self.home = home
        """The daemon whose notes these are."""
        self._program = program
        self._unknown = unknown
        self._meter = meter
        self._services = services
        self._at_hand: OrderedDict[str, FollowUp] = OrderedDict()
        self._may_wait_in_store = True
        self._awake = asyncio.Event()
        self._idle = asyncio.Event()
        self.on_road = 0
        """Events that are on the road now."""
        self._last_on_road = 0.0
        self._hurried = 0
        """How many wait in `caught_up`."""

    def enter(self) -> None:
        """An event is on the road: later steps let it pass."""
        self.on_road += 1

    def leave(self) -> None:
        self.on_road -= 1
        self._last_on_road = time.monotonic()

    def let_road_go_first(self) -> Callable[[], None]:
        """For one thread that works long, to be called now and then: it waits a little while events are on the road.

        Each of them needs the interpreter a dozen times before it is answered, and would wait for it each time. The
        thread waits no longer than it worked since it waited last, so that its work is at most doubled by that."""
        waited = time.monotonic()

        def breathe() -> None:
            nonlocal waited
            now = time.monotonic()
            if now - waited < _WORKED_SECONDS:
                return
            end = now + min(now - waited, _BREATH_SECONDS)
            while self.on_road and time.monotonic() < end:
                time.sleep(_BLINK_SECONDS)
            waited = time.monotonic()

        return breathe

    def note(self, tx: Tx, entry_id: EntryId) -> None:
        """Note, in the transaction of the entry, that it has later steps."""
        tx.run("follow.add", entry_id=entry_id, home=self.home)

    def offer(self, event: Event, scene: Scene, steps: tuple[Step, ...]) -> None:
        """Hand over what the later steps of a committed entry need, so that nothing is read back."""
        if len(self._at_hand) < _MOST_AT_HAND:
            self._at_hand[scene.entry_id] = FollowUp(event, scene, steps)
        else:
            self._may_wait_in_store = True
        self._idle.clear()
        self._awake.set()

    @property
    def waiting(self) -> int:
        """How many entries are known to wait."""
        return len(self._at_hand) + self._may_wait_in_store

    async def run(self) -> None:
        """Run for ever. After an error of the store, try again later; the notes stay."""
        while True:
            self._awake.clear()
            try:
                await self._let_pass()
                while await self.run_some():
                    await self._let_pass()
            except StoreError as error:
                log.warning("later steps wait, because the store does not answer: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            self._idle.set()
            await self._awake.wait()

    async def _let_pass(self) -> None:
        """Wait for a lull on the road: the shorter, the more entries wait here. A crowd goes first, however many do."""
        began = time.monotonic()
        while not self._hurried:
            now = time.monotonic()
            few = max(0.0, 1 - len(self._at_hand) / _MANY_WAITING)
            longest = _CROWD_WAIT if self.on_road > _CROWD else _LONGEST_WAIT * few
            rest = _LULL if self.on_road else self._last_on_road + _LULL - now
            if rest <= 0:
                return
            if now - began >= longest:
                break
            await asyncio.sleep(rest)
        await asyncio.sleep(0)

    async def caught_up(self) -> None:
        """Wait until no entry has later steps. (Summaries need all of them.)"""
        if self.waiting:
            self._idle.clear()
            self._awake.set()
            self._hurried += 1
            try:
                await self._idle.wait()
            finally:
                self._hurried -= 1

    async def run_some(self) -> int:
        """Run the later steps of a few entries; how many entries that was."""
        batch = await self._batch()
        done = []
        begun = time.monotonic()
        for item in batch:
            outcome = await run_steps(item.steps, item.event, item.scene)
            self._meter.count(item.event.hook_event_name, *["failed"] * (outcome.failed + outcome.late))
            done.append((item, outcome.parts))
            if time.monotonic() - begun >= _SLICE_SECONDS:
                await asyncio.sleep(0)
                begun = time.monotonic()
        if not done:
            return 0
        try:
            committed(await self._store.write(lambda tx: _settle(tx, done)))
        except StoreError:
            raise
        except Exception:
            for item, parts in done:
                await self._settle_alone(item, parts)
        for item, _ in done:
            self._at_hand.pop(item.scene.entry_id, None)
        return len(done)

    async def _settle_alone(self, item: FollowUp, parts: tuple[Part, ...]) -> None:
        """Remove the note of an entry whose effect is broken, or it would come back for ever."""
        try:
            committed(await self._store.write(lambda tx: _settle(tx, [(item, parts)])))
        except StoreError:
            raise
        except Exception:
            name = item.event.hook_event_name
            log.exception("%s: a later step failed and recorded nothing", name)
            self._meter.count(name, "failed")
            await self._store.write(lambda tx: _settle(tx, [(item, ())]))

    async def _batch(self) -> list[FollowUp]:
        if self._at_hand:
            return list(islice(self._at_hand.values(), _BATCH))
        if not self._may_wait_in_store:
            return []
        rows = await self._store.read(self._next)
        if not rows:
            self._may_wait_in_store = bool(self._at_hand)
            await self._store.write(lambda tx: tx.run("follow.drop_strays", home=self.home))
        return [self._read_back(row) for row in rows]

    def _next(self, reader: Reader) -> list[dict[str, Any]]:
        return reader.all("follow.next", home=self.home, limit=_BATCH)

    def _read_back(self, row: dict[str, Any]) -> FollowUp:
        """Read an entry of an earlier run, or of a busy time, from the journal."""
        event = parse(msgspec.json.decode(row["payload"]), row["event"])
        place = Place(
            row["project_id"],
            row["project_name"],
            row["worktree_id"],
            row["worktree_path"],
            row["session_id"],
            row["window_number"],
            row["identity"],
        )
        scene = Scene(
            row["id"], row["happened_at"], row["owner"], row["source"], place, self._services, self._store.read
        )
        tool = event.tool_name if isinstance(event, ToolEvent) else None
        on_event = self._program.get(event.hook_event_name, self._unknown)
        return FollowUp(event, scene, tuple(step for step in on_event.steps if step.later and step.fits(tool)))


def committed(parts: Iterable[Part]) -> None:
    """The effects of these parts are in the store: let the rooms change what they hold in memory."""
    for part in parts:
        if part.after:
            try:
                part.after()
            except Exception:
                log.exception("a step after the commit failed and was skipped")


def _settle(tx: Tx, done: Sequence[tuple[FollowUp, tuple[Part, ...]]]) -> list[Part]:
    """Write the effects of these entries' later steps, unless they are written already; the parts that were written."""
    ids = msgspec.json.encode([item.scene.entry_id for item, _ in done]).decode()
    waited = {row["entry_id"] for row in tx.all("follow.done", ids=ids)}
    written: list[Part] = []
    for item, parts in done:
        if item.scene.entry_id in waited:
            for part in parts:
                if part.record:
                    part.record(tx)
            written += parts
    return written
