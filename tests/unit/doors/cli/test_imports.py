"""The steps of an import are added up, and said in the words that its room declares."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.doors.cli import imports
from holdfast.doors.cli.show import counted

ROOMS = {"called": {"model_summary": ["summary by a model", "summaries by a model"]}}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([{"rows": 2, "new": {"note": 1}}, {"rows": 3, "new": {"note": 1, "page": 2}}], "2 notes, 2 pages from 5 rows"),
        ([{"rows": 1, "new": {"summary": 1, "model_summary": 1}}], "1 summary, 1 summary by a model from 1 row"),
        ([{"rows": 0, "new": {"note": 0}}], "nothing new from 0 rows"),
    ],
)
def test_the_sentence_at_the_end(steps: list[dict[str, Any]], told: str) -> None:
    sums: dict[str, Any] = {}
    for step in steps:
        imports.add(sums, step)
    assert imports.lines("Took over {new} from {rows}.", sums, ROOMS) == [f"Took over {told}."]


def test_lists_of_all_steps_are_said_line_by_line() -> None:
    sums: dict[str, Any] = {}
    for step in ({"pages": 1, "left_out": ["a.json: no content"]}, {"pages": 0, "left_out": ["b.json: too large"]}):
        imports.add(sums, step)
    said = ["Took over 1 page.", "left out: a.json: no content", "left out: b.json: too large"]
    assert imports.lines("Took over {pages}.", sums, ROOMS) == said


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"memory": 2, "day": 2, "cited_page": 1}, "2 memories, 2 days, 1 cited page"),
        ({"model_summary": 2, "notes": 3}, "2 summaries by a model, 3 notes"),
        ({"note": 0}, "nothing"),
    ],
)
def test_numbers_with_their_names(counts: dict[str, int], told: str) -> None:
    assert counted(counts, ROOMS["called"], "nothing") == told
