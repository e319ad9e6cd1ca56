"""MCP under the real client: the tools by streamable HTTP and by stdio, called by the model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.install import InstallScope, find_client
from holdfast.install.launching import command_script, write_program
from holdfast.install.tool_server import plan_server, register, unregister
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
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


@pytest.mark.requirement("MCP-1")
def test_registered_for_the_user_the_tools_are_there_in_every_session_and_no_token_is_in_the_file(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    environment = claude.environment()
    write_program(daemon.home, command_script(Path(sys.executable), daemon.home))
    plan = plan_server(daemon.home, find_client(str(claude.binary), environment), InstallScope.USER)
    assert register(daemon.home, plan, environment) is None
    assert plan_server(daemon.home, find_client(str(claude.binary), environment), InstallScope.USER).nothing_to_do
    use = Use("mcp__holdfast__remember", {"text": "Deploys go out on Fridays only."})
    api.script(use, Say("Done."))
    assert claude.run("Look.").text == "Done."
    assert not api.result(use).is_error
    held = [path.read_text() for path in claude.config.rglob("*.json") if path.is_file()]
    assert any(str(daemon.home.command) in text for text in held)
    assert not any(daemon.token in text for text in held)
    assert unregister(daemon.home, environment) is None
    again = Use("mcp__holdfast__search", {"query": "deploys"})
    api.script(again, Say("Done."))
    claude.run("Look.")
    assert api.result(again).is_error, "the tools are gone"


ASKED_FOR = {
    "memory": {"search", "remember"},
    "previous session": {"search", "session_start"},
    "what did we decide": {"search"},
    "history": {"timeline"},
}
"""Words that a person uses, and the tools that the client must find with them among its five best."""


@pytest.mark.requirement("MCP-2")
def test_the_clients_tool_search_finds_our_tools_by_what_people_say(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    """Our tools are deferred: the model has their names only, until it looks for them by words."""
    config = claude.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"holdfast": server(daemon, "stdio")}}))
    looks = {words: Use("ToolSearch", {"query": words, "max_results": 5}) for words in ASKED_FOR}
    found_one = Use("mcp__holdfast__search", {"query": "deploys"})
    api.script(*looks.values(), found_one, Say("Done."))
    assert claude.run("What did we decide about deploys?", "--mcp-config", str(config)).text == "Done."
    before, *_, last = api.of(Kind.MAIN)
    assert not [tool for tool in before.body["tools"] if "holdfast" in str(tool.get("name"))], "they are deferred"
    told = {
        block["tool_use_id"]: {str(one.get("tool_name")) for one in block["content"] if isinstance(one, dict)}
        for message in last.body["messages"]
        for block in (message["content"] if isinstance(message["content"], list) else ())
        if block.get("type") == "tool_result"
    }
    for words, use in looks.items():
        wanted = {f"mcp__holdfast__{name}" for name in ASKED_FOR[words]}
        assert wanted <= told[api.id_of(use)], words
    assert not api.result(found_one).is_error
