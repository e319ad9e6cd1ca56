"""Forgetting: what is chosen goes everywhere, and does not come back.

Rows, journal copies, index entries and vectors go in short transactions; then the index is purged, the database folded,
and the files beside it (spool, logs, backups) are swept by whom this service was given. Hashes of what went stay, so
that no transcript, spool or export brings it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from holdfast import recall
from holdfast.errors import HoldfastError, UsageError
from holdfast.events import tombstone
from holdfast.ids import now_us
from holdfast.items.indexed import Listed
from holdfast.items.service import Items
from holdfast.rooms.memory import choosing, rows, rules, tables
from holdfast.rooms.memory.choosing import ForgetRequest
from holdfast.rooms.memory.model import MemoryItem, Observation, Prompt, Summary
from holdfast.rooms.memory.summaries import answers, refresh
from holdfast.store.interface import Reader, Row, Store, Tx
from holdfast.times import MINUTE_US

_AT_ONCE = 100
"""Things per transaction, so that no hook waits long for the writer."""
_ENTRIES_READ = 20_000
"""Entries that are looked up at once: to find a text, the whole journal is read."""
_SHOWN = 20
_MOST_WORDS = 200
_TELLING = 16
"""A line at least so long is looked for in the log."""


@dataclass(slots=True)
class Traces:
    """By what the files beside the database are searched."""

    text: str = ""
    conversation: str = ""
    before: int = 0
    ids: set[str] = field(default_factory=set)
    """Of things, of journal entries and of tool uses."""
    words: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Swept:
    """What was found in the files."""

    spooled: int = 0
    log_lines: int = 0
    backups: tuple[str, ...] = ()
    """Copies that held what was forgotten. They were removed."""
    unread: tuple[str, ...] = ()
    """Copies that could not be examined. They are still there."""
    made: str = ""
    """The new copy in their place."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would go."""

    counts: dict[str, int]
    """Per family, and `entries` of the journal."""
    lines: tuple[Listed, ...]
    """The first of them."""


@dataclass(frozen=True, slots=True)
class Receipt:
    counts: dict[str, int]
    swept: Swept


Sweep = Callable[[Traces], Awaitable[Swept]]


