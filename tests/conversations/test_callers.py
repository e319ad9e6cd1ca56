"""Who calls a tool, and from where: an agent is an agent by every door, and an unknown folder is no project's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError, Refused
from holdfast.items import tools
from holdfast.rooms.memory.tools import Remember, remember
from holdfast.upkeep.tools import Forget, forget
from tests.contract.site import Site
from tests.conversations.session import fixed_a_loop
from tests.conversations.talk import Talk, converse
from tests.support.daemon import DaemonHome

AGENTS = ({"CLAUDECODE": "1"}, {"AI_AGENT": "claude-code_2-1-325_agent"})


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


@pytest.mark.requirement("SEC-8")
def test_who_stands_where_nothing_ever_happened_is_shown_no_project(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        stranger = talk.caller(folder="/never/seen")
        for asked in (tools.search(tools.Search("login cookie"), stranger), tools.timeline(tools.Timeline(), stranger)):
            with pytest.raises(HoldfastError, match=r"no session was seen there.*--project all"):
                await asked
        assert await tools.search(tools.Search("login cookie", project="all"), stranger)
        assert await tools.search(tools.Search("login cookie", project="p"), stranger)

    converse(site, story)


@pytest.mark.requirement("SEC-8")
def test_what_is_remembered_there_is_of_that_folder_and_not_of_all(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await remember(Remember("The staging VPN is down on Mondays."), talk.caller(folder="/new/place"))
        [line] = await tools.search(tools.Search("staging VPN", project="all"), talk.caller())
        assert line.project == "place"

    converse(site, story)


@pytest.mark.requirement("SEC-8")
def test_an_agent_cannot_make_anything_be_forgotten(site: Site) -> None:
    async def story(talk: Talk) -> None:
        person = talk.caller(folder="/new/place")
        await remember(Remember("The staging VPN is down on Mondays."), person)
        with pytest.raises(Refused, match="Only a person"):
            await forget(Forget(text="staging VPN"), talk.caller(is_agent=True))
        assert await tools.search(tools.Search("staging VPN", project="all"), person)

    converse(site, story)


def _rest(daemon: DaemonHome, agent: bool, tool: str, **arguments: Any) -> dict[str, Any]:
    headers = {"X-Holdfast-Agent": "1"} if agent else {}
    status, answer = daemon.request("POST", f"/api/tools/{tool}", json.dumps(arguments).encode(), headers)
    return dict(answer) | {"status": status}


def _rpc(daemon: DaemonHome, agent: bool, tool: str, **arguments: Any) -> dict[str, Any]:
    headers = {"X-Holdfast-Agent": "1"} if agent else {}
    call = {"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments}
    answer = daemon.request("POST", "/rpc", json.dumps(call).encode(), headers)[1]
    return dict(answer.get("result") or answer["error"])


@pytest.mark.requirement("SEC-8")
@pytest.mark.parametrize("by_door", [_rest, _rpc], ids=["REST", "RPC"])
def test_an_agents_words_are_an_agents_by_every_door(daemon: DaemonHome, by_door: Any) -> None:
    users = by_door(daemon, False, "remember", text="Always rebase before a merge.", by="user")
    assert users["trust"] == "user"
    assert by_door(daemon, True, "remember", text="Never write tests for pumps.", by="user")["trust"] == "agent"
    assert "user's words" in str(by_door(daemon, True, "edit", id=users["id"], text="Never rebase."))
    assert by_door(daemon, True, "supersede", old=users["id"], reason="so it is", by="user")["by"] == "agent"


@pytest.mark.requirement("SEC-8")
@pytest.mark.parametrize("inside", AGENTS, ids=["CLAUDECODE", "AI_AGENT"])
def test_the_command_line_inside_an_agent_speaks_as_an_agent(
    daemon: DaemonHome, tmp_path: Path, inside: dict[str, str]
) -> None:
    def holdfast(*words: str, **environment: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast.doors.cli", *words, "--json"],
            env={"PATH": os.environ["PATH"]} | daemon.environment | environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return json.loads(done.stdout or done.stderr)

    users = holdfast("remember", "Deploys go out on Fridays.")
    assert users["trust"] == "user"
    assert holdfast("remember", "Pumps need no seals.", **inside)["trust"] == "agent"
    assert holdfast("supersede", users["id"], "--reason", "so it is", **inside)["by"] == "agent"
    assert holdfast("supersede", users["id"], "--reason", "so it is")["by"] == "user"
    assert "user's words" in holdfast("edit", users["id"], "--text", "Never.", **inside)["error"]
    for words in (
        ("import", "claude"),
        ("import", "claude-mem", "m.db"),
        ("import", "e.jsonl"),
        ("restore", "e.jsonl"),
    ):
        (tmp_path / words[-1]).write_text('{"holdfast_export": 1}')
        told = holdfast(*words, **inside)["error"]
        assert told.startswith(f"Only a person may {words[0]}: run `holdfast {words[0]}"), told


@pytest.mark.requirement("SEC-8")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/import"),
        ("POST", "/api/import/claude"),
        ("DELETE", "/api/import/claude"),
        ("POST", "/api/import/claude-mem"),
    ],
)
def test_an_agent_brings_in_no_words_of_a_user(daemon: DaemonHome, tmp_path: Path, method: str, path: str) -> None:
    """Whatever is imported may hold prompts, which are a user's words: an agent could write them itself."""
    line = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "Push to main."}}
    (tmp_path / "s.jsonl").write_text(json.dumps(line))
    body = {"path": str(tmp_path), "table": "", "after": 0, "lines": ['{"holdfast_export": 1}']}
    status, answer = daemon.request(method, path, json.dumps(body).encode(), {"X-Holdfast-Agent": "1"})
    assert (status, "Only a person may import" in answer["error"]) == (403, True)
    assert daemon.get("/api/import/claude")[1]["files"] == 0
