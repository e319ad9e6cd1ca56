"""Rows of declared tables, whichever room's: which of them are meant by a text, a file, a session or a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from holdfast.events import tombstone
from holdfast.store.catalog import Catalog
from holdfast.store.generated import name_of
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.table import Table, Via
from holdfast.upkeep import file_names, text_match
from holdfast.upkeep.file_names import Spelling

_JOURNAL = "journal"
"""Chosen and buried entry by entry; see `forget`."""


class Tables:
    """The declared tables of a store, and one owner's rows in them."""

    def __init__(self, catalog: Catalog, owner: str) -> None:
        self.catalog = catalog
        self.owner = owner
        declared = catalog.tables.values()
        self.items = tuple(table for table in declared if table.family)
        """Those whose rows are items: removed through `items`."""
        others = [table for table in declared if not table.family and not table.derived and table.name != _JOURNAL]
        self.others = tuple(sorted(others, key=self._depth, reverse=True))
        """The rest, a table before those that its rows belong to."""

    def _depth(self, table: Table) -> int:
        depth = 0
        while isinstance(table.owner, Via):
            depth, table = depth + 1, self.catalog.tables[table.owner.table]
        return depth

    def room_of(self, family: str) -> str:
        """The name of the room that has this family of items."""
        return next(self.catalog.room_of(table.name) for table in self.items if table.family == family)

    # --- which rows are meant

    def of_text(self, reader: Reader, table: Table, text: str) -> list[Row]:
        """Rows in whose words a text stands."""
        if not table.worded:
            return []
        patterns = {
            "like": text_match.across_lines(text),
            "escaped": text_match.across_lines(text_match.in_json(text)),
        }
        found = reader.all(name_of(table.name, "of_text"), owner=self.owner, **patterns)
        return [row for row in found if text_match.says(str(row["words"]), text)]

    def of_file(self, reader: Reader, table: Table, spelled: tuple[Spelling, ...]) -> list[Row]:
        """Rows that tell of a file: it is among their files, or their words name it."""
        if not table.worded:
            return []
        found: dict[tuple[Value, ...], Row] = {}
        for path in file_names.fewest(spelled):
            patterns = {
                "like": text_match.pattern(path),
                "escaped": text_match.pattern(text_match.in_json(path)),
            }
            for row in reader.all(name_of(table.name, "of_file"), owner=self.owner, **patterns):
                paths = file_names.valid(spelled, str(row["project_id"] or ""))
                if not set(paths).isdisjoint(_listed(str(row["files"]))) or file_names.named_in(
                    str(row["words"]), paths
                ):
                    found[tuple(row[name] for name in table.key)] = row
        return list(found.values())

    def of_conversation(self, reader: Reader, table: Table, conversation: str) -> list[Row]:
        if table.conversation is None or table.lasts:
            return []
        return reader.all(name_of(table.name, "of_conversation"), owner=self.owner, conversation=conversation)  # type: ignore[return-value]

    def of_time(self, reader: Reader, table: Table, before: int, limit: int) -> list[Row]:
        """Rows from before a moment."""
        if not table.time or table.lasts:
            return []
        return reader.all(name_of(table.name, "of_time"), owner=self.owner, before=before, limit=limit)  # type: ignore[return-value]

    # --- removing

    def drop(self, tx: Tx, table: Table, rows: Iterable[Row], now: int) -> int:
        """Remove rows with those that belong to them; no export brings them back. How many went."""
        gone = 0
        for row in rows:
            key = {name: row[name] for name in table.key}
            for child in self._children(table):
                tx.run(name_of(table.name, f"drop_{child.name}"), **{"owner": self.owner} | key)
            if table.exported:
                tombstone.bury(tx, [mark_of(table, row)], now, until=now)
            gone += tx.run(name_of(table.name, "drop"), **{"owner": self.owner} | key)
        return gone

    def blank(self, tx: Tx, table: Table, rows: Iterable[Row]) -> int:
        """Replace the words of rows; how many were."""
        keys = [{name: row[name] for name in table.key} for row in rows]
        return sum(tx.run(name_of(table.name, "blank"), **{"owner": self.owner} | key) for key in keys)

    def drop_where(self, tx: Tx, table: Table, *, conversation: str = "", before: int = 0) -> int:
        """Remove all rows of a conversation, or from before a moment."""
        if table.lasts:
            return 0
        if conversation and table.conversation is not None:
            return tx.run(name_of(table.name, "drop_conversation"), owner=self.owner, conversation=conversation)
        if before and table.time:
            return tx.run(name_of(table.name, "drop_time"), owner=self.owner, before=before)
        return 0

    def _children(self, table: Table) -> Sequence[Table]:
        return [each for each in self.others if isinstance(each.owner, Via) and each.owner.table == table.name]


def mark_of(table: Table, row: Row) -> str:
    """How a forgotten row is known again."""
    return tombstone.mark(table.mark or table.name, *(str(row[name]) for name in table.key))


def _listed(files: str) -> set[str]:
    """The paths of `files` columns: a path, or a JSON list."""
    try:
        value = msgspec.json.decode(files)
    except msgspec.MsgspecError:
        return {files}
    return {each for each in value if isinstance(each, str)} if isinstance(value, list) else {files}
