"""JSON that holds very many values: counts them without making them, and reads of such a body what an event needs.

Making a million empty lists holds the interpreter for a quarter of a second, and every session waits (SEC-7). No client
sends that.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import fields

from holdfast.events.event import EVENTS, JsonObject

MOST_VALUES = 250_000
"""Values that are made of one body: some twenty milliseconds. Far fewer would be kept (`mend.shorten`)."""
_PIECE = 65_536
_NONE = msgspec.Raw(b"")
_EVENT = sorted({field.name for kind in EVENTS.values() for field in fields(kind)} - {"rest"})
_INPUT = ("command", "description", "file_path", "notebook_path", "path", "pattern", "query", "url")
"""Of a tool's input, what steps judge."""
_Event = msgspec.defstruct("_Event", [(name, msgspec.Raw, _NONE) for name in _EVENT])
_Input = msgspec.defstruct("_Input", [(name, msgspec.Raw, _NONE) for name in _INPUT])


def count_values(data: bytes, most: int = MOST_VALUES, *, piece_bytes: int = _PIECE) -> int:
    """How many values JSON holds, or a few more. Stops beyond `most`. One pass in small pieces; strings are skipped."""
    count, at, inside = 1, 0, False
    while at < len(data) and count <= most:
        piece = data[at : at + piece_bytes]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:
            piece = data[at : at + piece_bytes + 1]  # with the character that its last one escapes
        at += len(piece)
        parts = piece.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[inside::2])
        count += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        inside ^= len(parts) % 2 == 0
    return count


def read_wide(body: bytes) -> tuple[JsonObject, int]:
    """The fields of an event that are not too wide, and how many bytes were left out; a mark says where."""
    return _read(body, _Event, MOST_VALUES)


def _read(body: bytes, kind: type[msgspec.Struct], left: int) -> tuple[JsonObject, int]:
    known: JsonObject = {}
    gone = 0
    raw = msgspec.json.decode(body, type=kind)
    for name in kind.__struct_fields__:
        value = bytes(getattr(raw, name))
        count = count_values(value, left)
        if not value:
            continue
        if count <= left:
            known[name] = msgspec.json.decode(value)
            left -= count
        elif name == "tool_input" and value.startswith(b"{"):
            known[name], more = _read(value, _Input, left)
            gone += more
        else:
            known[name] = f"[… {len(value)} bytes left out: more than {MOST_VALUES} values …]"
            gone += len(value)
    return known, gone
