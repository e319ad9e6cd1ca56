"""The tables of this room, as forget, export, import, retention and search see them."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, HASH, ID, OWNER
from holdfast.store.table import Table

FOLDER = Path(__file__).parent
_FROM_GIT = "read from the project's repository, and read again from it"

COMMITS = Table(
    "git_commit",
    ("project_id", "hash"),
    owner="owner",
    time="happened_at",
    project="project_id",
    words=("author", "subject", "body"),
    files=("files", "moved"),
    plain={"project_id": ID, "hash": HASH, "owner": OWNER, "lines": "numbers of lines"},
    found="blank",  # the row stays, so that the commit is not read from the repository again
    lasts=True,
    called=("commit", "commits"),
    kept_back=_FROM_GIT,
)

STATES = Table(
    "git_history",
    ("project_id",),
    owner="owner",
    time="looked_at",
    project="project_id",
    plain={"project_id": ID, "owner": OWNER, "head": HASH, "found": CHOICE},
    lasts=True,
    kept_back=_FROM_GIT,
)

TABLES: tuple[Table, ...] = (COMMITS, STATES)
