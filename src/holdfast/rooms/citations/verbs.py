"""How this room's results read on a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast import layout
from holdfast.layout import plain


def pages(result: list[dict[str, Any]], width: int) -> list[str]:
    rows = [
        (
            layout.moment(page["verified_at"])[:16],
            str(page["readings"]),
            str(page["hits"]),
            "team" if page["team"] else plain(page["project"]) or "all projects",
            f"{plain(page['url'])}{' (changed since)' if page['changed_at'] else ''}",
        )
        for page in result
    ]
    headings = ("verified", "readings", "hits", "of", "page")
    return layout.table(headings, rows, right=frozenset({1, 2}), columns=width)


def page(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    """Every kept copy, reading by reading."""
    for kept in result:
        about = kept["page"]
        pairs = [
            ("page", about["url"]),
            ("leads to", kept["final_url"]),
            ("version", about["version"]),
            ("validators", " ".join(filter(None, (kept["etag"], kept["last_modified"])))),
            ("verified", layout.moment(about["verified_at"])),
            *([("changed", layout.moment(about["changed_at"]))] if about["changed_at"] else []),
        ]
        yield from layout.facts((name, plain(value)) for name, value in pairs)
        for reading in kept["readings"]:
            yield ""
            yield layout.paint(plain(f"{layout.moment(reading['read_at'])}  {reading['prompt']}"), "bold")
            yield from (layout.plain_line(line) for line in reading["text"].splitlines())


def forgotten(result: dict[str, Any], width: int) -> list[str]:
    return [f"Removed {result['readings']} readings of {plain(result['url'])}."]


def stats(result: dict[str, Any], width: int) -> list[str]:
    size = layout.size
    saved = f"{layout.span(result['saved_ms'] / 1000)} of waiting, {size(result['saved_bytes'])} of pages"
    return layout.facts(
        (
            ("kept", f"{result['readings']} readings of {result['pages']} pages, {size(result['bytes'])}"),
            ("quota", size(result["max_bytes"])),
            ("hits", str(result["hits"])),
            ("misses", f"{result['changed']} pages had changed, {result['unproven']} could not be proven"),
            ("offline", f"{result['offered']} readings offered unverified"),
            ("saved", saved),
        )
    )
