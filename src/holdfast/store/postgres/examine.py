"""Is this database the one the home remembers, with all its tables? Its administrator looks after its pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdfast.errors import StoreUnfit
from holdfast.store.health import day, way_out
from holdfast.store.migrate import Migration, tables_of
from holdfast.store.postgres import dump
from holdfast.store.postgres.connect import PostgresConnection
from holdfast.store.record import Remembered


def recognise(
    connection: PostgresConnection, remembered: Remembered, known: Sequence[Migration], where: str, backups: Path
) -> None:
    """Raises StoreUnfit unless it is the store that the home had."""

    def unfit(kind: str, what: str) -> StoreUnfit:
        return StoreUnfit(f"The store in the database at {where} {what}. {way_out(backups, 'postgresql')}", kind)

    if not dump.tables(connection):
        raise unfit("gone", f"is gone: there are no tables (there were on {day(remembered.seen_at)})")
    if missing := missing_tables(connection, known):
        raise unfit("damaged", f"is damaged: {missing[0]}")
    rows = connection.execute("SELECT name, value FROM fact WHERE name IN ('store_id', 'born_at')")
    facts = {str(row["name"]): str(row["value"]) for row in rows}
    if remembered.id and not remembered.is_about(facts):
        raise unfit("replaced", "is another one than this home's")


def missing_tables(connection: PostgresConnection, known: Sequence[Migration]) -> tuple[str, ...]:
    """A sentence for each table that is not there any more."""
    there = set(dump.tables(connection))
    made_by = dump.applied(connection)
    expected = tables_of(known if made_by is None else known[: len(made_by)], "postgresql") | {"schema_migration"}
    return tuple(f"its table {name} is missing" for name in sorted(expected - there))


def shut(where: str, error: BaseException, backups: Path | None = None) -> StoreUnfit:
    """A database that was in use and cannot be opened any more: dropped, or its administrator took our rights away."""
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    out = f" {way_out(backups, 'postgresql')}" if backups else " Events wait in the spool."
    return StoreUnfit(
        f"The database at {where} cannot be opened any more ({reason}). Correct its password or the store's URL; if it "
        f"was dropped, make an empty one of that name first.{out}",
        "shut",
    )
