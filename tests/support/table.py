"""A table that one test walks, line by line: a test of its own for each line costs more than most lines do.

`@each_of(names, rows)` is written like `@pytest.mark.parametrize(names, rows)`. All lines are tried, and the failure
names each line that is wrong, with what was wrong. It is for tests of values: a line has no fixtures of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def each_of(names: str | Sequence[str], rows: Iterable[Any], ids: Any = None) -> Callable[[Test], Test]:
    """Run a test with each of these rows. (`ids` is what parametrize takes: the row itself is named here.)"""
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    is_single = isinstance(names, str) and len(named) == 1
    lines = [_values(row, is_single) for row in rows]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def walk(**others: Any) -> None:
            wrong = []
            for line in lines:
                row = dict(zip(named, line, strict=True))
                try:
                    test(**others, **row)
                except (Exception, pytest.fail.Exception) as error:
                    wrong.append(f"{_shown(row)}\n    {type(error).__name__}: {error}")
            assert lines, "the table is empty"
            if wrong:
                pytest.fail(f"{len(wrong)} of {len(lines)} lines are wrong:\n" + "\n".join(wrong), pytrace=False)

        given = inspect.signature(test)
        left = [each for each in given.parameters.values() if each.name not in named]
        walk.__signature__ = given.replace(parameters=left)  # type: ignore[attr-defined]
        return walk

    return decorate


def _values(row: Any, is_single: bool) -> Sequence[Any]:
    values = getattr(row, "values", None)
    if isinstance(values, tuple):  # pytest.param
        return values
    return (row,) if is_single else tuple(row)


def _shown(row: dict[str, Any]) -> str:
    return "- " + ", ".join(f"{name}={ascii(value)[:300]}" for name, value in row.items())
