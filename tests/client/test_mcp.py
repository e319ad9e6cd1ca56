"""MCP under the real client: the tools by streamable HTTP and by stdio, called by the model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.support.daemon import DaemonHome


def server(daemon: DaemonHome, kind: str) -> dict[str, Any]:
    if kind == "http":
        headers = {"Authorization": f"Bearer {daemon.token}"}
        return {"type": "http", "url": f"http://127.0.0.1:{daemon.facts['port']}/mcp", "headers": headers}
    holdfast = Path(sys.executable).with_name("holdfast")
    return {"type": "stdio", "command": str(holdfast), "args": ["--home", str(daemon.home.root), "mcp"]}


@pytest.mark.requirement("MCP-1")
@pytest.mark.parametrize("kind", ["http", "stdio"])
def test_the_model_calls_a_tool_and_reads_its_answer(claude: Claude, api: Api, daemon: DaemonHome, kind: str) -> None:
    config = claude.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"holdfast": server(daemon, kind)}}))
    fine = Use("mcp__holdfast__remember", {"text": "Deploys go out on Fridays only."})
    wrong = Use("mcp__holdfast__get", {"address": "x"})
    api.script(fine, wrong, Say("Done."))
    done = claude.run("Look.", "--mcp-config", str(config))
    assert done.text == "Done."
    text, is_error = api.result(fine)
    assert not is_error
    kept = json.loads(text)
    assert kept["text"] == "Deploys go out on Fridays only."
    status, found = daemon.request("POST", "/api/tools/search", b'{"query": "deploys Fridays", "project": "all"}')
    assert (status, [line["id"] for line in found]) == (200, [kept["id"]])
    sentence, is_error = api.result(wrong)
    assert is_error
    assert "address" in sentence
    assert "It takes ids (required)" in sentence
    assert api.reached("holdfast remembers earlier sessions")


@pytest.mark.requirement("MCP-1")
def test_the_relay_starts_a_daemon_that_is_away(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    config = claude.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"holdfast": server(daemon, "stdio")}}))
    daemon.stop()
    use = Use("mcp__holdfast__search", {"query": "anything"})
    api.script(use, Say("Done."))
    claude.run("Look.", "--mcp-config", str(config))
    assert not api.result(use).is_error
    assert daemon.answers()
