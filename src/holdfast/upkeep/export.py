"""Export: writes the rows of all declared tables as JSON Lines, without loss; the same on both databases.

Line 1 says what it is; then one record per line, those that others refer to first, items in the order of time; the
last line counts them, which proves that the file is whole.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any

import msgspec

from holdfast.ids import ItemId
from holdfast.items.service import Items
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Reader, Row, Store
from holdfast.store.table import ITEM, Table, Via
from holdfast.upkeep.rows import Tables

FORMAT = 1
PAGE = 500


class Export:
    """Exports one owner's rows of every declared table."""

    def __init__(
        self, store: Store, catalog: Catalog, items: Items, owner: str, *, clean: Callable[[Any], Any]
    ) -> None:
        """`clean` removes secrets. Stored text was cleaned before, but by the rules of that day."""
        self._store = store
        self._catalog = catalog
        self._tables = Tables(catalog, owner)
        self._items = items
        self._owner = owner
        self._clean = clean

    @property
    def on_request(self) -> frozenset[str]:
        """The rooms that have tables which are only exported on request."""
        tables = self._catalog.tables.values()
        return frozenset(self._catalog.room_of(table.name) for table in tables if table.on_request)

    async def lines(self, project_id: str = "", *, also: Collection[str] = ()) -> AsyncIterator[bytes]:
        """The lines of an export. Read page by page, so that neither memory nor any reader is held for long.

        `also` names rooms whose tables are only exported on request."""
        counts: Counter[str] = Counter()
        yield self._line({"holdfast_export": FORMAT, "made_at": self._items.now(), "store": self._store.kind})
        for step in order(self._catalog.tables.values()):
            wanted = [each for each in step if not each.on_request or self._catalog.room_of(each.name) in also]
            async for table, row in self._by_time(wanted, project_id):
                counts[table.name] += 1
                yield self._line({"record": table.name} | {name: row[name] for name in table.exported})
        yield self._line({"end": dict(counts)})

    def _line(self, value: dict[str, Any]) -> bytes:
        return msgspec.json.encode(self._clean(value)) + b"\n"

    async def _by_time(self, tables: Sequence[Table], project_id: str) -> AsyncIterator[tuple[Table, Row]]:
        """The rows of several tables in the order of time, so that items are imported in that order, too."""
        waiting: list[tuple[int, str, str, Table, Row, AsyncIterator[Row]]] = []

        async def push(table: Table, rows: AsyncIterator[Row]) -> None:
            async for row in rows:
                at, identity = _place(table, row)
                heapq.heappush(waiting, (at, identity, table.name, table, row, rows))
                return

        for table in tables:
            await push(table, self._rows(table, project_id))
        while waiting:
            *_, table, row, rows = heapq.heappop(waiting)
            yield table, row
            await push(table, rows)

    async def _rows(self, table: Table, project_id: str) -> AsyncIterator[Row]:
        at, after = -1, ""
        while True:
            page, kept = await self._store.read(
                lambda reader, at=at, after=after: self._page(reader, table, project_id, at, after)  # type: ignore[misc]
            )
            for row in kept:
                yield row
            if len(page) < PAGE:
                return
            at, after = _place(table, page[-1])

    def _page(self, reader: Reader, table: Table, project_id: str, at: int, after: str) -> tuple[list[Row], list[Row]]:
        """The next rows, and those of them that are exported: a row about an item is exported with that item."""
        page = self._tables.page(reader, table, project_id, at=at, after=after, limit=PAGE)
        if not (isinstance(table.project, Via) and table.project.table == ITEM):
            return page, page
        column = table.project.column
        return page, [row for row in page if self._goes(reader, ItemId(str(row[column])), project_id)]

    def _goes(self, reader: Reader, item_id: ItemId, project_id: str) -> bool:
        item = self._items.catalogue.item(reader, item_id, self._owner)
        return item is not None and (not project_id or item.listed.project_id in (project_id, ""))


def _place(table: Table, row: Row) -> tuple[int, str]:
    return int(row[table.time] or 0) if table.time else -1, str(row["row_identity"])


def order(tables: Collection[Table]) -> list[list[Table]]:
    """The exported tables in steps: a table comes after those that it refers to; all items are one step. Pure."""
    exported = [table for table in tables if table.exported]
    steps = [[table] for table in exported if not table.family]
    items = [table for table in exported if table.family]
    if items:
        steps.append(items)
    names = {table.name: index for index, step in enumerate(steps) for table in step}

    def needs(step: Sequence[Table]) -> set[int]:
        found: set[int] = set()
        for table in step:
            ways = [each.table for each in (table.owner, table.project, table.conversation) if isinstance(each, Via)]
            for name in (*ways, *table.refers.values()):
                if name == ITEM:
                    found |= {names[each.name] for each in items}
                elif name in names and name not in {each.name for each in step}:
                    found.add(names[name])
        return found

    done: list[int] = []
    while len(done) < len(steps):
        ready = [index for index, step in enumerate(steps) if index not in done and needs(step) <= set(done)]
        if not ready:
            raise ValueError("the exported tables refer to each other in a circle")
        done.append(ready[0])
    return [steps[index] for index in done]
