"""A field of an unexpected type costs only itself (EVT-1, EVT-7): generated over every event, field and JSON type."""

from __future__ import annotations

import pytest

from holdfast.events.event import EVENTS, PostToolBatch, UnknownEvent
from holdfast.events.parse import misfits, parse, wire
from tests.support.table import each_of
from tests.support.wrong_types import VALUES, base, known, wrong


@pytest.mark.requirement("EVT-1")
@each_of("name", sorted(EVENTS))
def test_one_wrong_field_leaves_the_event_what_it_is(name: str) -> None:
    right = parse(base(name))
    tried = 0
    for field, value in wrong(name):
        event = parse(base(name) | {field: value})
        tried += 1
        assert type(event) is EVENTS[name], (field, value)
        assert misfits(event) == [field], (field, value)
        assert wire(event)[field] == value, "what does not fit is kept in `rest`"
        for other in known(name):
            if other != field:
                assert getattr(event, other) == getattr(right, other), (field, value, other)
    assert tried >= 9 * len(VALUES) // 2, "the generated class is not empty"


@pytest.mark.requirement("EVT-1")
@each_of("name", sorted(EVENTS))
def test_all_fields_wrong_at_once_leave_an_empty_event_of_its_type(name: str) -> None:
    payload = {"hook_event_name": name} | dict(wrong(name))
    event = parse(payload)
    assert type(event) is EVENTS[name]
    assert sorted(misfits(event)) == sorted(set(payload) - {"hook_event_name"})
    assert parse(wire(event)) == event


@pytest.mark.requirement("EVT-1")
def test_of_a_batch_the_calls_that_are_calls_stay() -> None:
    call = {"tool_name": "Bash", "tool_use_id": "toolu_1"}
    event = parse({"hook_event_name": "PostToolBatch", "tool_calls": [1, call, None]})
    assert isinstance(event, PostToolBatch)
    assert event.tool_calls == [call]
    assert misfits(event) == ["tool_calls"]
    assert wire(event)["tool_calls"] == [1, call, None]


@pytest.mark.requirement("EVT-1")
@each_of("value", VALUES, ids=lambda value: repr(value)[:20])
def test_an_unknown_event_keeps_its_common_fields_too(value: object) -> None:
    event = parse({"hook_event_name": "Teleport", "session_id": "s", "permission_mode": value, "cwd": "/w"})
    assert isinstance(event, UnknownEvent)
    assert (event.session_id, event.cwd) == ("s", "/w")
    assert bool(misfits(event)) == (value is not None and not isinstance(value, str))


@pytest.mark.parametrize("name", ["\ud800", "a b", "x" * 65, "Stop\n", "", "Ünder"])
def test_what_cannot_be_a_name_is_none_whoever_says_it(name: str) -> None:
    assert parse({"hook_event_name": name}, name).hook_event_name == ""
