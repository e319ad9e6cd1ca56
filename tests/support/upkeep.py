"""The services of upkeep on a store, as the daemon composes them, without the files beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

from holdfast.ids import now_us
from holdfast.items.service import Items
from holdfast.program import CATALOG, ROOMS
from holdfast.rooms.gather import days_of
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Store
from holdfast.upkeep.export import Export
from holdfast.upkeep.forget import Forgetting, Sweep
from holdfast.upkeep.retention import Retention
from holdfast.upkeep.settings import RetentionSettings
from holdfast.upkeep.take_in import TakeIn
from holdfast.upkeep.traces import Swept, Traces
from tests.support.ground import ground

DAYS = days_of(ROOMS, lambda section: section())
"""The rooms' own settings in days: their tables may age by them."""
HOOKS: dict[str, Upkeep] = {room.name: room.upkeep for room in ROOMS}


def items_of(store: Store, owner: str = "me") -> Items:
    """The items of all rooms."""
    items = Items(store, owner, now=now_us, locate=lambda folder: (folder, folder))
    items.gather([(room.families, room.index(ground(store, owner))) for room in ROOMS if room.index])
    return items


async def no_files(traces: Traces, now: int) -> Swept:
    return Swept()


def forgetting(store: Store, owner: str = "me", items: Items | None = None, *, sweep: Sweep = no_files) -> Forgetting:
    return Forgetting(store, CATALOG, items or items_of(store, owner), owner, hooks=HOOKS, sweep=sweep)


def retention(store: Store, owner: str, policy: RetentionSettings) -> Retention:
    return Retention(store, CATALOG, items_of(store, owner), owner, policy, DAYS)


class Portable:
    """Export and import, as one."""

    def __init__(self, store: Store, owner: str, *, clean: Callable[[Any], Any] = lambda value: value) -> None:
        items = items_of(store, owner)
        self._export = Export(store, CATALOG, items, owner, clean=clean)
        self._import = TakeIn(store, CATALOG, items, owner, hooks=HOOKS, clean=clean)

    def export(self, project_id: str = "", *, citations: bool = False) -> AsyncIterator[bytes]:
        return self._export.lines(project_id, also=("citations",) if citations else ())

    async def take_in(self, lines: list[str]) -> Counter[str]:
        return await self._import.take_in(lines)
