"""Items over all rooms: what rooms and doors ask about items of whichever room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdfast.recall.search import Near
from holdfast.recall.vectors import Texts
from holdfast.store.interface import Reader


class Items:
    """One per composition."""

    def __init__(self, near: Callable[[], Near | None] = lambda: None) -> None:
        self.near = near
        """The sentence model's view, when there is a model."""
        self._texts: list[Texts] = []

    def add_texts(self, texts: Texts) -> None:
        self._texts.append(texts)

    def texts(self, reader: Reader, ids: Sequence[str]) -> dict[str, str]:
        """The words of items, for a sentence model, by id."""
        found: dict[str, str] = {}
        for each in self._texts:
            found |= each(reader, ids)
        return found
