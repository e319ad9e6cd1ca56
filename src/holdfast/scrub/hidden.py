"""Characters that a reader does not see and that part a secret in two: zero widths, soft hyphens, a terminal's colours.
The text is read a second time without them, and what is found is taken out of the text with them.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from .steps import Breathes

_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
HIDDEN = re.compile(rf"[{_UNSEEN}]+|(?:\x1b\[[0-9;:?]{{0,24}}[A-Za-z]|\x1b\][^\x07\x1b]{{0,256}}(?:\x07|\x1b\\))+")


# How these characters begin in UTF-8. Looking for a few bytes takes a tenth of the time of looking at each character.
LEADS = (
    *(b"\xc2\xad", b"\xcd\x8f", b"\xd8\x9c", b"\xe1\x85", b"\xe1\x9e", b"\xe1\xa0", b"\xe2\x80\x8b", b"\xe2\x80\x8c"),
    *(b"\xe2\x80\x8d", b"\xe2\x80\x8e", b"\xe2\x80\x8f", b"\xe2\x80\xaa", b"\xe2\x80\xab", b"\xe2\x80\xac"),
    *(b"\xe2\x80\xad", b"\xe2\x80\xae", b"\xe2\x81", b"\xe3\x85\xa4", b"\xef\xb8", b"\xef\xbb\xbf", b"\xef\xbe\xa0"),
    *(b"\xef\xbf\xb9", b"\xef\xbf\xba", b"\xef\xbf\xbb", b"\xf3\xa0"),
)


ASCII = bytes(range(128))
AT_ONCE = 1024


class Plain(NamedTuple):
    """A text without its hidden characters, and how places in it lie in the text with them (both in bytes)."""

    data: bytes
    starts: list[int]
    """Where each piece begins in `data`."""
    shifts: list[int]
    """How much further on it begins in the text."""

    def whole(self, low: int, high: int) -> tuple[int, int] | None:
        """The same span in the text with the hidden characters; None when none of them lies inside it."""
        first, last = bisect_right(self.starts, low) - 1, bisect_right(self.starts, high - 1) - 1
        if first == last:
            return None
        return low + self.shifts[first], high + self.shifts[last]

    def place(self, at: int) -> int:
        """The same place in the text with the hidden characters."""
        return at + self.shifts[bisect_right(self.starts, at) - 1]


def may_hide(data: bytes) -> bool:
    """Could something be hidden in this text? Quick, and wrong in one direction only."""
    if b"\x1b" in data:
        return True
    if data.isascii():
        return False
    others = data.translate(None, ASCII)
    return any(lead in others for lead in LEADS)


def without_hidden(text: str, breathe: Breathes | None = None) -> Plain | None:
    """The text as a reader sees it; None when nothing is hidden in it."""
    if HIDDEN.search(text) is None:
        return None
    pieces: list[bytes] = []
    starts, shifts = [0], [0]
    at = size = 0
    for index, match in enumerate(HIDDEN.finditer(text)):
        if breathe is not None and not index % AT_ONCE:
            breathe()
        piece = text[at : match.start()].encode("utf-8", "surrogatepass")
        pieces.append(piece)
        size += len(piece)
        starts.append(size)
        shifts.append(shifts[-1] + len(match.group().encode("utf-8", "surrogatepass")))
        at = match.end()
    pieces.append(text[at:].encode("utf-8", "surrogatepass"))
    return Plain(b"".join(pieces), starts, shifts)
