"""The tables of this room, as forget, export, import and retention see them. Their SQL is in `guards.sql`."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, ID, OWNER
from holdfast.store.table import Age, Table

FOLDER = Path(__file__).parent

REFUSAL = Table(
    "refusal",
    ("id",),
    family="refusal",
    owner="owner",
    time="happened_at",
    project="project_id",
    conversation="conversation",
    words=("reason", "command"),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "conversation": ID,
        "agent_id": ID,
        "tool": "the name of a tool",
        "decision": CHOICE,
        "rule": "the name of a rule",
        "kept_id": ID,
    },
    exported=(
        *("id", "project_id", "conversation", "agent_id", "tool", "decision", "rule", "reason", "command"),
        *("kept_id", "happened_at"),
    ),
    refers={"project_id": "project"},
    ages=(Age("detail_days"),),
)

TABLES: tuple[Table, ...] = (REFUSAL,)
