"""Hits of one turn are one row."""

from __future__ import annotations

from typing import Any, cast

import pytest

from holdfast.ids import ItemId
from holdfast.items.indexed import Indexed, Listed
from holdfast.items.model import Item
from holdfast.items.work import by_work, unanswered


def item(name: str, family: str, work: str = "", whole_of: str = "") -> tuple[Item, str]:
    listed = Listed(
        ItemId(name), family, family, name, "p", 1, work=work, whole_of=whole_of, sums_up=family == "summary"
    )
    return Item(None, listed, cast(Indexed, cast(Any, None))), name


@pytest.mark.requirement("MEM-9")
def test_a_prompt_its_turn_its_session_and_what_was_done_are_one_row() -> None:
    hits = [
        item("prompt", "prompt", "w/1"),
        item("session", "summary", whole_of="w/"),
        item("edit", "observation", "w/1"),
        item("turn", "summary", "w/1"),
        item("other turn", "summary", "w/2"),
        item("elsewhere", "summary", "v/1"),
        item("memory", "memory"),
    ]
    rows = [[name for _, name in group] for group in by_work(hits, frozenset({"prompt"}))]
    assert rows == [["turn", "edit", "prompt", "session"], ["other turn"], ["elsewhere"], ["memory"]]


def test_a_session_of_which_no_turn_was_found_stands_by_itself() -> None:
    hits = [item("session", "summary", whole_of="w/"), item("turn", "summary", "v/1")]
    assert [[name for _, name in group] for group in by_work(hits)] == [["session"], ["turn"]]


@pytest.mark.requirement("MEM-9")
def test_an_earlier_question_gives_way_to_its_answer() -> None:
    def row(name: str, words: str, *, asks: bool = False) -> tuple[Item, frozenset[str], str]:
        listed = Listed(ItemId(name), "summary", "turn", name, "p", 1, asks=asks)
        return Item(None, listed, cast(Indexed, cast(Any, None))), frozenset(words.split()), name

    rows = [
        row("question", "invoice double retry", asks=True),
        row("answer", "invoice double"),
        row("other question", "invoice", asks=True),
        row("less", "double"),
        row("weak answer", "invoice"),
    ]
    rows.append(row("another matter", "queue stalls invoice", asks=True))
    assert unanswered(rows) == ["answer", "less", "weak answer", "another matter"], "half of its words"
    assert unanswered(rows[:1]) == ["question"], "a question that nothing answers is found"
