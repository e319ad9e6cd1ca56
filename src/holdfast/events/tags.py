"""Tags that the client, or the model's own format, gives a meaning: in stored text they are words, and must look it.

A tag counts however it is written: in any case, with spaces, with attributes, in full-width letters, with characters
between its own that nobody sees, opening or closing, in a namespace. Its first sign becomes `‹`. Takes linear time.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from holdfast.patterns import lazy_pattern

NAMES = (
    *("system-reminder", "task-notification", "command-name", "command-message", "command-args", "command-contents"),
    *(
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "bash-input",
        "bash-stdout",
        "bash-stderr",
    ),
    *("user-prompt-submit-hook", "tool_use_error", "persisted-output", "function_calls", "function_results", "invoke"),
    *("parameter", "tool_use", "tool_result", "private", "holdfast"),
)
"""The client's (2.1.325), the model's, and ours. A name with more words after a hyphen is another one, but ours is any
that begins so."""
_INERT = "‹"
_JOINT = r"[\s_-]*+"


def _pattern(name: str) -> str:
    words = _JOINT.join(re.split("[-_]", name))
    return words if name == "holdfast" else rf"{words}(?![\w-])"


# Possessive, so that a sign and a million spaces are read once. Namespaces: `a:name`, `a : b:name`.
_TAG = lazy_pattern(rf"<[\s/\\!?]*+(?:[\w.-]*+\s*+:[\s/]*+)*(?:{'|'.join(map(_pattern, NAMES))})", re.IGNORECASE)
_PLAIN = lazy_pattern(r"[\t\n\x20-\x7e]*+")
_OPENERS = lazy_pattern("[<\ufe64\uff1c]")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_UNSEEN = frozenset(("Cf", "Cc", "Mn", "Me", "Cs", "Co", "Cn"))


def without_tags(text: str) -> str:
    """`text` with the beginnings of these tags made harmless."""
    if not _OPENERS.search(text):
        return text
    if _PLAIN.fullmatch(text):
        return _TAG.sub(lambda match: _INERT + match[0][1:], text)
    meant, places = _meant(text)
    begins = [places[match.start()] for match in _TAG.finditer(meant)]
    if not begins:
        return text
    parts, last = [], 0
    for at in begins:
        parts += [text[last:at], _INERT]
        last = at + 1
    return "".join((*parts, text[last:]))


def _meant(text: str) -> tuple[str, list[int]]:
    """A text as it is meant, and where each of its characters stands in the text as it is written."""
    signs: list[str] = []
    places: list[int] = []
    for at, written in enumerate(text):
        meant = _sign(written)
        signs.append(meant)
        places += [at] * len(meant)
    return "".join(signs), places


@lru_cache(maxsize=4096)
def _sign(written: str) -> str:
    """What a character stands for in a tag's name; '' when nobody sees it."""
    if written.isspace():
        return " "
    category = unicodedata.category(written)
    if category in _UNSEEN or written in _FILLERS:
        return ""
    if category == "Pd":
        return "-"
    plain = unicodedata.normalize("NFKC", written)
    return "".join("-" if unicodedata.category(each) == "Pd" else each for each in plain)
