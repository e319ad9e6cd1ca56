"""What is seen of a SQLite store's harm: cut at any place, flipped at any byte of what matters, its log included."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.errors import StoreUnfit
from holdfast.program import CATALOG
from holdfast.store.record import Remembered
from holdfast.store.sqlite import open_connection
from holdfast.store.sqlite.examine import Examined, Examiner, check
from holdfast.store.sqlite.log import read_log
from tests.support import damage

WAS = Remembered("the-id", 1, bytes=1, seen_at=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some sixty pages, with pages that are free again."""
    folder = tmp_path_factory.mktemp("whole")
    path = folder / "holdfast.db"
    with closing(open_connection(path, CATALOG, backups=folder / "backups").connection) as connection:
        connection.execute("INSERT INTO fact VALUES ('store_id', 'the-id')")
        for number in range(200):
            connection.execute("INSERT INTO fact VALUES (?, ?)", (f"name {number}", "words and more " * 60))
        connection.execute("DELETE FROM fact WHERE name LIKE 'name 1%'")
    damage.fold(path)
    return path


@pytest.fixture
def copy(store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(store, tmp_path / "holdfast.db"))


def examine(path: Path, remembered: Remembered | None = WAS) -> Examined:
    return Examiner(path, path.parent / "backups", CATALOG.migrations, remembered, remembered is not None).examine()


def facts(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM fact").fetchone()[0])


@pytest.mark.requirement("STO-6")
def test_a_whole_store_is_fit(copy: Path) -> None:
    assert examine(copy) == Examined(False)
    assert check(copy, full=True).damage == ()


@pytest.mark.requirement("STO-6")
def test_cut_at_any_page_and_in_any_page(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    size = store.stat().st_size
    chance = random.Random(1)
    cuts = [*range(0, size, damage.PAGE), *(chance.randrange(1, size) for _ in range(30)), size - 1]
    for cut in cuts:
        path.write_bytes(store.read_bytes()[:cut])
        with pytest.raises(StoreUnfit):
            examine(path)


@pytest.mark.requirement("STO-6")
def test_a_flipped_byte_of_the_header_is_seen_or_does_no_harm(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    seen = 0
    for at in range(100):
        shutil.copy(store, path)
        damage.flip(path, at, 1)
        try:
            examine(path)
            found = bool(check(path, full=True).damage)
        except StoreUnfit:
            found = True
        if not found:
            with closing(sqlite3.connect(path)) as connection:
                names = connection.execute("SELECT COUNT(*), SUM(LENGTH(value)) FROM fact").fetchone()
            with closing(sqlite3.connect(store)) as connection:
                assert connection.execute("SELECT COUNT(*), SUM(LENGTH(value)) FROM fact").fetchone() == names, at
        seen += found
        damage.without_log(path)
    assert seen >= 25, "what cannot be told from a good header are counters and notes"


@pytest.mark.requirement("STO-6")
def test_the_head_of_any_page_is_seen_by_the_full_check(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    unseen = []
    for page in range(1, damage.pages(store)):
        shutil.copy(store, path)
        damage.flip(path, page * damage.PAGE, 8)
        try:
            examine(path)
            found = check(path, full=True)
            if not found.damage + found.indexes:
                unseen.append(page)
        except StoreUnfit:
            pass
        damage.without_log(path)
    with closing(sqlite3.connect(store)) as connection:
        free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    assert free > 1, "there is a list of free pages to be damaged"
    assert len(unseen) <= free, "a free page that is no list holds nothing"


@pytest.fixture
def logged(copy: Path, tmp_path: Path) -> tuple[Path, bytes, bytes]:
    """A store whose log holds twenty transactions that are not in the file: as kill -9 leaves it."""
    log = copy.with_name(f"{copy.name}-wal")
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(20):
            connection.execute("INSERT INTO fact VALUES (?, 'x')", (f"logged {number}",))
        kept = copy.read_bytes(), log.read_bytes()
    return copy, *kept


def put(path: Path, database: bytes, log: bytes) -> None:
    damage.without_log(path)
    path.write_bytes(database)
    path.with_name(f"{path.name}-wal").write_bytes(log)


@pytest.mark.requirement("STO-6")
def test_a_log_that_ends_anywhere_is_no_damage(logged: tuple[Path, bytes, bytes]) -> None:
    path, database, log = logged
    chance = random.Random(2)
    for cut in [0, 1, 31, 32, 33, *(chance.randrange(len(log)) for _ in range(30)), len(log)]:
        put(path, database, log[:cut])
        assert examine(path) == Examined(False), cut


@pytest.mark.requirement("STO-6")
def test_a_flipped_byte_of_the_log_costs_nothing_or_is_told(logged: tuple[Path, bytes, bytes]) -> None:
    path, database, log = logged
    put(path, database, log)
    found = read_log(path)
    assert found is not None
    whole = facts(path)
    frame = (len(log) - 32) // found.frames
    chance = random.Random(3)
    for at in [*range(32), *(chance.randrange(32, len(log) - frame) for _ in range(50))]:
        put(path, database, log[:at] + bytes([log[at] ^ 0xFF]) + log[at + 1 :])
        lost = examine(path).lost_frames
        assert lost or facts(path) == whole, at


@pytest.mark.requirement("STO-6")
def test_a_log_of_another_generation_is_not_taken_for_damage(copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        for number in range(40):
            connection.execute("INSERT INTO fact VALUES (?, ?)", (f"generation {number}", "x" * number * 200))
            connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
            assert examine(copy) == Examined(False)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("harm", damage.NOTICED_AT_START)
def test_every_harm_is_one_sentence_with_the_way_out(copy: Path, harm: str) -> None:
    damage.NOTICED_AT_START[harm](copy)
    with pytest.raises(StoreUnfit, match="holdfast restore") as told:
        examine(copy)
    assert str(copy) in str(told.value)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("harm", ["removed", "emptied", "without_tables"])
def test_nothing_is_remembered_and_nothing_is_there(copy: Path, harm: str) -> None:
    damage.NOTICED_AT_START[harm](copy)
    assert examine(copy, None).is_new
