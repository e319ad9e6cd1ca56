"""Numbered migrations, the same files for both databases: all that are pending in one transaction, after a backup.

`BLOB` is written BYTEA for PostgreSQL, and TEXT gets the collation "C" there, so that both databases sort alike.
How a transaction, a lock and a backup are made is the business of the database's `MigrationGround`.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from holdfast.errors import ConfigError, HoldfastError, StoreError, StoreUnfit
from holdfast.ids import now_us
from holdfast.paths import make_private_folder
from holdfast.store.health import way_out
from holdfast.store.lex import StoreKind, rewrite
from holdfast.times import file_stamp

_log = logging.getLogger(__name__)
KEPT_COPIES = 5
_FAILED = "-failed"
"""Ends the name of the copy from before a migration that failed."""
TABLE = """
CREATE TABLE schema_migration (
    number     BIGINT PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at BIGINT NOT NULL
)
"""

_FILE = re.compile(r"(?P<number>\d{4})_(?P<name>[a-z0-9_]+)\.sql")
_TABLE = re.compile(
    r"CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(?P<made>\w+)|DROP TABLE (?:IF EXISTS )?(?P<gone>\w+)"
    r"|ALTER TABLE (?P<old>\w+) RENAME TO (?P<new>\w+)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"^-- only: (?P<kind>\w+)[ \t]*\n(?P<body>.*?)^-- end[ \t]*$\n?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Applied:
    """A migration as a store remembers it."""

    number: int
    name: str
    checksum: str

    def __str__(self) -> str:
        return f"{self.number:04}_{self.name}"


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration as its file says."""

    applied: Applied
    text: str
    path: Path | None = None
    """Where it was read; None when it was not."""

    @property
    def file(self) -> str:
        """The file with the folders that it stands in: `debts/migrations/0016_debts.sql`."""
        return "/".join(self.path.parts[-3:]) if self.path else ""

    @property
    def folder(self) -> Path | None:
        """The room's folder."""
        return self.path.parent.parent if self.path else None

    def script(self, kind: StoreKind) -> str:
        return dialect(self.text, kind)


class MigrationGround(Protocol):
    """A database that is being migrated, before anyone else uses it."""

    kind: StoreKind
    copy_suffix: str

    def is_empty(self) -> bool:
        """Are there no tables at all?"""
        ...

    def applied(self) -> list[Applied] | None:
        """What was applied, in order; None when this is not (yet) a store of ours."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """One transaction, with no other migration beside it; undone by an error."""
        ...

    def execute(self, script: str) -> None:
        """Run statements inside the transaction."""
        ...

    def record(self, migration: Applied) -> None: ...

    def made_by(self, known: Sequence[Migration]) -> int | None:
        """How many of these migrations make the tables that are there, by their shape; None when no number does."""
        ...

    def backup(self, target: Path) -> None:
        """Write a whole, owner-only copy."""
        ...

    def explain(self, error: BaseException) -> BaseException: ...


def load(*folders: Path) -> list[Migration]:
    """The migrations of all folders in one order, without gaps."""
    found: list[Migration] = []
    for file in sorted((file for folder in folders for file in folder.glob("*.sql")), key=lambda file: file.name):
        match = _FILE.fullmatch(file.name)
        if match is None or int(match["number"]) != len(found) + 1:
            raise ConfigError(
                f"holdfast cannot start: {'/'.join(file.parts[-3:])} is not the next migration. All rooms together "
                f"number theirs 0001, 0002, … without gaps or doubles, and {len(found) + 1:04} comes next: rename it."
            )
        text = file.read_text(encoding="utf-8")
        checksum = hashlib.sha256(text.encode()).hexdigest()
        found.append(Migration(Applied(int(match["number"]), match["name"], checksum), text, file))
    return found


@cache
def dialect(text: str, kind: StoreKind) -> str:
    """A migration's text for one database. It is asked for when a store is examined, and again when it is migrated."""

    def mine(match: re.Match[str]) -> str:
        if match["kind"] not in ("sqlite", "postgresql"):
            raise ConfigError(
                f"holdfast cannot start: a migration says '-- only: {match['kind']}', which is no database; "
                "write sqlite or postgresql."
            )
        return match["body"] if match["kind"] == kind else ""

    if kind == "sqlite":
        return rewrite(_ONLY.sub(mine, text))
    shared, parts = 0, []
    for match in _ONLY.finditer(text):
        parts += [rewrite(text[shared : match.start()], word=_postgresql_type), rewrite(mine(match))]
        shared = match.end()
    parts.append(rewrite(text[shared:], word=_postgresql_type))
    return "\n".join(part for part in parts if part)


def tables_of(migrations: Sequence[Migration], kind: StoreKind) -> set[str]:
    """The tables that a store has after these migrations."""
    there: set[str] = set()
    for migration in migrations:
        for match in _TABLE.finditer(migration.script(kind)):
            if match["made"]:
                there.add(match["made"])
            elif match["new"]:
                there.discard(match["old"])
                there.add(match["new"])
            else:
                there.discard(match["gone"])
    return there


