"""The edge: any bytes become a payload, as it came, and nothing raises (SEC-5)."""

from __future__ import annotations

import json

import msgspec
import pytest

from holdfast.road.edge import SALVAGE_BYTES, Payload, read_payload, salvage
from tests.support.payloads import load, names
from tests.support.table import each_of


@pytest.mark.requirement("EVT-1")
@each_of("name", names())
def test_an_ordinary_payload_is_read_as_it_is(name: str) -> None:
    body = json.dumps(load(name)).encode()
    read = read_payload(body)
    assert read == Payload(load(name), mended=read.mended, size=len(body))


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
def test_private_text_is_not_salvaged_either() -> None:
    payload = read_payload(b'{"prompt": "a <private>hidden</private> b", "broken')
    assert "hidden" not in str(payload)
    unclosed = read_payload(b'{"prompt": "a <private>hidden ' + b"hidden " * SALVAGE_BYTES)
    assert "hidden" not in str(unclosed)


@pytest.mark.requirement("EVT-18")
@pytest.mark.parametrize(
    "command",
    [
        'echo "<private>"; rm -rf ~',
        "rm -rf ~ # </private>",
        "echo '\u003cprivate>' && rm -rf ~",
        "x" * 400_000 + "; rm -rf ~",
    ],
)
def test_a_payload_is_handed_on_as_it_came(command: str) -> None:
    for body in (json.dumps({"command": command}), json.dumps({"command": command}).replace("<", "\\u003c")):
        assert read_payload(body.encode()).fields == {"command": command}


@pytest.mark.requirement("SEC-7")
@pytest.mark.requirement("SEC-5")
def test_a_large_odd_body_is_never_read_by_the_slow_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight megabytes of numbers with one NaN took seconds of the event loop."""

    def slow(text: str, **_: object) -> object:
        raise AssertionError("the slow reader was asked")

    monkeypatch.setattr("holdfast.road.edge.json.loads", slow)
    odd = read_payload(b'{"session_id": "s1", "a": [NaN,' + b"1," * 500_000 + b"1]}")
    assert odd.malformed
    assert odd.fields["session_id"] == "s1"
    bad = read_payload(b'{"session_id": "s1", "a": "\xff' + b"x" * 500_000 + b'"}')
    assert bad.fault is None
    assert bad.fields["a"][:2] == "\ufffdx"
