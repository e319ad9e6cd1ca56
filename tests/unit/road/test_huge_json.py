"""A body of very many values costs no more than one of few, and its event stays what it is (SEC-5, SEC-7)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.road.edge import read_payload
from holdfast.road.huge_json import MOST_VALUES, count_values

pytestmark = pytest.mark.requirement("SEC-7")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\,[{é\n', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(alphabet='k"\\,', max_size=3), inner, max_size=4)
    ),
    max_leaves=30,
)
MANY = ("[],", "{},", "[[]],", '"",', "1,", '{"a":1},', '["\\"",null],', "[[[[1]]]],")


def _values(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_values, inner))


@settings(max_examples=200, deadline=None)
@given(JSON, st.integers(1, 40))
def test_values_are_counted_without_being_made(value: Any, piece: int) -> None:
    body = json.dumps(value, ensure_ascii=False).encode()
    count = _values(value)
    assert count_values(body, piece_bytes=piece) == count_values(body)
    assert count <= count_values(body) <= 3 * count


def test_an_event_among_too_many_values_is_the_event_it_is() -> None:
    for part in MANY:
        many = f"[{(part * (8 * 1024 * 1024 // len(part)))[:-1]}]"
        for name in ("tool_response", "unheard_of"):
            known = {"session_id": "s1", "hook_event_name": "PreToolUse", "tool_use_id": "toolu_1"}
            call = {"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}
            read = read_payload(f'{{"{name}": {many}, {json.dumps(known | call)[1:]}'.encode())
            assert read.fault is None
            assert read.fields.items() >= (known | call).items()
            assert f"of a body {MOST_VALUES} values are read" in read.fields["holdfast_fault"]
            assert len(str(read.fields)) < 2_000
    inside = read_payload(f'{{"tool_name": "Bash", "tool_input": {{"x": {many}, "command": "rm -rf ~"}}}}'.encode())
    assert inside.fields["tool_input"] == {"command": "rm -rf ~"}


def test_long_texts_are_not_taken_for_many_values() -> None:
    text = 'a,b,[{\\"' * 500_000
    event = {"session_id": "s1", "tool_response": {"stdout": text, "rows": [text[:1000]] * 100}}
    assert read_payload(json.dumps(event).encode()).fields == event


def test_many_values_that_are_no_event_are_refused() -> None:
    for part in MANY:
        many = f"[{(part * (1024 * 1024 // len(part)))[:-1]}]"
        assert read_payload(many.encode()).malformed
        assert read_payload(many[:-1].encode()).malformed
        assert read_payload(f'{{"a": {many}'.encode()).malformed


def test_the_time_grows_with_the_size_and_not_with_the_number_of_values() -> None:
    def took(part: str, size: int) -> float:
        body = f'{{"a": [{(part * (size // len(part)))[:-1]}]}}'.encode()
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            read_payload(body)
            best = min(best, time.process_time() - start)
        return best

    text = '"' + "x" * 4000 + '",'
    for part in MANY:
        assert any(took(part, 2_000_000) <= 20 * took(text, 2_000_000) + 0.002 for _ in range(3)), part
