"""Who sent an event: three variables of the environment, bounded, and nothing that could break a header."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from holdfast import command_client, spool
from holdfast.alone import _sender
from holdfast.ids import new_id
from holdfast.sender import NOBODY, Sender, read_sender, sender_of

WHOLE = Sender("front:1.2", "%3", 4711)


@pytest.mark.requirement("WRK-3")
def test_headers_name_the_agent_its_pane_and_its_process() -> None:
    cases = [
        ({}, NOBODY),
        ({b"x-holdfast-agent-id": b"front:1.2", b"x-holdfast-pane": b"%3", b"x-holdfast-pid": b"4711"}, WHOLE),
        ({b"x-holdfast-agent-id": " bär ".encode()}, Sender("bär")),
        ({b"x-holdfast-agent-id": b""}, NOBODY),
        ({b"x-holdfast-agent-id": b"$AGENT_ID"}, NOBODY),
        ({b"x-holdfast-agent-id": b"a\x1b[2J"}, NOBODY),
        ({b"x-holdfast-agent-id": b"a" * 129}, NOBODY),
        ({b"x-holdfast-pid": b"-1"}, NOBODY),
        ({b"x-holdfast-pid": b"9" * 40}, NOBODY),
        ({b"x-holdfast-pid": "٣".encode()}, NOBODY),
    ]
    for headers, sender in cases:
        assert sender_of(headers) == sender, headers
    strange: list[Any] = [None, [], "x", {"agent": 7, "pid": {}}, {"agent": "a\nb"}]
    for told in strange:
        assert read_sender(told) == NOBODY, told
    assert read_sender(WHOLE.told()) == WHOLE


@pytest.mark.requirement("WRK-3")
def test_the_command_client_tells_these_three_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {b"AGENT_ID": b"front:1.2", b"TMUX_PANE": b"%3", b"CLAUDE_PID": b"4711", b"ANTHROPIC_API_KEY": b"no"}
    monkeypatch.setattr(command_client, "environ", environment)
    assert (
        command_client.sent_by() == b"X-Holdfast-Agent-Id: front:1.2\r\nX-Holdfast-Pane: %3\r\nX-Holdfast-Pid: 4711\r\n"
    )
    assert _sender() == WHOLE
    for value in (b"a\r\nX-Evil: 1", b"a\x00", b"a" * 200, os.urandom(8) + b"\n"):
        monkeypatch.setattr(command_client, "environ", {b"AGENT_ID": value})
        assert command_client.sent_by() == b"", value


@pytest.mark.requirement("WRK-3")
def test_an_event_in_the_spool_keeps_its_sender(tmp_path: Path) -> None:
    item = spool.Spooled(new_id(), "Stop", 5, {}, "claude-code", WHOLE)
    assert spool.take(spool.put(tmp_path / "spool", item)) == item
