"""The stdio relay: whatever the client says, every request gets an answer and the relay lives on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.doors.cli.client import whereabouts
from holdfast.doors.relay import Relay
from tests.support.daemon import DaemonHome

_META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}


def relayed(daemon: DaemonHome, *lines: bytes, folder: str = "") -> list[dict[str, Any]]:
    output = io.BytesIO()
    Relay(daemon.home, output, folder).run(io.BytesIO(b"\n".join(lines)))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def request(number: int, method: str, params: dict[str, Any]) -> bytes:
    asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(asked, ensure_ascii=False).encode()


@pytest.mark.requirement("MCP-1")
@pytest.mark.parametrize("name", ["€", "a\nb"], ids=["not latin", "line break"])
def test_a_name_that_no_header_can_carry_is_answered_with_an_error(daemon: DaemonHome, name: str) -> None:
    (answer,) = relayed(daemon, request(7, "tools/call", {"name": name, "arguments": {}} | _META))
    assert answer["id"] == 7
    assert "could not be passed on" in answer["error"]["message"]


@pytest.mark.requirement("MCP-1")
def test_what_is_no_json_or_too_deep_does_not_end_the_relay(daemon: DaemonHome) -> None:
    answers = relayed(daemon, b"not json", b"[" * 200_000, request(4, "tools/list", {}))
    assert [len(answer["result"]["tools"]) > 3 for answer in answers if answer["id"] == 4] == [True]


@pytest.mark.requirement("MCP-1")
def test_a_folder_that_no_header_can_carry_or_that_is_gone_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "a\nb"
    odd.mkdir()
    monkeypatch.chdir(odd)
    assert whereabouts() == {}
    assert whereabouts("/ü") == {"X-Holdfast-Cwd": "/ü".encode().decode("latin-1")}
    odd.rmdir()
    assert whereabouts() == {}
