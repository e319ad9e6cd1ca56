"""The edge: any bytes become a payload that is safe to handle, and nothing raises (SEC-5)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from holdfast.road.edge import SALVAGE_BYTES, Payload, mended, read_payload, salvage
from holdfast.road.mend import STRING_LIMIT
from tests.support.payloads import load, names


@pytest.mark.requirement("EVT-1")
@pytest.mark.parametrize("name", names())
def test_an_ordinary_payload_is_read_as_it_is(name: str) -> None:
    assert read_payload(json.dumps(load(name)).encode()) == Payload(load(name))


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
@pytest.mark.parametrize(("body", "fields"), READABLE)
def test_odd_but_readable_json_is_mended(body: bytes, fields: dict[str, Any]) -> None:
    payload = read_payload(body)
    assert payload == Payload(fields)
    assert json.loads(msgspec.json.encode(payload.fields)) == fields, "what was read cannot be written"


UNREADABLE: list[tuple[bytes, str]] = [
    (b"", "The body is not valid JSON"),
    (b"nonsense", "The body is not valid JSON"),
    (b"\x00\x01\xff", "The body is not valid JSON"),
    (b'{"a": "raw \x00 NUL"}', "The body is not valid JSON"),
    (b'{"a": ' + b"9" * 5000 + b"}", "The body is not valid JSON"),
    (b'{"session_id": "s", "tool_input": {"comm', "The body is not valid JSON"),
    (b'{"a": ' * 100_000, "The JSON is nested too deeply"),
    (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "The JSON is nested too deeply"),
    (b"[1, 2]", "The body is JSON, but not an object."),
    (b'"text"', "The body is JSON, but not an object."),
    (b"null", "The body is JSON, but not an object."),
]


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(("body", "fault"), UNREADABLE, ids=lambda value: str(value[:30]))
def test_what_cannot_be_read_is_salvaged_with_a_reason(body: bytes, fault: str) -> None:
    payload = read_payload(body)
    assert payload.fault is not None
    assert payload.fault.startswith(fault)
    assert payload.fields["holdfast_fault"] == payload.fault
    assert len(payload.fields["holdfast_beginning"]) <= 2048
    assert payload.cut_bytes == max(0, len(body) - 2048)
    json.loads(msgspec.json.encode(payload.fields))


@pytest.mark.requirement("SEC-5")
def test_the_ids_of_a_truncated_body_are_made_out_from_both_ends() -> None:
    whole = json.dumps(
        load("PostToolUse-Bash", tool_response="x" * 300_000, tool_use_id=None, zz={"tool_use_id": "toolu_z"})
    )
    payload = read_payload(whole.encode()[:-1])
    known = load("PostToolUse-Bash")
    for name in ("session_id", "transcript_path", "cwd", "prompt_id", "tool_name"):
        assert payload.fields[name] == known[name]
    assert payload.fields["tool_use_id"] == "toolu_z"


@pytest.mark.requirement("SEC-5")
def test_salvage_takes_the_first_of_each_id_and_none_that_is_not_plain() -> None:
    head = (
        b'{"session_id": "first", "cwd": "a \\" quote", "agent_id": 7, "tool_name": "", "x": {"session_id": "second"}'
    )
    payload = salvage(head, b'"session_id": "last"', 10_000_000, "too long")
    assert payload.fields["session_id"] == "first"
    assert not {"cwd", "agent_id", "tool_name"} & payload.fields.keys()
    assert payload.cut_bytes == 10_000_000 - 2048


@pytest.mark.requirement("SEC-1")
def test_a_token_at_the_end_of_what_is_salvaged_is_not_halved() -> None:
    token = "sk-ant-api03-" + "A1b2" * 20
    body = b'{"note": "' + b"w " * 1010 + token.encode() + b'", "broken'
    beginning = read_payload(body).fields["holdfast_beginning"]
    assert 1900 < len(beginning) <= 2048
    assert "sk-ant" not in beginning
    assert read_payload(b"x" * 5000).fields["holdfast_beginning"] == ""


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
    assert read_payload(b'{"prompt": "%s"}' % secret).fields == {"prompt": "a  b"}


@pytest.mark.requirement("MEM-2")
def test_private_text_is_not_salvaged_either() -> None:
    payload = read_payload(b'{"prompt": "a <private>hidden</private> b", "broken')
    assert "hidden" not in str(payload)
    unclosed = read_payload(b'{"prompt": "a <private>hidden ' + b"hidden " * SALVAGE_BYTES)
    assert "hidden" not in str(unclosed)


@pytest.mark.requirement("EVT-10")
def test_what_we_had_injected_is_taken_out() -> None:
    fenced = '<holdfast-context from=\\"m\\" id=\\"ab\\">old</holdfast-context id=\\"ab\\">'
    assert read_payload(f'{{"a": "x{fenced}y"}}'.encode()).fields == {"a": "xy"}


@pytest.mark.requirement("SEC-5")
def test_an_endless_string_is_cut_and_counted() -> None:
    payload = read_payload(json.dumps({"a": "word " * 200_000, "b": "short"}).encode())
    assert payload.fields["b"] == "short"
    assert len(payload.fields["a"]) <= STRING_LIMIT + 100
    assert payload.cut_bytes > 1_000_000 - STRING_LIMIT
    assert payload.fault is None


def test_fields_that_never_were_bytes_are_mended_too() -> None:
    assert mended({"prompt": "a\x00 <private>x</private>", "n": [1, {"k": "\ud800"}]}).fields == {
        "prompt": "a\ufffd ",
        "n": [1, {"k": "?"}],
    }


@pytest.mark.requirement("SEC-5")
def test_a_million_short_strings_are_cut_and_counted() -> None:
    many = {"list": ["a secret"] * 1_000_000}
    read = read_payload(json.dumps({"session_id": "s", "tool_use_id": "t", "tool_input": many}).encode())
    assert (read.fields["session_id"], read.fields["tool_use_id"]) == ("s", "t")
    assert 0 < len(read.fields["tool_input"]["list"]) < 50_000
    assert "were left out" in read.fields["holdfast_fault"]
