"""Is this file the home's store, and whole? By header, size and a few reads at the start; by every page when asked.

Reads only: what is found unfit is left as it is. What cannot be seen this way: a byte changed inside a text. SQLite
keeps no checksums of pages.
"""

from __future__ import annotations

import re
import sqlite3
import stat
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import StoreUnfit
from holdfast.store.health import day, way_out
from holdfast.store.migrate import Migration, pending, tables_of, with_gaps_filled
from holdfast.store.record import Remembered
from holdfast.store.sqlite.connect import is_damage, open_reader
from holdfast.store.sqlite.ground import applied
from holdfast.store.sqlite.log import WriteAheadLog, lost_frames, read_log

_MAGIC = b"SQLite format 3\0"
_MOST_FINDINGS = 20
_INDEX = re.compile(r"row \d+ missing from index|wrong # of entries in index|non-unique entry in index")


@dataclass(frozen=True, slots=True)
class Examined:
    """A store that may be used."""

    is_new: bool
    lost_frames: int = 0
    """Frames of the log that were damaged: what was written last is gone."""


def stamp(path: Path) -> tuple[int, ...]:
    """The file as it is: another stamp is another file, or one that was written."""
    found: list[int] = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            facts = file.stat()
            found += [facts.st_ino, facts.st_size, facts.st_mtime_ns]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Examiner:
    """One store's file, and what its home knows about it."""

    path: Path
    backups: Path
    known: Sequence[Migration]
    remembered: Remembered | None = None
    had_store: bool = False
    """Something says that there was a store here, even if nothing else is remembered."""

    def unfit(self, kind: str, what: str) -> StoreUnfit:
        return StoreUnfit(f"The store at {self.path} {what}. {way_out(self.backups, 'sqlite')}", kind)

    def examine(self) -> Examined:
        """Raises StoreUnfit, or says what there is."""
        log = read_log(self.path)
        is_expected = self.had_store or log is not None
        was = self.remembered
        before = f"it had {was.bytes:,} bytes on {day(was.seen_at)}" if was and was.seen_at else "there was one"
        try:
            facts = self.path.stat()
        except FileNotFoundError:
            if is_expected:
                raise self.unfit("gone", f"is gone ({before})") from None
            return Examined(True)
        if not stat.S_ISREG(facts.st_mode):
            raise self.unfit("not a file", "is no file: something else has its name")
        if facts.st_size == 0:
            if is_expected:
                raise self.unfit("emptied", f"is empty ({before})")
            return Examined(True)
        if fault := _header_fault(self.path, facts.st_size, log):
            raise self.unfit(*fault)
        self._ask_again()
        return self._probe(log)

    def _ask_again(self) -> None:
        """What was found damaged is so until the file is another one, and then until every page was read."""
        damage = self.remembered.damage if self.remembered else None
        if damage is None:
            return
        if damage.stamp == stamp(self.path):
            raise StoreUnfit(damage.sentence, damage.kind)
        if found := check(self.path, full=True).damage:
            raise self.unfit("damaged", f"is damaged ({found[0]})")

    def _probe(self, log: WriteAheadLog | None) -> Examined:
        try:
            with closing(open_reader(self.path)) as connection:
                tables = _tables(connection)
                lost = lost_frames(self.path, log)
                if not self.had_store and (not tables or "schema_migration" not in tables):
                    return Examined(not tables)  # another's, in a place that was never ours: `migrate` says so
                self._identify(connection, tables)
                for table in sorted(name for name, kind in tables.items() if kind == "table"):
                    _touch(connection, table)
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise self.unfit("damaged", f"is damaged ({error})") from error
            return Examined(False)  # locked, or not to be opened in this way: whoever opens it for work says so
        return Examined(False, lost)

    def _identify(self, connection: sqlite3.Connection, tables: Mapping[str, str]) -> None:
        made_by = applied(connection)
        if made_by is None:
            raise self.unfit("foreign", "is a database, but not holdfast's")
        made_by = with_gaps_filled(self.known, made_by)
        pending(self.known, made_by, str(self.path))
        missing = sorted(tables_of(self.known[: len(made_by)], "sqlite") - tables.keys())
        if missing:
            raise self.unfit("damaged", f"is damaged: its table {missing[0]} is missing")
        facts = dict(connection.execute("SELECT name, value FROM fact WHERE name IN ('store_id', 'born_at')"))
        was = self.remembered
        if was is None or not was.id or was.is_about(facts):
            return
        made = f"made on {day(int(facts['born_at']))}" if str(facts.get("born_at", "")).isdigit() else "of unknown age"
        raise self.unfit("replaced", f"is another one ({made}), not this home's of {day(was.born_at)}")


def _header_fault(path: Path, size: int, log: WriteAheadLog | None) -> tuple[str, str] | None:
    with path.open("rb") as file:
        head = file.read(100)
    if head[:16] != _MAGIC or len(head) < 100:
        return "not a database", "is not a SQLite database"
    page_size = int.from_bytes(head[16:18], "big")
    page_size = 65_536 if page_size == 1 else page_size
    if page_size.bit_count() != 1 or page_size < 512:
        return "damaged", "is damaged: its header names no page size"
    # The number of pages counts only if it was written together with the last change (fileformat2, 1.3.7).
    pages = int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0
    logged: frozenset[int] = frozenset()
    if log is not None and log.is_readable and log.last_commit:
        pages, logged = log.pages_in_all, log.pages
    there = size // page_size
    missing = pages - there - sum(there < page <= pages for page in logged)
    if missing > 0:
        return "truncated", f"is cut short: {missing} of its {pages} pages are missing"
    return None


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Names and kinds: what a virtual table keeps its own index in (`shadow`) can be made anew."""
    rows = connection.execute(
        "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    return {str(name): str(kind) for name, kind in rows}


def _touch(connection: sqlite3.Connection, table: str) -> None:
    """Read the first and the last row: two ways from the root of the tree to its edges."""
    connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchall()  # noqa: S608 (from the catalogue)
    try:
        connection.execute(f'SELECT rowid FROM "{table}" ORDER BY rowid DESC LIMIT 1').fetchall()  # noqa: S608
    except sqlite3.OperationalError as error:
        if "no such column" not in str(error):  # a table WITHOUT ROWID
            raise


@dataclass(frozen=True, slots=True)
class Checked:
    """What reading every page brought to light."""

    damage: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    """Findings about indexes alone, which can be made anew."""


def check(path: Path, *, full: bool) -> Checked:
    """Read every page (quick), or also hold every index against its table (full). Nobody waits for it."""
    try:
        with closing(open_reader(path)) as connection:
            rows = connection.execute(f"PRAGMA {'integrity' if full else 'quick'}_check({_MOST_FINDINGS})").fetchall()
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return Checked((str(error),))
        raise
    lines = [line for (text,) in rows for line in str(text).splitlines() if not line.startswith("***")]
    if lines == ["ok"]:
        return Checked()
    damage = tuple(line for line in lines if not _INDEX.search(line))
    return Checked(damage, tuple(line for line in lines if _INDEX.search(line)))
