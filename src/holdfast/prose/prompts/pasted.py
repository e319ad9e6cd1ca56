"""Which words of a prompt can be told as what was asked? A pasted log or stack trace does not say what is wanted.
Pure."""

from __future__ import annotations

from holdfast.patterns import lazy_pattern
from holdfast.prose.typed import typed

_STAMPED = lazy_pattern(r"\s*\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)")


def own_words(prompt: str) -> str:
    """A prompt without what was pasted into it; '' when nothing else is there. One line is the user's own, unless it
    begins with a moment, as lines of logs do. Beside a log the user's words are the first line, or the last."""
    if "\n" not in prompt:
        return "" if _STAMPED.match(prompt) else prompt
    lines = prompt.strip().splitlines()
    return typed(prompt) or next((own for line in (lines[-1:] + lines[:1]) if (own := typed(f"{line}\n"))), "")
