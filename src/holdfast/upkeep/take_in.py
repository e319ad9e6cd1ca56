"""Import: the records of an export, taken into the tables that declare them.

A record that is there already, or was forgotten here, changes nothing. Records belong to the user who imports them. Ids
of rows that this store has under other ids are translated. A line that does not fit is an error with a sentence, and
nothing of its part of the file is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from holdfast import recall
from holdfast.errors import UsageError
from holdfast.events import tombstone
from holdfast.ids import NO_CONVERSATION, ConversationId, ItemId, WindowId
from holdfast.items import ranks
from holdfast.items import tables as item_tables
from holdfast.items.model import Objection
from holdfast.items.service import Items
from holdfast.rooms.room import Upkeep
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Reader, Store, Tx, Value
from holdfast.store.table import ITEM, Column, Shape, Table, Via
from holdfast.upkeep import tables
from holdfast.upkeep.export import FORMAT
from holdfast.upkeep.rows import Tables, mark_of

Record = dict[str, Value]
LeftOut = Literal["here", "forgotten", "alone"]
"""Why a record was not taken in: it is here already; it was forgotten here; what it belongs to is not here."""


@dataclass(frozen=True, slots=True)
class Intake:
    """How many records of a part of an export were new and were left out, by table."""

    new: Counter[str]
    left_out: Mapping[LeftOut, Counter[str]]


_FROM, _TO = -(2**63), 2**63 - 1
_SUPERSESSION = "supersession"
_NOTHING = "nothing of this part was taken"


class TakeIn:
    """Takes the records of an export in, for one owner."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        items: Items,
        owner: str,
        *,
        hooks: Mapping[str, Upkeep],
        clean: Callable[[Any], Any],
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._items = items
        self._owner = owner
        self._rows = Tables(catalog, owner)
        self._hooks = hooks
        self._clean = clean

    async def take_in(self, lines: list[str]) -> Counter[str]:
        """Take records in, all of them or none; how many of each kind were new."""
        return (await self.take(lines)).new

    async def take(self, lines: list[str]) -> Intake:
        """Take records in, all of them or none; how many were new and were left out."""
        found = [(number, each) for number, line in enumerate(lines) if (each := self._read(line, number)) is not None]
        records = [(number, self._clean(record)) for number, record in found]
        return await self._store.write(lambda tx: self._put_all(tx, records))

    # --- a line

    def _read(self, line: str, number: int) -> Record | None:
        """One record; None for the first and the last line."""
        try:
            value = msgspec.json.decode(line)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise UsageError(f"Line {number + 1} is not JSON ({error}); {_NOTHING}.") from error
        if not isinstance(value, dict):
            raise UsageError(f"Line {number + 1} is not a record of an export; {_NOTHING}.")
        if "holdfast_export" in value:
            if value["holdfast_export"] != FORMAT:
                raise UsageError(
                    f"This export is of format {value['holdfast_export']}, and this holdfast reads {FORMAT}."
                )
            return None
        if "end" in value:
            return None
        kind = value.get("record")
        table = self._catalog.tables.get(kind) if isinstance(kind, str) else None
        if table is None or not table.exported:
            raise UsageError(f"Line {number + 1} is an unknown record ({kind!r}); {_NOTHING}.")
        value = dict(table.since) | value
        columns = self._store.columns[table.name]
        for name in table.exported:
            if name not in value or not fits(table, name, columns[name], value[name]):
                raise UsageError(f"Line {number + 1} ({kind}) says nothing that fits under {name!r}; {_NOTHING}.")
        record: Record = {"record": table.name}
        return record | {name: value[name] for name in table.exported}

    # --- into the store

    def _put_all(self, tx: Tx, records: list[tuple[int, Record]]) -> Intake:
        new: Counter[str] = Counter()
        left_out: dict[LeftOut, Counter[str]] = {}
        for number, record in records:
            table = self._catalog.tables[str(record["record"])]
            row = {name: record[name] for name in table.exported}
            why = self._put(tx, table, row, number)
            (left_out.setdefault(why, Counter()) if why else new)[table.name] += 1
        return Intake(new, left_out)

    def _put(self, tx: Tx, table: Table, row: Record, number: int) -> LeftOut | None:
        """Take one record in; why not, when it was left out."""
        for column, target in table.refers.items():
            if target != ITEM:
                row[column] = _local(tx, row[column])
        self._check_project(tx, table, row, number)
        if why := self._left_out(tx, table, row):
            return why
        if table.name == _SUPERSESSION and not self._may_replace(tx, row):
            return None if self._object(tx, row) else "here"
        added = self._rows.put(tx, table, row)
        same = self._rows.same(tx, table, row)
        if same is not None and same != row["id"]:
            tables.note_alias(tx, str(row["id"]), same)
        if added and table.family:
            self._index(tx, table, ItemId(str(row["id"])))
        if added and table.name == _SUPERSESSION:
            recall.mark(tx, [ItemId(str(row["old_id"]))], superseded=True)
        return None if added else "here"

    def _may_replace(self, tx: Tx, row: Record) -> bool:
        """Newer words replace older ones of equal or lower rank only, whatever the file says (SEC-8)."""
        find = self._items.catalogue.item
        old, heir = (find(tx, ItemId(str(row[name] or "")), self._owner) for name in ("old_id", "new_id"))
        if old is None:
            return False
        return ranks.may_replace(str(row["made_by"]), old.listed.trust, heir.listed.trust if heir else None)

    def _object(self, tx: Tx, row: Record) -> bool:
        """Store a supersession that is not allowed as an objection. Was it new?"""
        item_id, new_id = (ItemId(str(row[name])) for name in ("old_id", "new_id"))
        said = Objection(item_id, new_id, str(row["reason"]), str(row["made_by"]), int(row["happened_at"] or 0))
        known = item_tables.objections(tx, item_id, item_tables.MOST_OBJECTIONS)
        if any((each.new_id, each.reason) == (said.new_id, said.reason) for each in known):
            return False
        item_tables.objects(tx, said, self._owner)
        return True

    def _check_project(self, tx: Tx, table: Table, row: Record, number: int) -> None:
        column = table.project
        if table.name == "project" or not isinstance(column, str) or not row[column]:
            return
        if not self._rows.has_project(tx, row[column]):
            raise UsageError(f"Line {number + 1} ({table.name}) is of a project that is not known here; {_NOTHING}.")

    def _left_out(self, tx: Tx, table: Table, row: Record) -> LeftOut | None:
        """Why a record may not come; None when it may."""
        if self._rows.has(tx, table, row):
            return "here"
        hooks = self._hooks.get(self._catalog.room_of(table.name))
        if hooks and hooks.refuses and hooks.refuses(tx, table.name, row, self._owner):
            return "forgotten"
        if self._is_forgotten(tx, table, row):
            return "forgotten"
        items = [str(row[column]) for column, target in table.refers.items() if target == ITEM]
        if any(self._items.catalogue.item(tx, ItemId(each), self._owner) is None for each in items):
            return "alone"
        if isinstance(table.owner, Via) and not self._rows.has_owner(tx, table, row):
            return "alone"
        return None

    def _is_forgotten(self, tx: Tx, table: Table, row: Record) -> bool:
        at = int(row[table.time] or 0) if table.time else 0
        if table.family and tombstone.lies_on(tx, 0, tombstone.of_item(ItemId(str(row["id"])))):
            return True
        marks = [mark_of(table, row)]
        if not table.lasts:
            marks.append(tombstone.of_owner(self._owner))
            conversation = self._conversation(tx, table, row)
            if conversation:
                marks.append(tombstone.of_conversation(conversation))
        return tombstone.lies_on(tx, at, *marks)

    def _conversation(self, tx: Tx, table: Table, row: Record) -> ConversationId:
        match table.conversation:
            case Via(column=column, table="session", key="id"):
                return tables.conversation_of(tx, WindowId(str(row[column])))
            case str(column):
                return ConversationId(str(row[column]))
            case _:
                return NO_CONVERSATION

    def _index(self, tx: Tx, table: Table, item_id: ItemId) -> None:
        """Make an item that was taken in searchable, and write what is derived from it."""
        item = self._items.catalogue.item(tx, item_id, self._owner, table.family)
        if item is None:
            return
        hooks = self._hooks.get(self._catalog.room_of(table.name))
        if hooks and hooks.taken:
            hooks.taken(tx, table.family, item.value, self._owner)
        entry = item_tables.document(tx, item.room, item.value, self._owner)
        if entry is not None:
            recall.index(tx, [entry])


def fits(table: Table, name: str, column: Column, value: object) -> bool:
    """May this be the value of a column? Counts and times are numbers of 64 bits, words are text. Pure."""
    if value is None:
        return column.nullable and name not in table.key
    if column.text:
        return isinstance(value, str) and _has_shape(value, table.shapes.get(name))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return _FROM <= value <= _TO and (not column.whole or value == int(value))


def _has_shape(text: str, shape: Shape | None) -> bool:
    if shape is None:
        return True
    if isinstance(shape, tuple):
        return text in shape
    try:
        msgspec.json.decode(text, type=list[str] if shape == "list" else dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def _local(reader: Reader, foreign: Value) -> str:
    """The id that this store has for a row of the other store."""
    if not foreign:
        return ""
    return tables.local_id(reader, str(foreign))
