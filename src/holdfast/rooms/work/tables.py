"""The only speaker of `work.sql`: rows as values, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from holdfast.ids import NO_CONVERSATION, NO_WINDOW, ConversationId, WindowId, new_id
from holdfast.rooms.work.model import (
    Effort,
    EffortWindow,
    LogEntry,
    Message,
    Pending,
    SkillConfig,
    Task,
    TeamAgent,
)
from holdfast.rooms.work.rules import merged
from holdfast.store.interface import Reader, Row, Tx, Value
from holdfast.store.values import value_of
from holdfast.worktree_paths import is_within

MOST_READ = 2_000
_SHORT = 8
"""Characters of an id that people are shown."""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _list(row: Row, name: str) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(str(row[name]), type=tuple[str, ...])
    except msgspec.MsgspecError:
        return ()


# --- tasks


def tasks(reader: Reader, owner: str, project_id: str = "", limit: int = 50) -> list[dict[str, Value]]:
    return reader.all("work.tasks", owner=owner, project_id=project_id, limit=limit)


def task_at(tx: Tx, owner: str, project_id: str, dir_path: str, title: str, keywords: str, at: int) -> Task:
    """The task of a folder, made if there is none."""
    new = Task(new_id(at), project_id, dir_path, title, keywords, at)
    tx.run("work.put_task", owner=owner, **msgspec.structs.asdict(new))
    row = tx.one("work.task_at", owner=owner, dir_path=dir_path)
    return value_of(Task, row) if row else new


# --- efforts


def put_effort(tx: Tx, effort: Effort, owner: str) -> None:
    fields = msgspec.structs.asdict(effort)
    del fields["dir_path"]
    lists = {name: _json(fields[name]) for name in ("config", "directives", "loaded_files")}
    tx.run("work.put_effort", owner=owner, **(fields | lists))


def next_ordinal(tx: Tx, task_id: str) -> int:
    row = tx.one("work.next_ordinal", task_id=task_id)
    return int(row["ordinal"] or 1) if row else 1


def efforts(reader: Reader, owner: str, *, project_id: str = "", lifecycle: str = "", limit: int = 50) -> list[Effort]:
    rows = reader.all("work.efforts", owner=owner, project_id=project_id, lifecycle=lifecycle, limit=limit)
    return [_effort(row) for row in rows]


def effort(reader: Reader, owner: str, named: str) -> Effort | None:
    """The effort of this id, or of the one id that ends so."""
    row = reader.one("work.effort", owner=owner, id=named)
    if row is None and len(named) == _SHORT:
        found = reader.all("work.efforts_ending", owner=owner, tail=named.lower())
        row = found[0] if len(found) == 1 else None
    return _effort(row) if row else None


def active_of(reader: Reader, owner: str, conversation: ConversationId) -> Effort | None:
    row = reader.one("work.active_of", owner=owner, conversation=conversation) if conversation else None
    return _effort(row) if row else None


def _effort(row: Row) -> Effort:
    try:
        config = msgspec.json.decode(str(row["config"]), type=SkillConfig)
    except msgspec.MsgspecError:
        config = SkillConfig(skill=str(row["skill"]))
    lists = {name: _list(row, name) for name in ("directives", "loaded_files")}
    return value_of(Effort, row, config=config, **lists)


def set_phase(tx: Tx, effort_id: str, phase: str, at: int) -> bool:
    return tx.run("work.set_phase", id=effort_id, phase=phase, at=at) == 1


def finish(tx: Tx, effort_id: str, at: int) -> bool:
    """End an effort with its windows. False when it was finished before."""
    if not tx.run("work.finish", id=effort_id, at=at):
        return False
    tx.run("work.end_windows", effort_id=effort_id, at=at)
    tx.run("work.clear_pending", effort_id=effort_id)
    return True


def note_files(
    tx: Tx, owner: str, effort_id: str, *, directives: Iterable[str] = (), loaded: Iterable[str] = ()
) -> Effort | None:
    """Add to what an effort was given and has read; the effort as it is then."""
    known = effort(tx, owner, effort_id)
    if known is None:
        return None
    changed = msgspec.structs.replace(
        known, directives=merged(known.directives, directives), loaded_files=merged(known.loaded_files, loaded)
    )
    if changed != known:
        lists = {"directives": _json(changed.directives), "loaded_files": _json(changed.loaded_files)}
        tx.run("work.set_files", id=effort_id, **lists)
    return changed


# --- windows


def current_window(
    reader: Reader, owner: str, conversation: ConversationId, agent_id: str = ""
) -> tuple[WindowId, str]:
    """The newest window of an agent, and its project; '' when nothing was heard of it."""
    about = {"owner": owner, "conversation": conversation, "agent_id": agent_id}
    row = reader.one("work.current_window", **about) if conversation else None
    return (WindowId(str(row["id"])), str(row["project_id"])) if row else (NO_WINDOW, "")


def root_of(reader: Reader, owner: str, conversation: ConversationId, project_id: str, folder: str) -> str:
    """The worktree that a conversation works in, or that a folder lies in; else the newest of the project."""
    if not folder and conversation and (row := reader.one("work.root_of", owner=owner, conversation=conversation)):
        return str(row["path"])
    paths = [str(row["path"]) for row in reader.all("work.worktrees", project_id=project_id)] if project_id else []
    around = [path for path in paths if is_within(folder, path)]
    return max(around, key=len, default=paths[0] if paths and not folder else "")


def windows(reader: Reader, owner: str) -> list[EffortWindow]:
    """The windows of active efforts that matter, the newest last. Of very many, the newest."""
    return [_window(row) for row in reversed(reader.all("work.windows", owner=owner, limit=MOST_READ))]


def state(reader: Reader, owner: str) -> list[dict[str, Value]]:
    """What another daemon may have changed of the active efforts."""
    return reader.all("work.state", owner=owner, limit=MOST_READ)


def windows_of(reader: Reader, effort_id: str, limit: int = 50) -> list[EffortWindow]:
    return [_window(row) for row in reader.all("work.windows_of", effort_id=effort_id, limit=limit)]


def _window(row: Row) -> EffortWindow:
    renamed = {"window_id": row["session_id"], "prev_window_id": row["prev_session_id"]}
    return value_of(EffortWindow, row, loaded_files=_list(row, "loaded_files"), **renamed)


def open_window(
    tx: Tx,
    effort_id: str,
    window_id: WindowId,
    conversation: ConversationId,
    agent_id: str,
    *,
    before: str,
    process: int,
    home: str,
    at: int,
) -> None:
    tx.run(
        "work.open_window",
        effort_id=effort_id,
        session_id=window_id,
        conversation=conversation,
        agent_id=agent_id,
        prev_session_id=before if before != window_id else "",
        process=process,
        home=home,
        started_at=at,
    )


def end_window(tx: Tx, effort_id: str, window_id: WindowId, at: int) -> bool:
    """False when it had ended before."""
    return tx.run("work.end_window", effort_id=effort_id, session_id=window_id, at=at) == 1


def beat(tx: Tx, effort_id: str, window_id: WindowId, percent: int) -> int:
    """Count one call; the heartbeat then. 0 when the effort or its window is gone."""
    if not tx.run("work.beat", effort_id=effort_id, session_id=window_id, context_percent=percent):
        return 0
    row = tx.one("work.beats", effort_id=effort_id, session_id=window_id)
    return int(row["heartbeat"] or 0) if row else 0


def reset(tx: Tx, effort_id: str, window_id: WindowId, at: int) -> None:
    tx.run("work.reset", effort_id=effort_id, session_id=window_id, at=at)


def reset_helpers(tx: Tx, effort_id: str, conversation: ConversationId, at: int) -> None:
    tx.run("work.reset_helpers", effort_id=effort_id, conversation=conversation, at=at)


def add_window_files(tx: Tx, effort_id: str, window_id: WindowId, loaded: Iterable[str]) -> None:
    """Add to what a window has read. What was there is asked of the store: a file may have been forgotten meanwhile."""
    row = tx.one("work.window_files", effort_id=effort_id, session_id=window_id)
    if row is not None:
        files = _json(merged(_list(row, "loaded_files"), loaded))
        tx.run("work.set_window_files", effort_id=effort_id, session_id=window_id, loaded_files=files)


# --- log and documents


def put_entry(tx: Tx, entry: LogEntry) -> None:
    tx.run("work.put_entry", **msgspec.structs.asdict(entry))
    tx.run("work.touch", id=entry.effort_id, at=entry.happened_at)


def entries(reader: Reader, effort_id: str, limit: int = 50) -> list[LogEntry]:
    """The newest first."""
    rows = reader.all("work.entries", effort_id=effort_id, limit=limit)
    return [value_of(LogEntry, row) for row in rows]


def put_artifact(tx: Tx, effort_id: str, kind: str, text: str, at: int) -> None:
    tx.run("work.put_artifact", effort_id=effort_id, kind=kind, text=text, at=at)


def artifacts(reader: Reader, effort_id: str) -> dict[str, str]:
    """Documents by their kind."""
    return {str(row["kind"]): str(row["text"]) for row in reader.all("work.artifacts", effort_id=effort_id)}


def active_artifacts(reader: Reader, owner: str) -> list[tuple[str, str]]:
    """Effort and kind of every document of an active effort."""
    rows = reader.all("work.active_artifacts", owner=owner, limit=MOST_READ)
    return [(str(row["effort_id"]), str(row["kind"])) for row in rows]


# --- what waits


def put_pending(tx: Tx, items: Iterable[Pending]) -> None:
    for item in items:
        tx.run("work.put_pending", **msgspec.structs.asdict(item))


def all_pending(reader: Reader, owner: str) -> list[Pending]:
    return [value_of(Pending, row) for row in reader.all("work.all_pending", owner=owner, limit=MOST_READ)]


def take_pending(tx: Tx, items: Iterable[Pending]) -> bool:
    """Take what is given out of the store. False when somebody else was faster with one of them."""
    gone = [tx.run("work.drop_pending", id=item.id) for item in items]
    return all(gone)


def drop_handovers(tx: Tx, effort_id: str) -> None:
    tx.run("work.drop_handovers", effort_id=effort_id)


# --- agents and messages


def agents(reader: Reader, owner: str) -> list[TeamAgent]:
    return [value_of(TeamAgent, row) for row in reader.all("work.agents", owner=owner, limit=MOST_READ)]


def put_agent(tx: Tx, owner: str, name: str, project_id: str, at: int, *, label: str = "", parent: str = "") -> None:
    about: dict[str, Value] = {"name": name, "label": label, "parent": parent, "project_id": project_id}
    tx.run("work.put_agent", id=new_id(at), owner=owner, at=at, **about)


def put_message(tx: Tx, message: Message, owner: str) -> None:
    tx.run("work.put_message", owner=owner, **msgspec.structs.asdict(message))


def messages(
    reader: Reader,
    owner: str,
    *,
    project_id: str = "",
    effort_id: str = "",
    conversation: ConversationId = NO_CONVERSATION,
    kind: str = "",
    limit: int = 50,
) -> list[Message]:
    rows = reader.all(
        "work.messages",
        owner=owner,
        project_id=project_id,
        effort_id=effort_id,
        conversation=conversation,
        kind=kind,
        limit=limit,
    )
    return [value_of(Message, row) for row in rows]
