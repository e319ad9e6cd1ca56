"""Converts rows of the store to values of this room, and back. Pure.

One name differs: the column `session_id` is the id of a context window (`window_id`). The client's session id is the
column `conversation`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from holdfast.items.indexed import Listed
from holdfast.prose.one_line import one_line
from holdfast.recall.keep import is_question
from holdfast.rooms.memory.model import (
    Memory,
    MemoryItem,
    Observation,
    Prompt,
    RecordedRun,
    Summary,
    SummaryContent,
)
from holdfast.rooms.memory.standing.worth import UNRATED, of_item, only_asks, stored
from holdfast.store.interface import Row, Value
from holdfast.store.values import value_of

_FIELDS = ("kind", "outcome", "tool", "narrowed", "paths", "title")
_ENDED = ("", "passed", "failed")


def listing(words: tuple[str, ...]) -> str | None:
    """A list as the store has it: JSON, or NULL when it is empty."""
    return msgspec.json.encode(words).decode() if words else None


def words_of(value: Value) -> tuple[str, ...]:
    return tuple(msgspec.json.decode(str(value), type=list[str])) if value else ()


_BETWEEN, _WITHIN = "\t", "\x1f"


def runs_row(runs: tuple[RecordedRun, ...]) -> str | None:
    """Runs as the store has them: a JSON list with a text for each, or NULL when there is none."""
    fields = [
        (run.kind, run.outcome, run.tool, run.narrowed, _WITHIN.join(run.paths), " ".join(run.title.split()))
        for run in runs
    ]
    return listing(tuple(_BETWEEN.join(each.replace(_BETWEEN, " ") for each in run) for run in fields))


def runs_of(value: Value) -> list[dict[str, Any]]:
    """Runs by the names of their fields, as `value_of` takes them."""
    found = [text.split(_BETWEEN) for text in words_of(value)]
    fields = [dict(zip(_FIELDS, run, strict=True)) for run in found if len(run) == len(_FIELDS)]
    return [{**run, "paths": run["paths"].split(_WITHIN)} for run in fields if run["outcome"] in _ENDED]


def number(value: Value) -> int:
    return int(value or 0)


def prompt_of(row: Row) -> Prompt:
    return value_of(Prompt, row, window_id=row["session_id"])


def prompt_row(item: Prompt) -> dict[str, Value]:
    return {
        "id": item.id,
        "conversation": item.conversation,
        "prompt_id": item.prompt_id,
        "session_id": item.window_id,
        "project_id": item.project_id,
        "number": item.number,
        "text": item.text,
        "happened_at": item.happened_at,
    }


def observation_of(row: Row) -> Observation:
    return value_of(
        Observation,
        row,
        window_id=row["session_id"],
        files=words_of(row["files"]),
        command=row["command"] or "",
        excerpt=row["excerpt"] or "",
        commit_hash=row["commit_hash"] or "",
        branch=row["branch"] or "",
        runs=runs_of(row["runs"]),
    )


def observation_row(item: Observation) -> dict[str, Value]:
    return {
        "id": item.id,
        "session_id": item.window_id,
        "project_id": item.project_id,
        "prompt_number": item.prompt_number,
        "kind": item.kind,
        "tool": item.tool,
        "title": item.title,
        "outcome": item.outcome,
        "trust": item.trust,
        "files": listing(item.files),
        "command": item.command or None,
        "excerpt": item.excerpt or None,
        "commit_hash": item.commit_hash or None,
        "happened_at": item.happened_at,
        "branch": item.branch or None,
        "runs": runs_row(item.runs),
    }


def summary_of(row: Row) -> Summary:
    content = {**row, "files": words_of(row["files"]), "runs": runs_of(row["runs"])}
    return value_of(Summary, row, window_id=row["session_id"], content=content)


def summary_row(item: Summary) -> dict[str, Value]:
    content = item.content
    return {
        "id": item.id,
        "subject": item.subject,
        "level": item.level,
        "conversation": item.conversation,
        "session_id": item.window_id,
        "project_id": item.project_id,
        "prompt_number": item.prompt_number,
        "title": content.title,
        "request": content.request,
        "investigated": content.investigated,
        "done": content.done,
        "learned": content.learned,
        "left_open": content.left_open,
        "said": content.said,
        "outcome": content.outcome,
        "files": listing(content.files),
        "written_by": item.written_by,
        "happened_at": item.happened_at,
        "branch": content.branch,
        "runs": runs_row(content.runs),
        "worth": stored(of_item(item)),
    }


def memory_of(row: Row) -> Memory:
    return value_of(Memory, row, tags=words_of(row["tags"]), files=words_of(row["files"]))


def memory_row(item: Memory) -> dict[str, Value]:
    return {
        "id": item.id,
        "owner": item.owner,
        "project_id": item.project_id,
        "title": item.title,
        "text": item.text,
        "tags": listing(item.tags),
        "files": listing(item.files),
        "trust": item.trust,
        "source": item.source,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }


def listed_of(row: Row) -> Listed:
    return value_of(Listed, row, window_id=row["session_id"], title=one_line(str(row["title"])))


def listed_as(item: MemoryItem) -> Listed:
    """The line of an item in a search."""
    match item:
        case Prompt():
            parts: tuple[Any, ...] = ("prompt", "prompt", item.text, item.window_id, item.happened_at, "", "user")
        case Observation():
            parts = ("observation", item.kind, item.title, item.window_id, item.happened_at, item.outcome, item.trust)
        case Summary():
            level, content = item.level, item.content
            trust = "user" if item.written_by == "user" else "agent"
            parts = ("summary", level, content.title, item.window_id, item.happened_at, content.outcome, trust)
        case Memory():
            parts = ("memory", "memory", item.title, "", item.updated_at, "", item.trust)
    family, kind, title, window_id, happened_at, outcome, trust = parts
    rated = of_item(item).value if isinstance(item, Summary | Memory) else UNRATED
    work, whole_of = _work_of(item)
    return Listed(
        work=work,
        whole_of=whole_of,
        sums_up=isinstance(item, Summary) and says_something(item.content),
        asks=_asks(item),
        worth=rated,
        id=item.id,
        family=family,
        kind=kind,
        title=one_line(title),
        project_id=item.project_id,
        window_id=window_id,
        happened_at=happened_at,
        outcome=outcome,
        trust=trust,
        branch=branch_of(item),
    )


def branch_of(item: MemoryItem) -> str:
    """The branch that something was done on; '' outside git, and of words."""
    match item:
        case Observation():
            return item.branch
        case Summary():
            return item.content.branch
        case _:
            return ""


def says_something(content: SummaryContent) -> bool:
    """Does a summary say more than what was asked for?"""
    return bool(content.done or content.learned or content.left_open or content.said)


def _asks(item: MemoryItem) -> bool:
    match item:
        case Prompt():
            return is_question(item.text)
        case Summary():
            return item.written_by != "user" and only_asks(item.content)
        case _:
            return False


def _work_of(item: MemoryItem) -> tuple[str, str]:
    """The turn that an item is about; of a session's summary, the session. A subagent's window is its own."""
    match item:
        case Prompt():
            return f"{item.window_id}/{item.number}", ""
        case Observation():
            return f"{item.window_id}/{item.prompt_number}", ""
        case Summary() if item.level == "session":
            return "", f"{item.window_id}/"
        case Summary():
            return f"{item.window_id}/{item.prompt_number}", ""
        case _:
            return "", ""
