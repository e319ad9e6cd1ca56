"""Which statements can take several rows at once, and what they look like then."""

from __future__ import annotations

import pytest

from holdfast.program import CATALOG
from holdfast.store.sqlite.rows import SIZES, of_size, row_insert


@pytest.mark.requirement("PRF-5")
def test_an_insert_of_one_row_can_take_several() -> None:
    text = "INSERT INTO t (a, b) VALUES (:a, :b)\nON CONFLICT DO NOTHING"
    assert of_size(text, 2) == "INSERT INTO t (a, b) VALUES (?, ?), (?, ?)\nON CONFLICT DO NOTHING"
    parts = row_insert(text)
    assert parts is not None
    assert parts.names == ("a", "b")
    for other in (
        "DELETE FROM t WHERE a = :a",
        "INSERT INTO t (a) SELECT :a",
        "INSERT INTO t (a, b) VALUES (:a, 1)",
        "INSERT INTO t (a, b) VALUES (:a, coalesce(:b, 1))",
        "INSERT INTO t (a) VALUES (:a) ON CONFLICT (a) DO UPDATE SET a = :other",
        "UPDATE t SET a = 'VALUES (:a)' WHERE b = :b",
    ):
        assert row_insert(other) is None, other


@pytest.mark.requirement("PRF-5")
def test_the_queries_of_the_road_can() -> None:
    queries = CATALOG.queries("sqlite")
    for name in ("journal.insert", "follow.add"):
        parts = row_insert(queries[name].text)
        assert parts is not None, name
        assert frozenset(parts.names) == queries[name].params
    assert sorted(SIZES, reverse=True) == list(SIZES)
