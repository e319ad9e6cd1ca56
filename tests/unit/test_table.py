"""A table that one test walks: every line is tried, and every wrong one is named."""

from __future__ import annotations

import inspect

import pytest

from tests.support.table import each_of


def test_every_line_is_tried_and_every_wrong_one_is_named() -> None:
    tried = []

    @each_of(("text", "size"), [("a", 1), ("bb", 1), ("ccc", 3), pytest.param("dd", 5, id="x"), ("e", "f")])
    def check(text: str, size: int) -> None:
        tried.append(text)
        if text == "e":
            raise ValueError("no size")
        assert len(text) == size, "as long as it is"

    with pytest.raises(pytest.fail.Exception) as failed:
        check()
    assert tried == ["a", "bb", "ccc", "dd", "e"]
    said = str(failed.value)
    assert "3 of 5 lines are wrong" in said
    for wrong in ("text='bb', size=1", "text='dd', size=5", "text='e', size='f'", "ValueError: no size", "as long as"):
        assert wrong in said
    assert "'ccc'" not in said


def test_what_is_not_in_the_table_is_still_a_fixture_and_tables_are_multiplied() -> None:
    tried = []

    @each_of("one", [1, 2])
    @each_of("two, three", [(3, 4), (5, 6)])
    def check(one: int, two: int, three: int, home: str) -> None:
        tried.append((one, two, three, home))

    assert list(inspect.signature(check).parameters) == ["home"]
    check(home="h")
    assert tried == [(1, 3, 4, "h"), (1, 5, 6, "h"), (2, 3, 4, "h"), (2, 5, 6, "h")]


def test_a_failure_that_pytest_tells_is_one_too_and_an_empty_table_proves_nothing() -> None:
    @each_of("text", ["a"])
    def check(text: str) -> None:
        with pytest.raises(ValueError):
            str(text)

    with pytest.raises(pytest.fail.Exception, match="1 of 1 lines are wrong"):
        check()
    with pytest.raises(AssertionError, match="empty"):
        each_of("text", [])(check)()
