"""Undo copies: to keep one more costs the same however many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.ids import ConversationId
from holdfast.times import DAY_US
from holdfast.undo.model import Kept, NotKept, decoded
from holdfast.undo.store import Undo, Wanted

_ROOM = 1_000_000


def keep(undo: Undo, name: str, file: Path, now: int = 1) -> Kept:
    return undo.keep(
        name, Wanted(removed=(str(file),)), command="rm", rule="r", conversation=ConversationId("c"), now=now, seconds=9
    )


@pytest.mark.requirement("WRK-15", "WRK-13")
def test_what_is_kept_already_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def counted(text: bytes) -> Kept:
        read.append(text)
        return decoded(text)

    monkeypatch.setattr("holdfast.undo.store.decoded", counted)
    (tmp_path / "a").write_text("a\n")
    undo = Undo(tmp_path / "undo", most_bytes=_ROOM, days=7)
    costs = []
    for number in range(6):
        read.clear()
        keep(undo, f"{number}", tmp_path / "a")
        costs.append(len(read))
    assert costs[-1] == costs[1]
    read.clear()
    undo.drop_ids(["3"])
    assert len(read) == 1
    assert [each.id for each in undo.listed()] == ["5", "4", "2", "1", "0"]


@pytest.mark.requirement("WRK-13")
def test_what_another_process_kept_and_dropped_counts(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\n")
    here, there = (Undo(tmp_path / "undo", most_bytes=_ROOM, days=7) for _ in range(2))
    one = keep(here, "1", tmp_path / "a").bytes
    keep(there, "2", tmp_path / "a")
    assert here.used() == 2 * one
    there.drop_ids(["1", ""])
    assert here.used() == one


@pytest.mark.requirement("WRK-13")
def test_the_oldest_make_room_and_the_too_old_go(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\n")
    undo = Undo(tmp_path / "undo", most_bytes=_ROOM, days=7)
    size = keep(undo, "1", tmp_path / "a", now=3).bytes
    undo.most_bytes = 2 * size + size // 2
    keep(undo, "2", tmp_path / "a", now=1)
    keep(undo, "3", tmp_path / "a", now=2)
    assert [each.id for each in undo.listed()] == ["1", "3"]
    keep(undo, "4", tmp_path / "a", now=8 * DAY_US)
    assert [each.id for each in undo.listed()] == ["4"]
    undo.most_bytes = size - 1
    with pytest.raises(NotKept, match="room"):
        keep(undo, "5", tmp_path / "a", now=8 * DAY_US)
    assert undo.tidy(8 * DAY_US) == 1
