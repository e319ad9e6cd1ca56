"""Forgetting: removes what was chosen everywhere, so that it does not come back.

Rows of every room, journal copies, index entries and vectors go in short transactions; then the index is purged, the
database folded, and the files beside it (spool, logs, backups) are swept. Hashes of it stay, so that no
transcript, spool or export brings it back. A room adds what only it knows (`Room.upkeep`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from holdfast import recall
from holdfast.errors import HoldfastError
from holdfast.events import tombstone
from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.indexed import Listed
from holdfast.items.model import Item
from holdfast.items.service import Items
from holdfast.recall import health
from holdfast.rooms.room import Upkeep
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Row, Store, Tx
from holdfast.times import MINUTE_US
from holdfast.upkeep import forget_selection as selection
from holdfast.upkeep import tables, text_match
from holdfast.upkeep.forget_plan import MOST_WORDS, ForgetPlan, origin, planned, traces_of
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.rows import Tables
from holdfast.upkeep.traces import Swept, Traces

_AT_ONCE = 100
"""Items per transaction: a hook that writes waits for one transaction at most."""
_ENTRIES_READ = 20_000
"""Entries that are looked up at once: to find a text, the whole journal is read."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would go."""

    counts: dict[str, int]
    """As in a `ForgetPlan`."""
    lines: tuple[Listed, ...]
    """The first of them."""
    found: Swept
    """What would go of the files beside the store."""


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What went, counted as in the preview."""

    counts: dict[str, int]
    swept: Swept


Sweep = Callable[[Traces, int], Awaitable[Swept]]
LooksElsewhere = Callable[[Traces], Awaitable[Swept]]


class Forgetting:
    """Forgets for one owner, over every room."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        items: Items,
        owner: str,
        *,
        hooks: Mapping[str, Upkeep],
        sweep: Sweep,
        look: LooksElsewhere | None = None,
        first: Callable[[], Awaitable[object]] | None = None,
        also: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """`hooks` are what rooms add, by their names. `look` says what `sweep` would remove. `first`: what has arrived
        and is still being thought about is written, so that it can be found and removed. `also`: whoever holds copies
        in memory (vectors, caches) makes them anew from the store."""
        self._store = store
        self._tables = Tables(catalog, owner)
        self._items = items
        self._owner = owner
        self._hooks = hooks
        self._sweep = sweep
        self._look = look
        self._first = first
        self._also = also

    async def preview(self, request: ForgetRequest) -> Preview:
        """What a request would remove. Nothing is changed."""
        if self._first is not None:
            await self._first()
        plan = await self._plan(await self._settled(request))
        return Preview(dict(plan.counts), plan.lines, await self._look(plan.traces) if self._look else Swept())

    async def _settled(self, request: ForgetRequest) -> ForgetRequest:
        return await self._store.read(lambda reader: selection.settled(reader, request, self._owner))

    async def _plan(self, request: ForgetRequest) -> ForgetPlan:
        return await self._store.read(lambda reader: planned(reader, request, self._tables, self._items, self._hooks))

    async def forget(self, request: ForgetRequest) -> ForgetReceipt:
        """Remove it everywhere; what was removed."""
        if self._first is not None:
            await self._first()
        request = await self._settled(request)
        plan = await self._plan(request)
        if not plan.counts and request.ids:
            raise HoldfastError(f"Nothing is kept under {', '.join(request.ids)}. `holdfast search` shows ids.")
        traces = traces_of(request)
        counts: Counter[str] = Counter()
        await self._store.write(lambda tx: self._shut(tx, request))
        if request.text or request.file:
            # Items before entries: by its entry it is known how a transcript would mention an item.
            await self._drop_items(request, traces, counts, distilled=False)
        await self._drop_entries(request, traces, counts)
        # By now distilled items were made anew without what goes; those that still mention it go too.
        await self._drop_items(request, traces, counts, distilled=True)
        if not request.ids:
            counts += await self._store.write(lambda tx: self._drop_others(tx, request))
        counts += await self._store.write(self._drop_left_alone)
        # Rows that belong to an item go with it, and a distilled item is made anew: both count, as in the preview.
        left = (await self._plan(request)).counts
        counts |= plan.counts - left - Counter(entries=plan.counts["entries"])
        await recall.purge(self._store)
        words = [request.text] if request.text else sorted(traces.words | traces.ids)[:MOST_WORDS] or ["-"]
        await self._store.settle(words)
        if self._also is not None:
            await self._also()
        swept = await self._sweep(traces, self._items.now())
        await self._store.settle()
        return ForgetReceipt(dict(+counts), swept)

    def _shut(self, tx: Tx, request: ForgetRequest) -> None:
        """Write the marks first: from now on nothing of it is taken in again."""
        now = self._items.now()
        tombstone.bury(tx, [tombstone.of_transcripts(self._owner)], now, until=now)
        if request.session:
            tombstone.bury(tx, [tombstone.of_conversation(ConversationId(request.session))], now, until=now)
        if request.before:
            tombstone.bury(tx, [tombstone.of_owner(self._owner)], now, until=request.before - 1)

    # --- entries of the journal

    async def _drop_entries(self, request: ForgetRequest, traces: Traces, counts: Counter[str]) -> None:
        """Remove the journal entries that the request is about, also those that no item was made from."""
        while True:
            found = await self._store.read(
                lambda reader: selection.entries(reader, request, self._owner, limit=_ENTRIES_READ)
            )
            gone = 0
            for start in range(0, len(found), _AT_ONCE):
                part = found[start : start + _AT_ONCE]
                gone += await self._store.write(lambda tx, part=part: self._drop_told(tx, part, request))  # type: ignore[misc]
                traces.note_entries(part)
            counts["entries"] += gone
            if len(found) < _ENTRIES_READ or not gone:
                return

    def _drop_told(self, tx: Tx, entries: list[Row], request: ForgetRequest) -> int:
        """One transaction: remove entries, and correct what rooms made from them in other words."""
        mends, now = [], self._items.now()
        if request.text or request.file:
            mends = [each.entries_go(tx, entries, self._owner, now) for each in self._hooks.values() if each.entries_go]
        gone = self._bury(tx, entries)
        for mend in mends:
            mend(tx)
        return gone

    def _bury(self, tx: Tx, entries: Iterable[Row]) -> int:
        rows = list(entries)
        tombstone.bury(tx, [mark for row in rows for mark in tombstone.own_marks(row)], self._items.now())
        return tables.drop_entries(tx, [EntryId(str(row["id"])) for row in rows])

    # --- items

    async def _drop_items(
        self, request: ForgetRequest, traces: Traces, counts: Counter[str], *, distilled: bool
    ) -> None:
        catalogue = self._items.catalogue
        while True:
            ids = await self._store.read(
                lambda reader: selection.items(reader, request, self._tables, catalogue, distilled=distilled)
            )
            before = counts.total()
            for start in range(0, len(ids), _AT_ONCE):
                part = ids[start : start + _AT_ONCE]
                removed, entries = await self._store.write(lambda tx, part=part: self._drop(tx, part, request))  # type: ignore[misc]
                counts.update(item.listed.family for item in removed)
                counts["entries"] += len(entries)
                traces.note_entries(entries)
                for item in removed:
                    traces.note_item(item.id, item.words(), MOST_WORDS)
            if len(ids) < selection.MANY or counts.total() == before:
                return

    def _drop(self, tx: Tx, ids: list[ItemId], request: ForgetRequest) -> tuple[list[Item], list[Row]]:
        """One transaction: remove items and the entries they were made from; write the hashes that keep them away."""
        marks: list[str] = []
        entries: dict[EntryId, Row] = {}
        for item_id in ids:
            item = self._items.catalogue.item(tx, item_id, self._owner)
            if item is None:
                continue
            marks.append(tombstone.of_item(item.id))
            hooks = self._hooks.get(self._tables.room_of(item.listed.family))
            if hooks and hooks.marks and not request.session and not request.before:
                marks += hooks.marks(tx, item.value, self._owner)
            of = origin(tx, item, hooks, request, self._owner)
            if of.aged:
                until = item.listed.happened_at + MINUTE_US
                tombstone.bury(tx, [tombstone.of_conversation(of.aged)], self._items.now(), until=until)
            entries |= {EntryId(str(row["id"])): row for row in of.entries}
        tombstone.bury(tx, marks, self._items.now())
        self._bury(tx, entries.values())
        for each in self._hooks.values() if request.ids and entries else ():
            if each.entries_gone:
                each.entries_gone(tx, list(entries.values()), self._owner)
        return self._items.remove(tx, ids), list(entries.values())

    # --- other rows

    def _drop_others(self, tx: Tx, request: ForgetRequest) -> Counter[str]:
        """Remove rows that are neither items nor entries."""
        gone: Counter[str] = Counter()
        now = self._items.now()

        def tells(words: str, row: Row) -> bool:
            return selection.tells(request, words, row)

        for table in self._tables.others:
            if request.text:
                rows = self._tables.of_text(tx, table, request.text)
                if table.found == "blank":
                    gone[selection.mended(table)] += self._tables.blank(tx, table, rows)
                    continue
                if table.found == "mend":
                    gone[selection.mended(table)] += self._tables.mend(tx, table, rows, tells)
                    continue
                gone += selection.by_name(self._tables, self._tables.drop(tx, table, rows, now))
            elif request.spelled:
                rows = self._tables.of_file(tx, table, request.spelled) if table.files else []
                if table.found == "mend":
                    gone[selection.mended(table)] += self._tables.mend(tx, table, rows, tells)
                    continue
                gone += selection.by_name(self._tables, self._tables.drop(tx, table, rows, now))
            else:
                gone[selection.called(table)] += self._tables.drop_where(
                    tx, table, conversation=ConversationId(request.session), before=request.before
                )
        if request.text:
            self._drop_lost_index_entries(tx, request.text)
        return +gone

    def _drop_left_alone(self, tx: Tx) -> Counter[str]:
        """Remove rows that mean nothing without those that are gone."""
        gone: Counter[str] = Counter()
        for table in self._tables.only_with:
            rows = self._tables.left_alone(tx, table, set())
            gone += selection.by_name(self._tables, self._tables.drop(tx, table, rows, self._items.now()))
        for hooks in self._hooks.values():
            if hooks.after_forget:
                hooks.after_forget(tx, self._owner)
        return +gone

    def _drop_lost_index_entries(self, tx: Tx, text: str) -> None:
        """Remove index entries without an item; there should be none."""
        held = health.holding(tx, self._owner, text_match.like(text))
        recall.remove(tx, [each for each in held if self._items.catalogue.item(tx, each, self._owner) is None])
