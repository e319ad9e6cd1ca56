"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain, plain_line


def searched(result: dict[str, Any], width: int) -> Iterator[str]:
    for each in result["found"]:
        place = plain(f"{each['path']}:{each['line']}")
        name = plain(each["name"] or posixpath.basename(each["path"]))
        yield layout.cut(f"{layout.paint(place, 'bold')}  {each['kind']} {name}", width + 8)
        if each["signature"]:
            yield layout.cut(plain_line(f"    {each['signature'].strip()}"), width)
    if not result["found"]:
        yield "Nothing in the index fits."
    if result["note"]:
        yield result["note"]


def outlined(result: dict[str, Any], width: int) -> Iterator[str]:
    how = "" if result["parsed"] else ", read without a grammar"
    yield layout.paint(plain(f"{result['file']} ({result['language']}{how})"), "bold")
    rows = [(f"{each['line']}-{each['end_line']}", each["kind"], plain(each["name"])) for each in result["parts"]]
    yield from (layout.cut(line, width) for line in layout.table(("lines", "kind", "name"), rows))


def indexed(result: dict[str, Any], width: int) -> Iterator[str]:
    counts = result["index"]
    if result["next"] is not None:
        yield f"{result['done']} of {result['total']} files are read. Call it again to go on."
        return
    files, units = counts.get("files", 0), counts.get("units", 0)
    yield f"{layout.many(units, 'function or class', 'functions and classes')} in {layout.many(files, 'file')}."
    languages = ", ".join(f"{name} {count}" for name, count in counts.get("languages", {}).items())
    if languages:
        yield from layout.fill(f"By language: {languages}", width)
    for reason, count in counts.get("left_out", {}).items():
        yield f"Left out: {layout.many(count, 'file')}, because {plain(reason)}."
    if result["cut"]:
        yield f"More files than `code.most_files` allows: {result['total']} are indexed."
    yield from (layout.cut(plain_line(f"  {each}"), width) for each in result["skipped"][:20])
