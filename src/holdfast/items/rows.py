"""The rows of a declared table that are items: found, written and removed by the queries made from its declaration.

Every function takes the owner; rows of another owner are neither given nor changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdfast.ids import ItemId
from holdfast.items.indexed import Page
from holdfast.store.generated import name_of, parts
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.table import Table


def one(reader: Reader, table: Table, item_id: ItemId, owner: str) -> Row | None:
    return reader.one(name_of(table.name, "get"), id=item_id, owner=owner)


def ids_ending(reader: Reader, table: Table, tail: str, owner: str) -> list[ItemId]:
    """Full ids that end in these eight characters."""
    return [ItemId(str(row["id"])) for row in reader.all(name_of(table.name, "ending"), tail=tail, owner=owner)]


def page(reader: Reader, table: Table, wanted: Page, owner: str) -> Sequence[Row]:
    """Rows in the order of time. Family and kind are the caller's to compare."""
    about: dict[str, Value] = {
        "owner": owner,
        "project_id": wanted.project_id,
        "conversation": wanted.conversation,
        "file": wanted.file,
        "like": wanted.like,
        "since": wanted.since,
        "until": wanted.until,
        "limit": wanted.limit,
    }
    if wanted.oldest_first:
        return reader.all(name_of(table.name, "oldest"), after=wanted.after, **about)
    return reader.all(name_of(table.name, "newest"), **about)


def count(reader: Reader, table: Table, owner: str) -> int:
    row = reader.one(name_of(table.name, "count"), owner=owner)
    return int(row["n"] or 0) if row else 0


def put(tx: Tx, table: Table, row: Row, owner: str) -> bool:
    """Write a row of the exported columns. Was it new?"""
    whose = {table.owner: owner} if isinstance(table.owner, str) else {}
    return tx.run(name_of(table.name, "put"), **{**row, **whose}) == 1


def rewrite(tx: Tx, table: Table, row: Row, owner: str) -> None:
    """Write all exported columns of a row anew."""
    tx.run(name_of(table.name, "rewrite"), **{**row, "owner": owner})


def drop(tx: Tx, table: Table, item_id: ItemId, owner: str) -> None:
    tx.run(name_of(table.name, "drop"), id=item_id, owner=owner)


def drop_parts(tx: Tx, declared: Mapping[str, Table], ids: Iterable[ItemId], owner: str) -> None:
    """Remove the rows of other tables that belong to items, in any number of steps, before the items themselves go."""
    for whole in declared.values():
        for part in parts(whole, declared) if whole.family else ():
            for each in ids:
                tx.run(name_of(whole.name, f"drop_{part.name}"), id=each, owner=owner)
