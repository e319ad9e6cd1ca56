"""The search expressions of both databases, and the words that stand for files. Pure.

SQLite's index has project and kind as words; PostgreSQL has columns for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from holdfast.recall.values import Query
from holdfast.store.interface import StoreKind

FEW_KINDS = 2
"""To walk the lists of more would cost more than to look at each item's row."""


def file_words(path: str) -> list[str]:
    """A file by its whole path, and by its bare name."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return list(dict.fromkeys((file_word(path), file_word(name))))


def file_word(path: str) -> str:
    return "_f" + hashlib.blake2b(path.encode("utf-8", "replace"), digest_size=6).hexdigest()


def any_of(kind: StoreKind, words: Iterable[str]) -> str:
    quoted = [_quote(kind, word) for word in words]
    joint = " OR " if kind == "sqlite" else " | "
    return quoted[0] if len(quoted) == 1 else f"({joint.join(quoted)})"


def all_of(kind: StoreKind, parts: Iterable[str]) -> str:
    return (" AND " if kind == "sqlite" else " & ").join(part for part in parts if part)


def term(kind: StoreKind, word: str) -> str:
    """The items that have a word themselves or in their context."""
    return any_of(kind, (word, f"~{word}"))


def scope(kind: StoreKind, query: Query) -> str:
    """What every item of an answer must have, as far as words can express it; may be empty."""
    parts = []
    if kind == "sqlite" and query.project_ids:
        mark = "_p" if query.light else "_h"
        parts.append(any_of(kind, (f"{mark}{project.replace('-', '')}" for project in query.project_ids)))
    if kind == "sqlite" and 0 < len(query.kinds) <= FEW_KINDS:
        parts.append(any_of(kind, (f"_k{name}" for name in query.kinds)))
    if query.file:
        parts.append(any_of(kind, [file_word(query.file)]))
    return all_of(kind, parts)


def _quote(kind: StoreKind, word: str) -> str:
    if kind == "sqlite":
        return '"' + word.replace('"', "") + '"'
    return "'" + word.replace("\\", "").replace("'", "") + "'"
