"""Export and import: what is kept, as JSON Lines, without loss; the same on both databases.

Line 1 says what it is; then one record per line, those that others refer to first and the rest in the order of time;
the last line counts them, which proves that the file is whole. Taking a record in twice changes nothing; what was
forgotten here stays forgotten; whose it is, is whoever imports it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from holdfast.ids import now_us
from holdfast.rooms.memory import records as records_
from holdfast.rooms.memory.pages import ABOUT, Pages
from holdfast.rooms.memory.records import FORMAT
from holdfast.store.interface import Row, Store, Tx

Clean = Callable[[object], object]
_REST = ("memory", "supersession", "cited_page", "injection", "lost_context", "model_summary")
_OF_PAGES = ("citation", "reading")


class Portable:
    """The service. One per daemon, made by `daemon.compose`."""

    def __init__(self, store: Store, owner: str, *, clean: Clean) -> None:
        self._store = store
        self._owner = owner
        self._pages = Pages(store, owner)
        self._clean = clean
        """Removes secrets: what is kept was clean by the rules of its day, and those grow."""

    # --- out

    async def export(self, project_id: str = "", *, citations: bool = False) -> AsyncIterator[bytes]:
        """The lines of an export. Read page by page, so that neither memory nor any reader is held for long."""
        counts: Counter[str] = Counter()
        yield self._line({"holdfast_export": FORMAT, "made_at": now_us(), "store": self._store.kind})
        about = {"owner": self._owner, "project_id": project_id}
        for kind, query in (("project", "upkeep.projects"), ("worktree", "upkeep.worktrees")):
            for row in await self._store.read(lambda reader, query=query: reader.all(query, **about)):  # type: ignore[misc]
                counts[kind] += 1
                yield self._record(kind, row)
        async for row in self._pages.of("session", project_id):
            counts["session"] += 1
            yield self._record("session", row)
        known: set[str] = set()
        async for kind, row in self._pages.by_time(project_id):
            counts[kind] += 1
            known.add(str(row["id"]))
            yield self._record(kind, row)
        for kind in (*_REST, *(_OF_PAGES if citations else ())):
            async for row in self._pages.of(kind, project_id):
                if kind == "memory":
                    known.add(str(row["id"]))
                if kind in ABOUT and str(row[ABOUT[kind]]) not in known:
                    continue
                counts[kind] += 1
                yield self._record(kind, row)
        yield self._line({"end": dict(counts)})

    def _record(self, kind: str, row: Row) -> bytes:
        return self._line({"record": kind} | {name: value for name, value in row.items() if name != "owner"})

    def _line(self, value: dict[str, Any]) -> bytes:
        return msgspec.json.encode(self._clean(value)) + b"\n"

    # --- in

    async def take_in(self, lines: list[str]) -> Counter[str]:
        """Take records in, all of them or none; how many of each kind were new."""
        records = [record for number, line in enumerate(lines) if (record := records_.read(line, number)) is not None]
        clean = [self._clean(record) for record in records]
        return await self._store.write(lambda tx: self._put_all(tx, clean))

    def _put_all(self, tx: Tx, records: list[object]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for record in records:
            assert isinstance(record, dict)
            counts[str(record["record"])] += records_.put(tx, record, self._owner)
        return +counts
