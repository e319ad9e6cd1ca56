"""Remembers which lines each window was told, so that nothing is said twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from holdfast.ids import WindowId

_MOST_WINDOWS = 512


class SaidLines:
    """The lines that windows were told, those used last."""

    def __init__(self) -> None:
        self._told: OrderedDict[WindowId, set[str]] = OrderedDict()

    def knows(self, window: WindowId) -> bool:
        return window in self._told

    def news(self, window: WindowId, lines: Iterable[str]) -> list[str]:
        """The lines that this window was not told yet."""
        known: set[str] = self._told.get(window, set())
        return [line for line in lines if line not in known]

    def note(self, window: WindowId, lines: Iterable[str]) -> None:
        self._told.setdefault(window, set()).update(lines)
        self._told.move_to_end(window)
        if len(self._told) > _MOST_WINDOWS:
            self._told.popitem(last=False)

    def clear(self) -> None:
        self._told.clear()
