"""The only speaker of `commits.sql`: rows as values, and back."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from holdfast.rooms.commits.model import Commit, CommitFile, LookResult, RepositoryState
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.values import value_of

_FORGOTTEN = "forgotten"
"""What forget writes in place of words."""


def add(tx: Tx, project_id: str, commits: Iterable[Commit], owner: str) -> None:
    """Write commits; those that are there stay as they are."""
    tx.many("commits.add", [_row(each, project_id, owner) for each in commits])


def hashes(reader: Reader, project_id: str, owner: str) -> set[str]:
    return {str(row["hash"]) for row in reader.all("commits.hashes", project_id=project_id, owner=owner)}


def commits(reader: Reader, project_id: str, owner: str, limit: int) -> list[Commit]:
    """All that is kept of a project, the newest first, without what was forgotten."""
    rows = reader.all("commits.of_project", project_id=project_id, owner=owner, limit=limit)
    return [_commit(row) for row in rows if row["subject"] != _FORGOTTEN or row["author"] != _FORGOTTEN]


def drop(tx: Tx, project_id: str, gone: Iterable[str], owner: str) -> None:
    for each in gone:
        tx.run("commits.drop", project_id=project_id, hash=each, owner=owner)


def state(reader: Reader, project_id: str, owner: str) -> RepositoryState | None:
    row = reader.one("commits.state", project_id=project_id, owner=owner)
    return value_of(RepositoryState, row) if row else None


def set_state(tx: Tx, project_id: str, head: str, found: LookResult, commits: int, at: int, owner: str) -> None:
    tx.run(
        "commits.set_state", project_id=project_id, owner=owner, head=head, found=found, commits=commits, looked_at=at
    )


def states(reader: Reader, owner: str) -> list[RepositoryState]:
    return [value_of(RepositoryState, row) for row in reader.all("commits.states", owner=owner)]


def worktree(reader: Reader, project_id: str) -> str:
    """The checkout of a project that was used last; '' when none is known."""
    row = reader.one("commits.worktree", project_id=project_id)
    return str(row["path"]) if row else ""


def _row(commit: Commit, project_id: str, owner: str) -> dict[str, Value]:
    moved = [path for each in commit.changes if each.old for path in (each.old, each.path)]
    return {
        "project_id": project_id,
        "hash": commit.hash,
        "owner": owner,
        "author": commit.author,
        "subject": commit.subject,
        "body": commit.body,
        "files": _json([each.path for each in commit.changes]) if commit.changes else "",
        "lines": _json([number for each in commit.changes for number in (each.added, each.removed)]),
        "moved": _json(moved) if moved else "",
        "file_count": commit.file_count,
        "is_merge": int(commit.is_merge),
        "happened_at": commit.happened_at,
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _commit(row: Row) -> Commit:
    paths, moved = _texts(row["files"]), _texts(row["moved"])
    lines = msgspec.json.decode(str(row["lines"]), type=list[int])
    old = dict(zip(moved[1::2], moved[::2], strict=False))
    changes = zip(paths, lines[::2], lines[1::2], strict=False)
    return Commit(
        hash=str(row["hash"]),
        author=str(row["author"]),
        happened_at=int(row["happened_at"] or 0),
        subject=str(row["subject"]),
        body=str(row["body"]),
        changes=tuple(CommitFile(path, added, removed, old.get(path, "")) for path, added, removed in changes),
        file_count=int(row["file_count"] or 0),
        is_merge=bool(row["is_merge"]),
    )


def _texts(held: Value) -> list[str]:
    """A JSON list of texts; empty when there is none, or when it was forgotten."""
    text = str(held or "")
    return msgspec.json.decode(text, type=list[str]) if text.startswith("[") else []
