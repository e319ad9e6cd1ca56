"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain, plain_line
from holdfast.times import microseconds

_COMPARED = ("sha256", "bytes")
"""What a checkpoint knows of a file so that a change is seen later. It tells a person nothing; --json has it."""


def listed(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [(each["id"], layout.moment(each["made_at"]), _why(each), plain(each["title"])) for each in result]
    return layout.table(("id", "saved", "why", "stands at"), rows, columns=width)


def _why(each: dict[str, Any]) -> str:
    return f"{each['threshold']} %" if each["reason"] == "threshold" else str(each["reason"])


def saved(result: dict[str, Any], width: int) -> Iterator[str]:
    yield f"Saved as {result['id']}: {plain(result['title'])}"


def resumed(result: dict[str, Any], width: int) -> Iterator[str]:
    yield layout.paint(plain(f"{result['id']}  {layout.moment(result['made_at'])}  {result['title']}"), "bold")
    yield from (plain_line(line) for line in result["text"].splitlines())
    if moved := result.get("moved"):
        yield ""
        yield plain_line(moved)
    if result["changed_since"]:
        yield ""
        yield "Files that changed since:"
        yield from (plain_line(f"- {line}") for line in result["changed_since"])


def shown(result: dict[str, Any], width: int) -> Iterator[str]:
    yield from layout.facts(
        (
            ("id", plain(result["id"])),
            ("saved", layout.moment(result["made_at"])),
            ("why", plain(_why(result))),
            ("session", plain(result["session_id"])),
            ("title", plain(result["title"])),
        )
    )
    for name, value in result["stand"].items():
        if not value:
            continue
        yield ""
        yield layout.paint(name.replace("_", " "), "bold")
        for each in value if isinstance(value, list | tuple) else [value]:
            text = _described(each)
            yield from (plain_line(f"  {line}") for line in text.splitlines())


def _described(each: Any) -> str:
    if isinstance(each, dict):
        return "  ".join(str(value) for name, value in each.items() if value and name not in _COMPARED)
    return str(each)


def differences(result: dict[str, Any], width: int) -> Iterator[str]:
    if not result["differences"]:
        yield f"{result['old']} and {result['new']} tell the same."
    for each in result["differences"]:
        yield layout.paint(each["what"], "bold")
        yield from (plain_line(f"  - {text}") for text in each["gone"])
        yield from (plain_line(f"  + {text}") for text in each["new"])


def dehydrated(result: dict[str, Any], width: int) -> Iterator[str]:
    how = "made from the record" if result["built"] else "kept"
    yield f"Hand-over {how}; the next session gets it once: {plain(result['summary'])}"


def lost(result: dict[str, Any], width: int) -> Iterator[str]:
    yield from layout.facts(
        (
            ("compacted", layout.moment(microseconds(result["time"]) or 0)),
            ("session", plain(result["session_id"])),
            ("way", plain(" ".join(filter(None, (result["way"], result["trigger"]))))),
        )
    )
    yield ""
    yield layout.paint(f"Not in the summary ({len(result['lost'])})", "bold")
    yield from (plain_line(line) for text in result["lost"] for line in text.splitlines())
    yield ""
    yield layout.paint("Given back", "bold")
    yield from (plain_line(line) for line in (result["given_back"] or "Nothing.").splitlines())
