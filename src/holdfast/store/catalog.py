"""All that a store holds: the tables of the house and of every room, their queries and their migrations.

A room's SQL stands in its folder: `NAME.sql` and `migrations/`. Made once from the list of rooms, and handed to the
store. A declaration that is incomplete is refused here, with a sentence that names the table and the room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import ConfigError
from holdfast.store import generated, migrate, queries
from holdfast.store.lex import StoreKind
from holdfast.store.shared import HOUSE, SHARED
from holdfast.store.spoken import spoken
from holdfast.store.table import ITEM, Columns, Table, Via

FOLDER = Path(__file__).parent
PACKAGE = FOLDER.parent
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_KINDS: tuple[StoreKind, ...] = ("sqlite", "postgresql")
_MOMENT = re.compile(r"(?:^|_)at$")


@dataclass(frozen=True, slots=True)
class CatalogSource:
    """What one room brings along."""

    name: str
    tables: tuple[Table, ...] = ()
    folder: Path | None = None
    """Where `NAME.sql` and `migrations/` stand; None: the room has no SQL."""


def migrations_of(folders: Iterable[Path]) -> tuple[migrate.Migration, ...]:
    """The migrations of the house and of the rooms whose SQL is in these folders, in one order."""
    every = (folder / "migrations" for folder in (FOLDER, *folders))
    return tuple(migrate.load(*(folder for folder in every if folder.is_dir())))


class Catalog:
    """The tables, queries and migrations of the house and of these rooms."""

    def __init__(self, *sources: CatalogSource) -> None:
        self.sources = sources
        self._rooms: dict[str, str] = {}
        self.tables: dict[str, Table] = {}
        self._queries: dict[StoreKind, queries.Queries] = {}
        for room, tables in (("", (*SHARED, *HOUSE)), *((each.name, each.tables) for each in sources)):
            for table in tables:
                if table.name in self.tables:
                    other = self._rooms[table.name] or "holdfast itself"
                    raise _wrong(table, room, f"is declared by {other} too")
                self.tables[table.name] = table
                self._rooms[table.name] = room
        marks: dict[str, Table] = {}
        for table in self.tables.values():
            self._check(table, self._rooms[table.name])
            first = marks.setdefault(table.mark or table.name, table)
            if first is not table:
                raise _wrong(table, self._rooms[table.name], f"has the same `mark` as the table {first.name}")
        self.migrations = migrations_of(source.folder for source in sources if source.folder)

    def room_of(self, table: str) -> str:
        """The name of the room that declares a table; '' for the house."""
        return self._rooms[table]

    def queries(self, kind: StoreKind) -> queries.Queries:
        """All queries for one database: those of the files, and those made from the declarations."""
        if kind not in self._queries:
            files = [*sorted((FOLDER / "sql").glob("*.sql"))]
            files += [source.folder / f"{source.name}.sql" for source in self.sources if source.folder]
            try:
                found = queries.load(kind, tuple(file for file in files if file.is_file()))
            except queries.QueryError as error:
                raise ConfigError(f"holdfast cannot start: {error}.") from error
            for name, text in generated.all_of(self.tables):
                found[name] = queries.translate(name, text, kind)
            self._queries[kind] = found
        return self._queries[kind]

    def check_columns(self, columns: Columns) -> None:
        """Refuse a declaration that names what the database does not have, or leaves a text column unnamed."""
        for name, table in self.tables.items():
            room = self._rooms[name]
            if name not in columns:
                raise _wrong(table, room, "is not made by any migration")
            there = columns[name]
            for column in _named(table):
                if column not in there:
                    raise _wrong(table, room, f"has no column {column}, which its declaration names")
            moment = next((each for each, about in there.items() if not about.text and _MOMENT.search(each)), "")
            if moment and not table.time and not table.timeless:
                raise _wrong(
                    table, room, f"has a column {moment} and no `time`. Name it, or say in `timeless` why it has none"
                )
            told = {*table.worded, *table.plain}
            for column in (each for each, about in there.items() if about.text and each not in told):
                raise _wrong(
                    table, room, f"has a text column {column} that is neither in `words` or `files` nor in `plain`"
                )
            if table.exported:
                lost = [each for each in there if each not in table.exported and each != table.owner]
                if lost:
                    raise _wrong(table, room, f"does not export its column {lost[0]}")

    def check_made(self) -> None:
        """Refuse a room whose migrations make a table that nobody declares: nothing would cover it."""
        there = {name for kind in _KINDS for name in migrate.tables_of(self.migrations, kind)}
        for source in self.sources:
            own = [each for each in self.migrations if each.folder == source.folder] if source.folder else []
            made = {name for kind in _KINDS for name in migrate.tables_of(own, kind)}
            for table in sorted((made & there) - self.tables.keys()):
                raise ConfigError(
                    f"holdfast cannot start: the room {source.name} makes the table {table} and does not declare it. "
                    "Add it to `tables`."
                )

    def check_spoken(self) -> None:
        """Refuse a query of a room that names a table of another room. (Reading all SQL takes too long for
        a start: `make docs` asks.)"""
        free = {table.name for table in SHARED}
        for folder, source in ((each.folder, each) for each in self.sources if each.folder):
            file = folder / f"{source.name}.sql"
            for name, query in (
                pair for kind in _KINDS for pair in queries.load(kind, [file] if file.is_file() else []).items()
            ):
                for table in sorted((spoken(query.text) & self.tables.keys()) - free):
                    owner = self._rooms[table]
                    if owner != source.name:
                        whose = f"a table of the room {owner}" if owner else "which is the house's own"
                        raise ConfigError(
                            f"The query {name} of the room {source.name} names {table}, {whose}. "
                            "A room's SQL names its own tables and the shared ones."
                        )

    def _check(self, table: Table, room: str) -> None:
        for name in (table.name, *_named(table)):
            if not _NAME.fullmatch(name):
                raise _wrong(table, room, f"uses the name {name!r}; names are small letters, digits and underscores")
        if "" in (table.owner, table.project, table.conversation):
            raise _wrong(table, room, "has an empty name for its owner, project or conversation: name the column")
        if not table.key:
            raise _wrong(table, room, "has no key")
        if bool(table.exported) == bool(table.kept_back):
            raise _wrong(table, room, "must be exported, or say in `kept_back` why not; one of the two")
        if table.owner is None and not table.kept_back:
            raise _wrong(table, room, "has no owner, so it cannot be exported")
        if table.owner is None and room:
            raise _wrong(table, room, "has no owner: name the column, or the table through which it is known")
        if table.owner is None and (
            table.family or table.conversation or table.ages or (table.found == "drop" and table.worded)
        ):
            raise _wrong(
                table,
                room,
                "is of this installation and no row of it goes, so it has no family, conversation "
                "or age, and words in it are blanked or mended",
            )
        if table.family and (table.key != ("id",) or not table.time):
            raise _wrong(table, room, "holds items, so its key is `id` and it has a time")
        both = {*table.worded} & {*table.plain}
        if both:
            raise _wrong(table, room, f"names its column {min(both)} as words and as plain")
        for reason in (each for each, why in table.plain.items() if not why.strip()):
            raise _wrong(table, room, f"gives no reason why its column {reason} holds no words")
        for via in (table.owner, table.project, table.conversation):
            if isinstance(via, Via):
                self._check_way(table, room, via)
        if table.only_with is not None:
            self._check_way(table, room, table.only_with)
            if table.family or self._rooms[table.only_with.table] != room:
                raise _wrong(
                    table, room, "has `only_with`: it is for rows that are no items, and names a table of its room"
                )
        if self._goes_round(table):
            raise _wrong(table, room, "leads back to itself on the way to its owner")
        for target in table.refers.values():
            self._check_way(table, room, Via("", target))

    def _check_way(self, table: Table, room: str, via: Via) -> None:
        if via.table == ITEM:
            if via is table.owner:
                raise _wrong(table, room, "cannot know its owner by an item; give it a column of its own")
            return
        if via.table not in self.tables:
            raise _wrong(table, room, f"leads to {via.table}, which no room declares")
        if via is table.owner and self.tables[via.table].owner is None:
            raise _wrong(table, room, f"leads to {via.table}, whose rows belong to this installation and to no person")
        there = self._rooms[via.table]
        if room and there not in (room, ""):
            raise _wrong(table, room, f"leads to {via.table}, a table of the room {there}; rooms share no tables")

    def _goes_round(self, table: Table) -> bool:
        seen = {table.name}
        while isinstance(table.owner, Via):
            if table.owner.table in seen:
                return True
            seen.add(table.owner.table)
            table = self.tables[table.owner.table]
        return False


def _named(table: Table) -> Iterable[str]:
    yield from (*table.key, *table.worded, *table.plain, *table.exported, *table.same, *table.shapes, *table.refers)
    for each in (table.owner, table.project, table.conversation, table.only_with):
        yield from (each.column,) if isinstance(each, Via) else (each,) if each else ()
    if table.time:
        yield table.time
    yield from (age.column for age in table.ages if age.column)


def _wrong(table: Table, room: str, why: str) -> ConfigError:
    of = f"of the room {room}" if room else "of holdfast itself"
    return ConfigError(f"holdfast cannot start: the table {table.name} {of} {why}.")
