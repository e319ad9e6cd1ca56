"""A road of one's own, built as `daemon.compose` builds it, with a program of the test's choosing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from holdfast.daemon.services import Registry
from holdfast.events.entry import Entry
from holdfast.events.event import EVENTS, Event
from holdfast.events.scene import Place, Scene, Source
from holdfast.jobs.queue import Jobs
from holdfast.road import recovery
from holdfast.road.drain import Drain, put_aside
from holdfast.road.edge import read_payload
from holdfast.road.identity import Atlas
from holdfast.road.meter import Meter
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road, Scrubs, Travelled
from holdfast.road.windows import Windows
from holdfast.scrub import default_scrubber
from holdfast.store.interface import Store, Tx
from tests.contract.site import Site

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
        "place": Place("project", "name", "worktree", "/w", "session", 1),
        "services": Registry(),
        "read": nothing_to_read,
    }
    return Scene(**(given | changes))


class House:
    """A road and what stands along it."""

    def __init__(self, store: Store, spool: Path, program: Mapping[str, Entry], born_at: int, scrubber: Scrubs) -> None:
        self.store = store
        self.spool = spool
        self.meter = Meter(OWNER)
        self.jobs = Jobs(store, "here", {recovery.JOB: self._recover}, clean=str)
        self.road = Road(
            program={name: program.get(name, Entry()) for name in EVENTS},
            unknown=Entry(),
            store=store,
            scrubber=scrubber,
            atlas=Atlas(lambda root: ""),
            windows=Windows(store, OWNER),
            meter=self.meter,
            services=Registry(),
            owner=OWNER,
            on_recover=self._ask,
            put_aside=partial(put_aside, spool),
        )
        self.drain = Drain(self.road, spool)
        self.recovery = Recovery(self.road, store, self.drain, born_at)

    def _ask(self, tx: Tx, event: Event) -> None:
        recovery.ask(self.jobs, tx, event)

    async def _recover(self, arguments: dict[str, Any]) -> None:
        await self.recovery.run(arguments)

    async def go(self, payload: Any, source: Source = "http", **options: Any) -> Travelled:
        """One event, from its bytes to what became of it."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        read = read_payload(body)
        return await self.road.travel(read, source=source, **options)

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

    async def write(self, work: Any) -> Any:
        def guarded(tx: Tx) -> Any:
            if self.error:
                raise self.error
            return work(tx)

        return await self._store.write(guarded)


@asynccontextmanager
async def house(
    site: Site,
    program: Mapping[str, Entry] | None = None,
    *,
    born_at: int = 0,
    scrubber: Scrubs | None = None,
) -> AsyncIterator[House]:
    async with site.open() as store:
        yield House(store, site.backups.parent / "spool", program or {}, born_at, scrubber or default_scrubber())
