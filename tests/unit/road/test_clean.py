"""Cleaning: one step for every entrance, on a copy; what came stays as it came (EVT-18)."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

from holdfast.road.clean import Clean, clean, clean_text, copied
from holdfast.road.edge import read_payload
from holdfast.road.mend import STRING_LIMIT
from holdfast.scrub import default_scrubber
from tests.support.table import each_of

SECRET = "sk-ant-api03-" + "A1b2" * 20


class Blind:
    """A scrubber that finds nothing."""

    def value(self, value: object, breathe: object = None, /) -> tuple[object, tuple[str, ...]]:
        return value, ()

    quickly = value


def kept(body: bytes) -> Clean:
    """What is kept of a body."""
    read = read_payload(body)
    return clean(read.fields, Blind(), mended=read.mended, size=read.size)


@pytest.mark.requirement("EVT-18")
@pytest.mark.parametrize("text", [f"key {SECRET}", 'echo "<private>"; rm -rf ~', "a\x00b\ud800", "w " * 300_000])
def test_what_came_is_left_as_it_came(text: str) -> None:
    came = {"tool_input": {"command": text, "list": [text, {text[:9]: [text]}]}}
    before = copy.deepcopy(came)
    cleaned = clean(came, default_scrubber())
    assert came == before
    assert cleaned.fields != before


@pytest.mark.requirement("SEC-1")
def test_the_names_of_what_was_removed_are_told() -> None:
    cleaned = clean({"prompt": f"it is {SECRET} <private>hidden</private>"}, default_scrubber())
    assert cleaned.found
    assert SECRET not in str(cleaned.fields)
    assert "hidden" not in str(cleaned.fields)
    assert clean_text(f"it is {SECRET} <private>hidden</private>", default_scrubber()) == cleaned.fields["prompt"]


def test_a_copy_shares_nothing_and_takes_any_depth() -> None:
    deep: dict[str, Any] = {}
    for _ in range(50_000):
        deep = {"d": [deep]}
    whole = copied(deep)
    assert whole is not deep
    assert whole["d"] is not deep["d"]
    whole["d"][0]["d"].append(1)
    assert len(deep["d"][0]["d"]) == 1


READABLE: list[tuple[bytes, dict[str, Any]]] = [
    (b'{"a": "caf\xe9"}', {"a": "caf\ufffd"}),
    (b'{"a": "\xed\xa0\x80"}', {"a": "\ufffd\ufffd\ufffd"}),
    (b'{"a": "x\\u0000y"}', {"a": "x\ufffdy"}),
    (b'{"a": "\\ud800"}', {"a": "?"}),
    (b'{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}),
    (b'{"a\\u0000": {"\\udfff": 1}}', {"a\ufffd": {"?": 1}}),
    (b'{"a": NaN, "b": [Infinity, -Infinity]}', {"a": "NaN", "b": ["Infinity", "-Infinity"]}),
    (b'{"a": NaN, "b": "\xff"}', {"a": "NaN", "b": "\ufffd"}),
    (b'{"a": 1e999, "b": -1e999}', {"a": "Infinity", "b": "-Infinity"}),
    (b'{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
    (b'{"a": 1, "a": 2}', {"a": 2}),
    (b"  {}\r\n", {}),
]


@pytest.mark.requirement("SEC-5")
@each_of(("body", "fields"), READABLE)
def test_odd_but_readable_json_is_mended(body: bytes, fields: dict[str, Any]) -> None:
    cleaned = kept(body)
    assert cleaned == Clean(fields)
    assert json.loads(msgspec.json.encode(cleaned.fields)) == fields, "what was read cannot be written"


@pytest.mark.requirement("MEM-2")
@pytest.mark.parametrize(
    "secret",
    [
        b"a <private>hidden</private> b",
        b"a \\u003cprivate>hidden\\u003c/private> b",
        b"a \\u003CPRIVATE>hidden\\u003C/PRIVATE> b",
        b"a <Private x=1>hidden</pRIVATE > b",
    ],
)
def test_private_text_is_found_however_its_tag_is_written(secret: bytes) -> None:
    assert kept(b'{"prompt": "%s"}' % secret).fields == {"prompt": "a  b"}


@pytest.mark.requirement("EVT-10")
def test_what_we_had_injected_is_taken_out() -> None:
    fenced = '<holdfast-context from=\\"m\\" id=\\"ab\\">old</holdfast-context id=\\"ab\\">'
    assert kept(f'{{"a": "x{fenced}y"}}'.encode()).fields == {"a": "xy"}


@pytest.mark.requirement("SEC-5")
def test_an_endless_string_is_cut_and_counted() -> None:
    cleaned = kept(json.dumps({"a": "word " * 200_000, "b": "short"}).encode())
    assert cleaned.fields["b"] == "short"
    assert len(cleaned.fields["a"]) <= STRING_LIMIT + 100
    assert cleaned.cut > 1_000_000 - STRING_LIMIT


def test_fields_that_never_were_bytes_are_mended_too() -> None:
    assert clean({"prompt": "a\x00 <private>x</private>", "n": [1, {"k": "\ud800"}]}, Blind()).fields == {
        "prompt": "a\ufffd ",
        "n": [1, {"k": "?"}],
    }


@pytest.mark.requirement("SEC-5")
def test_very_many_short_strings_are_cut_and_counted() -> None:
    many = {"list": ["a secret"] * 200_000}
    read = kept(json.dumps({"session_id": "s", "tool_use_id": "t", "tool_input": many}).encode())
    assert (read.fields["session_id"], read.fields["tool_use_id"]) == ("s", "t")
    assert 0 < len(read.fields["tool_input"]["list"]) < 50_000
    assert "were left out" in read.fields["holdfast_fault"]
