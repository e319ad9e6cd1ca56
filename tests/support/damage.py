"""Ways in which a SQLite store comes to harm, made on its files while nobody has it open (or while somebody has)."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGE = 4096


def flip(path: Path, at: int, count: int = 8) -> None:
    """Every bit of some bytes."""
    with path.open("r+b") as file:
        file.seek(at)
        there = file.read(count)
        file.seek(at)
        file.write(bytes(byte ^ 0xFF for byte in there))


def pages(path: Path) -> int:
    return path.stat().st_size // PAGE


def without_log(path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def fold(path: Path) -> None:
    """The log into the file, as a clean end does."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=10)) as connection:
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            pass


def roots(path: Path) -> dict[str, int]:
    """The first page of every table and index."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0")
        return {str(name): int(page) for name, page in rows}


def magic(path: Path) -> None:
    flip(path, 0, 16)


def page_size(path: Path) -> None:
    flip(path, 16, 2)


def header_rest(path: Path) -> None:
    """The file format's numbers: read, write, reserved space, fractions."""
    flip(path, 18, 6)


def schema_page(path: Path) -> None:
    flip(path, 100, 40)


def tree_page(path: Path) -> None:
    """The head of the journal's root: every event needs it."""
    flip(path, (roots(path)["journal"] - 1) * PAGE, 12)


def leaf_pages(path: Path) -> None:
    """Heads of pages here and there, none of them the first."""
    chance = random.Random(7)
    for page in chance.sample(range(2, pages(path)), 12):
        flip(path, page * PAGE, 8)


def zeroed(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(PAGE)
        file.write(bytes(path.stat().st_size - 2 * PAGE))


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_last_page(path: Path) -> None:
    os.truncate(path, path.stat().st_size - PAGE)


def cut_in_a_page(path: Path) -> None:
    os.truncate(path, path.stat().st_size - PAGE // 3)


def cut_to_the_header(path: Path) -> None:
    os.truncate(path, 100)


def emptied(path: Path) -> None:
    without_log(path)
    os.truncate(path, 0)


def removed(path: Path) -> None:
    without_log(path)
    path.unlink()


def another_database(path: Path) -> None:
    without_log(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
        connection.commit()


def a_text(path: Path) -> None:
    without_log(path)
    path.write_text("this is a letter to my aunt\n" * 1_000)


def a_folder(path: Path) -> None:
    without_log(path)
    path.unlink()
    path.mkdir()
    (path / "a file").write_text("x")


def a_pipe(path: Path) -> None:
    without_log(path)
    path.unlink()
    os.mkfifo(path)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO schema_migration VALUES (9999, 'of_next_year', 'x', 1)")
        connection.commit()


def without_tables(path: Path) -> None:
    without_log(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("DROP TABLE t")
        connection.commit()


def a_table_dropped(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE session")
        connection.commit()


def only_its_log(path: Path) -> None:
    """The database is gone, its log is not."""
    log = path.with_name(f"{path.name}-wal")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO fact VALUES ('a mark', 'x')")
        shutil.copy(log, log.with_name("kept"))
    path.unlink()
    without_log(path)
    log.with_name("kept").rename(log)


NOTICED_AT_START: dict[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in (
        magic,
        page_size,
        header_rest,
        schema_page,
        tree_page,
        zeroed,
        cut_in_half,
        cut_last_page,
        cut_in_a_page,
        cut_to_the_header,
        emptied,
        removed,
        another_database,
        a_text,
        a_folder,
        a_pipe,
        newer,
        without_tables,
        a_table_dropped,
        only_its_log,
    )
}
