"""What tools and RPC show of efforts, tasks and messages: one shape each, in snake_case; RPC renames the fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from holdfast.ids import WindowId
from holdfast.rooms.work.efforts.live import LiveEfforts
from holdfast.rooms.work.model import Effort, LogEntry, Message
from holdfast.rooms.work.rules import artifact_name
from holdfast.times import when


class EffortResult(Struct, kw_only=True):
    """An effort."""

    id: str
    skill: str
    mode: str
    title: str
    ordinal: int
    lifecycle: str
    phase: str
    phases: list[str]
    task_dir: str
    project_id: str
    agent: str
    heartbeat_mode: str
    heartbeat: int | None
    session_id: str
    """The client's session (`ConversationId`) of its newest window."""
    window_id: WindowId
    """Its newest window."""
    log: str
    """The name of its log."""
    next_skills: list[str]
    started: str
    finished: str
    said: str = ""
    """What was done, in a sentence."""
    waiting: int = 0
    """Texts and files that wait to be given."""


class Whole(EffortResult, kw_only=True):
    """An effort with its log and its documents."""

    entries: list[dict[str, str]]
    documents: list[str]
    written: list[str]
    loaded_files: list[str]
    directives: list[str]
    windows: list[dict[str, Any]]


class TaskShown(Struct, kw_only=True):
    id: str
    dir_path: str
    title: str
    keywords: str
    state: str
    """`active` while an effort is, else `dormant`."""
    efforts: int
    updated: str


class MessageShown(Struct, kw_only=True):
    id: str
    kind: str
    sender: str
    recipient: str
    text: str
    effort_id: str
    session_id: str
    """The client's session (`ConversationId`) in which it was heard."""
    time: str


def effort(value: Effort, live: LiveEfforts, said: str = "") -> EffortResult:
    return EffortResult(**fields(value, live, said))


def fields(value: Effort, live: LiveEfforts, said: str = "") -> dict[str, Any]:
    windows = [window for window in live.of_effort(value.id) if not window.agent_id]
    newest = max(windows, key=lambda window: window.seen_at, default=None)
    return {
        "id": value.id,
        "skill": value.skill,
        "mode": value.mode,
        "title": value.title,
        "ordinal": value.ordinal,
        "lifecycle": value.lifecycle,
        "phase": value.phase,
        "phases": [phase.label for phase in value.config.phases],
        "task_dir": value.dir_path,
        "project_id": value.project_id,
        "agent": value.agent,
        "heartbeat_mode": value.heartbeat,
        "heartbeat": newest.heartbeat if newest else None,
        "session_id": newest.conversation if newest else "",
        "window_id": newest.window_id if newest else "",
        "log": artifact_name(value, "LOG"),
        "next_skills": list(value.config.next_skills),
        "started": when(value.started_at),
        "finished": when(value.finished_at) if value.finished_at else "",
        "said": said,
        "waiting": len(live.pending.get(value.id, ())),
    }


def entry(value: LogEntry) -> dict[str, str]:
    told = {"time": when(value.happened_at), "kind": value.kind, "phase": value.phase, "text": value.text}
    return told | ({"proof": value.proof} if value.proof else {})


def task(row: Mapping[str, Any]) -> TaskShown:
    return TaskShown(
        id=str(row["id"]),
        dir_path=str(row["dir_path"]),
        title=str(row["title"]),
        keywords=str(row["keywords"]),
        state="active" if int(row["active"] or 0) else "dormant",
        efforts=int(row["efforts"] or 0),
        updated=when(int(row["updated_at"] or row["created_at"] or 0)),
    )


def message(value: Message) -> MessageShown:
    return MessageShown(
        id=value.id,
        kind=value.kind,
        sender=value.sender,
        recipient=value.recipient,
        text=value.text,
        effort_id=value.effort_id,
        session_id=value.conversation,
        time=when(value.happened_at),
    )
