"""Items that are the rows of one declared table: what a simple room needs for its `Indexed`.

The declaration says where time, project, conversation, words and files stand, so finding, listing, counting, indexing
and removing follow from it, without SQL of the room's own. A room says how an item is listed (`listed`), and how it is
corrected (`edited`), if it can be. Every other method may be replaced by one that knows better. A room with several
such tables hands their indexes to `IndexByFamily`; one with kinds within a family writes an `Indexed` of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from holdfast import recall
from holdfast.errors import ConfigError, UsageError
from holdfast.ids import NO_CONVERSATION, NO_ENTRY, ConversationId, ItemId, listener_id
from holdfast.items import rows, tables
from holdfast.items.indexed import (
    TRUST_WEIGHTS,
    Background,
    Change,
    Family,
    Listed,
    Page,
    Saying,
    Section,
    Start,
)
from holdfast.items.words import WRITER_MARKS, against, short_id
from holdfast.prose.one_line import one_line
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.table import Table
from holdfast.times import age

V = TypeVar("V")
_LONGEST_LINE = 560
_LONGEST_INDEXED = 2_000


class TableIndex(ABC, Generic[V]):
    """The items of one table. `value` is their type: a Struct or a dataclass whose fields are named as the columns."""

    made_from = ""
    """The column with the id of the journal entry that an item was made from; '' when there is none."""

    def __init__(self, table: Table, family: Family, value: type[V]) -> None:
        if table.family != family.name or family.kinds:
            raise ConfigError(
                f"The table {table.name} cannot be indexed as {family.name}: its `family` must be that name, "
                "and the family must have no kinds."
            )
        self.family = family
        self._table = table
        self.value = value

    # --- what a room says

    @abstractmethod
    def listed(self, item: V) -> Listed:
        """Its line in a search."""

    def edited(self, item: V, change: Change) -> V:
        """The corrected item; the same one when the change says nothing that it has. Pure."""
        raise UsageError(f"A {self.family.name} cannot be edited. Forget it and write another one.")

    # --- what a room calls

    def add(self, tx: Tx, item: V, owner: str) -> None:
        """Write a new item and make it findable, with the pages that it cites. An id that is there changes nothing."""
        if rows.put(tx, self._table, self._row(item), owner):
            tables.put_in_index(tx, self, item, owner)
            tables.cite(tx, self.listed(item).id, self.words(item), owner)

    # --- finding and showing

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> V | None:
        row = rows.one(reader, self._table, item_id, owner)
        return self._read(row) if row else None

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        return rows.ids_ending(reader, self._table, tail, owner)

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        if wanted.family not in ("", self.family.name) or wanted.kind:
            return []
        return [self.listed(self._read(row)) for row in rows.page(reader, self._table, wanted, owner)]

    def whole(self, item: V) -> dict[str, Any]:
        """Its words, its files and who wrote it."""
        told: dict[str, Any] = {name: getattr(item, name) for name in self._table.words}
        told |= {name: _told(getattr(item, name)) for name in self._table.files}
        return told | {"trust": self.listed(item).trust}

    def words(self, item: V) -> str:
        words = [str(each) for name in self._table.words if (each := getattr(item, name))]
        return " ".join((*words, *self.files(item)))

    def background(self, reader: Reader, item: V, owner: str) -> Background:
        entry_id = getattr(item, self.made_from) if self.made_from else None
        return Background(entry_id or NO_ENTRY, self.conversation(item))

    def conversation(self, item: V) -> ConversationId:
        """The client's session that an item belongs to; '' when the table has no column for it."""
        column = self._table.conversation
        return ConversationId(getattr(item, column) or "") if isinstance(column, str) else NO_CONVERSATION

    def files(self, item: V) -> tuple[str, ...]:
        """The files that an item is about: a column holds a path or a JSON list of paths."""
        return tuple(each for name in self._table.files for each in _paths(getattr(item, name)))

    # --- the index of recall

    def found_by(self, reader: Reader, item: V, owner: str) -> recall.Item | None:
        listed = self.listed(item)
        return recall.Item(
            id=listed.id,
            kind=self.family.name,
            owner=owner,
            text=self.words(item)[:_LONGEST_INDEXED],
            happened_at=listed.happened_at,
            project_id=listed.project_id,
            listener=listener_id(self.conversation(item)),
            trust=TRUST_WEIGHTS[listed.trust],
            files=self.files(item),
        )

    def count(self, reader: Reader, owner: str) -> int:
        return rows.count(reader, self._table, owner)

    # --- given to an agent that did not ask

    def said(self, item: V, how: Saying) -> str:
        listed = self.listed(item)
        facts = [age(how.now, listed.happened_at)]
        facts += [listed.outcome] if listed.outcome else []
        facts += ["no longer holds"] if how.stale else []
        facts += ["the page it cites has changed since"] if how.page_changed else []
        facts += how.facts
        named = short_id(self.family.letter, listed.id)
        text = one_line(listed.title if how.short else self.words(item), _LONGEST_LINE)
        return f"[{named}] {WRITER_MARKS[listed.trust]}{text} ({', '.join(facts)}){against(how.objection)}"

    def shown_in(self, item: V, line: str) -> frozenset[str]:
        return frozenset()

    def instead(self, reader: Reader, item: V, owner: str) -> V:
        return item

    def told_anew(self, reader: Reader, items: Sequence[V], owner: str) -> Mapping[ItemId, V]:
        return {}

    def as_told(self, reader: Reader, items: Sequence[V], owner: str, *, on_request: bool = False) -> Sequence[V]:
        return items

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        return ()

    # --- what others told

    def told_by_web(self, reader: Reader, conversation: ConversationId, owner: str, now: int) -> Sequence[str]:
        return ()

    # --- changing

    def edit(self, tx: Tx, item: V, change: Change, owner: str) -> V:
        new = self.edited(item, change)
        if new == item:
            raise UsageError(f"Nothing of this {self.family.name} would change; it is as it was.")
        rows.rewrite(tx, self._table, self._row(new), owner)
        return new

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[V]:
        found = {each: item for each in ids if (item := self.item(tx, self.family.name, each, owner)) is not None}
        for each in found:
            rows.drop(tx, self._table, each, owner)
        return list(found.values())

    def after_forget(self, tx: Tx, removed: Sequence[V], owner: str, now: int) -> None:
        pass

    # --- helpers

    def _read(self, row: Row) -> V:
        return msgspec.convert(row, self.value, strict=False)

    def _row(self, item: V) -> dict[str, Value]:
        return {name: getattr(item, name) for name in self._table.exported}


def _told(held: object) -> object:
    """A column of files as people read it: a path, or a list of paths."""
    return list(_paths(held)) if str(held or "").startswith("[") else held


def _paths(held: object) -> tuple[str, ...]:
    if isinstance(held, list | tuple):
        return tuple(str(each) for each in held)
    text = str(held or "")
    if text.startswith("["):
        try:
            return tuple(msgspec.json.decode(text, type=list[str]))
        except msgspec.MsgspecError:
            pass
    return (text,) if text else ()
