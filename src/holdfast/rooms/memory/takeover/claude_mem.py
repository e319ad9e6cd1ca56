"""Taking over a claude-mem database: its sessions, prompts, observations and summaries, as records of an export.

The file is only read. Its tables have had several shapes; whatever column or table is missing counts as empty. Its
projects have a name and no folder: they go to the project of that name, if there is just one.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from holdfast.errors import HoldfastError
from holdfast.events.content import prompt_text
from holdfast.events.scene import Services
from holdfast.ids import ConversationId, stable_id
from holdfast.items import tables as item_tables
from holdfast.prose.one_line import one_line
from holdfast.rooms.memory import rules, tables
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.room import Import, ImportTold, Taken, TakesRecords
from holdfast.store.interface import Store, Value

SOURCE = "claude-mem"
TABLES = ("sdk_sessions", "user_prompts", "observations", "session_summaries")
PAGE = 500
_MOST_PROMPTS = 1_000

_KINDS = {"bugfix": "edit", "feature": "edit", "refactor": "edit", "change": "edit"}
"""Its types as ours; what is not listed (discovery, decision) is `other`."""

ClaudeMemRow = dict[str, Any]
ExportRecord = dict[str, Value]


class DatabaseStep(msgspec.Struct):
    """One step: the rows of a table after an id. An empty `table` is the first one."""

    path: str
    table: str = ""
    after: int = 0


async def step(asked: DatabaseStep, services: Services, records: TakesRecords) -> Taken:
    """Take over the next rows."""
    return await services.get(ClaudeMem).take(asked, records)


class ClaudeMem:
    """Reads a claude-mem database, page by page, and takes its rows in as records of an export."""

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner

    async def take(self, asked: DatabaseStep, takes: TakesRecords) -> Taken:
        """Take over the next rows of a table."""
        path, table, after = asked.path, asked.table, asked.after
        with closing(_open(Path(path).expanduser())) as source:
            there = [name for name in TABLES if _columns(source, name)]
            if not there:
                raise HoldfastError(f"{path} has none of claude-mem's tables; nothing was taken.")
            table = table if table in there else there[0]
            page = _page(source, table, after)
            sessions = _sessions(source)
            total = sum(_count(source, name) for name in there)
        projects = await self._projects(
            {str(row.get("project") or "") for row in page} | {s[1] for s in sessions.values()}
        )
        records: list[ExportRecord] = []
        for row in page:
            records += _RECORDS[table](row, sessions, projects)
        records = [record for record in records if not await self._has_prompt(record)]
        lines = [msgspec.json.encode(record).decode() for record in records]
        new = await takes.take_in(lines) if lines else Counter()
        told: ImportTold = {"rows": len(page), "new": dict(new)}
        if len(page) == PAGE:
            return Taken(told, total, {"table": table, "after": int(page[-1]["id"])})
        following = there.index(table) + 1
        return Taken(told, total, {"table": there[following], "after": 0} if following < len(there) else None)

    async def _projects(self, names: set[str]) -> dict[str, str]:
        """Where a project of this name is kept: its place here, or one of its own."""
        found: dict[str, str] = {}
        for name in names:
            places = await self._store.read(
                lambda reader, name=name: item_tables.places_named(reader, name, self._owner)  # type: ignore[misc]
            )
            found[name] = places[0] if len(places) == 1 else f"{SOURCE}:{name}"
        return found

    async def _has_prompt(self, record: ExportRecord) -> bool:
        """A prompt that we heard ourselves is not taken from others."""
        if record["record"] != "prompt":
            return False
        conversation = str(record["conversation"])
        prompts = await self._store.read(
            lambda reader: tables.prompts_of_conversation(reader, ConversationId(conversation), _MOST_PROMPTS)
        )
        return any(prompt.text == record["text"] and prompt.id != record["id"] for prompt in prompts)


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise HoldfastError(f"There is no file {path}. claude-mem keeps its database in ~/.claude-mem/claude-mem.db.")
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise HoldfastError(f"{path} is not a SQLite database that can be read ({error}).") from error
    return connection


def _columns(source: sqlite3.Connection, table: str) -> set[str]:
    return {str(row["name"]) for row in source.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _count(source: sqlite3.Connection, table: str) -> int:
    return int(source.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 (one of TABLES)


def _page(source: sqlite3.Connection, table: str, after: int) -> list[ClaudeMemRow]:
    rows = source.execute(f"SELECT * FROM {table} WHERE id > ? ORDER BY id LIMIT ?", (after, PAGE))  # noqa: S608
    return [dict(row) for row in rows]


def _sessions(source: sqlite3.Connection) -> dict[str, tuple[str, str, int]]:
    """Under each name that a session has there: (the client's session id, project, when it began)."""
    if not _columns(source, "sdk_sessions"):
        return {}
    found: dict[str, tuple[str, str, int]] = {}
    for raw in source.execute("SELECT * FROM sdk_sessions ORDER BY id"):
        row = dict(raw)
        conversation = _text(row, "content_session_id", "claude_session_id") or f"{SOURCE}-{row['id']}"
        session = (conversation, _text(row, "project"), _time(row, "started_at_epoch"))
        for name in (conversation, _text(row, "memory_session_id", "sdk_session_id")):
            if name:
                found.setdefault(name, session)
    return found


def _session_of(row: ClaudeMemRow, sessions: dict[str, tuple[str, str, int]]) -> tuple[str, str, int]:
    named = _text(row, "memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id")
    at = _time(row, "created_at_epoch", "started_at_epoch")
    return sessions.get(named) or (named or f"{SOURCE}-{_text(row, 'project')}", _text(row, "project"), at)


def _frame(session: tuple[str, str, int], projects: dict[str, str], at: int) -> tuple[list[ExportRecord], str, str]:
    """The records of a project, a worktree and a session, and the ids of the first and the last."""
    conversation, project, began = session
    place = projects.get(project, f"{SOURCE}:{project}")
    project_id = stable_id(0, SOURCE, "project", place)
    worktree_id = stable_id(0, SOURCE, "worktree", place)
    window_id = stable_id(began or at, SOURCE, "session", conversation)
    name = project or SOURCE
    records: list[ExportRecord] = [
        {"record": "project", "id": project_id, "place": place, "name": name, "created_at": began or at},
        {"record": "worktree", "id": worktree_id, "project_id": project_id, "path": place, "created_at": began or at},
        {
            "record": "session",
            "id": window_id,
            "conversation": conversation,
            "agent_id": "",
            "agent_type": None,
            "window_number": 1,
            "project_id": project_id,
            "worktree_id": worktree_id,
            "transcript_path": None,
            "began_by": SOURCE,
            "started_at": began or at,
            "last_event_at": max(began, at),
            "ended_at": max(began, at),
            "end_reason": SOURCE,
        },
    ]
    return records, project_id, window_id


def _session(
    row: ClaudeMemRow, sessions: dict[str, tuple[str, str, int]], projects: dict[str, str]
) -> list[ExportRecord]:
    return _frame(_session_of(row, sessions), projects, _time(row, "completed_at_epoch", "started_at_epoch"))[0]


def _prompt(
    row: ClaudeMemRow, sessions: dict[str, tuple[str, str, int]], projects: dict[str, str]
) -> list[ExportRecord]:
    text = prompt_text(_text(row, "prompt_text"))
    session, at = _session_of(row, sessions), _time(row, "created_at_epoch")
    if not text:
        return []
    records, project_id, window_id = _frame(session, projects, at)
    prompt: ExportRecord = {
        "record": "prompt",
        "id": stable_id(at, SOURCE, "prompt", session[0], str(row["id"])),
        "conversation": session[0],
        "prompt_id": "",
        "session_id": window_id,
        "project_id": project_id,
        "number": int(row.get("prompt_number") or 0),
        "text": text,
        "happened_at": at,
    }
    return [*records, prompt]


def _observation(
    row: ClaudeMemRow, sessions: dict[str, tuple[str, str, int]], projects: dict[str, str]
) -> list[ExportRecord]:
    session, at = _session_of(row, sessions), _time(row, "created_at_epoch")
    told = [
        _text(row, "subtitle"),
        _text(row, "narrative") or _text(row, "text"),
        *(f"- {each}" for each in _list(row, "facts")),
    ]
    title = one_line(_text(row, "title") or next((part for part in told if part), ""))
    if not title:
        return []
    records, project_id, window_id = _frame(session, projects, at)
    files = (*_list(row, "files_modified"), *_list(row, "files_read"))
    observation: ExportRecord = {
        "record": "observation",
        "id": stable_id(at, SOURCE, "observation", session[0], str(row["id"])),
        "session_id": window_id,
        "project_id": project_id,
        "prompt_number": int(row.get("prompt_number") or 0),
        "kind": _KINDS.get(_text(row, "type"), "other"),
        "tool": SOURCE,
        "title": title,
        "outcome": "",
        "trust": "agent",
        "files": rows.listing(tuple(dict.fromkeys(files[: rules.MOST_FILES]))),
        "command": None,
        "excerpt": "\n".join(part for part in told if part)[:4_000] or None,
        "commit_hash": None,
        "happened_at": at,
    }
    return [*records, observation]


def _summary(
    row: ClaudeMemRow, sessions: dict[str, tuple[str, str, int]], projects: dict[str, str]
) -> list[ExportRecord]:
    session, at = _session_of(row, sessions), _time(row, "created_at_epoch")
    told = {
        name: _text(row, name) for name in ("request", "investigated", "completed", "learned", "next_steps", "notes")
    }
    if not any(told.values()):
        return []
    records, project_id, window_id = _frame(session, projects, at)
    summary: ExportRecord = {
        "record": "summary",
        "id": stable_id(at, SOURCE, "summary", session[0], str(row["id"])),
        "subject": f"{SOURCE}:{session[0]}:{row['id']}",
        "level": "turn",
        "conversation": session[0],
        "session_id": window_id,
        "project_id": project_id,
        "prompt_number": int(row.get("prompt_number") or 0),
        "title": one_line(told["request"] or told["completed"] or told["learned"], 120) or SOURCE,
        "request": told["request"],
        "investigated": told["investigated"],
        "done": told["completed"],
        "learned": "\n".join(part for part in (told["learned"], told["notes"]) if part),
        "left_open": told["next_steps"],
        "said": "",
        "outcome": "",
        "files": rows.listing(tuple(dict.fromkeys(_list(row, "files_edited")[: rules.MOST_FILES]))),
        "written_by": "model",
        "happened_at": at,
    }
    return [*records, summary]


_RECORDS: dict[str, Callable[[ClaudeMemRow, dict[str, tuple[str, str, int]], dict[str, str]], list[ExportRecord]]] = {
    "sdk_sessions": _session,
    "user_prompts": _prompt,
    "observations": _observation,
    "session_summaries": _summary,
}


def _text(row: ClaudeMemRow, *names: str) -> str:
    """The first of these columns that holds a text."""
    return next((value.strip() for name in names if isinstance(value := row.get(name), str) and value.strip()), "")


def _list(row: ClaudeMemRow, name: str) -> tuple[str, ...]:
    """A column that holds a JSON list of texts, or (in older ones) a text with commas."""
    text = _text(row, name)
    try:
        value = msgspec.json.decode(text) if text else []
    except msgspec.MsgspecError:
        value = [part.strip() for part in text.split(",")]
    return tuple(each for each in value if isinstance(each, str) and each) if isinstance(value, list) else ()


def _time(row: ClaudeMemRow, *names: str) -> int:
    """Microseconds of a column in milliseconds, which some versions wrote in seconds."""
    value = next((row[name] for name in names if isinstance(row.get(name), int | float) and row[name] > 0), 0)
    return int(value * 1_000) if value > 10**11 else int(value * 1_000_000)


IMPORT = Import(
    SOURCE,
    "Take over a claude-mem database: sessions, prompts, observations, summaries. PATH is only read.",
    "import claude-mem ~/.claude-mem/claude-mem.db",
    DatabaseStep,
    step,
    help="Its projects have a name and no folder: they go to the project of that name, if there is just one.",
)
