"""The room's service: what it reads once, and how an agent is told to call holdfast."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from holdfast.rooms.work.service import WorkService


def work(folder: Path, read: Any = None) -> WorkService:
    ground = SimpleNamespace(
        owner="o",
        folder=folder,
        chosen=lambda kind: kind(),
        store=SimpleNamespace(read=read, kind="sqlite"),
        items=None,
    )
    return WorkService(cast(Any, ground))


@pytest.mark.requirement("WRK-1")
def test_those_who_ask_at_once_share_one_reading(tmp_path: Path) -> None:
    reads: list[object] = []

    async def read(look: object) -> Any:
        reads.append(look)
        await asyncio.sleep(0)
        return (), (), (), ()

    async def story() -> None:
        room = work(tmp_path, read)
        await asyncio.gather(*(room.ready() for _ in range(5)))
        assert len(reads) == 1
        room.forget()
        await asyncio.gather(room.ready(), room.ready())
        assert len(reads) == 2

    asyncio.run(story())


@pytest.mark.requirement("WRK-4")
def test_the_command_that_an_agent_is_told_works_with_any_home(tmp_path: Path) -> None:
    home = tmp_path / "my home; rm -rf ~"
    said = work(home / "work").command(cast(Any, SimpleNamespace(has_command=False)))
    assert shlex.split(said)[1:] == ["--home", str(home)]
