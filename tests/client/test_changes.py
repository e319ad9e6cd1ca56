"""What a command changed on disk counts as an edit of those files (EVT-17)."""

from __future__ import annotations

import json

import pytest

from holdfast.events.changes import changed_files
from holdfast.events.event import PostToolUse
from holdfast.events.parse import parse
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import install, of, settled
from tests.support.daemon import DaemonHome


@pytest.mark.requirement("EVT-17")
def test_a_file_that_sed_changed_was_edited(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    (claude.project / "app.py").write_text("colour = 'red'\nsize = 3\n")
    claude.git("add", "app.py")
    claude.git("commit", "--quiet", "--message", "An application")
    (claude.home / "paint").write_text("sed -i s/red/blue/ app.py; echo new > made.txt\n")
    change = Use("Bash", {"command": f"sh {claude.home}/paint", "description": "Paint it blue"})
    api.script(change, Say("It is blue."))
    done = claude.run("Paint it blue.")
    [entry] = of(settled(daemon, done.session, "SessionEnd"), "PostToolUse")
    event = parse(entry["payload"])
    assert isinstance(event, PostToolUse)
    changes = {change.path.rsplit("/", 1)[1]: change for change in changed_files(event)}
    assert not changes["app.py"].created
    assert "blue" in str(changes["app.py"].hunks)
    body = json.dumps({"query": "paint", "file": "app.py", "kind": "command"}).encode()
    found = daemon.request("POST", "/api/tools/search", body)[1]
    assert [each["kind"] for each in found] == ["command"], "the command line does not name the file; its edit does"
