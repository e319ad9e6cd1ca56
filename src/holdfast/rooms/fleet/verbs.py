"""How the fleet reads on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.layout import cut, many, paint, plain, span

_COLOURS = {
    "error": ("red", "bold"),
    "attention": ("yellow", "bold"),
    "working": ("cyan",),
    "checked": (),
    "done": ("dim",),
}
_STATUS, _SINCE = 9, 7
_WHO = (14, 26)

AgentRow = dict[str, Any]


def fleet(result: list[AgentRow], width: int) -> Iterator[str]:
    """Groups by what needs a person; agents below the one that started them."""
    families: dict[str, list[AgentRow]] = {}
    for row in result:
        families.setdefault(row["session_id"], []).append(row)
    groups: dict[str, list[AgentRow]] = {}
    for family in families.values():
        groups.setdefault(_group(family), []).extend(family)
    who = max(_WHO[0], min(_WHO[1], max((len(_who(row)) for row in result), default=0), width // 3))
    for number, name in enumerate(each for each in ("Needs you", "Working", "Idle", "Ended") if each in groups):
        if number:
            yield ""
        yield paint(name, "bold")
        for row in groups[name]:
            yield _line(row, who, width)


def _group(family: Sequence[AgentRow]) -> str:
    if all(row["ended"] for row in family):
        return "Ended"
    if any(row["needs"] and row["status"] in ("error", "attention") for row in family):
        return "Needs you"
    return "Working" if any(row["status"] in ("working", "error") for row in family) else "Idle"


def _line(row: AgentRow, who: int, width: int) -> str:
    status = paint(f"{row['status']:<{_STATUS}}", *_COLOURS[row["status"]])
    left = f"  {status}  {cut(_who(row), who):<{who}}  {_since(row['seconds']):>{_SINCE}}"
    room = width - 2 - _STATUS - 2 - who - 2 - _SINCE - 2
    what = cut(_what(row), room) if room >= 8 else ""
    return f"{left}  {what}".rstrip()


def _who(row: AgentRow) -> str:
    if row["parent"] is not None:
        return f"  └ {plain(row['name'] or row['agent_type'] or row['agent_id'])}"
    name = plain(row["name"])
    return f"{plain(row['project']) or 'no project'} {name or row['session_id'][:8]}"


def _since(seconds: int) -> str:
    """The largest unit alone."""
    return span(seconds).split()[0]


def _what(row: AgentRow) -> str:
    if row["ended"]:
        return plain(row["message"])
    marks = ["stale"] if row["stale"] else []
    if row["background"]:
        marks.append(f"{row['background']} in the background")
    if row["tasks_open"]:
        marks.append(many(row["tasks_open"], "open task"))
    said = plain(row["needs"] or row["message"] or (row["doing"] if row["status"] == "working" else ""))
    return f"{', '.join(marks)}{' · ' if marks and said else ''}{said}"


def seen(result: dict[str, Any], width: int) -> Iterator[str]:
    count = len(result["seen"])
    yield f"You have looked at {many(count, 'agent')}." if count else "No agent needs you."
