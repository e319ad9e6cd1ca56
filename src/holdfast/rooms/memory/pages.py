"""Reading all that is kept, page by page: neither memory nor any reader is held for long, however much there is."""

from __future__ import annotations

import heapq
from collections.abc import AsyncIterator

from holdfast.store.interface import Row, Store, Value

PAGE = 500
_CLOCKS = {
    "session": "started_at",
    "prompt": "happened_at",
    "observation": "happened_at",
    "summary": "happened_at",
    "memory": "created_at",
    "supersession": "happened_at",
    "injection": "happened_at",
    "lost_context": "happened_at",
    "model_summary": "written_at",
    "citation": "created_at",
    "reading": "read_at",
}
_QUERIES = {name: f"upkeep.{name}s" for name in (*_CLOCKS, "cited_page")} | {
    "memory": "upkeep.memories",
    "summary": "upkeep.summaries",
    "model_summary": "upkeep.model_summaries",
}
_ITEMS = ("prompt", "observation", "summary")
ABOUT = {"supersession": "old_id", "cited_page": "item_id"}
"""Rows that do not say in which project they are: they go where the thing goes that this column names."""


class Pages:
    """The rows of one owner."""

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner

    async def of(self, kind: str, project_id: str = "") -> AsyncIterator[Row]:
        at, last = -1, ""
        while True:
            page = await self._page(kind, project_id, at, last)
            for row in page:
                yield row
            if len(page) < PAGE:
                return
            at, last = place_of(kind, page[-1])

    async def _page(self, kind: str, project_id: str, at: int, last: str) -> list[dict[str, Value]]:
        about: dict[str, Value] = {"id": last, "limit": PAGE}
        if kind in _CLOCKS:
            about["at"] = at
        if kind != "supersession":
            about["owner"] = self._owner
        if kind not in ABOUT:
            about["project_id"] = project_id
        return await self._store.read(lambda reader: reader.all(_QUERIES[kind], **about))

    async def by_time(self, project_id: str = "") -> AsyncIterator[tuple[str, Row]]:
        """Prompts, observations and summaries in the order of time: so they are neighbours where they are taken in."""
        waiting: list[tuple[int, str, str, Row, AsyncIterator[Row]]] = []
        for kind in _ITEMS:
            pages = self.of(kind, project_id)
            async for row in pages:
                heapq.heappush(waiting, (*place_of(kind, row), kind, row, pages))
                break
        while waiting:
            _, _, kind, row, pages = heapq.heappop(waiting)
            yield kind, row
            async for following in pages:
                heapq.heappush(waiting, (*place_of(kind, following), kind, following, pages))
                break


def place_of(kind: str, row: Row) -> tuple[int, str]:
    match kind:
        case "supersession":
            identity = str(row["old_id"])
        case "injection":
            identity = str(row["entry_id"]) + str(row["item_id"])
        case "cited_page":
            return 0, str(row["item_id"]) + str(row["url"])
        case "lost_context":
            identity = str(row["conversation"])
        case "model_summary":
            identity = str(row["subject"])
        case _:
            identity = str(row["id"])
    return int(row[_CLOCKS[kind]] or 0), identity
