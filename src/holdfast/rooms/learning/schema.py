"""The tables of this room, as forget, export, import and retention see them. Their SQL is in `learning.sql`."""

from __future__ import annotations

from pathlib import Path

from holdfast.rooms.learning.model import DOMAINS, ROOT_CAUSES, STRATEGIES
from holdfast.store.shared import CHOICE, ID, OWNER
from holdfast.store.table import Age, Table, Via

FOLDER = Path(__file__).parent
_PLACE = {"id": ID, "owner": OWNER, "project_id": ID, "conversation": ID}

GHAP = Table(
    "ghap",
    ("id",),
    owner="owner",
    family="experience",
    time="created_at",
    project="project_id",
    conversation="conversation",
    words=(
        *("goal", "hypothesis", "action", "prediction", "result", "surprise", "cause", "lesson", "notes", "history"),
        "captured_run",
    ),
    plain={
        **_PLACE,
        "agent_id": ID,
        "domain": CHOICE,
        "strategy": CHOICE,
        "status": CHOICE,
        "tier": CHOICE,
        "root_cause": CHOICE,
        "captured": CHOICE,
        "trust": CHOICE,
    },
    called=("entry of the learning loop", "entries of the learning loop"),
    exported=(
        *("id", "project_id", "conversation", "agent_id", "goal", "hypothesis", "action", "prediction", "domain"),
        *("strategy", "iterations", "history", "status", "tier", "result", "surprise", "root_cause", "cause", "lesson"),
        *("notes", "captured", "captured_run", "auto_captured", "trust", "created_at", "updated_at", "resolved_at"),
        "left_at",
    ),
    shapes={
        "domain": DOMAINS,
        "strategy": STRATEGIES,
        "status": ("active", "confirmed", "falsified", "abandoned"),
        "tier": ("", "gold", "silver", "bronze", "abandoned"),
        "root_cause": ("", *ROOT_CAUSES),
        "captured": ("", "match", "mismatch"),
        "trust": ("user", "agent"),
    },
    refers={"project_id": "project"},
)

REMEDY = Table(
    "remedy",
    ("id",),
    owner="owner",
    family="remedy",
    time="happened_at",
    project="project_id",
    conversation="conversation",
    words=("problem", "symptoms", "root_cause", "solution", "command"),
    files=("files",),
    plain={**_PLACE, "entry_id": ID, "category": CHOICE, "learned": CHOICE, "trust": CHOICE},
    called=("remedy", "remedies"),
    exported=(
        *("id", "project_id", "conversation", "entry_id", "problem", "symptoms", "root_cause", "solution", "files"),
        *("category", "command", "learned", "good", "bad", "shown", "used", "worked", "outdated", "judged_at"),
        *("trust", "happened_at"),
    ),
    shapes={"trust": ("user", "agent", "tool"), "files": "list"},
    refers={"project_id": "project"},
)

VALUE = Table(
    "learned_value",
    ("id",),
    owner="owner",
    family="value",
    time="created_at",
    project="project_id",
    words=("text",),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "axis": CHOICE,
        "cluster_id": ID,
        "made_by": CHOICE,
        "trust": CHOICE,
    },
    called=("learned value", "learned values"),
    lasts=True,
    exported=(
        *("id", "project_id", "text", "axis", "cluster_id", "distance", "most", "support", "made_by", "trust"),
        "created_at",
    ),
    shapes={"trust": ("user", "agent"), "made_by": ("user", "agent", "rules")},
    refers={"project_id": "project"},
)

TABLES: tuple[Table, ...] = (
    GHAP,
    REMEDY,
    VALUE,
    Table(
        "remedy_key",
        ("remedy_id", "key"),
        owner=Via("remedy_id", "remedy"),
        project=Via("remedy_id", "remedy"),
        plain={"remedy_id": ID, "key": "a hash of a failure, without its words"},
        exported=("remedy_id", "key", "weight"),
        refers={"remedy_id": "remedy"},
    ),
    Table(
        "loop_state",
        ("conversation", "agent_id"),
        owner=Via("conversation", "session", "conversation"),
        time="updated_at",
        project=Via("conversation", "session", "conversation"),
        conversation="conversation",
        plain={"conversation": ID, "agent_id": ID},
        kept_back="how far a running session is",
        ages=(Age("detail_days", sooner=4),),
    ),
    Table(
        "known_run",
        ("id",),
        owner="owner",
        time="happened_at",
        project="project_id",
        conversation="conversation",
        words=("label", "error", "tests", "narrowed"),
        files=("paths",),
        plain={**_PLACE, "agent_id": ID, "kind": CHOICE, "tool": "the name of a program", "verdict": CHOICE},
        kept_back="what ran; what was learned of it is exported",
        ages=(Age("detail_days", sooner=4),),
    ),
    Table(
        "flaky_test",
        ("id",),
        owner="owner",
        time="last_at",
        project="project_id",
        words=("test",),
        plain={"id": ID, "owner": OWNER, "project_id": ID},
        lasts=True,
        exported=("id", "project_id", "test", "times", "first_at", "last_at"),
        refers={"project_id": "project"},
    ),
    Table(
        "implied_prediction",
        ("id",),
        owner="owner",
        time="happened_at",
        project="project_id",
        conversation="conversation",
        words=("words",),
        plain={**_PLACE, "agent_id": ID, "expects": CHOICE, "domain": CHOICE},
        exported=(
            *("id", "project_id", "conversation", "agent_id", "words", "expects", "domain", "came_true", "happened_at"),
        ),
        shapes={"expects": ("passed", "failed"), "domain": DOMAINS},
        refers={"project_id": "project"},
    ),
    Table(
        "cluster",
        ("id",),
        owner="owner",
        time="updated_at",
        words=("terms",),
        plain={"id": ID, "owner": OWNER, "axis": CHOICE},
        lasts=True,
        kept_back="made anew from the experiences",
    ),
    Table(
        "cluster_member",
        ("cluster_id", "ghap_id"),
        owner=Via("cluster_id", "cluster"),
        plain={"cluster_id": ID, "ghap_id": ID},
        lasts=True,
        kept_back="made anew from the experiences",
    ),
)
