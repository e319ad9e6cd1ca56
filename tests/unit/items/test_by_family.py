"""Items of several families: each question goes to the index of the item's family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest

from holdfast.ids import ItemId
from holdfast.items.by_family import IndexByFamily
from holdfast.items.indexed import Family, Listed, Page, Saying
from holdfast.items.table_index import TableIndex
from holdfast.store.table import Table

NOWHERE: Any = None


class Fern(NamedTuple):
    id: str
    at: int


class Moss(NamedTuple):
    id: str
    at: int


class PlantIndex(TableIndex[Any]):
    """Some plants in memory."""

    def __init__(self, name: str, kind: type[Any], *plants: Any) -> None:
        table = Table(name, ("id",), owner="owner", family=name, plain={"id": "an id"}, exported=("id", "at"))
        super().__init__(table, Family(name, "z"), kind)
        self.plants = list(plants)
        self.after: list[Any] = []

    def listed(self, item: Any) -> Listed:
        return Listed(ItemId(item.id), self.family.name, self.family.name, f"a {self.family.name}", "", item.at)

    def item(self, reader: Any, family: str, item_id: ItemId, owner: str) -> Any:
        return next((plant for plant in self.plants if plant.id == item_id), None)

    def page(self, reader: Any, wanted: Page, owner: str) -> Sequence[Listed]:
        return [self.listed(plant) for plant in self.plants]

    def count(self, reader: Any, owner: str) -> int:
        return len(self.plants)

    def said(self, item: Any, how: Saying) -> str:
        return f"{self.family.name} {item.id}"

    def remove(self, tx: Any, ids: Iterable[str], owner: str) -> Sequence[Any]:
        wanted = set(ids)
        return [plant for plant in self.plants if plant.id in wanted]

    def after_forget(self, tx: Any, removed: Sequence[Any], owner: str, now: int) -> None:
        self.after += removed


@pytest.mark.requirement("HSE-1")
def test_each_item_is_asked_of_its_own_family_and_all_are_one_page() -> None:
    ferns = PlantIndex("fern", Fern, Fern("1", 10), Fern("3", 30))
    mosses = PlantIndex("moss", Moss, Moss("2", 20))
    index = IndexByFamily(ferns, mosses)
    assert index.item(NOWHERE, "moss", ItemId("2"), "me") == Moss("2", 20)
    assert index.item(NOWHERE, "fern", ItemId("2"), "me") is None
    assert [index.said(each, Saying(0)) for each in (Fern("1", 10), Moss("2", 20))] == ["fern 1", "moss 2"]
    assert index.listed(Moss("2", 20)).title == "a moss"
    assert [line.id for line in index.page(NOWHERE, Page(limit=2), "me")] == ["3", "2"]
    assert [line.id for line in index.page(NOWHERE, Page(limit=2, oldest_first=True), "me")] == ["1", "2"]
    assert index.count(NOWHERE, "me") == 3
    assert (*index.told_by_web(NOWHERE, NOWHERE, "me", 0), *index.for_start(NOWHERE, NOWHERE)) == ()
    gone = index.remove(NOWHERE, iter(["2", "3"]), "me")
    assert gone == [Fern("3", 30), Moss("2", 20)]
    index.after_forget(NOWHERE, gone, "me", 0)
    assert (ferns.after, mosses.after) == ([Fern("3", 30)], [Moss("2", 20)])
