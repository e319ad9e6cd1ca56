"""Retention: once a day, what has aged goes, and the store's size is noted. In short transactions, so no hook waits."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from typing import Any

from holdfast import recall
from holdfast.ids import now_us
from holdfast.items import tables as items
from holdfast.rooms.memory import aging, tables
from holdfast.rooms.memory.aging import DAY_US, Policy
from holdfast.store.interface import Store, Tx, Value

log = logging.getLogger(__name__)

JOB = "memory.retention"
_AT_ONCE = 200
_MUCH = 1_000
"""Removals after which the index is rewritten: until then its own merging does."""
_DAYS_NOTED = 400


@dataclass(frozen=True, slots=True)
class Aged:
    """What one run did."""

    lightened: int = 0
    entries: int = 0
    observations: int = 0


class Retention:
    """The service. One per daemon, made by `daemon.compose`."""

    def __init__(self, store: Store, owner: str, policy: Policy) -> None:
        self.policy = policy
        self._store = store
        self._owner = owner

    async def run(self, now: int | None = None) -> Aged:
        """Apply the policy as of `now`, and note the size."""
        now = now or now_us()
        ages = aging.ages(self.policy, now)
        lightened = entries = 0
        for event in await self._events():
            if ages.whole and aging.stays_light(event):
                lightened += await self._lighten(event, ages.whole)
            elif ages.whole:
                entries += await self._drop_entries(event, ages.whole)
            if ages.journal:
                entries += await self._drop_entries(event, ages.journal)
        entries += await self._within_bytes()
        observations = await self._drop_observations(ages) if ages.observations else 0
        if ages.observations:
            await self._store.write(
                lambda tx: tx.run("upkeep.drop_old_injections", before=ages.light_observations, owner=self._owner)
            )
        if observations >= _MUCH:
            await recall.purge(self._store)
        await self._note(now)
        aged = Aged(lightened, entries, observations)
        if any(asdict(aged).values()):
            log.info("aged: %d entries made light, %d entries and %d observations removed", *asdict(aged).values())
        return aged

    async def _events(self) -> list[str]:
        found: list[str] = []
        while True:
            last = found[-1] if found else ""
            row = await self._store.read(lambda reader, last=last: reader.one("upkeep.next_event", event=last))  # type: ignore[misc]
            if row is None or row["event"] is None:
                return found
            found.append(str(row["event"]))

    async def _lighten(self, event: str, before: int) -> int:
        about: dict[str, Value] = {"event": event, "before": before, "owner": self._owner, "limit": _AT_ONCE}

        def some(tx: Tx) -> int:
            rows = tx.all("upkeep.whole_entries", like=f"{aging.LIGHT_MARK}%", **about)
            for row in rows:
                small = aging.light(str(row["payload"]))
                gone = max(0, len(str(row["payload"])) - len(small))
                tx.run("upkeep.lighten", id=row["id"], payload=small, gone=gone)
            return len(rows)

        return await self._by_parts(some)

    async def _drop_entries(self, event: str, before: int) -> int:
        about: dict[str, Value] = {"event": event, "before": before, "owner": self._owner, "limit": _AT_ONCE}
        return await self._by_parts(lambda tx: tx.run("upkeep.drop_entries", **about))

    async def _within_bytes(self) -> int:
        """The journal within its bytes: the oldest days go."""
        if not self.policy.journal_bytes:
            return 0
        rows = await self._store.read(lambda reader: reader.all("upkeep.bytes_by_day", owner=self._owner))
        days = [(int(row["day"] or 0), int(row["bytes"] or 0)) for row in rows]
        first = aging.first_day_kept(days, self.policy.journal_bytes)
        if not first:
            return 0
        return sum([await self._drop_entries(event, first * DAY_US) for event in await self._events()])

    async def _drop_observations(self, ages: aging.Ages) -> int:
        about: dict[str, Value] = {
            "owner": self._owner,
            "before": ages.observations,
            "light": ages.light_observations,
            "limit": _AT_ONCE,
        }

        def some(tx: Tx) -> int:
            ids = [str(row["id"]) for row in tx.all("upkeep.old_observations", **about)]
            tx.many("upkeep.drop_entry", [{"id": each} for each in ids])
            removed = tables.remove(tx, ids, self._owner)
            for item in removed:
                items.drop_traces(tx, item.id)
            return len(removed)

        return await self._by_parts(some)

    async def _by_parts(self, some: Any) -> int:
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

        def write(tx: Tx) -> None:
            tx.many("upkeep.growth_put", [{"day": day, **each} for each in noted])
            tx.run("upkeep.growth_drop", day=day - _DAYS_NOTED)

        await self._store.write(write)
