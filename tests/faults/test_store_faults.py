"""What SQLite's file may meet: a full disk, a read-only home, damage, a loose umask, kill -9 in a burst."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from holdfast.errors import StoreError, StoreFull, StoreUnfit
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Store
from tests.support.absent import absent
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


def tell(folder: Path, story: Callable[[Store], Awaitable[T]]) -> T:
    async def told() -> T:
        store = await open_store(sqlite_url(folder / "holdfast.db"), CATALOG, backups=folder / "backups")
        try:
            return await story(store)
        finally:
            await store.close()

    return asyncio.run(told())


async def fact(store: Store, name: str, value: str = "x") -> int:
    return await store.write(lambda tx: tx.run("session.fact_set", name=name, value=value))


async def facts(store: Store) -> int:
    return (await store.size()).rows["fact"]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize("writers", [1, 64])
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path, writers: int) -> None:
    command = [sys.executable, "-m", "tests.faults.store_child", str(tmp_path), str(writers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment()) as child:
        assert child.stdout is not None
        acknowledged = [child.stdout.readline().strip().decode() for _ in range(1_500)]
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read()
    # The last line may be cut: the process died while it wrote it.
    acknowledged += [line.decode() for line in rest.split(b"\n")[:-1]]
    assert len(acknowledged) >= 1_500

    async def story(store: Store) -> None:
        missing = [
            key
            for key in acknowledged
            if await store.read(lambda view, key=key: view.one("journal.has_key", event_key=key)) is None  # type: ignore[misc]
        ]
        assert missing == []

    tell(tmp_path, story)
    with sqlite3.connect(tmp_path / "holdfast.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


FULL = """
import asyncio, sys
from pathlib import Path
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url

async def main(folder):
    store = await open_store(sqlite_url(folder / "holdfast.db"), CATALOG, backups=folder / "backups")
    put = lambda name, size: store.write(
        lambda tx: tx.run("session.fact_set", name=name, value="x" * size))
    await put("before", 10)
    # No more pages than the file has: what SQLite meets on a full disk.
    await store.write(lambda tx: tx._connection.execute(
        "PRAGMA max_page_count = %d" % tx._connection.execute("PRAGMA page_count").fetchone()[0]))
    results = await asyncio.gather(put("large", 1_000_000), *(put(f"s{n}", 1) for n in range(20)),
                                   return_exceptions=True)
    print([type(result).__name__ for result in results[:1]], results[0])
    assert results[1:] == [1] * 20, results[1:]
    await store.write(lambda tx: tx._connection.execute("PRAGMA max_page_count = 1000000"))
    assert await put("large", 1_000_000) == 1
    print((await store.size()).rows["fact"])
    await store.close()

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.requirement("OPS-5")
def test_a_full_database_fails_the_write_that_does_not_fit(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, env=environment(), timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert "StoreFull" in done.stdout
    assert "The disk is full" in done.stdout
    assert done.stdout.split()[-1] == "22"


@pytest.mark.requirement("OPS-5")
def test_a_full_disk(tmp_path: Path) -> None:
    """A real one, four megabytes large, where the system lets us have it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True).returncode
    ):
        absent("mount", "only root can mount a small disk; the test before this one does without")
    try:

        async def fill(store: Store) -> int:
            for number in range(100):
                try:
                    await fact(store, f"f{number}", "x" * 200_000)
                except StoreFull:
                    return number
            raise AssertionError("it never got full")

        async def story(store: Store) -> None:
            kept = await fill(store)
            assert 0 < kept < 25
            with pytest.raises(StoreFull, match="The disk is full"):
                await fact(store, "again", "x" * 200_000)
            assert await facts(store) == kept
            with pytest.raises(StoreFull):
                await store.backup(disk / "copy")
            assert not list(disk.glob(".copy*"))
            larger = ["mount", "-o", "remount,size=32m", str(disk)]
            await asyncio.to_thread(subprocess.run, larger, check=True)
            assert await fact(store, "room again", "x" * 200_000) == 1
            assert await facts(store) == kept + 1

        tell(disk, story)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


READ_ONLY = """
import os, sys
from pathlib import Path
from tests.faults.test_store_faults import facts, tell
import holdfast.store.sqlite

if os.geteuid() == 0:  # to whom nothing is read-only; so become someone else, now that all is imported
    os.setuid(65534)
tell(Path(sys.argv[1]), facts)
"""


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("there", [True, False], ids=["a store", "nothing yet"])
def test_a_home_that_cannot_be_written(there: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        if there:
            tell(home, facts)
            (home / "holdfast.db").chmod(0o444)
        home.chmod(0o555)
        before = {path.name: path.read_bytes() for path in home.iterdir()}
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, name], capture_output=True, text=True, env=environment(), cwd=ROOT
        )
        assert "StoreError: The store at" in done.stderr, done.stderr
        assert "cannot be opened or written (Permission denied); nothing was changed" in done.stderr
        assert {path.name: path.read_bytes() for path in home.iterdir()} == before
        home.chmod(0o755)


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("damage", ["not a database", "pages overwritten"])
def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "holdfast.db"
    if damage == "not a database":
        file.write_bytes(b"this is a letter to my aunt\n" * 1_000)
    else:
        tell(tmp_path, lambda store: fact(store, "a"))
        data = bytearray(file.read_bytes())
        data[100:8_000] = os.urandom(7_900)
        file.write_bytes(data)
    before = file.read_bytes()
    with pytest.raises(StoreUnfit, match=r"(is damaged|not a SQLite database).*left as it is.*holdfast restore"):
        tell(tmp_path, facts)
    assert file.read_bytes() == before


@pytest.mark.requirement("SEC-2")
def test_files_are_the_owners_alone_under_a_loose_umask(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:

        async def story(store: Store) -> set[str]:
            await fact(store, "a")
            await facts(store)
            for path in tmp_path.iterdir():
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
            return {path.name for path in tmp_path.iterdir()}

        assert tell(tmp_path, story) == {"holdfast.db", "holdfast.db-wal", "holdfast.db-shm"}
        (tmp_path / "holdfast.db").chmod(0o666)
        tell(tmp_path, story)
    finally:
        os.umask(mask)
    assert {path.name for path in tmp_path.iterdir()} == {"holdfast.db"}, "the log is folded in at the end"


@pytest.mark.requirement("SEC-2")
def test_what_was_deleted_is_not_in_the_file(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        await store.write(
            lambda tx: tx.run(
                "job.add", id="j", kind="k", subject="s", arguments="geheim" * 3_000, home="h", due_at=1, created_at=1
            )
        )
        await store.write(lambda tx: tx.run("job.done", id="j"))

    tell(tmp_path, story)
    assert b"geheimgeheim" not in (tmp_path / "holdfast.db").read_bytes()


@pytest.mark.requirement("OPS-5")
def test_another_program_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfast.store.sqlite import connect

    monkeypatch.setattr(connect, "BUSY_SECONDS", 0.05)

    async def story(store: Store) -> None:
        other = sqlite3.connect(tmp_path / "holdfast.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="Another program holds the store"):
            await fact(store, "a")
        other.execute("ROLLBACK")
        other.close()
        assert await fact(store, "a") == 1

    tell(tmp_path, story)
