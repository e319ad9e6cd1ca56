"""Ids: UUIDv7, in the order they were made, also when the clock stands still or goes back."""

from __future__ import annotations

import threading
import uuid

import pytest

from holdfast import ids
from holdfast.ids import new_id, now_us


def test_an_id_is_a_uuid_of_version_7_and_of_now() -> None:
    before = now_us() // 1_000
    made = uuid.UUID(new_id())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= now_us() // 1_000 + 1


@pytest.mark.parametrize("step", [1_000_000, 0, -5_000_000_000], ids=["forward", "standing", "backward"])
def test_ids_sort_in_the_order_they_were_made(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    clock = 1_800_000_000_000_000_000

    def time_ns() -> int:
        nonlocal clock
        clock += step
        return clock

    monkeypatch.setattr(ids, "_last_ms", 0)
    monkeypatch.setattr("holdfast.ids.time.time_ns", time_ns)
    made = [new_id() for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == 10_000
    assert all(uuid.UUID(one).version == 7 for one in made)


def test_threads_do_not_make_the_same_id() -> None:
    made: list[str] = []

    def make() -> None:
        made.extend([new_id() for _ in range(2_000)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 16_000


def test_an_id_for_another_moment_carries_that_moment() -> None:
    assert uuid.UUID(new_id(1_700_000_000_123_456)).int >> 80 == 1_700_000_000_123
