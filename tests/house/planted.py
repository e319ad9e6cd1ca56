"""Rows for any declared table, made from its declaration and the database's columns: whole enough to be one owner's."""

from __future__ import annotations

import itertools
from typing import Any

from holdfast.ids import new_id
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Store, Tx, Value
from holdfast.store.table import Columns, Table, Via
from tests.contract.site import add_query

OWNER = "me"
START = 1_790_000_000_000_000
_COUNT = itertools.count(1)


class Planter:
    """Writes rows with a word in them."""

    def __init__(self, store: Store, catalog: Catalog, owner: str = OWNER) -> None:
        self._owner = owner
        self._catalog = catalog
        self._columns: Columns = store.columns
        for table in catalog.tables.values():
            names = list(self._columns[table.name])
            values = ", ".join(f":{name}" for name in names)
            add_query(
                f"test.plant_{table.name}", f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values})", catalog
            )
            add_query(f"test.all_{table.name}", f"SELECT * FROM {table.name}", catalog)

    def row(self, tx: Tx, table: Table, item_id: str = "", **given: Value) -> dict[str, Value]:
        """Write a row of this owner with the rows it belongs to; its columns. `item_id` is an item it may be about."""
        parents: dict[str, Value] = {}
        ways = [each for each in (table.owner, table.project, table.conversation) if isinstance(each, Via)]
        ways += [Via(column, name) for column, name in table.refers.items()]
        for via in ways:
            if via.table == "item":
                parents[via.column] = item_id
            elif via.column not in parents and via.column not in given:
                parent = self._catalog.tables[via.table]
                parents[via.column] = self.row(tx, parent, item_id)[via.key]
        row = {name: self._value(table, name, parents) for name in self._columns[table.name]} | given
        tx.run(f"test.plant_{table.name}", **row)
        return row

    def _value(self, table: Table, name: str, parents: dict[str, Value]) -> Value:
        column, number = self._columns[table.name][name], next(_COUNT)
        shape = table.shapes.get(name)
        if name in parents:
            return parents[name]
        if name == table.owner:
            return self._owner
        if name == "id":
            return new_id(START + number)
        if isinstance(shape, tuple):
            return shape[0]
        if shape:
            return "[]" if shape == "list" else "{}"
        if not column.text:
            return START + number if name == table.time else number
        return "{}" if name in ("payload", "by_model", "by_rules") else f"{name}{number}"


async def everything(store: Store, catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    return {
        name: await store.read(lambda reader, name=name: reader.all(f"test.all_{name}"))  # type: ignore[misc]
        for name in catalog.tables
    }
