"""Puts hits about the same piece of work together: a prompt, its turn, its session and what was done are one
row. Pure."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TypeVar

from holdfast.items.model import Item

T = TypeVar("T")
"""What is known of a hit besides its item."""


def by_work(hits: Sequence[tuple[Item, T]], last: Set[str] = frozenset()) -> list[list[tuple[Item, T]]]:
    """Groups in the order of their best hits. In each the item that says most comes first: its outcome, then
    the best hit, and what was only asked (families in `last`) after it. An item about several pieces of work joins the
    first of them that was found."""
    groups: dict[str, list[tuple[Item, T]]] = {}
    works = [item.listed.work for item, _ in hits if item.listed.work]
    for item, known in hits:
        key = item.listed.work or item.id
        if item.listed.whole_of:
            key = next((work for work in works if work.startswith(item.listed.whole_of)), key)
        groups.setdefault(key, []).append((item, known))
    return [sorted(group, key=lambda each: _rank(each[0], last)) for group in groups.values()]


def unanswered(rows: Sequence[tuple[Item, Set[str], T]]) -> list[T]:
    """Rows in their order, without what only asks (`Listed.asks`) where a row that answers has at least half of its
    words (an answer says it in its own): an earlier question says nothing beside its answer. A row is its item, those
    words of the question that it has, and what is known besides."""
    told = [words for item, words, _ in rows if not item.listed.asks]
    return [
        known
        for item, words, known in rows
        if not (item.listed.asks and words and any(2 * len(words & each) >= len(words) for each in told))
    ]


def _rank(item: Item, last: Set[str]) -> int:
    if item.listed.whole_of:
        return 3
    if item.listed.family in last:
        return 2
    return 0 if item.listed.sums_up else 1
