"""The command line in the hands of the model: what the real client's Bash tool runs speaks as an agent (SEC-8)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.support.daemon import DaemonHome


@pytest.mark.requirement("SEC-8")
def test_holdfast_in_the_agents_bash_is_the_agents(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    holdfast = f"{Path(sys.executable).with_name('holdfast')} --home {daemon.home.root}"
    body = json.dumps({"text": "Always rebase before a merge.", "by": "user"}).encode()
    users = daemon.request("POST", "/api/tools/remember", body)[1]
    assert users["trust"] == "user"
    kept = Use("Bash", {"command": f"{holdfast} remember 'Pumps need no seals.' --json"})
    objected = Use("Bash", {"command": f"{holdfast} supersede {users['id']} --reason 'so it is' --json"})
    api.script(kept, objected, Say("Done."))
    claude.run("Look.")
    assert json.loads(api.result(kept).text)["trust"] == "agent"
    assert json.loads(api.result(objected).text)["by"] == "agent"
