"""The brief says what is most likely to be needed, as far as there is room."""

from __future__ import annotations

import pytest

from holdfast.ids import ItemId
from holdfast.rooms.memory.injecting.parts import Kind, Part
from holdfast.rooms.memory.injecting.value import LEAST, WEIGHTS, choose, value


def part(name: str, kind: Kind, seen: dict[str, float], of: str = "", words: int = 20) -> Part:
    line = f"[s00000001] agent: {name} {'word ' * words}(1 h ago)"
    return Part(kind, of or name, ItemId(name), line, f" — open: {name}", {kind: 1.0} | seen)


@pytest.mark.requirement("MEM-19")
def test_the_likelier_part_is_told_where_there_is_room_for_one() -> None:
    old, new = part("old", "work", {"work.since": 1.0, "work.rank": 0.7}), part("new", "work", {})
    assert value(new) > value(old)
    assert choose([old, new], 45) == [new]
    assert choose([old, new], 400) == [old, new]
    assert choose([old, new], 10) == []


@pytest.mark.requirement("MEM-19")
def test_of_several_ways_to_tell_the_same_one_is_told() -> None:
    short = part("short", "work", {"work.tokens": -0.5}, of="w", words=5)
    long = part("long", "work", {"work.tokens": 1.2}, of="w", words=60)
    assert choose([short, long], 400) == [long]
    assert choose([short, long], 40) == [short]


@pytest.mark.requirement("MEM-18")
def test_what_nobody_waits_for_gives_way_with_every_session() -> None:
    waits = [value(part("a", "open", {"open.0": 1.0, "open.since": n, "open.0.since": n})) for n in (0.0, 1.0, 2.0)]
    remark = [value(part("b", "open", {"open.3": 1.0, "open.since": n, "open.3.since": n})) for n in (0.0, 1.0, 2.0)]
    assert all(one > other for one, other in zip(waits, remark, strict=True))
    assert waits[2] / waits[0] > remark[2] / remark[0]


@pytest.mark.requirement("MEM-19")
def test_what_is_hardly_ever_needed_is_not_told_though_there_is_room() -> None:
    gone = part("gone", "open", {"open.3": 1.0, "open.since": 4.0, "open.3.since": 4.0, "open.rank": 2.0})
    assert value(gone) < LEAST
    assert choose([gone], 400) == []


@pytest.mark.requirement("MEM-19")
def test_every_weight_is_of_something_that_is_seen() -> None:
    assert {name.partition(".")[0] for name in WEIGHTS} == {"work", "open", "rule"}
