"""This room's table: what was decided. The only module of the room that speaks SQL."""

from __future__ import annotations

from typing import Any

from holdfast.store.interface import Reader, Tx


def add(tx: Tx, **row: Any) -> None:
    tx.run("guards.add", **row)


def listed(reader: Reader, owner: str, since: int, limit: int) -> list[dict[str, Any]]:
    return reader.all("guards.listed", owner=owner, since=since, limit=limit)


def counts(reader: Reader, owner: str) -> list[dict[str, Any]]:
    return reader.all("guards.counts", owner=owner)
