"""Gives items of the index the words that they would have today, after an upgrade that changed how text becomes terms.

In place: an item keeps its number, its neighbours and its vector. What is compared is read outside the writer; only
what differs is written.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from holdfast.ids import ItemId
from holdfast.recall.keep import words
from holdfast.recall.values import Item
from holdfast.recall.words import BASE, STOP
from holdfast.store.interface import Reader, Tx

_SAMPLE = """The children's GitHub, OAuth2Client, iPhone, IDs and refresh_tokens; src/auth/Login_Form.tsx v2.3.1 a.py
UTF-8 naïve 3b7098e1a2b3c4d 1234567890 well-known http://example.org/a?b=1 don't e2e x86_64 修复登录 loginBug?"""


@functools.cache
def words_version() -> str:
    """Changes when the same item would have other words: a digest of the words of a text of every kind, and of the
    lists. A rule that the sample does not show needs a word in it."""
    sample = words(
        Item(ItemId("sample"), "sample", "sample", _SAMPLE, 1_000_000, context="Yesterday", files=("a/b.py",))
    )
    lists = (*sorted(STOP), *(f"{form}:{base}" for form, base in sorted(BASE.items())))
    return hashlib.blake2b("\n".join((sample, *lists)).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Outdated:
    """An entry whose words are not those that its item would have today."""

    id: ItemId
    before: str
    today: str


def outdated(reader: Reader, items: Iterable[Item]) -> list[Outdated]:
    """Those of these items that are indexed by other words."""
    found = []
    for item in items:
        row = reader.one("recall.words_of", id=item.id)
        if row is not None and row["words"] != (today := words(item)):
            found.append(Outdated(item.id, str(row["words"]), today))
    return found


def renew(tx: Tx, entries: Iterable[Outdated]) -> int:
    """Write today's words, where nobody has written others meanwhile; how many were written."""
    done = 0
    for each in entries:
        row = tx.one("recall.words_of", id=each.id)
        if row is None or row["words"] != each.before:
            continue
        if tx.kind == "sqlite":
            tx.run("recall.drop_words", seq=row["seq"])
        tx.run("recall.set_words", seq=row["seq"], words=each.today)
        if tx.kind == "sqlite":
            tx.run("recall.add_words", seq=row["seq"])
        done += 1
    return done
