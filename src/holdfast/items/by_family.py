"""Items of several families, each the rows of one table: what a room with more than one `TableIndex` needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from holdfast import recall
from holdfast.ids import ConversationId, ItemId
from holdfast.items.indexed import Background, Change, Listed, Page, Saying, Section, Start
from holdfast.items.table_index import TableIndex
from holdfast.store.interface import Reader, Tx


class IndexByFamily:
    """Asks the index of an item's family. `as_told` is about the items of all families: a room replaces it here, and
    whatever else concerns several of them."""

    def __init__(self, *indexes: TableIndex[Any]) -> None:
        self._of_family = {index.family.name: index for index in indexes}
        self._of_type: dict[type[Any], TableIndex[Any]] = {index.value: index for index in indexes}

    def of(self, item: Any) -> TableIndex[Any]:
        """The index of an item's family."""
        return self._of_type[type(item)]

    # --- finding and showing

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> Any | None:
        return self._of_family[family].item(reader, family, item_id, owner)

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        return self._of_family[family].by_short(reader, family, tail, owner)

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        found = [line for index in self._of_family.values() for line in index.page(reader, wanted, owner)]
        found.sort(key=lambda line: (line.happened_at, line.id), reverse=not wanted.oldest_first)
        return found[: wanted.limit]

    def listed(self, item: Any) -> Listed:
        return self.of(item).listed(item)

    def whole(self, item: Any) -> dict[str, Any]:
        return self.of(item).whole(item)

    def words(self, item: Any) -> str:
        return self.of(item).words(item)

    def background(self, reader: Reader, item: Any, owner: str) -> Background:
        return self.of(item).background(reader, item, owner)

    # --- the index of recall

    def found_by(self, reader: Reader, item: Any, owner: str) -> recall.Item | None:
        return self.of(item).found_by(reader, item, owner)

    def count(self, reader: Reader, owner: str) -> int:
        return sum(index.count(reader, owner) for index in self._of_family.values())

    # --- given to an agent that did not ask

    def said(self, item: Any, how: Saying) -> str:
        return self.of(item).said(item, how)

    def shown_in(self, item: Any, line: str) -> frozenset[str]:
        return self.of(item).shown_in(item, line)

    def instead(self, reader: Reader, item: Any, owner: str) -> Any:
        return self.of(item).instead(reader, item, owner)

    def told_anew(self, reader: Reader, items: Sequence[Any], owner: str) -> Mapping[ItemId, Any]:
        return {}

    def as_told(self, reader: Reader, items: Sequence[Any], owner: str, *, on_request: bool = False) -> Sequence[Any]:
        return items

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        return [section for index in self._of_family.values() for section in index.for_start(reader, start)]

    # --- what others told

    def told_by_web(self, reader: Reader, conversation: ConversationId, owner: str, now: int) -> Sequence[str]:
        of_each = (index.told_by_web(reader, conversation, owner, now) for index in self._of_family.values())
        return [text for texts in of_each for text in texts]

    # --- changing

    def edit(self, tx: Tx, item: Any, change: Change, owner: str) -> Any:
        return self.of(item).edit(tx, item, change, owner)

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[Any]:
        wanted = list(ids)
        return [item for index in self._of_family.values() for item in index.remove(tx, wanted, owner)]

    def after_forget(self, tx: Tx, removed: Sequence[Any], owner: str, now: int) -> None:
        for index in self._of_family.values():
            index.after_forget(tx, [item for item in removed if self.of(item) is index], owner, now)
