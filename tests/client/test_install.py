"""What `install` writes, run by the real client: every scope, both client versions, and silence after uninstall."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from holdfast.install import InstallScope, apply, apply_uninstall, find_client, plan_install, plan_uninstall
from holdfast.paths import Home
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.recorder import Recorder
from tests.client.bed.script import Say, Use

HOOK = """import sys
with open(sys.argv[1] + "/seen.jsonl", "ab") as file:
    file.write(sys.stdin.buffer.read().strip() + b"\\n")
"""
BY_COMMAND = {"SessionStart", "UserPromptSubmit"}
A_SESSION = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}


class Installed:
    """A home beside the client's, with a hook file that writes down what it is given."""

    def __init__(self, claude: Claude, recorder: Recorder) -> None:
        self.claude = claude
        self.recorder = recorder
        self.home = Home(claude.home / "my data" / "holdfast")
        self.home.prepare()
        self.hook = claude.home / "hook.py"
        self.hook.write_text(HOOK)

    def install(self, scope: InstallScope) -> None:
        environment = self.claude.environment()
        port = urlsplit(self.recorder.url).port
        assert port is not None
        plan = plan_install(
            scope,
            root=self.claude.project,
            home=self.home,
            port=port,
            token="t" * 43,
            python=Path(sys.executable),
            hook=self.hook,
            client=find_client(str(self.claude.binary), environment),
            environment=environment,
            managed=(),
        )
        apply(plan)

    def by_command(self) -> set[str]:
        seen = self.home.root / "seen.jsonl"
        lines = seen.read_text().splitlines() if seen.exists() else []
        return {json.loads(line)["hook_event_name"] for line in lines}

    def by_http(self) -> set[str]:
        return set(self.recorder.events())


def a_session(claude: Claude, api: Api) -> None:
    api.script(Use("Bash", {"command": "echo hello", "description": "say hello"}), Say("Done."))
    assert claude.run("Say hello.").text == "Done."


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("scope", [InstallScope.USER, InstallScope.LOCAL])
def test_http_and_command_hooks_both_arrive(claude: Claude, api: Api, recorder: Recorder, scope: InstallScope) -> None:
    holdfast = Installed(claude, recorder)
    holdfast.install(scope)
    a_session(claude, api)
    assert holdfast.by_command() >= BY_COMMAND
    assert holdfast.by_http() >= A_SESSION - BY_COMMAND
    assert not holdfast.by_http() & holdfast.by_command()


@pytest.mark.requirement("OPS-2")
def test_an_older_client_takes_what_it_knows(older: Claude, api: Api, recorder: Recorder) -> None:
    holdfast = Installed(older, recorder)
    holdfast.install(InstallScope.USER)
    registered = json.loads(older.settings_path("user").read_text())["hooks"]
    assert "PreModelSwitch" not in registered
    a_session(older, api)
    assert holdfast.by_http() | holdfast.by_command() >= A_SESSION


@pytest.mark.requirement("OPS-2")
@pytest.mark.requirement("SEC-3")
def test_committed_hooks_reach_the_launcher_and_are_silent_without(
    claude: Claude, api: Api, recorder: Recorder
) -> None:
    holdfast = Installed(claude, recorder)
    holdfast.install(InstallScope.PROJECT)
    a_session(claude, api)
    assert holdfast.by_command() == set()
    claude.env["HOLDFAST_HOME"] = str(holdfast.home.root)
    a_session(claude, api)
    assert holdfast.by_command() >= A_SESSION
    assert holdfast.by_http() == set()


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("obstacle", ["proxy", "allow list"])
def test_where_http_is_hindered_commands_arrive(claude: Claude, api: Api, recorder: Recorder, obstacle: str) -> None:
    if obstacle == "proxy":
        # Nobody listens there. The scripted API must not go through it either, hence the exception by name.
        claude.env["HTTP_PROXY"] = "http://127.0.0.2:9"
        claude.env["NO_PROXY"] = urlsplit(api.url).netloc
    else:
        claude.settings({"allowedHttpHookUrls": ["https://hooks.example.com/*"]})
    holdfast = Installed(claude, recorder)
    holdfast.install(InstallScope.USER)
    a_session(claude, api)
    assert holdfast.by_command() >= A_SESSION
    assert holdfast.by_http() == set()


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("rewritten", [False, True])
def test_after_uninstall_there_is_silence_and_the_old_file(
    claude: Claude, api: Api, recorder: Recorder, rewritten: bool
) -> None:
    """The client itself adds a key and lays the whole file out anew, when the key is not there yet."""
    note = {"skipDangerousModePermissionPrompt": True}
    settings = {"includeCoAuthoredBy": False, **({} if rewritten else note)}
    file = claude.settings(settings)
    before = file.read_bytes()
    holdfast = Installed(claude, recorder)
    holdfast.install(InstallScope.USER)
    a_session(claude, api)
    assert holdfast.by_http()
    assert file.stat().st_mode & 0o077 == 0
    apply_uninstall(plan_uninstall(holdfast.home))
    assert json.loads(file.read_bytes()) == {**settings, **note}
    assert rewritten or file.read_bytes() == before
    calls = len(recorder.calls)
    a_session(claude, api)
    assert len(recorder.calls) == calls
