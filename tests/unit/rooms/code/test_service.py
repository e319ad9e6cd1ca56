"""A search waits for its own folder only, not for long, and reads nothing where nothing is recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from holdfast.rooms.code.service import Code, Tree
from holdfast.rooms.code.settings import Settings
from holdfast.source.model import Progress
from tests.support.patience import PATIENCE


class Reader:
    """Reads at once, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    async def index(self, asked: object) -> Progress:
        self.asked += 1
        return Progress(1, 0, 1, 0, 1, ())


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
        assert reader.asked == 1, "nothing is read in a pause"
        assert not await asyncio.wait_for(code.compared(Tree("/other", tmp_path / "c.db"), 0.01), PATIENCE / 2)
        assert not never.done(), "what runs goes on"
        never.cancel()

    asyncio.run(story())
