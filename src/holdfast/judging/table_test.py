"""A table of commands with what is expected of each: read, compared, counted. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from holdfast.errors import UsageError
from holdfast.judging.model import RuleDecision

EXPECTED = ("allow", "warn", "ask", "deny")


class TableRow(Struct, frozen=True):
    number: int
    command: str
    expect: str


class Mismatch(Struct, frozen=True):
    line: int
    command: str
    expect: str
    decision: RuleDecision
    rule: str
    kept: bool


class CommandTable(Struct, frozen=True):
    """Its outcome. `caught`: denied, asked about, or run with its bytes kept; `refused`: denied or asked about."""

    lines: int
    right: int
    destructive: int
    caught: int
    innocent: int
    refused: int
    decisions: dict[str, int]
    mismatches: list[Mismatch]


def lines(text: str, name: str) -> list[TableRow]:
    """The lines of a table: `command<TAB>expected` (a command may hold `\\n`), or JSON Lines."""
    found = []
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip() or row.startswith("#"):
            continue
        command, expect = _from_json(row) if row.lstrip().startswith("{") else _from_tabs(row)
        if expect not in EXPECTED or not command:
            raise UsageError(
                f"{name}, line {number}: a command, a tab and one of {', '.join(EXPECTED)} are expected, "
                'or {"command": …, "expect": …}.'
            )
        found.append(TableRow(number, command, expect))
    return found


def _from_tabs(row: str) -> tuple[str, str]:
    command, _, expect = row.rpartition("\t")
    return command.replace("\\n", "\n"), expect.strip().lower()


def _from_json(row: str) -> tuple[str, str]:
    try:
        told = msgspec.json.decode(row)
    except msgspec.MsgspecError:
        return _from_tabs(row)
    if not isinstance(told, dict) or not isinstance(told.get("command"), str):
        return "", ""
    return told["command"], str(told.get("expect") or told.get("expected") or "").lower()


def compared(answers: Iterable[tuple[TableRow, RuleDecision, str, bool]], *, exact: bool) -> CommandTable:
    """Counts, and every line that came out otherwise."""
    decisions: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    wrong = []
    for line, decision, rule, kept in answers:
        decisions["kept" if kept and decision in ("allow", "warn") else decision] += 1
        refused = decision in ("ask", "deny")
        innocent = line.expect in ("allow", "warn")
        counts["lines"] += 1
        counts["innocent" if innocent else "destructive"] += 1
        counts["refused"] += innocent and refused
        counts["caught"] += not innocent and (refused or kept)
        if exact or line.expect in ("warn", "ask"):
            right = decision == line.expect
        else:
            right = not refused if innocent else refused or kept
        counts["right"] += right
        if not right:
            wrong.append(Mismatch(line.number, line.command, line.expect, decision, rule, kept))
    return CommandTable(
        counts["lines"], counts["right"], counts["destructive"], counts["caught"], counts["innocent"],
        counts["refused"], dict(decisions), wrong,
    )  # fmt: skip


def has_mismatches(result: Any) -> bool:
    return isinstance(result, dict) and bool(result.get("mismatches"))
