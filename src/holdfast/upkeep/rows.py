"""Rows of declared tables of any room: finds them by a text, a file, a session or a time, writes and removes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import msgspec

from holdfast.events import tombstone
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.store import generated
from holdfast.store.catalog import Catalog
from holdfast.store.generated import name_of
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.table import Table, Via
from holdfast.upkeep import file_names, mending, text_match
from holdfast.upkeep.file_names import Spelling

_JOURNAL = "journal"
"""`forget` handles it entry by entry."""


RowKey = tuple[Value, ...]
"""The values of a row's key columns."""


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
        self.only_with = tuple(table for table in self.others if table.only_with)
        """Those of the rest whose rows go with the last one that holds them."""
        self._parts = {
            table.name: [part for part in generated.parts(table, catalog.tables) if not part.derived]
            for table in declared
        }

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
        return [row for row in found if text_match.says(str(row["words"]), text) and not _is_blank(str(row["words"]))]

    def of_file(self, reader: Reader, table: Table, spelled: tuple[Spelling, ...]) -> list[Row]:
        """Rows that mention a file: it is among their files, or their words name it."""
        if not table.worded:
            return []
        found: dict[RowKey, Row] = {}
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
                    found[key_of(table, row)] = row
        return list(found.values())

    def of_conversation(self, reader: Reader, table: Table, conversation: ConversationId) -> list[Row]:
        if not generated.chosen(table, "conversation", self.catalog.tables):
            return []
        return reader.all(name_of(table.name, "of_conversation"), owner=self.owner, conversation=conversation)  # type: ignore[return-value]

    def of_time(self, reader: Reader, table: Table, before: int, limit: int) -> list[Row]:
        """Rows from before a moment, and those that belong to older rows."""
        if not generated.chosen(table, "time", self.catalog.tables):
            return []
        return reader.all(name_of(table.name, "of_time"), owner=self.owner, before=before, limit=limit)  # type: ignore[return-value]

    def count_of_time(self, reader: Reader, table: Table, before: int) -> int:
        """How many rows go with those from before a moment: their own, and those that belong to older rows."""
        if not generated.chosen(table, "time", self.catalog.tables):
            return 0
        row = reader.one(name_of(table.name, "count_of_time"), owner=self.owner, before=before)
        return int(row["n"] or 0) if row else 0

    def aged(self, reader: Reader, table: Table, number: int, before: int, limit: int) -> list[dict[str, Value]]:
        """Rows that the table's age of this number lets go, from before a moment."""
        about: dict[str, Value] = {"owner": self.owner, "before": before, "limit": limit}
        return reader.all(name_of(table.name, f"aged_{number}"), **about)

    def page(self, reader: Reader, table: Table, project_id: str, *, at: int, after: str, limit: int) -> list[Row]:
        """The rows of a project ('' is every project) that an export writes after a place in the order of time."""
        about: dict[str, Value] = {
            "owner": self.owner,
            "project_id": project_id,
            "at": at,
            "after": after,
            "limit": limit,
        }
        return list(reader.all(name_of(table.name, "rows"), **about))

    def left_alone(self, reader: Reader, table: Table, going: set[RowKey]) -> list[dict[str, Value]]:
        """Rows that nothing holds (`Table.only_with`) when the holders with the keys `going` are gone."""
        assert table.only_with is not None
        holder, mine = self.catalog.tables[table.only_with.table], {"owner": self.owner}
        found = {key_of(table, row): row for row in reader.all(name_of(table.name, "left_alone"), **mine)}
        for key in going:
            for row in reader.all(name_of(table.name, "held_by"), **mine | dict(zip(holder.key, key, strict=True))):
                holders = reader.all(name_of(table.name, "holders"), **mine | row)
                if all(key_of(holder, each) in going for each in holders):
                    found[key_of(table, row)] = row
        return list(found.values())

    # --- taking in

    def has(self, reader: Reader, table: Table, row: Row) -> bool:
        """Is a row with this key here?"""
        return reader.one(name_of(table.name, "has"), **{name: row[name] for name in table.key}) is not None

    def has_owner(self, reader: Reader, table: Table, row: Row) -> bool:
        """Is the row that this one belongs to here, and this owner's?"""
        assert isinstance(table.owner, Via)
        about = {table.owner.column: row[table.owner.column]}
        return reader.one(name_of(table.name, "has_owner"), owner=self.owner, **about) is not None

    def has_project(self, reader: Reader, project_id: Value) -> bool:
        """Is this a project of this owner?"""
        return reader.one(name_of("project", "has_own"), id=project_id, owner=self.owner) is not None

    def put(self, tx: Tx, table: Table, row: Row) -> bool:
        """Add a row for this owner. Was it new?"""
        return tx.run(name_of(table.name, "put"), **dict(row) | self._owned(table)) == 1

    def same(self, reader: Reader, table: Table, row: Row) -> str | None:
        """The id under which this store has the same thing, where a table can tell."""
        if not table.same:
            return None
        whole = dict(row) | self._owned(table)
        there = reader.one(name_of(table.name, "same"), **{name: whole[name] for name in table.same})
        return str(there["id"]) if there else None

    def _owned(self, table: Table) -> dict[str, Value]:
        return {table.owner: self.owner} if isinstance(table.owner, str) else {}

    # --- removing

    def beneath(self, reader: Reader, table: Table, row: Row) -> Iterator[tuple[Table, Row]]:
        """The rows that belong to a row, in any number of steps, the farthest first."""
        about = {"owner": self.owner} | {name: row[name] for name in table.key}
        for part in self._parts[table.name]:
            for each in reader.all(name_of(table.name, f"under_{part.name}"), **about):
                yield part, each

    def drop_aged(self, tx: Tx, table: Table, rows: Iterable[dict[str, Value]]) -> int:
        """Remove rows that aged out with those that belong to them; an export may bring them back. How many aged."""
        gone = 0
        for row in rows:
            for part, each in list(self.beneath(tx, table, row)):
                self._drop_row(tx, part, each)
            gone += self._drop_row(tx, table, row)
        return gone

    def drop(self, tx: Tx, table: Table, rows: Iterable[Row], now: int) -> Counter[str]:
        """Remove rows with those that belong to them; no export brings them back. How many went, by table."""
        gone: Counter[str] = Counter()
        for row in rows:
            for of, each in (*self.beneath(tx, table, row), (table, row)):
                if of.exported:
                    tombstone.bury(tx, [mark_of(of, each)], now, until=now)
                gone[of.name] += self._drop_row(tx, of, each)
        return gone

    def _drop_row(self, tx: Tx, table: Table, row: Row) -> int:
        return tx.run(name_of(table.name, "drop"), **{"owner": self.owner} | {name: row[name] for name in table.key})

    def blank(self, tx: Tx, table: Table, rows: Iterable[Row]) -> int:
        """Replace the words of rows; how many were."""
        keys = [{name: row[name] for name in table.key} for row in rows]
        return sum(tx.run(name_of(table.name, "blank"), **{"owner": self.owner} | key) for key in keys)

    def mend(self, tx: Tx, table: Table, rows: Iterable[Row], tells: Callable[[str, Row], bool]) -> int:
        """Take out of rows what mentions something, and nothing else; how many were changed."""
        mended = list(self.mended(tx, table, rows, tells))
        return sum(tx.run(name_of(table.name, "mend"), **row) for row in mended)

    def mended(
        self, reader: Reader, table: Table, rows: Iterable[Row], tells: Callable[[str, Row], bool]
    ) -> Iterator[dict[str, Value]]:
        """Those of the rows that change when what mentions something is taken out, as they are then."""
        for row in rows:
            key = {"owner": self.owner} | {name: row[name] for name in table.key}
            before = reader.one(name_of(table.name, "worded"), **key)
            if before is None:
                continue
            after: dict[str, Value] = {
                name: mending.without(str(before[name] or ""), table.shapes.get(name), lambda text: tells(text, row))  # noqa: B023 (called at once)
                for name in table.worded
            }
            if after != dict(before):
                yield key | after

    def drop_where(
        self, tx: Tx, table: Table, *, conversation: ConversationId = NO_CONVERSATION, before: int = 0
    ) -> int:
        """Remove all rows of a conversation, or from before a moment, and those that belong to such rows."""
        if conversation and generated.chosen(table, "conversation", self.catalog.tables):
            return tx.run(name_of(table.name, "drop_conversation"), owner=self.owner, conversation=conversation)
        if before and generated.chosen(table, "time", self.catalog.tables):
            return tx.run(name_of(table.name, "drop_time"), owner=self.owner, before=before)
        return 0


def key_of(table: Table, row: Row) -> RowKey:
    return tuple(row[name] for name in table.key)


def mark_of(table: Table, row: Row) -> str:
    """How a forgotten row is known again."""
    return tombstone.mark(table.mark or table.name, *(str(row[name]) for name in table.key))


def _is_blank(words: str) -> bool:
    """Was all of it forgotten before? (Somebody may want to forget the word `forgotten`.)"""
    return set(words.split()) == {mending.FORGOTTEN}


def _listed(files: str) -> set[str]:
    """The paths of `files` columns: a path, or a JSON list."""
    try:
        value = msgspec.json.decode(files)
    except msgspec.MsgspecError:
        return {files}
    return {each for each in value if isinstance(each, str)} if isinstance(value, list) else {files}
