"""Recall."""

from __future__ import annotations

from holdfast.recall.floor import FLOOR
from holdfast.recall.index import healthy, index, mark, mend, purge, reindex, remove
from holdfast.recall.model import Hit, Item, Query
from holdfast.recall.search import find, search

__all__ = ["FLOOR", "Hit", "Item", "Query", "find", "healthy", "index", "mark", "mend", "purge", "reindex", "remove", "search"]