def _postgresql_type(word: str, before: str) -> str:
    if word == "BLOB":
        return "BYTEA"
    return 'TEXT COLLATE "C"' if word == "TEXT" and before != "AS" else word


def pending(known: Sequence[Migration], applied: Sequence[Applied], where: str) -> list[Migration]:
    """What is still to be applied. Refuses a store that these migrations did not make."""
    for migration, there in zip(known, applied, strict=False):
        if there != migration.applied:
            raise StoreUnfit(
                f"The store at {where} was made with another text of migration {there}; nothing was changed. "
                "Install the holdfast that made it, or bring back a backup with `holdfast restore FILE`.",
                "newer",
            )
    if len(applied) > len(known):
        raise StoreUnfit(
            f"The store at {where} was made by a newer holdfast (it has migration {applied[-1]}, this one knows "
            f"{len(known)}); nothing was changed. Upgrade holdfast, or bring back a backup from before with "
            "`holdfast restore FILE`.",
            "newer",
        )
    return list(known[len(applied) :])


def with_gaps_filled(known: Sequence[Migration], applied: Sequence[Applied]) -> list[Applied]:
    """What was applied, with the rows that are missing before the last one: all before it were applied, too."""
    there = {each.number: each for each in applied}
    before = {each.applied.number: each.applied for each in known[: applied[-1].number]} if applied else {}
    return [each for _, each in sorted((before | there).items())]


def _recover_list(ground: MigrationGround, known: Sequence[Migration], where: str, backups: Path) -> None:
    """An older holdfast's `forget --before` deleted rows of `schema_migration`, and marks of what was forgotten with
    them. The list is written anew: from the rows that are left, or from the shape of the tables."""
    if ground.is_empty() or not _has_gaps(ground.applied() or []):
        return
    with ground.alone():
        there = ground.applied() or []
        if not _has_gaps(there) or any(each not in [one.applied for one in known] for each in there):
            return
        last = there[-1].number if there else ground.made_by(known)
        if last is None:
            raise StoreUnfit(
                f"The store at {where} has lost its list of migrations (an older holdfast's `forget --before` deleted "
                f"it), and its tables are those of no version that this one knows. {way_out(backups, ground.kind)}",
                "damaged",
            )
        for migration in known[:last]:
            if migration.applied not in there:
                ground.record(migration.applied)
    _log.warning(
        "The store at %s had lost its list of migrations (an older holdfast's `forget --before` deleted it). It was "
        "written anew. Marks of what was forgotten before may be lost, too: an import could bring that back.",
        where,
    )


def _has_gaps(applied: Sequence[Applied]) -> bool:
    return not applied or [each.number for each in applied] != [*range(1, len(applied) + 1)]


def migrate(ground: MigrationGround, known: Sequence[Migration], *, where: str, backups: Path) -> Path | None:
    """Bring a store up to date. Returns the backup that was made, if one was."""
    if not ground.is_empty() and ground.applied() is None:
        raise StoreUnfit(
            f"There is a database at {where}, but it is not holdfast's; nothing was changed. Choose another place.",
            "foreign",
        )
    _recover_list(ground, known, where, backups)
    todo = pending(known, ground.applied() or [], where)
    if not todo:
        return None
    copy = None if ground.is_empty() else _keep_copy(ground, backups, before=todo[0].applied)
    at = ""
    try:
        with ground.alone():
            there = ground.applied()
            if there is None:
                ground.execute(dialect(TABLE, ground.kind))
            for migration in pending(known, there or [], where):
                at = f" in {migration.file}" if migration.file else ""
                ground.execute(migration.script(ground.kind))
                ground.record(migration.applied)
    except HoldfastError:
        _spare_copy(copy)
        raise
    except Exception as error:
        copy = _spare_copy(copy)
        explained = ground.explain(error)
        kept = f" A copy from before is in {copy}." if copy else ""
        kind = type(explained) if isinstance(explained, StoreError) else StoreError
        raise kind(
            f"The store at {where} could not be brought up to date ({explained}{at}); nothing was changed.{kept}"
        ) from error
    if copy is not None:
        _drop_oldest(backups)
    return copy


def _keep_copy(ground: MigrationGround, backups: Path, *, before: Applied) -> Path:
    """An automatic backup. No other goes for it before the migration has succeeded."""
    make_private_folder(backups)
    copy = backups / f"auto-{file_stamp(now_us())}-before-{before.number:04}{ground.copy_suffix}"
    ground.backup(copy)
    return copy


def _drop_oldest(backups: Path) -> None:
    for old in sorted(backups.glob("auto-*"))[:-KEPT_COPIES]:
        old.unlink(missing_ok=True)


def _spare_copy(copy: Path | None) -> Path | None:
    """The migration failed and nothing was changed. A start is tried again and again, so that only the newest copy of
    those that failed stays, under a name of its own, and no good one goes for it. The copy that stays."""
    if copy is None:
        return None
    kept = copy.with_name(f"{copy.stem}{_FAILED}{copy.suffix}")
    copy.rename(kept)
    for other in copy.parent.glob(f"auto-*-before-*{_FAILED}{copy.suffix}"):
        if other != kept:
            other.unlink(missing_ok=True)
    return kept
