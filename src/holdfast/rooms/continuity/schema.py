"""The tables of this room, as forget, export, import, retention and search see them."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, HASH, ID, OWNER
from holdfast.store.table import Age, Table

FOLDER = Path(__file__).parent

CHECKPOINTS = Table(
    "checkpoint",
    ("id",),
    owner="owner",
    family="checkpoint",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("title", "stand"),
    files=("files",),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "conversation": ID,
        "window_id": ID,
        "entry_id": ID,
        "reason": CHOICE,
        "digest": HASH,
    },
    exported=(
        *("id", "project_id", "conversation", "window_id", "entry_id", "reason", "auto_created", "threshold"),
        *("title", "stand", "files", "digest", "made_at"),
    ),
    shapes={
        "reason": ("threshold", "compact", "clear", "end", "request", "crash"),
        "stand": "object",
        "files": "list",
    },
    refers={"project_id": "project", "window_id": "session"},
    ages=(Age("detail_days"),),
)

DEBRIEFS = Table(
    "debrief",
    ("id",),
    owner="owner",
    family="debrief",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("task", "approach", "tags", "notes"),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "conversation": ID,
        "outcome": CHOICE,
        "trust": CHOICE,
    },
    exported=("id", "project_id", "conversation", "task", "approach", "outcome", "tags", "notes", "trust", "made_at"),
    shapes={"outcome": ("success", "failure", "partial"), "trust": ("user", "agent"), "tags": "list"},
    refers={"project_id": "project"},
)

HANDOVERS = Table(
    "handover",
    ("id",),
    owner="owner",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("content",),
    files=("files",),
    plain={"id": ID, "owner": OWNER, "project_id": ID, "conversation": ID, "given_to": ID},
    exported=("id", "project_id", "conversation", "content", "files", "made_at", "given_to", "given_at"),
    shapes={"content": "object", "files": "list"},
    refers={"project_id": "project"},
    ages=(Age("detail_days"),),
)

COMPACTIONS = Table(
    "compaction",
    ("id",),
    owner="owner",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("summary", "lost", "given"),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "conversation": ID,
        "window_id": ID,
        "way": CHOICE,
        "trigger": CHOICE,
    },
    exported=(
        *("id", "project_id", "conversation", "window_id", "way", "trigger", "summary", "lost", "given", "made_at"),
    ),
    shapes={"way": ("client", "both", "holdfast"), "lost": "list"},
    refers={"project_id": "project", "window_id": "session"},
    ages=(Age("detail_days"),),
)

TABLES: tuple[Table, ...] = (CHECKPOINTS, DEBRIEFS, HANDOVERS, COMPACTIONS)
