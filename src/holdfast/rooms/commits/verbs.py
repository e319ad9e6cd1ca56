"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain


def found(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (each["id"], layout.local_minute(each["time"]), plain(each["author"]), plain(each["title"])) for each in result
    ]
    return layout.table(("commit", "time", "author", "subject"), rows, columns=width)


def of_file(result: dict[str, Any], width: int) -> Iterator[str]:
    yield layout.paint(plain(result["file"]), "bold")
    rows = [
        (
            each["id"],
            layout.local_minute(each["time"]),
            f"+{each.get('added', 0)} -{each.get('removed', 0)}",
            _named(each),
        )
        for each in result["commits"]
    ]
    yield from layout.table(("commit", "time", "lines", "subject"), rows, columns=width)
    yield ""
    authors = ", ".join(f"{plain(each['author'])} ({each['commits']})" for each in result["authors"])
    yield f"Authors: {authors}"
    if result["changes_with"]:
        yield "Usually changes together with:"
    for each in result["changes_with"]:
        yield f"  {plain(each['file'])} ({each['together']} of {each['of']} commits)"


def _named(each: dict[str, Any]) -> str:
    then = f" (as {each['path']})" if each.get("path") else ""
    return plain(f"{each['title']}{then}")


def hotspots(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (str(each["commits"]), f"+{each['added']} -{each['removed']}", str(each["authors"]), plain(each["file"]))
        for each in result
    ]
    return layout.table(("commits", "lines", "authors", "file"), rows, columns=width)


def indexed(result: dict[str, Any], width: int) -> Iterator[str]:
    gone = f", {result['gone']} gone" if result["gone"] else ""
    left = f" {result['left']} more are read in the background." if result["left"] else ""
    yield f"{result['kept']} commits are kept: {result['new']} new{gone}.{left}"
