"""How a removed secret shows in the text that stays: `[scrubbed:rule-id]`."""

PLACEHOLDER = b"[scrubbed:"

Cut = tuple[int, int, str]


def mark(name: str) -> str:
    return f"[scrubbed:{name}]"


def cut(data: bytes, places: list[Cut], *, keep_lines: bool = False) -> bytes:
    """The data with a mark in each place; places come in order and do not overlap. `keep_lines`: each mark is followed
    by the line breaks that were in its place, so that what stands behind it keeps its line."""
    parts, at = [], 0
    for low, high, name in places:
        parts += [data[at:low], mark(name).encode(), b"\n" * data.count(b"\n", low, high) if keep_lines else b""]
        at = high
    return b"".join([*parts, data[at:]])


def left_out(size: int) -> bytes:
    """What stands in place of text that was not scrubbed, and so was not kept."""
    return b"[scrubbed:cut] " + str(size).encode() + b" bytes were not looked at, so they are left out"
