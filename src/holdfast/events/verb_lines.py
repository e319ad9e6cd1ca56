"""What the verbs of every room say alike, on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def none_found(thing: str, first: str) -> str:
    """`Verb.empty`: that there is none of this thing (one of it, such as "page"), and in a sentence how the first one
    comes about or what to ask instead."""
    return f"There is no {thing}. {first}"


def kept_as(result: dict[str, Any], width: int) -> Iterator[str]:
    """`Verb.lines` of a tool that keeps an item and returns its short id."""
    yield f"Kept as {result['id']}."
