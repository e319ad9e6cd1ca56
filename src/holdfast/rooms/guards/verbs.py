"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain

BUILT_IN = "built-in"
_MODES = {
    "dry-run": "Guards only watch (dry-run): in a session it runs, and the decision is recorded.",
    "off": "Guards are off: in a session it runs.",
}
_COLOURS = {"allow": "green", "warn": "yellow", "ask": "yellow", "deny": "red"}


def tested(result: dict[str, Any], width: int) -> Iterator[str]:
    """The decision first, then why, then what was read. Of a table: counts, and what came out otherwise."""
    if "mismatches" in result:
        yield from _table(result, width)
        return
    decision = result["decision"]
    kept = " (after keeping what it removes)" if result["kept"] else ""
    yield layout.paint(decision + kept, "bold", _COLOURS[decision])
    yield from layout.facts((name, plain(result[name])) for name in ("rule", "reason", "instead") if result[name])
    if (said := _MODES.get(result["mode"])) is not None:
        yield said
    for each in result["excuses"]:
        why = f"{each['rule']} does not count ({each['name']}: {each['says']})"
        told = f"  lets pass  {plain(each['command'])}: {why}"
        yield layout.cut(told, width)
    for part in result["parts"]:
        yield layout.cut(f"  runs  {plain(part)}", width)


def _table(result: dict[str, Any], width: int) -> Iterator[str]:
    wrong = result["mismatches"]
    yield layout.paint(f"{result['right']} of {result['lines']} as expected", "bold", "red" if wrong else "green")
    yield f"{result['caught']} of {result['destructive']} destructive commands caught"
    yield f"{result['refused']} of {result['innocent']} innocent commands refused"
    yield ", ".join(f"{name} {number}" for name, number in sorted(result["decisions"].items()))
    for each in wrong:
        got = f"{each['decision']}{' (kept)' if each['kept'] else ''}{' by ' + each['rule'] if each['rule'] else ''}"
        yield layout.cut(
            f"  line {each['line']}: expected {each['expect']}, got {got}: {plain(each['command'])}", width
        )


def rules(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    """Your own rules one by one, then those built in: of several with one name and one action the first."""
    named: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for at, each in enumerate(result):
        is_own = each["scope"] != BUILT_IN
        named.setdefault((each["id"], each["action"], each["scope"], str(at) if is_own else ""), []).append(each)
    groups = sorted(named.values(), key=lambda group: group[0]["scope"] == BUILT_IN)
    headings = ("rule", "action", "scope", "decided", "reason")
    yield from layout.table(headings, [_rule(group) for group in groups], right=frozenset({3}), columns=width)
    if len(groups) < len(result):
        yield f"{len(result)} rules in all; --json lists each."


def _rule(group: list[dict[str, Any]]) -> tuple[str, ...]:
    first, more = group[0], len(group) - 1
    decided = sum(each["decided"] for each in group)
    reason = f"{plain(first['reason'])}{f' (and {more} more)' if more else ''}"
    return first["id"], first["action"], first["scope"], str(decided or ""), layout.cut(reason, 78)


def refusals(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (
            each["id"],
            layout.moment(each["time"]),
            f"{each['decision']}, kept" if each["kept"] else each["decision"],
            each["rule"],
            layout.cut(plain(each["command"]), max(20, width - 66)),
        )
        for each in result
    ]
    return layout.table(("id", "time", "decision", "rule", "command"), rows, columns=width)


def kept(result: dict[str, Any], width: int) -> Iterator[str]:
    if not result["kept"]:
        yield "Nothing is kept to bring back."
    rows = [
        (
            each["id"],
            layout.moment(each["time"]),
            str(each["files"]),
            layout.size(each["bytes"]),
            each["rule"],
            layout.cut(plain(each["command"]), max(20, width - 66)),
        )
        for each in result["kept"]
    ]
    if rows:
        headings = ("id", "time", "files", "size", "rule", "before")
        yield from layout.table(headings, rows, right=frozenset({2, 3}), columns=width)
    yield (
        f"{layout.size(result['bytes'])} of {layout.size(result['most_bytes'])} are used; "
        f"each is kept for {result['days']} day{'' if result['days'] == 1 else 's'}."
    )


def undone(result: dict[str, Any], width: int) -> Iterator[str]:
    if "kept" in result:
        yield from kept(result, width)
        return
    yield f"Brought back {len(result['restored'])}, as before this ran: {plain(result['command'])}"
    yield from (f"  {plain(path)}" for path in result["restored"][:20])
    if len(result["restored"]) > 20:
        yield f"  and {len(result['restored']) - 20} more"
    if result["before"]:
        yield f"What was there is kept: `holdfast undo {result['before']} --over` brings it back."


def allowed(result: dict[str, Any], width: int) -> list[str]:
    noted = "" if result["noted"] else " The store could not take that down now; the log has it."
    return [f"The refused call may run once in the next {result['minutes']} minutes.{noted}"]
