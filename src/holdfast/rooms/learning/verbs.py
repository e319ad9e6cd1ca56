"""How results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.items.words import one_line

_FIELDS = (
    ("goal", "goal"),
    ("hypothesis", "hypothesis"),
    ("action", "action"),
    ("prediction", "prediction"),
    ("result", "result"),
    ("surprise", "surprise"),
    ("root_cause", "root cause"),
    ("cause", "because"),
    ("lesson", "lesson"),
    ("notes", "notes"),
)
_WIDEST = 12


def entry(result: dict[str, Any], width: int) -> Iterator[str]:
    """One entry, field by field."""
    tier = f", {result['tier']}" if result["tier"] and result["tier"] != result["status"] else ""
    captured = ", settled by a run" if result["auto_captured"] else ""
    yield f"{result['id']}  {result['status']}{tier}{captured}  ({result['domain']}, {result['strategy']})"
    for name, title in _FIELDS:
        if result[name]:
            yield f"  {title:<{_WIDEST}}{one_line(result[name], max(20, width - _WIDEST - 2))}"
    for number, past in enumerate(result["history"], 1):
        told = f"{past['hypothesis']} → {past['prediction']}"
        yield f"  {f'round {number}':<{_WIDEST}}{one_line(told, max(20, width - _WIDEST - 2))}"


def active(result: dict[str, Any], width: int) -> Iterator[str]:
    if result.get("entry"):
        yield from entry(result["entry"], width)
    else:
        yield "No entry is active. `holdfast ghap start` starts one."


def entries(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for line in result:
        state = f"{line['status']} {line['tier']}".strip() if line["tier"] != line["status"] else line["status"]
        told = line["lesson"] or line["goal"]
        yield f"{line['id']}  {state:<17}  {one_line(told, max(20, width - 31))}"
