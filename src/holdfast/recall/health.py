"""Checks whether the index is whole, and says what an owner has in it. Used by upkeep and doctor."""

from __future__ import annotations

from holdfast.ids import ItemId
from holdfast.store.interface import Reader, Tx

_LOOKED_UP = 20


def count(reader: Reader, owner: str) -> int:
    """How many items of this owner the index has."""
    row = reader.one("recall.count_own", owner=owner) or {}
    return int(row["n"] or 0)


def is_young(reader: Reader, project_id: str, few: int) -> bool:
    """Has a project fewer items than `few`?"""
    row = reader.one("recall.is_young", project_id=project_id, few=few) or {}
    return bool(row["young"])


def finds_its_newest(reader: Reader) -> bool:
    """Are the newest items found by their own words? (PostgreSQL's index is the database's own, and sound.)"""
    if reader.kind != "sqlite":
        return True
    for row in reader.all("recall.newest_indexed", limit=_LOOKED_UP):
        word = next((word for word in str(row["words"]).split() if word[0] not in "~_"), "")
        if word and not reader.one("recall.is_indexed", seq=row["seq"], match=f'"{word}"'):
            return False
    return True


def holding(reader: Reader, owner: str, like: str) -> list[ItemId]:
    """The ids of items whose words or files contain a text; `like` is a pattern in lower case, '!' escapes."""
    return [ItemId(str(row["id"])) for row in reader.all("recall.holding", owner=owner, like=like)]


def drop_own(tx: Tx, owner: str) -> None:
    """Remove an owner's items from the index; on a shared database other owners keep theirs."""
    tx.run("recall.drop_own_vectors", owner=owner)
    tx.run("recall.drop_own_items", owner=owner)
