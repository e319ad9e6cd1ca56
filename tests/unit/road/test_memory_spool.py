"""The pocket: memory behind a spool that cannot be written, bounded, in order, and honest about what is lost."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.ids import EntryId
from holdfast.road.journal import Arrival
from holdfast.road.memory_spool import IN_MEMORY, IN_SPOOL, MemorySpool


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A disk that is full for as long as it is said to be."""
    facts: dict[str, Any] = {"full": True, "room": 10**9}
    write = spool.put

    def put(folder: Path, item: spool.Spooled) -> Path:
        if facts["full"] or facts["room"] <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        facts["room"] -= 1
        return write(folder, item)

    monkeypatch.setattr(spool, "put", put)
    return facts


def put(pocket: MemorySpool, number: int, length: int = 10) -> str:
    return pocket.put(Arrival(EntryId(f"id-{number}"), number + 1, number + 1, "http"), "Stop", {"text": "x" * length})


def spooled(folder: Path) -> list[str]:
    return [spool.take(path).id for path in spool.waiting(folder)]


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("length", [0, 10, 1_000, 100_000])
def test_memory_is_bounded_in_bytes_and_what_is_past_it_is_counted(
    tmp_path: Path, disk: dict[str, Any], length: int
) -> None:
    pocket = MemorySpool(tmp_path, most_bytes=50_000)
    told = [put(pocket, number, length) for number in range(600)]
    assert set(told) <= {IN_MEMORY, ""}
    assert len(pocket) == told.count(IN_MEMORY)
    assert pocket.lost == told.count("") > 0
    assert pocket.bytes <= 50_000


@pytest.mark.requirement("EVT-8")
def test_the_order_of_time_stays_when_there_is_room_again(tmp_path: Path, disk: dict[str, Any]) -> None:
    pocket = MemorySpool(tmp_path)
    assert [put(pocket, number) for number in range(30)] == [IN_MEMORY] * 30
    disk["full"] = False
    assert put(pocket, 30) == IN_MEMORY, "it stands behind the others"
    for number in range(31, 40):
        put(pocket, number)
    pocket.empty()
    assert spooled(tmp_path) == [f"id-{number}" for number in range(40)]
    assert (len(pocket), pocket.bytes, pocket.lost) == (0, 0, 0)
    assert put(pocket, 40) == IN_SPOOL


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("room", [0, 1, 7, 20])
def test_at_the_end_what_the_spool_does_not_take_is_counted(tmp_path: Path, disk: dict[str, Any], room: int) -> None:
    pocket = MemorySpool(tmp_path)
    for number in range(20):
        put(pocket, number)
    disk.update(full=False, room=room)
    assert pocket.close() == ["Stop"] * (20 - room)
    assert len(spooled(tmp_path)) == room
    assert pocket.lost == 20 - room
    assert (len(pocket), pocket.bytes) == (0, 0)
