"""`<private>…</private>`: removed before anything is kept. Unclosed and nested tags are private to their end.

A tag counts however it is written (`odd_writing`): with spaces, in full-width letters, with characters that nobody sees
between its own, as entities or escapes; and when it is divided between two texts of one field (the blocks of a message,
the lines of a patch). In doubt more goes, not less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from holdfast.patterns import lazy_pattern
from holdfast.scrub.odd_writing import meant

# Only the beginning of a tag is matched: where an opening one ends does not matter, and a pattern that looked for its
# end would take quadratic time on a text full of beginnings. `<private-network>` is another tag; `a < private` is one
# only when it is closed near (a comparison is not).
_TAG = lazy_pattern(
    r"<(?:\s{0,16}(/)\s{0,16}private(?=[\s/>]|\Z)|private\s{0,16}/\s{0,16}>|(private)(?=[\s/>]|\Z)"
    r"|(\s{1,16}private(?:\s[^<>]{0,200})?>))",
    re.IGNORECASE,
)
# What `may_hold_tags` looks for in JSON. One pattern per first byte: one alternation takes five times as long. A name
# may stop at the end of a text, because the next text may go on with it; each of its letters may be written oddly.
_ESCAPE = rb'\\[^nrtbf"/]'
_BEYOND = rb"[\x80-\xff]"
_ENTITY = rb"&(?:[#%\\\x80-\xff]|(?i:shy|nbsp|amp)|[A-Za-z]\w{1,31};)"
_ODD_LETTER = rb'"|' + _BEYOND + rb"|%(?:[0-9a-fA-F]{2}|[u\x80-\xff])|" + _ESCAPE + rb"|" + _ENTITY


def _name(letters: bytes) -> bytes:
    rest = b"|" + letters[:1] + _name(letters[1:]) if letters else b"|"
    return b"(?:" + _ODD_LETTER + rest + b")"


_OPENS = lazy_pattern(rb"<(?:[\s/]|\\[nrtf/]){0,40}(?i:" + _name(b"private") + rb")")
# `<` itself, or a character of the way in which it is written, written oddly.
_WRITTEN_ODDLY = tuple(
    (first, lazy_pattern(pattern.replace(b"ESCAPE", _ESCAPE)))
    for first, pattern in (
        (b"&", rb"&(?:amp;?|AMP;?)*(?:[lL](?:[tT]|[%&\x80-\xff]|ESCAPE)|[#%\x80-\xff]|ESCAPE|percnt|bsol|num)"),
        (
            b"%",
            rb"%(?:[uU\x80-\xff&]|ESCAPE|2(?:[35\x80-\xff%&]|ESCAPE|6[lLaA#%&\\\x80-\xff])"
            rb"|3(?:[0-9cC\x80-\xff%&]|ESCAPE)|[46][3cC]|5[cC458]|7[458]|[eE][fF])",
        ),
        (b"\\u", rb"\\u(?:\{|(?!00[01])[0-9a-fA-F]{4}|u)"),
        (b"\\\\", rb"\\\\(?:x(?:[{%&\\\x80-\xff]|[2-7]|[eE][fF])|N\{|U0|(?!0?33)[0-7]{2}|[uU%&\x80-\xff])"),
        (b"\xef", rb"\xef(?:\xbc[\x85\x86\x9c\xbc]|\xb9[\xa0\xa4\xa8\xaa])"),
    )
)
_WITHOUT_ESCAPES = tuple(pair for pair in _WRITTEN_ODDLY if not pair[0].startswith(b"\\"))
_LONGEST_TAG = 256
"""Characters at the end of a text that may be the beginning of a tag, each letter written oddly."""
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


class _Tag(NamedTuple):
    start: int
    end: int
    opens: bool


def has_escapes(body: bytes) -> bool:
    """Does this JSON hold a character written by its number, or a backslash? Most bodies do not."""
    return b"\\u" in body or b"\\\\" in body


def may_hold_tags(body: bytes, *, escapes: bool = True) -> bool:
    """Could any text in this JSON hold a tag? Quick, and wrong in one direction only. `escapes`: it `has_escapes`."""
    ways = _WRITTEN_ODDLY if escapes else _WITHOUT_ESCAPES
    return bool(_OPENS.search(body)) or any(first in body and odd.search(body) for first, odd in ways)


def without_private(text: str, *, keep_lines: bool = False) -> str:
    """`text` without its private spans. `keep_lines`: their line breaks stay."""
    (kept,) = _without([text], keep_lines=keep_lines)[0]
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


def _without(texts: list[str], *, is_open: bool = False, keep_lines: bool = False) -> tuple[list[str], bool]:
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
    return _cut(texts, spans, keep_lines=keep_lines), depth > 0


def _also_at_ends(texts: list[str], tags: list[_Tag]) -> list[_Tag]:
    """The tags, and those at the end of a text that the next one hides: `<private` and then `dirty`."""
    known = {tag.start for tag in tags}
    at = 0
    more = []
    for text in texts:
        at += len(text)
        tail = text[-_LONGEST_TAG:]
        for tag in _tags(tail):
            if tag.start + at - len(tail) not in known:
                more.append(_Tag(tag.start + at - len(tail), tag.end + at - len(tail), tag.opens))
    return sorted([*tags, *more]) if more else tags


def _tags(text: str) -> Iterator[_Tag]:
    """The tags of a text in order; an end tag reaches to its `>`, or to the end of the text."""
    read = meant(text)
    if "<" not in read.text:
        return
    end = 0
    for tag in _TAG.finditer(read.text):
        if tag[1]:
            if end < tag.end():
                end = read.text.find(">", tag.end()) + 1 or len(read.text)
            yield _Tag(read.place(tag.start()), read.place(end), False)
        elif tag[2] or tag[3]:
            yield _Tag(read.place(tag.start()), read.place(tag.end()), True)


def _cut(texts: list[str], spans: list[tuple[int, int]], *, keep_lines: bool = False) -> list[str]:
    """The texts without these spans of their whole; a text that is not touched stays the same object."""
    kept: list[str] = []
    at = index = 0
    for text in texts:
        end = at + len(text)
        parts, here = [], at
        while index < len(spans) and spans[index][0] < end:
            low, high = spans[index]
            parts.append(text[here - at : max(low, here) - at])
            gone, here = here, min(max(high, here), end)
            if keep_lines:
                parts.append("\n" * text.count("\n", max(low, gone) - at, here - at))
            if high > end:
                break
            index += 1
        kept.append("".join([*parts, text[here - at :]]) if parts else text)
        at = end
    return kept
