"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain, plain_line

_SHOWN = 40


def said(result: dict[str, Any], width: int) -> Iterator[str]:
    yield plain_line(result["said"])
    if result["lifecycle"] == "active":
        yield plain_line(line_of(result))


def line_of(effort: dict[str, Any]) -> str:
    """An effort in one line."""
    phase = f" · phase {effort['phase']}" if effort["phase"] else ""
    beats = f" · heartbeat {effort['heartbeat']}" if effort["heartbeat"] is not None else ""
    return f"{effort['id'][-8:]}  {effort['skill']} #{effort['ordinal']}{phase}{beats} · {effort['task_dir']}"


def efforts(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (
            each["id"][-8:],
            plain(each["skill"]),
            str(each["ordinal"]),
            plain(each["phase"]) or "-",
            "-" if each["heartbeat"] is None else str(each["heartbeat"]),
            plain(each["agent"]) or "-",
            each["lifecycle"],
            plain(each["title"] or each["task_dir"]),
        )
        for each in result
    ]
    headings = ("id", "skill", "#", "phase", "calls", "agent", "state", "about")
    return [layout.cut(line, width) for line in layout.table(headings, rows)]


def shown(result: dict[str, Any], width: int) -> Iterator[str]:
    names = ("id", "skill", "mode", "title", "lifecycle", "phase", "task_dir", "agent", "heartbeat_mode", "started")
    yield from layout.facts((name, plain(str(result[name]))) for name in names if result[name])
    if result["phases"]:
        yield plain_line(f"Phases: {' → '.join(result['phases'])}")
    for each in reversed(result["entries"][:_SHOWN]):
        words = f"{each['phase']}: {each['text']}" if each["kind"] == "phase" else each["text"]
        yield plain_line(f"{each['time']}  {each['kind']}  {words}")
    for name in ("documents", "written", "loaded_files", "directives"):
        if result[name]:
            yield plain_line(f"{name.replace('_', ' ')}: {', '.join(result[name])}")
    yield f"windows: {len(result['windows'])}"


def tasks(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [(each["id"][-8:], each["state"], str(each["efforts"]), plain(each["dir_path"])) for each in result]
    return [layout.cut(line, width) for line in layout.table(("id", "state", "efforts", "folder"), rows)]
