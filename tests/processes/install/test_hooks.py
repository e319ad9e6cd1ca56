"""What is registered for which event, and that the commands run as written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from holdfast.errors import UsageError
from holdfast.install.client import known_events
from holdfast.install.hooks import PROJECT_COMMAND, hook_command, wanted_hooks
from holdfast.install.model import Hook, InstallScope
from tests.support.place import CLIENT, PORT, TOKEN, Place


def hooks_for(scope: InstallScope, http: bool = True) -> dict[str, Hook]:
    return wanted_hooks(known_events(CLIENT), scope=scope, http=http, command="run me", port=PORT, token=TOKEN)


@pytest.mark.requirement("OPS-2")
def test_http_where_the_client_accepts_it_command_where_it_must() -> None:
    hooks = hooks_for(InstallScope.USER)
    assert len(hooks) == 32
    assert "WorktreeCreate" not in hooks
    commands = {event for event, hook in hooks.items() if hook["type"] == "command"}
    assert commands == {"SessionStart", "Setup", "PreCompact", "UserPromptSubmit"}
    assert hooks["PreToolUse"] == {
        "type": "http",
        "url": f"http://127.0.0.1:{PORT}/hooks/PreToolUse",
        "headers": {"Authorization": f"Bearer {TOKEN}", "X-Holdfast-Agent-Id": "$AGENT_ID", "Prefer": "return=minimal"},
        "allowedEnvVars": ["AGENT_ID"],
        "timeout": 10,
    }
    seconds = {hooks[event]["timeout"] for event in ("UserPromptSubmit", "Stop", "FileChanged")}
    assert (seconds, hooks["SessionEnd"]["timeout"]) == ({5}, 10)
    assert {hook["type"] for hook in hooks_for(InstallScope.LOCAL, http=False).values()} == {"command"}


@pytest.mark.requirement("SEC-3")
def test_committed_hooks_hold_no_token_and_no_machine_s_paths() -> None:
    hooks = hooks_for(InstallScope.PROJECT)
    assert TOKEN not in str(hooks)
    assert {hook["command"] for hook in hooks.values()} == {PROJECT_COMMAND}


@pytest.mark.parametrize("token", ["", "short", "has space in it, yes", "${VAR}-xxxxxxxxxxxxxxx", "a" * 20 + '"'])
def test_a_token_that_would_break_the_header_is_refused(token: str) -> None:
    with pytest.raises(UsageError, match="no usable token"):
        wanted_hooks(["Stop"], scope=InstallScope.USER, http=True, command="x", port=1, token=token)


def test_without_a_port_nothing_is_planned() -> None:
    with pytest.raises(UsageError, match="No port is settled"):
        wanted_hooks(["Stop"], scope=InstallScope.USER, http=True, command="x", port=0, token=TOKEN)


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("name", ["plain", "with space", "quo'te", "dollar$HOME", "ünï"])
def test_the_command_survives_the_shell(place: Place, name: str) -> None:
    home = place.base / name
    line = hook_command(place.python, place.hook, home)
    answer = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, check=True)
    assert answer.stdout.decode() == f"hook ran for {home}\n"


def run_project_command(**environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-c", PROJECT_COMMAND], env=environment, input=b"{}", capture_output=True, check=False)


@pytest.mark.requirement("OPS-2")
def test_the_committed_command_finds_the_launcher_or_is_silent(place: Place) -> None:
    place.install(InstallScope.PROJECT)
    house, said = str(place.house), f"hook ran for {place.home.root}\n".encode()
    for usual in (".local/share/holdfast", "Library/Application Support/holdfast", "data/holdfast"):
        silent = run_project_command(HOME=house, XDG_DATA_HOME=f"{house}/data")
        assert (silent.returncode, silent.stdout, silent.stderr) == (0, b"", b"")
        folder = Path(house, usual)
        folder.mkdir(parents=True)
        (folder / "hook").symlink_to(place.home.launcher)
        assert run_project_command(HOME=house, XDG_DATA_HOME=f"{house}/data").stdout == (
            said if usual != ".local/share/holdfast" else b""
        )
        (folder / "hook").unlink()
    assert run_project_command(HOME=house, HOLDFAST_HOME=str(place.home.root)).stdout == said
    assert run_project_command(HOME=house, HOLDFAST_HOME=f"{house}/none").stdout == b""
