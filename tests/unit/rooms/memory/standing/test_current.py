"""Items are held against what was done later in their own project."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from holdfast.ids import ConversationId
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.standing import current
from holdfast.store.interface import Reader
from tests.unit.rooms.memory.made import summary

NOBODY = cast(Reader, None)


def _of(project: str, title: str, number: int) -> Summary:
    return replace(summary(title, number), project_id=project, conversation=ConversationId(f"c{number}"))


@pytest.mark.requirement("MEM-12")
def test_what_was_done_in_one_project_says_nothing_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search beyond one project finds items of several."""
    north = _of("north", "Keys of the boats are kept in the drawer of the office.", 1)
    south = _of("south", "Keys of the boats are kept in the drawer of the office: 40 s to open.", 2)
    moved = _of("north", "Keys of the boats are kept in the box at the pier now: 10 s to open instead of 40 s.", 3)
    kept = [north, south, moved]

    def after(_: Any, project: str, since: int, most: int) -> list[Summary]:
        found = [each for each in reversed(kept) if each.project_id == project and each.happened_at >= since]
        return found[:most]

    monkeypatch.setattr(tables, "summaries_after", after)
    assert current.told_anew(NOBODY, [north, south]) == {north.id: moved}
    assert current.told_anew(NOBODY, [south, north]) == {north.id: moved}
    assert current.with_news(NOBODY, [north, south]) == [north, south]
