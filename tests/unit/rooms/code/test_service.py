"""A search waits for its own folder only, not for long, and reads nothing where nothing is recorded; nothing waits on
the event loop."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from holdfast.rooms.code import service as service_module
from holdfast.rooms.code.service import Code, Tree
from holdfast.rooms.code.settings import Settings
from holdfast.source.index_file import IndexFile
from holdfast.source.model import IndexProgress
from tests.support.patience import PATIENCE


class Reader:
    """Reads at once, and counts."""

    def __init__(self) -> None:
        self.asked = 0
        self.was_asked = asyncio.Event()

    async def index(self, asked: object) -> IndexProgress:
        self.asked += 1
        self.was_asked.set()
        return IndexProgress(1, 0, 1, 0, 1, ())


@pytest.mark.requirement("CTX-3", "MEM-30")
def test_a_search_waits_for_its_own_folder_and_reads_nothing_in_a_pause(tmp_path: Path) -> None:
    async def story() -> None:
        paused = {"/paused"}
        ground = SimpleNamespace(
            now=lambda: 10**15,
            folder=tmp_path,
            allowed=(),
            locate=lambda root: (root, ""),
            is_recorded=lambda folder, at, session="": folder not in paused,
        )
        reader = Reader()
        code = Code(cast(Any, ground), Settings(), cast(Any, reader))
        never = asyncio.get_running_loop().create_task(asyncio.sleep(2 * PATIENCE))
        code._tasks["/other"] = never
        assert await asyncio.wait_for(code.compared(Tree("/shop", tmp_path / "a.db"), PATIENCE), PATIENCE / 2)
        assert reader.asked == 1, "another project's reading does not hold this one up"
        assert not await code.compared(Tree("/paused", tmp_path / "b.db"), PATIENCE)
        assert await code.step("/paused") is None
        code.trees["/paused"] = edited = Tree("/paused", tmp_path / "b.db", is_behind=False)
        code.touched("/paused", ["a.py"])
        await code._tasks["/paused"]
        assert reader.asked == 1, "nothing is read in a pause, neither an edit nor the whole"
        assert edited.is_behind, "it is compared when recording goes on"
        assert await code.step("/paused", is_asked_for=True), "the user may ask for it"
        assert not await asyncio.wait_for(code.compared(Tree("/other", tmp_path / "c.db"), 0.01), PATIENCE / 2)
        assert not never.done(), "what runs goes on"
        never.cancel()

    asyncio.run(story())


@pytest.mark.requirement("CTX-3", "EVT-14")
def test_the_event_loop_waits_for_no_question_to_an_index(tmp_path: Path) -> None:
    """A question that takes long is asked in a thread; forgetting and tidying wait for it there, too."""
    began, end = threading.Event(), threading.Event()

    def slow(index: object) -> None:
        began.set()
        assert end.wait(PATIENCE)

    async def story() -> None:
        ground = SimpleNamespace(now=lambda: 10**15, folder=tmp_path, allowed=())
        code = Code(cast(Any, ground), Settings(), cast(Any, Reader()))
        file = tmp_path / "a.db"
        IndexFile(file, writes=True).close()
        asking = asyncio.create_task(code._read(file, slow))
        await asyncio.to_thread(began.wait, PATIENCE)
        tidying = asyncio.create_task(code.tidy())
        code.forget_memory()
        await asyncio.sleep(0)
        assert not asking.done()
        end.set()
        await asyncio.gather(asking, tidying, *code._closing)
        assert not file.exists()

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


@pytest.mark.requirement("CTX-3")
def test_a_folder_that_was_just_compared_is_compared_again_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once before a search; in the background not too often, but without another event."""
    monkeypatch.setattr(service_module, "_SELDOM_US", 50_000)

    async def story() -> None:
        ground = SimpleNamespace(
            now=lambda: 10**15, folder=tmp_path, allowed=(), locate=lambda root: (root, ""), is_recorded=lambda *_: True
        )
        reader = Reader()
        code = Code(cast(Any, ground), Settings(), cast(Any, reader))
        await code.step("/shop")
        tree = code.trees["/shop"]
        assert tree
        assert await code.compared(tree, PATIENCE)
        assert reader.asked == 2, "a file may have been made since"
        tree.is_behind = True
        for _ in range(5):
            code.compare_soon(tree)
        assert reader.asked == 2
        reader.was_asked.clear()
        await reader.was_asked.wait()
        await code.settled()
        assert (reader.asked, tree.is_behind) == (3, False)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))
