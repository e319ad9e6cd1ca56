"""Does a copy of a store hold what was forgotten? Copies of SQLite are files of its own, those of PostgreSQL are JSON
lines. A copy may be of an older holdfast: tables that it has and we do not know are searched whole."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.ids import ConversationId
from holdfast.store.sqlite.connect import open_reader
from holdfast.store.table import Table

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|toolu_[A-Za-z0-9]+")
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Sought:
    """What a copy is searched for."""

    ids: frozenset[str]
    conversation: ConversationId
    before: int
    text: str
    """The text, as `bare` writes it."""
    like: str
    """A word of the text, for LIKE in lower case; '!' escapes. What holds the text holds the word."""
    bare: Callable[[str], str]
    """Words so that it does not matter how often they are written as JSON, nor where lines end."""

    def stands_in(self, words: str) -> bool:
        return bool(self.text) and self.text in self.bare(words)


def holds(path: Path, tables: Mapping[str, Table], sought: Sought) -> bool:
    """Raises OSError or sqlite3.Error when the copy cannot be read."""
    return _dump_holds(path, tables, sought) if path.suffix == ".jsonl" else _file_holds(path, tables, sought)


def ids_in(text: str) -> set[str]:
    """The ids of items, journal entries and tool uses that a text names."""
    return set(_ID.findall(text))


def _file_holds(path: Path, tables: Mapping[str, Table], sought: Sought) -> bool:
    with closing(open_reader(path)) as connection:
        there: dict[str, list[str]] = {}
        for table, column in connection.execute(
            "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c"
            " WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ):
            there.setdefault(table, []).append(column)
        return any(_table_holds(connection, name, columns, tables.get(name), sought) for name, columns in there.items())


def _table_holds(
    connection: sqlite3.Connection, name: str, columns: list[str], table: Table | None, sought: Sought
) -> bool:
    def finds(condition: str, *values: object) -> bool:
        return connection.execute(f'SELECT 1 FROM "{name}" WHERE {condition} LIMIT 1', values).fetchone() is not None  # noqa: S608 (names of the file's own catalogue)

    if "id" in columns:
        for part in _parts(sorted(sought.ids)):
            if finds(f"id IN ({','.join('?' * len(part))})", *part):
                return True
    own = table is None or (not table.stays and not table.derived)
    if sought.before and own and table and table.time in columns and finds(f"{table.time} < ?", sought.before):
        return True
    if sought.conversation and own and "conversation" in columns and finds("conversation = ?", sought.conversation):
        return True
    worded = [each for each in (table.worded if table else columns) if each in columns]
    if table is not None and table.derived:
        worded = []  # an index: it holds what the tables hold
    words = " || ' ' || ".join(f"COALESCE(CAST({each} AS TEXT), '')" for each in worded)
    if not words or not sought.text:
        return False
    found = connection.execute(
        f"SELECT {words} FROM \"{name}\" WHERE LOWER({words}) LIKE ? ESCAPE '!'",  # noqa: S608 (the same)
        (sought.like,),
    )
    return any(sought.stands_in(said) for (said,) in found)


def _dump_holds(path: Path, tables: Mapping[str, Table], sought: Sought) -> bool:
    if sought.before:
        return _dump_holds_older(path, tables, sought.before)
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if sought.ids.intersection(_ID.findall(line)):
                return True
            if sought.conversation and sought.conversation in line:
                return True
            if sought.stands_in(line):
                return True
    return False


def _dump_holds_older(path: Path, tables: Mapping[str, Table], before: int) -> bool:
    """Is there a row from before a moment, of a table that such a request takes rows from?"""
    at = -1
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                value: Any = json.loads(line)
            except ValueError as error:
                raise OSError(f"{path} is not whole") from error
            if isinstance(value, dict) and "table" in value:
                table, columns = tables.get(str(value["table"])), list(value["columns"])
                chosen = table is not None and not table.stays and not table.derived and table.time in columns
                at = columns.index(table.time) if table and chosen else -1
            elif isinstance(value, list) and at >= 0 and isinstance(value[at], int) and value[at] < before:
                return True
    return False


def _parts(ids: list[str]) -> Iterable[list[str]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]
