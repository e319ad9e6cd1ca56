"""The names that an edit touched, by the grammar of the language; and where no grammar can tell."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast.events.event import PostToolUse
from holdfast.events.parse import parse
from holdfast.rooms.memory.capture.parsed import edited_file, touched
from holdfast.rooms.memory.capture.tool_use import observe
from holdfast.source.languages import language_of
from holdfast.source.model import FileContent
from holdfast.source.units import read_source

SHOP = """import x

RATE = 0.19


class Shop:
    @cached
    def sell(
        self,
        amount,
    ):
        text = "def not_a_function():"
        return amount * RATE

    def buy(self):
        return 1


def other():
    return 2
"""


def event(original: str | None, hunks: Any, path: str = "/p/shop.py", **more: Any) -> PostToolUse:
    response = {"filePath": path, "originalFile": original, "structuredPatch": hunks}
    fields = {"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/p", "transcript_path": "/t/s.jsonl"}
    made = parse(
        fields
        | {"tool_name": "Edit", "tool_use_id": "t", "tool_input": {"file_path": path} | more, "tool_response": response}
        | ({"tool_name": "Write"} if "content" in more else {}),
        "PostToolUse",
    )
    assert isinstance(made, PostToolUse)
    return made


async def grammar(path: str, text: str) -> FileContent:
    return read_source(text.encode(), language_of(path))


def hunk(start: int, *lines: str) -> dict[str, Any]:
    return {"oldStart": start, "lines": list(lines)}


@pytest.mark.requirement("MEM-4", "CTX-3")
def test_names_come_from_the_tree_and_not_from_lines_that_look_like_declarations() -> None:
    cases: list[tuple[str, Any, tuple[str, ...]]] = [
        (
            "inside a method whose head has many lines",
            [hunk(13, "-        return amount * RATE", "+        return 1")],
            ("sell()",),
        ),
        (
            "a string that looks like a declaration",
            [hunk(12, '-        text = "def not_a_function():"', "+        a = 1")],
            ("sell()",),
        ),
        ("a constant belongs to no function", [hunk(3, "-RATE = 0.19", "+RATE = 0.2")], ()),
        (
            "a new function after another",
            [hunk(19, " def other():", "     return 2", "+", "+def made():", "+    pass")],
            ("made()",),
        ),
        ("a function that goes", [hunk(18, " ", "-def other():", "-    return 2")], ("other()",)),
        (
            "two hunks, the second moved by the first",
            [hunk(1, " import x", "+import y", "+import z"), hunk(16, "-        return 1", "+        return 3")],
            ("buy()",),
        ),
        ("a class itself", [hunk(6, "-class Shop:", "+class Store:")], ("Store",)),
    ]
    for name, hunks, expected in cases:
        edited = edited_file(event(SHOP, hunks))
        assert edited, name
        assert asyncio.run(touched(edited, grammar)) == expected, name
    whole = edited_file(event(None, [], content=SHOP))
    assert whole
    assert asyncio.run(touched(whole, grammar)) == ("Shop", "sell()", "buy()")
    draft = observe(event(SHOP, cases[0][1]), "/p", ("sell()",))
    assert draft
    assert draft.title == "Edited shop.py: sell()"


@pytest.mark.requirement("MEM-4")
def test_where_no_grammar_can_tell_patterns_do() -> None:
    untold: list[tuple[str, Any]] = [
        ("a language without a grammar", event("a\n", [hunk(1, "-a", "+b")], "/p/a.hs")),
        ("lines that are not in the file", event("a\n", [hunk(1, "-other", "+b")])),
        ("beyond the end", event("a\n", [hunk(9, "+b")])),
        ("no patch", event("a\n", None)),
        ("nonsense", event("a\n", ["x", 5])),
        ("no file", event(None, [hunk(1, "+b")])),
        ("a file that is too long", event("a\n" * 300_000, [hunk(1, "-a", "+b")])),
    ]
    for name, each in untold:
        assert edited_file(each) is None, name

    async def nobody(path: str, text: str) -> None:
        return None

    edited = edited_file(event(SHOP, [hunk(19, " def other():", "-    return 2", "+    return 3")]))
    assert edited
    assert asyncio.run(touched(edited, nobody)) is None
    draft = observe(event(SHOP, [hunk(19, " def other():", "-    return 2", "+    return 3")]), "/p")
    assert draft
    assert draft.title == "Edited shop.py: other()"
