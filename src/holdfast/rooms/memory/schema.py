"""The tables of this room, as forget, export, import and retention see them. Their SQL is in `memory.sql`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from holdfast.items.indexed import Trust
from holdfast.rooms.memory.model import Ended, ObservationKind, SummaryLevel
from holdfast.rooms.memory.standing import worth
from holdfast.store.shared import CHOICE, HASH, ID, OWNER
from holdfast.store.table import Age, Table, Via

FOLDER = Path(__file__).parent
_PROJECT = Via("project_id", "project")
_SESSION = Via("session_id", "session")
_HERE = {"project_id": "project", "session_id": "session"}
_KIND, _LEVEL, _OUTCOME, _TRUST = (get_args(each) for each in (ObservationKind, SummaryLevel, Ended, Trust))

TABLES: tuple[Table, ...] = (
    Table(
        "prompt",
        ("id",),
        owner=_PROJECT,
        family="prompt",
        time="happened_at",
        project="project_id",
        conversation="conversation",
        words=("text",),
        plain={"id": ID, "conversation": ID, "prompt_id": ID, "session_id": ID, "project_id": ID},
        exported=("id", "conversation", "prompt_id", "session_id", "project_id", "number", "text", "happened_at"),
        refers=_HERE,
    ),
    Table(
        "observation",
        ("id",),
        owner=_PROJECT,
        family="observation",
        time="happened_at",
        project="project_id",
        conversation=_SESSION,
        words=("title", "command", "excerpt", "runs", "branch"),
        files=("files",),
        plain={
            "id": ID,
            "session_id": ID,
            "project_id": ID,
            "kind": CHOICE,
            "tool": "the name of a tool",
            "outcome": CHOICE,
            "trust": CHOICE,
            "commit_hash": HASH,
        },
        exported=(
            *("id", "session_id", "project_id", "prompt_number", "kind", "tool", "title", "outcome", "trust", "files"),
            *("command", "excerpt", "commit_hash", "happened_at", "branch", "runs"),
        ),
        since={"branch": None, "runs": None},
        shapes={"files": "list", "runs": "list", "kind": _KIND, "outcome": _OUTCOME, "trust": _TRUST},
        refers=_HERE,
        ages=(Age("detail_days"), Age("detail_days", sooner=4, column="kind", among=("read", "search"))),
    ),
    Table(
        "summary",
        ("id",),
        owner=_PROJECT,
        family="summary",
        distilled=True,
        time="happened_at",
        project="project_id",
        conversation="conversation",
        words=("title", "request", "investigated", "done", "learned", "left_open", "said", "runs", "branch"),
        files=("files",),
        plain={
            "id": ID,
            "subject": "what it is of: a level and an id",
            "level": CHOICE,
            "conversation": ID,
            "session_id": ID,
            "project_id": ID,
            "outcome": CHOICE,
            "written_by": CHOICE,
        },
        exported=(
            *("id", "subject", "level", "conversation", "session_id", "project_id", "prompt_number", "title"),
            *("request", "investigated", "done", "learned", "left_open", "said", "outcome", "files", "written_by"),
            *("happened_at", "branch", "runs", "worth"),
        ),
        since={"said": "", "branch": "", "runs": None, "worth": -1},
        shapes={"files": "list", "runs": "list", "level": _LEVEL, "outcome": _OUTCOME},
        refers=_HERE,
        ages=(Age("detail_days", sooner=worth.SOONER, column="worth", among=(worth.stored(worth.NOTHING),)),),
    ),
    Table(
        "memory",
        ("id",),
        owner="owner",
        family="memory",
        time="created_at",
        project="project_id",
        words=("title", "text", "tags", "source"),
        files=("files",),
        plain={
            "id": ID,
            "owner": OWNER,
            "project_id": ID,
            "trust": CHOICE,
        },
        lasts=True,
        exported=(
            *("id", "project_id", "title", "text", "tags", "files", "trust", "source", "created_at", "updated_at"),
        ),
        shapes={"files": "list", "tags": "list", "trust": _TRUST},
        refers={"project_id": "project"},
    ),
    Table(
        "touched_file",
        ("project_id", "path", "happened_at", "item_id"),
        owner="owner",
        time="happened_at",
        project="project_id",
        files=("path",),
        plain={"project_id": ID, "item_id": ID, "owner": OWNER},
        lasts=True,
        kept_back="made anew from the files of items",
    ),
    Table(
        "settled_thread",
        ("subject", "line"),
        owner="owner",
        time="happened_at",
        project=Via("subject", "summary", "subject"),
        conversation=Via("subject", "summary", "subject"),
        plain={"subject": "what it is of: a level and an id", "line": HASH, "made_by": CHOICE, "owner": OWNER},
        exported=("subject", "line", "made_by", "happened_at"),
    ),
    Table(
        "correction",
        ("prompt_id", "part"),  # here our id of the prompt, not the client's: its name is part of exports
        owner=Via("prompt_id", "prompt"),
        time="happened_at",
        project=Via("prompt_id", "prompt"),
        conversation=Via("prompt_id", "prompt"),
        words=("text",),
        plain={"prompt_id": ID, "part": "a number", "kind": CHOICE, "state": CHOICE, "memory_id": ID},
        exported=("prompt_id", "part", "text", "kind", "state", "memory_id", "happened_at"),
        since={"part": "1"},
        shapes={"kind": ("rule", "repair"), "state": ("open", "confirmed", "dismissed")},
        refers={"prompt_id": "prompt"},
    ),
    Table(
        "model_summary",
        ("subject",),
        owner="owner",
        time="written_at",
        project=Via("subject", "summary", "subject"),
        conversation=Via("subject", "summary", "subject"),
        words=("by_model", "by_rules"),
        plain={"subject": "what it is of: a level and an id", "facts": HASH, "owner": OWNER},
        exported=("subject", "facts", "by_model", "by_rules", "written_at"),
        called=("summary by a model", "summaries by a model"),
        mark="written",
    ),
    Table(
        "model_call",
        ("id",),
        owner="owner",
        time="began_at",
        words=("error",),
        plain={
            "id": ID,
            "owner": OWNER,
            "purpose": CHOICE,
            "subject": "what it was about: a level and an id",
            "model": "the name of a model",
        },
        found="blank",
        lasts=True,
        kept_back="what this machine has spent; counted once",
    ),
)
