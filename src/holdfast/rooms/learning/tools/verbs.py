"""How results read on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.prose.one_line import one_line
from holdfast.rooms.learning.calibration import plot

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


def ghap(result: dict[str, Any], width: int) -> Iterator[str]:
    """One GHAP, field by field."""
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
        yield from ghap(result["entry"], width)
    else:
        yield "No entry is active. `holdfast ghap start` starts one."


def ghaps(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for line in result:
        state = f"{line['status']} {line['tier']}".strip() if line["tier"] != line["status"] else line["status"]
        told = line["lesson"] or line["goal"]
        yield f"{line['id']}  {state:<17}  {one_line(told, max(20, width - 31))}"


def experiences(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for each in result:
        told = each["lesson"] or each["cause"] or each["goal"]
        yield f"{each['id']}  {each['outcome']:<10}  {one_line(told, max(20, width - 24))}"


def values(result: dict[str, Any], width: int) -> Iterator[str]:
    for each in result["values"]:
        yield f"{each['id']}  {one_line(each['text'], max(20, width - 30))}  ({each['support']} experiences)"
    if not result["values"]:
        yield "There is no value yet. `holdfast ghap store-value` keeps one for a cluster of experiences."
    for each in result["clusters"]:
        about = ", ".join(each["about"])
        yield f"cluster {each['id']} ({each['axis']}, {each['size']} experiences) has none: {about}"


def checked(result: dict[str, Any], width: int) -> Iterator[str]:
    word = "Near enough" if result["valid"] else "Too far"
    yield f"{word}: {result['distance']} of at most {result['most']} ({result['size']} experiences)."


def remedies(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for each in result:
        yield from remedy(each, width)


def remedy(result: dict[str, Any], width: int) -> Iterator[str]:
    mark = ", outdated" if result["outdated"] else ""
    facts = f"{round(100 * result['confidence'])} % sure{mark}; shown {result['shown']}, worked {result['worked']}"
    yield f"{result['id']}  {one_line(result['problem'], max(20, width - 11))}"
    yield f"           {one_line(result['solution'], max(20, width - 11))}"
    yield f"           ({facts})"


def _rate(each: dict[str, Any]) -> str:
    if each["share"] is None:
        return " none was settled yet"
    return f"{round(100 * each['share']):>3} %  {each['came_true']} of {each['total']}"


def stats(result: dict[str, Any], width: int) -> Iterator[str]:
    """The figures, and in a sentence what "this should fix it" is worth."""
    if not result["explicit"]["total"] and not result["implied"]["total"]:
        yield "No prediction was settled yet. A test or build that runs after one settles it; so does"
        yield "`holdfast ghap resolve`."
        return
    yield f"explicit predictions   {_rate(result['explicit'])}"
    yield f"predictions in passing {_rate(result['implied'])}"
    said = next((each for each in result["by_words"] if each["name"] == "expects it passed"), None)
    if said and said["total"]:
        where = "here" if len(result["by_project"]) < 2 else f"in these {len(result['by_project'])} projects"
        share = round(100 * said["share"])
        yield f"When it says “this should fix it”, it is right in {share} % of cases {where}."
    for title in ("domain", "strategy", "tier", "project"):
        name = f"by_{title}"
        if result[name]:
            yield f"by {title}:"
            for each in result[name]:
                yield f"  {one_line(each['name'], 28):<28}  {_rate(each)}"


def calibration(result: dict[str, Any], width: int) -> Iterator[str]:
    """The same with a plot."""
    yield from plot(result["weeks"], width)
    yield from stats(result, width)
