"""A road of one's own, built as `daemon.compose` builds it, with a program of the test's choosing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from holdfast.composition import Registry
from holdfast.config import Config, Loaded
from holdfast.daemon.compose import Parts, assemble
from holdfast.events.event import EVENTS
from holdfast.events.scene import Place, Scene, Source
from holdfast.events.steps import OnEvent
from holdfast.ids import WindowId
from holdfast.paths import Home
from holdfast.program import ROOMS
from holdfast.road.clean import ScrubsValues
from holdfast.road.edge import read_payload
from holdfast.road.road import Travelled
from holdfast.rooms.gather import gather
from holdfast.scrub import default_scrubber
from holdfast.store.interface import Store, Tx
from tests.contract.site import Site
from tests.support.patience import PATIENCE

T = TypeVar("T")
OWNER = "me"


def run(story: Coroutine[Any, Any, T]) -> T:
    """Run one story in a loop of its own."""
    return asyncio.run(story)


async def nothing_to_read(_: Any) -> Any:
    return None


def scene(**changes: Any) -> Scene:
    """Some circumstances, for a step that does not look at them."""
    given: dict[str, Any] = {
        "entry_id": "entry",
        "at_us": 1,
        "owner": OWNER,
        "source": "http",
        "place": Place("project", "name", "worktree", "/w", WindowId("session"), 1),
        "services": Registry(),
        "read": nothing_to_read,
    }
    return Scene(**(given | changes))


class House:
    """A road and what stands along it, composed as the daemon is, with no room."""

    def __init__(self, store: Store, spool: Path, program: Mapping[str, OnEvent], scrubber: ScrubsValues) -> None:
        home = Home(spool.parent)
        whole = {name: program.get(name, OnEvent()) for name in EVENTS}
        parts = Parts(rooms=(), program=whole, owner=OWNER, follows=False, patience=PATIENCE)
        # The store has every room's tables; only the rooms themselves are left out.
        declared = replace(gather(ROOMS), rooms=(), tools={}, jobs={})
        loaded = Loaded(Config())
        made = assemble(home, loaded, default_scrubber(), store, parts, declared=declared)
        made.road.scrubber = scrubber
        self.store, self.spool = store, home.spool
        self.meter, self.jobs, self.road = made.meter, made.jobs, made.road
        self.drain, self.recovery = made.drain, made.recovery

    async def go(self, payload: Any, source: Source = "http", **options: Any) -> Travelled:
        """One event, from its bytes to what became of it."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        read = read_payload(body)
        return await self.road.travel(read, source=source, **options)

    async def reopen(self) -> None:
        """What the daemon does in the background while the gate before the store is closed."""
        store = self.road.store
        await self.road.gate.try_again(lambda: store.write(lambda tx: tx.run("journal.probe")), self.drain.run_or_say)

    async def journal(self, event: str = "") -> list[dict[str, Any]]:
        """The entries in order of time, payloads decoded."""
        rows = await self.store.read(
            lambda view: view.all("journal.list", conversation="", event=event, since=0, owner=OWNER, limit=10_000)
        )
        return [dict(row) | {"payload": json.loads(str(row["payload"]))} for row in reversed(rows)]

    async def windows(self, conversation: str) -> list[dict[str, Any]]:
        return await self.store.read(lambda view: view.all("session.of_conversation", conversation=conversation))

    def counted(self, event: str) -> dict[str, int]:
        """What the meter has of an event, less its times."""
        return {
            name: value
            for name, value in self.meter.counts().get(event, {}).items()
            if value and not name.startswith("le_")
        }


class Refusing:
    """The road's store from now on: it refuses to write for as long as it has an error to give."""

    def __init__(self, here: House, error: Exception | None) -> None:
        self._store = here.store
        self.kind, self.url, self.read = here.store.kind, here.store.url, here.store.read
        self.error = error
        here.road.store = self  # type: ignore[assignment]

    async def write(self, work: Any, *, within: float | None = None) -> Any:
        def guarded(tx: Tx) -> Any:
            if self.error:
                raise self.error
            return work(tx)

        return await self._store.write(guarded, within=within)


@asynccontextmanager
async def house(
    site: Site,
    program: Mapping[str, OnEvent] | None = None,
    *,
    scrubber: ScrubsValues | None = None,
) -> AsyncIterator[House]:
    async with site.open() as store:
        yield House(store, site.backups.parent / "spool", program or {}, scrubber or default_scrubber())
