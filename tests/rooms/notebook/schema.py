"""The table of this room, as forget, export, import, retention and search see it."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, ID, OWNER
from holdfast.store.table import Age, Table

FOLDER = Path(__file__).parent

NOTES = Table(
    "note",
    ("id",),
    owner="owner",
    family="note",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("text",),
    files=("file",),
    plain={"id": ID, "owner": OWNER, "project_id": ID, "conversation": ID, "entry_id": ID, "trust": CHOICE},
    exported=("id", "project_id", "conversation", "entry_id", "text", "file", "trust", "made_at"),
    shapes={"trust": ("user", "agent")},
    refers={"project_id": "project"},
    ages=(Age("notebook.kept_days"),),
)

TABLES: tuple[Table, ...] = (NOTES,)
