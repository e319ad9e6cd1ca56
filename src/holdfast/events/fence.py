"""The fence around everything that is given to the model as data.

Stored text may contain anything: fake fences, orders, escape codes. A fresh nonce in both marks means that nothing
written earlier can close the fence; control characters that could repaint a terminal are made visible; and tags that
the client gives a meaning (`events.tags`) are none any more.
"""

from __future__ import annotations

import re
import secrets

from holdfast.events.tags import without_tags
from holdfast.patterns import lazy_pattern

_OPEN = "holdfast-context"
_CONTROL = lazy_pattern(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
"""Steers a terminal, turns text around, or is read by a model and seen by nobody (zero widths, tag characters)."""
# `[^<>]`, so that a text full of unfinished marks takes linear time.
_OWN_BLOCK = lazy_pattern(rf"<{_OPEN}\b[^<>]*\bid=\"([0-9a-f]+)\"[^<>]*>.*?(</{_OPEN} id=\"\1\">|\Z)", re.DOTALL)
_OTHERS = "claude-mem-context"
"""The mark of another memory tool: what it gave is no news either."""
_OTHERS_TAG = lazy_pattern(rf"<(/?){_OTHERS}\b[^<>]{{0,200}}>", re.IGNORECASE)
_NOT_IN_ORIGIN = lazy_pattern(r"[\"<>\n]")


def new_nonce() -> str:
    return secrets.token_hex(4)


def fence(text: str, *, origin: str, nonce: str) -> str:
    """`text` as inert data from `origin`."""
    named = _NOT_IN_ORIGIN.sub("?", inert(origin))
    return f'<{_OPEN} from="{named}" id="{nonce}">\n{inert(text)}\n</{_OPEN} id="{nonce}">'


def inert(text: str) -> str:
    """The same text, unable to steer a terminal, or to look like our marks or the client's (SEC-9)."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", without_tags(text.replace("\r\n", "\n")))


_FENCE_LINE = lazy_pattern(rf"^</?{_OPEN}\b[^<>\n]*>\n?", re.MULTILINE)


def unfenced(text: str) -> str:
    """What stands between our own marks. (In what was fenced nothing else can look like them.)"""
    return _FENCE_LINE.sub("", text).strip()


def without_fences(text: str) -> str:
    """`text` less everything that we had put in (EVT-10): what holdfast said is never captured as news. What another
    memory tool had put in goes too."""
    text = _OWN_BLOCK.sub("", text) if f"<{_OPEN}" in text else text
    return _without_others(text) if _OTHERS in text.lower() else text


def _without_others(text: str) -> str:
    """A span that is not closed reaches to the end; spans may stand in each other. Takes linear time."""
    kept: list[str] = []
    depth = begin = 0
    for tag in _OTHERS_TAG.finditer(text):
        if not tag[1]:
            if not depth:
                kept.append(text[begin : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            begin = tag.end()
        else:  # closes nothing: only the tag goes
            kept.append(text[begin : tag.start()])
            begin = tag.end()
    return "".join(kept) + ("" if depth else text[begin:])
