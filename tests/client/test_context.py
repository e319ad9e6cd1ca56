"""One assembly under the real client: what a prompt is given and what the model asks for are the same items; and the
files that change together are named with the Read that precedes an edit."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Use
from tests.client.held import install, settled
from tests.client.test_memory import ASKED, FACT, PARAPHRASE, SAID, given, shown_ids
from tests.processes.road.test_identity import git
from tests.support.daemon import DaemonHome

TOGETHER = "Usually changes together with cart.py: prices.py (4 of 4 commits)."


@pytest.fixture
def shop(claude: Claude, home: DaemonHome) -> DaemonHome:
    """A repository with a history, and holdfast with hooks and tools, without a brief."""
    root = claude.project
    git(root, "init", "-q", "-b", "main")
    for n in range(4):
        for name in ("cart.py", "prices.py"):
            (root / name).write_text(f"step = {n}\n")
        git(root, "add", "cart.py", "prices.py")
        git(root, "commit", "-q", "-m", f"Cart step {n}")
    home.start(HOLDFAST_MEMORY_BRIEF_TOKENS="0")
    install(claude, home)
    holdfast = Path(sys.executable).with_name("holdfast")
    server = {"type": "stdio", "command": str(holdfast), "args": ["--home", str(home.home.root), "mcp"]}
    (claude.home / "mcp.json").write_text(json.dumps({"mcpServers": {"holdfast": server}}))
    return home


@pytest.mark.requirement("CTX-1")
@pytest.mark.requirement("CTX-4")
@pytest.mark.requirement("CTX-5")
def test_hook_and_tool_give_the_same_and_a_read_names_what_changes_with_it(
    claude: Claude, api: Api, shop: DaemonHome
) -> None:
    write = Use("Write", {"file_path": str(claude.project / "auth.py"), "content": "def login():\n    pass\n"})
    api.script(write, Say(SAID))
    first = claude.run(ASKED)
    settled(shop, first.session, "Stop", "SessionEnd")

    ask = Use("mcp__holdfast__assemble_context", {"query": PARAPHRASE})
    start = Use("mcp__holdfast__assemble_context", {"context_types": ["commits"], "limit": 2, "max_tokens": 200})
    read = Use("Read", {"file_path": str(claude.project / "cart.py")})
    api.script(ask, start, read, Say("Because of the cookie."))
    second = claude.run(PARAPHRASE, "--mcp-config", str(claude.home / "mcp.json"))

    recalled = given(api, second, "UserPromptSubmit")
    assert FACT in recalled
    told = json.loads(api.result(ask).text)
    ids = [each["id"] for each in told["items"] if each["type"] == "memories"]
    assert ids[: len(shown_ids(recalled))] == shown_ids(recalled) != []
    assert FACT in told["markdown"]
    assert re.match(r'<holdfast-context from="assemble_context" id="(\w+)">\n', told["markdown"])
    assert 0 < told["token_count"] <= 2_000

    recent = json.loads(api.result(start).text)
    assert "Cart step 3" in recent["markdown"]
    assert len(recent["items"]) == 2

    [before, with_read] = [request for request in api.of(Kind.MAIN) if request.session == second.session][-2:]
    assert TOGETHER not in "\n".join(said.text for said in before.texts())
    assert TOGETHER in "\n".join(said.text for said in with_read.texts()), "with the Read's own result"
    assert 'from="commits"' in given(api, second, "PreToolUse:Read")
