"""Where the run of token characters around a place ends, found once per run: names and keywords inside one long run ask
again and again, and each byte must be walked over once only.
"""

import re
from bisect import bisect_right, insort

TOKEN_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.~%-")
_RUN = re.compile(rb"[A-Za-z0-9+/=_.~%-]*")


class LetterRuns:
    """The runs of one text, as far as they were asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts: list[int] = []
        self._ends: dict[int, int] = {}

    def end(self, at: int) -> int:
        """The first place from `at` on that holds no token character."""
        if at >= len(self._data) or self._data[at] not in TOKEN_BYTES:
            return at
        index = bisect_right(self._starts, at)
        if index and (known := self._ends[self._starts[index - 1]]) > at:
            return known
        later = self._starts[index] if index < len(self._starts) else len(self._data)
        match = _RUN.match(self._data, at, later)
        end = match.end() if match else at
        if end == later and index < len(self._starts):
            end = self._ends[later]
        insort(self._starts, at)
        self._ends[at] = end
        return end
