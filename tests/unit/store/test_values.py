"""A row becomes a value by the names of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from holdfast.store.interface import Value
from holdfast.store.values import value_of


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    made_at: int
    score: float
    files: tuple[str, ...]
    title: str = "untitled"


ROW: dict[str, Value] = {"id": "n1", "made_at": 5, "score": 1, "paths": "a b", "title": None, "owner": "me"}


def test_columns_are_fields_and_the_rest_is_given() -> None:
    assert value_of(Note, ROW, files=("a", "b"), title="") == Note("n1", 5, 1.0, ("a", "b"), "")


@pytest.mark.parametrize(("given", "named"), [({"title": ""}, "files"), ({"files": ()}, "title")])
def test_a_field_that_is_missing_or_null_is_named(given: dict[str, Any], named: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=named):
        value_of(Note, ROW, **given)