class Forgetting:
    """The service. One per daemon, made by `daemon.compose`."""

    def __init__(
        self,
        store: Store,
        owner: str,
        items: Items,
        *,
        sweep: Sweep,
        first: Callable[[], Awaitable[object]] | None = None,
        also: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """`first`: what has arrived and is still being thought about is written, so that it can be found and removed.
        `also`: whoever holds copies in memory (vectors, caches) makes them anew from the store."""
        self._first = first
        self._also = also
        self._store = store
        self._owner = owner
        self._items = items
        self._sweep = sweep

    async def preview(self, request: ForgetRequest) -> Preview:
        """What a request would remove. Nothing is changed."""
        return await self._store.read(lambda reader: self._previewed(reader, request))

    def _previewed(self, reader: Reader, request: ForgetRequest) -> Preview:
        request = choosing.settled(reader, request, self._owner)
        counts: Counter[str] = Counter()
        lines: list[Listed] = []
        for item_id in choosing.items(reader, request, self._items.catalogue, self._owner, limit=choosing.MANY):
            item = tables.item(reader, item_id, self._owner)
            if item is not None:
                counts[rules.family_of(item)] += 1
                if len(lines) < _SHOWN:
                    lines.append(rows.listed_as(item))
        counts |= choosing.others(reader, request, self._owner)
        return Preview(dict(counts), tuple(lines))

    async def forget(self, request: ForgetRequest) -> Receipt:
        """Remove it everywhere; what was removed."""
        if self._first is not None:
            await self._first()
        request = await self._store.read(lambda reader: choosing.settled(reader, request, self._owner))
        traces = Traces(request.text, request.session, request.before)
        counts: Counter[str] = Counter()
        await self._store.write(lambda tx: self._shut(tx, request))
        if request.text or request.file:
            # Things before entries: by its entry it is known how a transcript would tell of a thing.
            await self._drop_items(request, traces, counts, with_summaries=False)
        await self._drop_entries(request, traces, counts)
        # By now summaries were written anew without what goes; those that still tell of it go too.
        await self._drop_items(request, traces, counts, with_summaries=True)
        if not request.ids:
            counts += await self._store.write(lambda tx: choosing.drop_others(tx, request, self._owner))
        if not any(counts.values()) and request.ids:
            raise HoldfastError(f"Nothing is kept under {', '.join(request.ids)}. `holdfast search` shows ids.")
        await recall.purge(self._store)
        await self._store.settle(
            [request.text] if request.text else sorted(traces.words | traces.ids)[:_MOST_WORDS] or ["-"]
        )
        if self._also is not None:
            await self._also()
        swept = await self._sweep(traces)
        await self._store.settle()
        return Receipt(dict(+counts), swept)

    def _shut(self, tx: Tx, request: ForgetRequest) -> None:
        """From now on nothing of it is taken again."""
        now = now_us()
        if request.session:
            tombstone.bury(tx, [tombstone.of_conversation(request.session)], now, until=now)
        if request.before:
            tombstone.bury(tx, [tombstone.of_owner(self._owner)], now, until=request.before - 1)

    async def _drop_entries(self, request: ForgetRequest, traces: Traces, counts: Counter[str]) -> None:
        """The journal's entries that the request itself is about, whether or not they became anything."""
        while True:
            found = await self._store.read(
                lambda reader: choosing.entries(reader, request, self._owner, limit=_ENTRIES_READ)
            )
            gone = 0
            for start in range(0, len(found), _AT_ONCE):
                part = found[start : start + _AT_ONCE]
                gone += await self._store.write(lambda tx, part=part: self._drop_told(tx, part, request))  # type: ignore[misc]
                _note_entries(traces, part)
            counts["entries"] += gone
            if len(found) < _ENTRIES_READ or not gone:
                return

    async def _drop_items(
        self, request: ForgetRequest, traces: Traces, counts: Counter[str], with_summaries: bool
    ) -> None:
        while True:
            ids = await self._store.read(
                lambda reader: choosing.items(
                    reader, request, self._items.catalogue, self._owner, limit=choosing.MANY, summaries=with_summaries
                )
            )
            before = counts.total()
            for start in range(0, len(ids), _AT_ONCE):
                part = ids[start : start + _AT_ONCE]
                removed, entries = await self._store.write(lambda tx, part=part: self._drop(tx, part, request))  # type: ignore[misc]
                counts.update(rules.family_of(item) for item in removed)
                counts["entries"] += len(entries)
                _note_entries(traces, entries)
                _note_items(traces, removed)
            if len(ids) < choosing.MANY or counts.total() == before:
                return

    def _drop(self, tx: Tx, ids: list[str], request: ForgetRequest) -> tuple[list[MemoryItem], list[Row]]:
        """One transaction: things, the entries they were made from, and the hashes that keep them away."""
        marks: list[str] = []
        entries: dict[str, Row] = {}
        for item_id in ids:
            item = tables.item(tx, item_id, self._owner)
            if item is None:
                continue
            marks.append(tombstone.of_item(item.id))
            found = _entries_of(tx, item, self._owner)
            entries |= {str(row["id"]): row for row in found}
            if isinstance(item, Summary):
                choosing.drop_written(tx, [item.subject])
                if not request.session and not request.before:
                    marks.append(tombstone.of_subject(item.subject))
            elif isinstance(item, Prompt | Observation):
                conversation = tables.conversation_of(tx, item)
                of_conversation = tx.all("memory.summaries_of", conversation=conversation)
                choosing.drop_written(tx, [str(row["subject"]) for row in of_conversation])
                if conversation and all(row["id"] != item.id for row in found):
                    # Its entry has aged out, so how a transcript would tell of it is not known any more.
                    until = item.happened_at + MINUTE_US
                    tombstone.bury(tx, [tombstone.of_conversation(conversation)], now_us(), until=until)
        tombstone.bury(tx, marks, now_us())
        self._bury_entries(tx, list(entries.values()))
        return [item.value for item in self._items.remove(tx, ids)], list(entries.values())

    def _drop_told(self, tx: Tx, entries: list[Row], request: ForgetRequest) -> int:
        """One transaction: entries, and what was summed up from them in other words than theirs."""
        told = refresh.told_in(tx, entries) if request.text or request.file else {}
        gone = self._bury_entries(tx, entries)
        choosing.drop_written(tx, [summary.subject for summary in told])
        refresh.unsay(tx, told, self._owner)
        return gone

    def _bury_entries(self, tx: Tx, entries: list[Row]) -> int:
        tombstone.bury(tx, [mark for row in entries for mark in tombstone.own_marks(row)], now_us())
        return sum(tx.run("upkeep.drop_entry", id=row["id"]) for row in entries)


def _entries_of(tx: Tx, item: MemoryItem, owner: str) -> list[Row]:
    """The journal's copies of what an item was made from."""
    found = answers.words_of(tx, item, owner)
    entry = tx.one("upkeep.entry", id=item.id, owner=owner)
    if entry is None:
        return found
    found.append(entry)
    if isinstance(item, Prompt) and entry["prompt_id"]:
        about = {"conversation": item.conversation, "prompt_id": entry["prompt_id"], "owner": owner}
        found += tx.all("upkeep.entries_of_prompt", **about)
    elif isinstance(item, Observation) and entry["tool_use_id"]:
        use = str(entry["tool_use_id"])
        found += tx.all("upkeep.entries_of_use", tool_use_id=use, owner=owner)
        found += tx.all("upkeep.batches_of_use", conversation=entry["conversation"], owner=owner, like=f"%{use}%")
    return found


def _note_entries(traces: Traces, entries: Iterable[Row]) -> None:
    for row in entries:
        traces.ids.add(str(row["id"]))
        if row["tool_use_id"]:
            traces.ids.add(str(row["tool_use_id"]))


def _note_items(traces: Traces, items: Iterable[MemoryItem]) -> None:
    for item in items:
        traces.ids.add(item.id)
        if len(traces.words) < _MOST_WORDS:
            lines = (line.strip() for line in rules.all_words(item).splitlines())
            traces.words |= {line for line in lines if len(line) >= _TELLING}


def check(request: ForgetRequest) -> None:
    """Exactly one way of choosing."""
    ways = [bool(each) for each in (request.ids, request.session, request.file, request.text.strip(), request.before)]
    if sum(ways) != 1:
        raise UsageError("Say what to forget in one way: ids, or a session, a file, a text, or a time before which.")
    if request.text and len(request.text.strip()) < 3:
        raise UsageError("A text to forget has at least three characters.")
