"""The process that reads source files: real repositories, unreadable files, a parser that does not come back."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from holdfast.source.child import Index, UpdateFiles
from holdfast.source.index_file import IndexFile, remove
from holdfast.source.model import IndexProgress, ReadLimits
from holdfast.source.worker import CRASHED, ParserError, Worker
from tests.support import bad_parser
from tests.support.patience import PATIENCE
from tests.support.repositories import git, make_shop, write

BAD = (sys.executable, str(Path(bad_parser.__file__)))


class Bench:
    """One index, and the process that writes it."""

    def __init__(self, folder: Path, worker: Worker) -> None:
        self.file = folder / "index.db"
        self.worker = worker
        self.limits = ReadLimits(file_bytes=100_000)

    async def index(self, root: Path, **changes: Any) -> IndexProgress:
        asked = {"seconds": 600.0, "at": 1} | changes
        return await self.worker.index(Index(str(self.file), str(root), self.limits, **asked))

    async def update(self, root: Path, *paths: str) -> IndexProgress:
        return await self.worker.update(UpdateFiles(str(self.file), str(root), self.limits, list(paths)))

    def names(self, root: Path) -> dict[str, set[str]]:
        """The named units of a folder, by file."""
        index = IndexFile(self.file)
        tree = index.tree_id(str(root))
        found = (
            {} if tree is None else {path: index.units_of(known.content) for path, known in index.files(tree).items()}
        )
        index.close()
        return {path: {unit.name for unit in units if unit.name} for path, units in found.items()}


def play(story: Callable[[Bench], Coroutine[Any, Any, None]], folder: Path, *command: str) -> None:
    async def run() -> None:
        worker = Worker(command, silent_seconds=PATIENCE) if command else Worker(silent_seconds=PATIENCE)
        try:
            await story(Bench(folder, worker))
        finally:
            await worker.close()

    asyncio.run(run())


@pytest.mark.requirement("CTX-3")
def test_an_index_follows_edits_deletions_renames_branches_and_worktrees(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    second = tmp_path / "second"

    async def story(bench: Bench) -> None:
        done = await bench.index(shop)
        assert (done.total, done.left, done.read, done.skipped) == (5, 0, 5, ())
        assert "secret/hidden.py" not in bench.names(shop)
        assert bench.names(shop)["src/shop/cart.py"] == {"Cart", "add_item"}
        assert (await bench.index(shop)).read == 0

        # An edit, seen as such; a file that git ignores; a file outside of the languages.
        write(shop, {"src/shop/tax.py": "def round_down(x):\n    return x\n", "secret/more.py": "def more(): pass\n"})
        done = await bench.update(shop, "src/shop/tax.py", "secret/more.py", "README.md")
        assert done.read == 1
        assert bench.names(shop)["src/shop/tax.py"] == {"round_down"}

        # A file that is gone, a new name, a new file.
        (shop / "src/shop/cart.py").unlink()
        (shop / "src/shop/invoice.py").rename(shop / "src/shop/billing.py")
        write(shop, {"src/shop/till.py": "def open_till(): pass\n"})
        await bench.index(shop)
        assert set(bench.names(shop)) == {
            *("src/shop/__init__.py", "src/shop/tax.py", "src/shop/billing.py", "src/shop/till.py", "tests/test_tax.py")
        }
        assert (await bench.update(shop, "src/shop/till.py")).gone == 0
        (shop / "src/shop/till.py").unlink()
        assert (await bench.update(shop, "src/shop/till.py")).gone == 1

        # Another worktree has the files of its own branch; what both have is not parsed again.
        git(shop, "worktree", "add", "-q", str(second), "-b", "second", "HEAD")
        done = await bench.index(second)
        assert done.total == 5
        assert bench.names(second)["src/shop/tax.py"] == {"round_vat"}
        assert bench.names(shop)["src/shop/tax.py"] == {"round_down"}

        # Back on the first commit.
        git(shop, "stash", "-qu")
        await bench.index(shop)
        assert bench.names(shop) == bench.names(second)

    play(story, tmp_path)


@pytest.mark.requirement("CTX-3")
def test_what_cannot_be_read_is_skipped_once_and_the_rest_is_indexed(tmp_path: Path) -> None:
    """A huge minified file, binary, other encodings, links in a circle, no commits, a submodule, a shallow clone."""
    inner = make_shop(tmp_path / "inner")
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    with (root / "huge.min.js").open("wb") as huge, (root / "huge.js").open("wb") as other:
        huge.truncate(50_000_000)
        other.write(b"var a=1;" * 6_250_000)
    write(
        root,
        {
            "good.py": "def good(): pass\n",
            "binary.py": b"\x00\x01\x02" * 100,
            "latin.py": b"# caf\xe9\ndef latin(): pass\n",
            "small.js": b"var a=1;" * 2_000,
            "deep.js": "[\n" * 2_000 + "]\n" * 2_000,
            "made.go": "// Code generated by x. DO NOT EDIT.\npackage a\nfunc Made() {}\n",
            "key.py": "TOKEN = 'ghp_" + "a1B2" * 9 + "'\ndef with_key(): pass\n",
            "new\nline.py": "def odd(): pass\n",
        },
    )
    (root / "loop").symlink_to(root)
    (root / "link.py").symlink_to(root / "good.py")
    git(root, "submodule", "add", "-q", str(inner), "inner")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{inner}", str(shallow))
    plain = tmp_path / "plain"
    write(plain, {"a.py": "def plain_one(): pass\n", "node_modules/b.js": "function no() {}\n"})
    (plain / "loop").symlink_to(plain)

    async def story(bench: Bench) -> None:
        done = await bench.index(root)
        assert dict(done.skipped) == {
            "huge.js": "it is larger than the limit",
            "binary.py": "it is binary",
            "latin.py": "it is not UTF-8",
        }
        found = bench.names(root)
        assert found["good.py"] == {"good"}
        assert found["key.py"] == {"with_key"}
        assert {path: names for path, names in found.items() if path not in ("good.py", "key.py") and names} == {}
        assert not {"link.py", "loop/good.py", "inner/src/shop/tax.py", "huge.min.js"} & set(found)
        assert b"a1b2a1b2" not in bench.file.read_bytes().lower()
        again = await bench.index(root)
        assert (again.read, again.skipped) == (0, ()), "it is told once"
        assert (await bench.index(shallow)).total == 5
        assert (await bench.index(plain)).total == 1

    play(story, tmp_path)


@pytest.mark.requirement("CTX-3")
def test_a_removed_worktree_is_forgotten_and_no_worktree_crowds_another_out(tmp_path: Path) -> None:
    """Many better hits elsewhere in the index leave a folder its own."""
    main, other = tmp_path / "main", tmp_path / "other"
    write(main, {"a.py": "def round_invoice_tax(x):\n    longer = text + of + another\n    return longer\n"})
    write(other, {"b.py": "".join(f"def tax_{n}():\n    return {n}\n" for n in range(30))})

    async def story(bench: Bench) -> None:
        await bench.index(other)
        await bench.index(main)

        def hits() -> tuple[int, int, list[str]]:
            with closing(IndexFile(bench.file)) as index:
                found = index.search(index.tree_id(str(main)) or 0, [["tax"]], ("function",), 4)
                return len(found), index.frequencies(["tax"]).of["tax"], list(index.trees())

        assert hits() == (1, 31, [str(other), str(main)])
        shutil.rmtree(other)
        await bench.index(main)
        assert hits() == (1, 1, [str(main)])

    play(story, tmp_path)


@pytest.mark.requirement("SEC-1", "MEM-2")
def test_secrets_and_private_spans_of_many_lines_stay_out_and_move_no_line(tmp_path: Path) -> None:
    key = "\n".join(
        ("-----BEGIN RSA PRIVATE" + " KEY-----", *["a1B2c3D4" * 8] * 8, "-----END RSA PRIVATE" + " KEY-----")
    )
    token = "gh" + "p_Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue1"
    hidden = "# <private>\n# project nightingale\n# </private>\n"
    write(tmp_path / "root", {"a.py": f'KEY = """{key}"""\n\n{hidden}\ndef after():\n    return "{token}"\n'})

    async def story(bench: Bench) -> None:
        await bench.index(tmp_path / "root")
        with closing(IndexFile(bench.file)) as index:
            [after] = index.declared(index.tree_id(str(tmp_path / "root")) or 0, "after")
            assert after.row.line == 16
            assert index.frequencies(["nightingal", "a1b2c3d4", "zq7lm2xw9rt4"]).of == {}
        # What the user declared to be no secret stays.
        remove(bench.file)
        bench.limits = ReadLimits(allow=(token,))
        await bench.index(tmp_path / "root")
        with closing(IndexFile(bench.file)) as index:
            assert index.has_any_of(token)

    play(story, tmp_path)


@pytest.mark.requirement("MEM-11")
def test_an_index_is_known_by_every_word_that_it_holds(tmp_path: Path) -> None:
    """Words of different functions, names behind the last word that is searched, imports, files and their folder."""
    root = tmp_path / "heron"
    late = "".join(f"    word_{n} = {n}\n" for n in range(500))
    code = f"import albatros.pelican\n\ndef first():\n    osprey = 1\n\ndef second():\n{late}    call_nightingale(1)\n"
    write(root, {"src/kestrel.py": code})

    async def story(bench: Bench) -> None:
        await bench.index(root)
        with closing(IndexFile(bench.file)) as index:
            texts = ("osprey and kingfisher", "call_nightingale", "Nightingale", "nightin", "albatros", "pelican")
            assert [text for text in (*texts, "kestrel", "heron") if not index.has_any_of(text)] == []
            assert not index.has_any_of("kingfisher, never written")
            paths = (f"{root}/src/kestrel.py", "src/kestrel.py", "kestrel.py")
            assert [path for path in paths if not index.has_path(path)] == []
            assert not index.has_path("trel.py")

    play(story, tmp_path)


@pytest.mark.requirement("CTX-3")
def test_a_parser_that_hangs_crashes_or_eats_memory_costs_one_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop = make_shop(tmp_path / "shop")
    write(shop, {"a.py": "# HANG\n", "b.py": "# CRASH\n", "c.py": "# MEMORY\n", "d.py": "def after(): pass\n"})
    write(shop, {"e.py": f"# KILL {tmp_path / 'killed'} \ndef innocent(): pass\n"})

    async def story(bench: Bench) -> None:
        with caplog.at_level(logging.WARNING):
            done = await bench.index(shop)
        assert done.left == 0
        assert done.skipped == (("a.py", CRASHED), ("b.py", CRASHED), ("c.py", "its parser failed"))
        told = [record.getMessage() for record in caplog.records if record.name.startswith("holdfast")]
        assert told == [], "whoever asked says it, once"
        assert bench.names(shop)["d.py"] == {"after"}
        assert bench.names(shop)["e.py"] == {"innocent"}, "whoever kills the process accuses no file"
        assert bench.worker.started == 4
        assert (await bench.index(shop)).read == 0, "the same content is not tried again"

    play(story, tmp_path, *BAD)


@pytest.mark.requirement("MEM-4")
def test_a_text_is_read_soon_or_not_at_all(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever names an edit does not wait for a parser that hangs or is busy."""

    async def story(bench: Bench) -> None:
        worker = bench.worker
        read = await worker.read_soon("a.py", "def good(): pass\n", PATIENCE)
        assert read
        assert [unit.name for unit in read.units if unit.name] == ["good"]
        assert await worker.read_soon("b.py", "# CRASH\n", PATIENCE) is None
        started = worker.started
        assert await worker.read_soon("b.py", "# CRASH\n", PATIENCE) is None
        assert worker.started == started, "the same file is not tried again"
        async with worker._lock:
            assert await worker.read_soon("c.py", "def busy(): pass\n", 0.01) is None
        assert not worker._reads or await asyncio.wait_for(asyncio.gather(*worker._reads), PATIENCE) == [None]
        assert await worker.read_soon("c.py", "def busy(): pass\n", PATIENCE)

    with caplog.at_level(logging.WARNING):
        play(story, tmp_path, *BAD)
    assert [record.getMessage() for record in caplog.records if "b.py" in record.getMessage()] == [
        f"the names in b.py are not parsed any more: {CRASHED}"
    ]


def test_a_stopped_indexing_goes_on_where_it_was_and_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")

    async def story(bench: Bench) -> None:
        first = await bench.index(shop, seconds=0.0)
        assert (first.read, first.left) == (1, 4)
        assert IndexFile(bench.file).trees() == {str(shop): 0}, "it is not whole yet"
        running = asyncio.create_task(bench.index(shop))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await bench.index(shop)).left == 0
        assert len(bench.names(shop)) == 5
        await bench.worker.close()
        remove(bench.file)
        bench.file.write_bytes(b"no database" * 1_000)
        assert (await bench.index(shop)).read == 5
        await bench.worker.close()
        sqlite3.connect(bench.file).execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with bench.file.open("r+b") as file:
            file.seek(4_096)
            file.write(b"\x55" * 400_000)
        with pytest.raises(ParserError):
            await bench.index(shop)
        assert (await bench.index(shop)).read == 5

    play(story, tmp_path)
