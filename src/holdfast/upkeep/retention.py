"""Retention: once a day, removes rows that have aged and records the size of the store. Transactions are short, so no
hook waits.

Tables declare when their rows age (`Age`). The journal is handled here: its entries are shortened before they go.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from holdfast import recall
from holdfast.events.light import LIGHT_MARK, light, stays_light
from holdfast.ids import EntryId, ItemId
from holdfast.items.service import Items
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Store, Tx, Value
from holdfast.store.table import Table
from holdfast.times import DAY_US
from holdfast.upkeep import aging, tables
from holdfast.upkeep.rows import Tables
from holdfast.upkeep.settings import RetentionSettings

log = logging.getLogger(__name__)

JOB = "upkeep.retention"
_AT_ONCE = 200
_MUCH = 1_000
"""Removals after which the index is rewritten: until then its own merging does."""
_DAYS_NOTED = 400


@dataclass(frozen=True, slots=True)
class Aged:
    """What one run did."""

    lightened: int = 0
    entries: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    """Removed, by table."""


class Retention:
    """Ages one owner's rows of every declared table."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        items: Items,
        owner: str,
        policy: RetentionSettings,
        days: Mapping[str, aging.SettingsInDays] = MappingProxyType({}),
    ) -> None:
        """`days` are the rooms' own settings in days, by room."""
        self._own = {table.name: days.get(catalog.room_of(table.name), {}) for table in catalog.tables.values()}
        for table in catalog.tables.values():
            aging.check(table, self._own[table.name])
        self.policy = policy
        self._store = store
        self._rows = Tables(catalog, owner)
        self._tables = tuple(table for table in catalog.tables.values() if table.ages)
        self._items = items
        self._owner = owner

    async def run(self, now: int | None = None) -> Aged:
        """Apply the policy as of `now` (or of this moment), and note the size."""
        now = self._items.now() if now is None else now
        whole, last = (aging.ago(days, now) for days in (self.policy.journal_whole_days, self.policy.journal_days))
        lightened = entries = 0
        for event in await self._events():
            if whole and stays_light(event):
                lightened += await self._lighten(event, whole)
            elif whole:
                entries += await self._drop_entries(event, whole)
            if last:
                entries += await self._drop_entries(event, last)
        entries += await self._within_bytes()
        rows: Counter[str] = Counter()
        for table in self._tables:
            rows[table.name] += await self._drop_rows(table, now)
        for table in self._rows.only_with:
            rows[table.name] += await self._by_parts(partial(self._drop_left_alone, table))
        if sum(rows[table.name] for table in self._tables if table.family) >= _MUCH:
            await recall.purge(self._store)
        await self._note(now)
        aged = Aged(lightened, entries, dict(+rows))
        if lightened or entries or aged.rows:
            told = ", ".join(f"{number} of {name}" for name, number in aged.rows.items())
            log.info(
                "retention: %d journal entries shortened, %d removed; rows removed: %s",
                lightened,
                entries,
                told or "none",
            )
        return aged

    async def _drop_rows(self, table: Table, now: int) -> int:
        total = 0
        for number, age in enumerate(table.ages):
            if moment := aging.before(age, self.policy, now, self._own[table.name]):
                total += await self._by_parts(
                    lambda tx, number=number, moment=moment: self._drop_aged(tx, table, number, moment)  # type: ignore[misc]
                )
        return total

    def _drop_aged(self, tx: Tx, table: Table, number: int, before: int) -> int:
        rows = self._rows.aged(tx, table, number, before, _AT_ONCE)
        if table.family:
            ids = [ItemId(str(row["id"])) for row in rows]
            tables.drop_entries_of_items(tx, ids)
            return len(self._items.remove(tx, ids, mend=False))
        beneath = [each for row in rows for each in self._rows.beneath(tx, table, row)]
        self._items.remove(tx, [ItemId(str(row["id"])) for part, row in beneath if part.family], mend=False)
        return self._rows.drop_aged(tx, table, rows)

    def _drop_left_alone(self, table: Table, tx: Tx) -> int:
        """Rows that mean nothing without others (`Table.only_with`), when the last of those has aged."""
        return self._rows.drop_aged(tx, table, self._rows.left_alone(tx, table, set())[:_AT_ONCE])

    async def _events(self) -> list[str]:
        found: list[str] = []
        while True:
            last = found[-1] if found else ""
            event = await self._store.read(lambda reader, last=last: tables.event_after(reader, last))  # type: ignore[misc]
            if event is None:
                return found
            found.append(event)

    async def _lighten(self, event: str, before: int) -> int:
        def some(tx: Tx) -> int:
            pattern = f"{LIGHT_MARK}%"
            found = tables.whole_payloads(tx, event, before, self._owner, unlike=pattern, limit=_AT_ONCE)
            for entry_id, payload in found:
                small = light(payload)
                tables.shorten(tx, EntryId(entry_id), small, max(0, len(payload) - len(small)))
            return len(found)

        return await self._by_parts(some)

    async def _drop_entries(self, event: str, before: int) -> int:
        return await self._by_parts(lambda tx: tables.drop_old_entries(tx, event, before, self._owner, _AT_ONCE))

    async def _within_bytes(self) -> int:
        """The journal within its bytes: the oldest days go."""
        if not self.policy.journal_bytes:
            return 0
        days = await self._store.read(lambda reader: tables.bytes_by_day(reader, self._owner))
        first = aging.first_day_kept(days, self.policy.journal_bytes)
        if not first:
            return 0
        return sum([await self._drop_entries(event, first * DAY_US) for event in await self._events()])

    async def _by_parts(self, some: Callable[[Tx], int]) -> int:
        total = 0
        while (done := await self._store.write(some)) > 0:
            total += done
        return total

    async def _note(self, now: int) -> None:
        """Today's size, per table where the database can tell."""
        size = await self._store.size(tables=True)
        day = now // DAY_US
        noted: list[dict[str, Value]] = [{"name": "", "bytes": size.bytes, "rows": sum(size.rows.values())}]
        noted += [{"name": name, "bytes": size.tables.get(name, 0), "rows": rows} for name, rows in size.rows.items()]
        await self._store.write(lambda tx: tables.note_sizes(tx, day, noted, drop_before=day - _DAYS_NOTED))
