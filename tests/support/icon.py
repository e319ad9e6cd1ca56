"""Draws the plugin's icon, a hook in the shape of an h.

`python -m tests.support.icon plugin/.claude-plugin/icon.png` writes it.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from pathlib import Path

SIDE = 512
_GROUND, _EDGE, _LINE = (18, 52, 74), (11, 35, 52), (244, 248, 246)
_THICK = 30.0


def _segment(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance from a point to a line from a to b."""
    dx, dy = bx - ax, by - ay
    part = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x - ax - part * dx, y - ay - part * dy)


def _arc(x: float, y: float, cx: float, cy: float, radius: float, upper: bool) -> float:
    """The distance from a point to half a circle."""
    if (y <= cy) == upper:
        return abs(math.hypot(x - cx, y - cy) - radius)
    return min(math.hypot(x - cx - side * radius, y - cy) for side in (-1, 1))


def _shape(x: float, y: float) -> float:
    """The distance to the drawing: a post, an arch from it, a leg down, and a hook that turns up again."""
    return min(
        _segment(x, y, 150, 120, 150, 400),
        _arc(x, y, 215, 275, 65, upper=True),
        _segment(x, y, 280, 275, 280, 345),
        _arc(x, y, 330, 345, 50, upper=False),
        _segment(x, y, 380, 345, 380, 315),
    )


def _rounded(x: float, y: float, side: float, radius: float) -> float:
    dx, dy = (max(0.0, abs(each - SIDE / 2) - side / 2 + radius) for each in (x, y))
    return math.hypot(dx, dy) - radius


def _mixed(low: tuple[int, ...], high: tuple[int, ...], part: float) -> tuple[int, ...]:
    part = max(0.0, min(1.0, part))
    return tuple(round(a + (b - a) * part) for a, b in zip(low, high, strict=True))


def _pixel(x: float, y: float) -> bytes:
    colour = _mixed(_GROUND, _EDGE, y / SIDE)
    colour = _mixed(colour, _LINE, _THICK - _shape(x, y) + 0.5)
    inside = max(0.0, min(1.0, 0.5 - _rounded(x, y, SIDE, 112)))
    return bytes((*colour, round(255 * inside)))


def png() -> bytes:
    """The icon as a file: 512 pixels square, with a transparent rim."""
    rows = b"".join(b"\0" + b"".join(_pixel(x + 0.5, y + 0.5) for x in range(SIDE)) for y in range(SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(png())
