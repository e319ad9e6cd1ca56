"""`<private>…</private>`: removed before anything is kept. Unclosed and nested tags are private to their end.

A tag counts however it is written: with spaces, in full-width letters, with characters that nobody sees between its
own, as an entity or as an escape of a language; and when it is divided between two texts of one field (the blocks of
a message, the lines of a patch). In doubt more goes, not less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

# Only the beginning of a tag is matched: where an opening one ends does not matter, and a pattern that looked for its
# end would take quadratic time on a text full of beginnings. `<private-network>` is another tag; `a < private` is one
# only when it is closed near (a comparison is not).
_TAG = re.compile(
    r"<(?:\s{0,16}(/)\s{0,16}private(?=[\s/>]|\Z)|private\s{0,16}/\s{0,16}>|(private)(?=[\s/>]|\Z)"
    r"|(\s{1,16}private(?:\s[^<>]{0,200})?>))",
    re.IGNORECASE,
)
_HIDDEN = (
    "\x00\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_UNSEEN = re.compile(f"[{_HIDDEN}]")
# One character of a tag, written in another way.
_UNIT = re.compile(
    rf"[{_HIDDEN}]+|[\uff01-\uff5e\ufe64\ufe65]|&(?:lt|gt|sol|LT|GT);?|&#0{{0,6}}[0-9]{{2,3}};?|&#[xX]0{{0,6}}[0-9a-fA-F]{{2}};?"
    r"|\\{1,4}u\{0{0,4}[2-7][0-9a-fA-F]\}|\\{1,4}u[0-9a-fA-F]{4}|\\{1,4}x[2-7][0-9a-fA-F]|\\{1,4}[nrt]|%(?:25){0,2}[2-7][0-9a-fA-F]"
)
_ODD = re.compile(rf"[{_HIDDEN}\uff01-\uff5e\ufe64\ufe65]|&[lLgGs#]|\\[uxnrt]|%[2-7]")
# What `may_hold_tags` looks for. One pattern per first byte: one alternation takes five times as long. A name may
# stop at the end of a text, because the next text may go on with it.
_OPENS = re.compile(rb'<[\s/\\nrt]{0,40}(?:"|(?i:p(?:"|r(?:"|i(?:"|v(?:"|a(?:"|t(?:"|e))))))))')
_WRITTEN_ODDLY = tuple(
    (first, re.compile(pattern))
    for first, pattern in (
        (b"&", rb"&(?:[lL][tT]|#)"),
        (b"%", rb"%(?:25){0,2}3[cC]"),
        (b"\\u", rb"\\u(?:00[2-7]|\{|[0-9a-fA-F]{4})"),
        (b"\\x", rb"\\x[2-7]"),
    )
)
_ODD_BYTES = re.compile(
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef(?:[\xbc\xbd]|\xb9[\xa4\xa5]|\xbb\xbf|\xb8[\x80-\x8f])|\xcd\x8f"
    rb"|\xc2\xad|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])|\xe3\x85\xa4|\xf3\xa0"
)
NAMES = frozenset(
    (
        "type",
        "id",
        "uuid",
        "role",
        "name",
        "tool_use_id",
        "tool_name",
        "message_id",
        "file_path",
        "filePath",
        "path",
        "cwd",
    )
)
"""What names a thing inside a field. It is not private because a text before it is."""


class _Plain(NamedTuple):
    """A text as it is meant, and where its pieces lie in the text as it is written."""

    text: str
    starts: list[int]
    places: list[int]

    def place(self, at: int) -> int:
        index = bisect_right(self.starts, at) - 1
        return self.places[index] + at - self.starts[index]


class _Tag(NamedTuple):
    start: int
    end: int
    opens: bool


def may_hold_tags(body: bytes) -> bool:
    """Could any text in this JSON hold a tag? Quick, and wrong in one direction only."""
    if _OPENS.search(body) or any(first in body and odd.search(body) for first, odd in _WRITTEN_ODDLY):
        return True
    return not body.isascii() and _ODD_BYTES.search(body) is not None


def without_private(text: str) -> str:
    """`text` without its private spans."""
    (kept,) = _without([text])[0]
    return kept


def hide_private(payload: dict[str, Any]) -> None:
    """Take what is private out of a payload, in place and without recursion.

    The texts of one field are read as one. What an earlier field left open, a later one may close.
    """
    is_open = False
    for key, value in list(payload.items()):
        if isinstance(value, str):
            places: list[tuple[Any, Any]] = [(payload, key)]
        elif isinstance(value, dict | list):
            places = list(_texts(value))
        else:
            continue
        texts = [holder[slot] for holder, slot in places]
        kept, is_open = _without(texts, is_open=is_open)
        for (holder, slot), old, new in zip(places, texts, kept, strict=True):
            if new is not old:
                holder[slot] = new


def _texts(root: Any) -> Iterator[tuple[Any, Any]]:
    """Where the texts of a field stand, in the order in which they are written."""
    stack: list[Iterator[tuple[Any, Any, Any]]] = [_slots(root)]
    while stack:
        for holder, slot, value in stack[-1]:
            if isinstance(value, str):
                if not (isinstance(slot, str) and slot in NAMES):
                    yield holder, slot
            elif isinstance(value, dict | list):
                stack.append(_slots(value))
                break
        else:
            stack.pop()


def _slots(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    pairs = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    for slot, value in pairs:
        yield node, slot, value


def _without(texts: list[str], *, is_open: bool = False) -> tuple[list[str], bool]:
    """The texts without what is private, read as one; and whether a tag is open at their end.

    `is_open`: one was open before. Then what stands before a closing tag is private, if there is one.
    """
    joined = texts[0] if len(texts) == 1 else "".join(texts)
    tags = list(_tags(joined))
    if len(texts) > 1:
        tags = _also_at_ends(texts, tags)
    if not tags:
        return texts, is_open
    spans: list[tuple[int, int]] = []
    depth = start = 0
    if is_open and not tags[0].opens:
        depth = 1
    for tag in tags:
        if tag.opens:
            if depth == 0:
                start = tag.start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append((start, tag.end))
    if depth:
        spans.append((start, len(joined)))
    return _cut(texts, spans), depth > 0


def _also_at_ends(texts: list[str], tags: list[_Tag]) -> list[_Tag]:
    """The tags, and those at the end of a text that the next one hides: `<private` and then `dirty`."""
    known = {tag.start for tag in tags}
    at = 0
    more = []
    for text in texts:
        at += len(text)
        tail = text[-32:]
        for tag in _tags(tail):
            if tag.start + at - len(tail) not in known:
                more.append(_Tag(tag.start + at - len(tail), tag.end + at - len(tail), tag.opens))
    return sorted([*tags, *more]) if more else tags


def _tags(text: str) -> Iterator[_Tag]:
    """The tags of a text in order; an end tag reaches to its `>`, or to the end of the text."""
    plain = _plainly(text) if _ODD.search(text) else None
    meant = plain.text if plain else text
    if "<" not in meant:
        return
    end = 0
    for tag in _TAG.finditer(meant):
        if tag[1]:
            if end < tag.end():
                end = meant.find(">", tag.end()) + 1 or len(meant)
            yield _Tag(_placed(plain, tag.start()), _placed(plain, end), False)
        elif tag[2] or tag[3]:
            yield _Tag(_placed(plain, tag.start()), _placed(plain, tag.end()), True)


def _placed(plain: _Plain | None, at: int) -> int:
    return plain.place(at) if plain else at


def _plainly(text: str) -> _Plain | None:
    """The text with every oddly written character of a tag as itself; None when there is none."""
    parts: list[str] = []
    starts, places = [0], [0]
    at = size = 0
    for unit in _UNIT.finditer(text):
        char = _meant(unit.group())
        if char is None:
            continue
        parts += [text[at : unit.start()], char]
        size += unit.start() - at
        if char:
            starts.append(size)
            places.append(unit.start())
        size += len(char)
        at = unit.end()
        starts.append(size)
        places.append(at)
    if not parts:
        return None
    parts.append(text[at:])
    return _Plain("".join(parts), starts, places)


def _meant(unit: str) -> str | None:
    """What one unit stands for: nothing when nobody sees it, None when it is no part of a tag."""
    first = unit[0]
    if first == "&":
        char = _entity(unit)
    elif first == "\\" and unit[-1] in "nrt":
        char = " "
    elif first in "\\%":
        char = chr(int(unit.strip("\\%ux{}")[-4 if unit[-5:-4] == "u" else -2 :], 16))
    else:
        char = first
    if char in "\ufe64\ufe65":
        return "<" if char == "\ufe64" else ">"
    if "\uff01" <= char <= "\uff5e":
        char = chr(ord(char) - 0xFEE0)
    if char in "<>/ privatePRIVATE":
        return char
    return "" if _UNSEEN.match(char) else None


def _entity(unit: str) -> str:
    name = unit.strip("&;").lower()
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
        return chr(code) if code < 128 else "\uffff"
    return {"lt": "<", "gt": ">", "sol": "/"}[name]


def _cut(texts: list[str], spans: list[tuple[int, int]]) -> list[str]:
    """The texts without these spans of their whole; a text that is not touched stays the same object."""
    kept: list[str] = []
    at = index = 0
    for text in texts:
        end = at + len(text)
        parts, here = [], at
        while index < len(spans) and spans[index][0] < end:
            low, high = spans[index]
            parts.append(text[here - at : max(low, here) - at])
            here = min(max(high, here), end)
            if high > end:
                break
            index += 1
        kept.append("".join([*parts, text[here - at :]]) if parts else text)
        at = end
    return kept
