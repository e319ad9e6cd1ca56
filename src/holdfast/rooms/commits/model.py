"""The values of this room. No behaviour."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

LookResult = Literal["commits", "none", "unread"]
"""The outcome of the last look at a repository: its commits, none yet, or git could not read it."""


class CommitFile(Struct, frozen=True):
    """One file in one commit."""

    path: str
    added: int = 0
    removed: int = 0
    """Lines. 0 for a binary file, and where only the names were read."""
    old: str = ""
    """The path before this commit, when the commit moved the file."""


class Commit(Struct, frozen=True):
    hash: str
    author: str
    happened_at: int
    subject: str
    body: str = ""
    changes: tuple[CommitFile, ...] = ()
    """Empty for a merge, and for a commit whose parents a shallow clone does not have."""
    file_count: int = 0
    """Files that it changed; `changes` has the first ones only."""
    is_merge: bool = False


class Partner(Struct, frozen=True):
    """A file that changed together with another one."""

    path: str
    together: int
    of: int
    """Commits of the other file that count."""


class FileCommit(Struct, frozen=True):
    """A commit as one file sees it."""

    commit: Commit
    change: CommitFile


class Churn(Struct, frozen=True):
    """How much a file changed in a time."""

    path: str
    commits: int
    added: int
    removed: int
    authors: int
    last_at: int


class RepositoryState(Struct, frozen=True):
    """What is known of a project's repository."""

    project_id: str
    head: str
    found: LookResult
    commits: int
    looked_at: int
