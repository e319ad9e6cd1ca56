"""The tables of this room, as forget, export and retention see them. Their SQL is in `fleet.sql`."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, HOME, ID, OWNER
from holdfast.store.table import Age, Table

FOLDER = Path(__file__).parent
_NOW = "what agents do at this moment, which says nothing elsewhere; a backup has it"

AGENTS = Table(
    "fleet_agent",
    ("conversation", "agent_id"),
    owner="owner",
    time="changed_at",
    project="project_id",
    conversation="conversation",
    words=("needs", "message", "failure", "name"),
    plain={
        "conversation": ID,
        "agent_id": ID,
        "owner": OWNER,
        "home": HOME,
        "project_id": ID,
        "kind": CHOICE,
        "agent_type": "the name of a kind of agent",
        "parent": ID,
        "pane": "the number of a pane",
        "status": CHOICE,
        "asks": CHOICE,
        "failed": CHOICE,
        "ended_by": CHOICE,
    },
    called=("agent's status", "agents' statuses"),
    kept_back=_NOW,
    ages=(Age("journal_days"),),
)

TASKS = Table(
    "fleet_task",
    ("conversation", "task_id"),
    owner="owner",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("subject", "assignee"),
    plain={"conversation": ID, "task_id": ID, "owner": OWNER, "project_id": ID},
    called=("task of a team", "tasks of teams"),
    kept_back=_NOW,
    ages=(Age("journal_days"),),
)

TABLES: tuple[Table, ...] = (AGENTS, TASKS)
