"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain

_COLOURS = {"allow": "green", "warn": "yellow", "ask": "yellow", "deny": "red"}


def tested(result: dict[str, Any], width: int) -> Iterator[str]:
    """The decision first, then why, then what was read."""
    decision = result["decision"]
    kept = " (after keeping what it removes)" if result["kept"] else ""
    yield layout.paint(decision + kept, "bold", _COLOURS[decision])
    yield from layout.facts((name, plain(result[name])) for name in ("rule", "reason", "instead") if result[name])
    for part in result["parts"]:
        yield layout.cut(f"  runs  {plain(part)}", width)


def rules(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [(each["id"], each["action"], each["scope"], layout.cut(plain(each["reason"]), 70)) for each in result]
    return layout.table(("rule", "action", "scope", "reason"), rows)


def refusals(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (
            each["id"],
            layout.moment(each["time"]),
            each["decision"],
            each["rule"],
            layout.cut(plain(each["command"]), max(20, width - 60)),
        )
        for each in result
    ]
    return layout.table(("id", "time", "decision", "rule", "command"), rows)


def kept(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (
            each["id"],
            layout.moment(each["time"]),
            str(each["files"]),
            layout.size(each["bytes"]),
            layout.cut(plain(each["command"]), max(20, width - 50)),
        )
        for each in result
    ]
    return layout.table(("id", "time", "files", "size", "before"), rows, right=frozenset({2, 3}))


def undone(result: dict[str, Any], width: int) -> Iterator[str]:
    yield f"Brought back {len(result['restored'])} from before: {plain(result['command'])}"
    yield from (f"  {plain(path)}" for path in result["restored"][:20])
    if len(result["restored"]) > 20:
        yield f"  and {len(result['restored']) - 20} more"


def allowed(result: dict[str, Any], width: int) -> list[str]:
    return [f"The refused call may run once in the next {result['minutes']} minutes."]
