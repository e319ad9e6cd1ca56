"""The tables of this room, as forget, export, import and retention see them. Their SQL is in `work.sql`."""

from __future__ import annotations

from pathlib import Path

from holdfast.store.shared import CHOICE, DISK, HOME, ID, OWNER
from holdfast.store.table import Age, JsonRecord, Table, Via

FOLDER = Path(__file__).parent
AGENT = "the name of an agent, as its environment says"
SKILL = "the name of a skill"

TASKS = Table(
    "work_task",
    ("id",),
    owner="owner",
    time="created_at",
    project="project_id",
    words=("title", "keywords"),
    plain={"id": ID, "owner": OWNER, "project_id": ID, "dir_path": DISK},
    found="blank",
    lasts=True,
    called=("task", "tasks"),
    exported=("id", "project_id", "dir_path", "title", "keywords", "created_at"),
    same=("owner", "dir_path"),
    refers={"project_id": "project"},
)

EFFORTS = Table(
    "effort",
    ("id",),
    owner="owner",
    time="updated_at",  # an effort is as old as the last word of it: `forget --before` leaves none without its effort
    project="project_id",
    words=("title", "phase", "config"),
    files=("directives", "loaded_files"),
    found="mend",
    counted="efforts",
    called=("effort", "efforts"),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "task_id": ID,
        "agent": AGENT,
        "skill": SKILL,
        "mode": "a mode that the skill names",
        "lifecycle": CHOICE,
        "heartbeat": CHOICE,
    },
    exported=(
        *("id", "project_id", "task_id", "agent", "skill", "mode", "title", "ordinal", "lifecycle", "phase"),
        *("heartbeat", "config", "directives", "loaded_files", "started_at", "updated_at", "finished_at"),
    ),
    shapes={
        "lifecycle": ("active", "finished"),
        "heartbeat": ("off", "warn", "block"),
        "config": JsonRecord(fixed=("heartbeat",)),
        "directives": "list",
        "loaded_files": "list",
    },
    same=("task_id", "ordinal"),
    refers={"project_id": "project", "task_id": "work_task"},
)

_OF_EFFORT = Via("effort_id", "effort")

WINDOWS = Table(
    "effort_window",
    ("effort_id", "session_id"),
    owner=_OF_EFFORT,
    time="started_at",
    project=_OF_EFFORT,
    conversation="conversation",
    files=("loaded_files",),
    shapes={"loaded_files": "list"},
    found="mend",
    plain={"effort_id": ID, "session_id": ID, "conversation": ID, "agent_id": ID, "prev_session_id": ID, "home": HOME},
    kept_back="how far a running session is",
    ages=(Age("detail_days"),),
)

ENTRIES = Table(
    "effort_entry",
    ("id",),
    owner=_OF_EFFORT,
    time="happened_at",
    project=_OF_EFFORT,
    conversation="conversation",
    words=("text", "proof", "phase"),
    plain={"id": ID, "effort_id": ID, "conversation": ID, "agent_id": ID, "kind": CHOICE},
    counted="effort_entries",
    called=("entry of an effort's log", "entries of efforts' logs"),
    exported=("id", "effort_id", "conversation", "agent_id", "kind", "phase", "text", "proof", "happened_at"),
    shapes={"kind": ("log", "phase", "dehydrate", "finish")},
    refers={"effort_id": "effort"},
)

ARTIFACTS = Table(
    "effort_artifact",
    ("effort_id", "kind"),
    owner=_OF_EFFORT,
    time="updated_at",
    project=_OF_EFFORT,
    words=("text",),
    counted="effort_documents",
    called=("document of an effort", "documents of efforts"),
    plain={"effort_id": ID, "kind": "the name of a kind of document, such as PLAN"},
    exported=("effort_id", "kind", "text", "updated_at"),
    refers={"effort_id": "effort"},
)

PENDING = Table(
    "work_pending",
    ("id",),
    owner=_OF_EFFORT,
    time="made_at",
    project=_OF_EFFORT,
    words=("text",),
    files=("path",),
    plain={"id": ID, "effort_id": ID, "not_in": ID, "kind": CHOICE},
    called=("pending text", "pending texts"),
    kept_back="what waits for a running session",
    ages=(Age("detail_days", sooner=4),),
)

AGENTS = Table(
    "work_agent",
    ("id",),
    owner="owner",
    time="seen_at",
    project="project_id",
    words=("label",),
    plain={"id": ID, "owner": OWNER, "name": AGENT, "parent": AGENT, "project_id": ID},
    found="blank",
    lasts=True,
    called=("agent", "agents"),
    exported=("id", "name", "label", "parent", "project_id", "created_at", "seen_at"),
    same=("owner", "name"),
    refers={"project_id": "project"},
)

MESSAGES = Table(
    "work_message",
    ("id",),
    owner="owner",
    time="happened_at",
    project="project_id",
    conversation="conversation",
    words=("text",),
    plain={
        "id": ID,
        "owner": OWNER,
        "project_id": ID,
        "effort_id": ID,
        "conversation": ID,
        "kind": CHOICE,
        "sender": AGENT,
        "recipient": AGENT,
    },
    called=("message", "messages"),
    exported=(
        *("id", "project_id", "effort_id", "conversation", "kind", "sender", "recipient", "text", "happened_at"),
    ),
    refers={"project_id": "project"},
    ages=(Age("detail_days"),),
)

TABLES: tuple[Table, ...] = (TASKS, EFFORTS, WINDOWS, ENTRIES, ARTIFACTS, PENDING, AGENTS, MESSAGES)
