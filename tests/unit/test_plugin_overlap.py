"""The plugin's hooks leave an event to the hooks in the settings, where these are this home's and for this event."""

from __future__ import annotations

import json
import posix
from pathlib import Path
from typing import Any

import pytest

from holdfast import plugin_overlap
from holdfast.install.hooks import PROJECT_COMMAND, hook_command, wanted_hooks
from holdfast.install.model import InstallScope
from tests.support.older_hooks import revive_command

TOKEN = "t" * 43


class Session:
    """A home, a user's and a project's settings, as a hook of a session meets them."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = root / "my home"
        self.user = root / "config" / "settings.json"
        self.project = root / "project" / ".claude" / "settings.json"
        self.local = self.project.with_name("settings.local.json")
        for folder in (self.home, self.user.parent, self.project.parent):
            folder.mkdir(parents=True)
        (self.home / "token").write_text(TOKEN)
        (self.home / "daemon.lock").write_text('{"pid": 7, "port": 4711}')
        told = {b"CLAUDE_CONFIG_DIR": self.user.parent, b"CLAUDE_PROJECT_DIR": self.project.parents[1]}
        for name, path in told.items():
            monkeypatch.setitem(posix.environ, name, str(path).encode())

    def is_served(self, event: str) -> bool:
        return plugin_overlap.is_served(str(self.home), event)

    def command(self, home: Path | None = None) -> str:
        return hook_command(Path("/python"), Path("/package/hook.py"), home or self.home)


def settings(**hooks: Any) -> str:
    return json.dumps({"hooks": {event: [{"hooks": [hook]}] for event, hook in hooks.items()}})


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session(tmp_path, monkeypatch)


@pytest.mark.requirement("OPS-3")
def test_every_hook_that_install_writes_is_recognised_for_its_own_event(session: Session) -> None:
    made = wanted_hooks(
        ["SessionStart", "PreToolUse", "Stop"],
        scope=InstallScope.USER,
        http=True,
        command=session.command(),
        port=4711,
        token=TOKEN,
    )
    assert {hook["type"] for hook in made.values()} == {"http", "command"}
    recorded = [{"path": str(file)} for file in (session.project, session.local)]
    (session.home / "install.json").write_text(json.dumps({"files": recorded}))
    for file in (session.user, session.project, session.local):
        assert not any(map(session.is_served, made))
        file.write_text(settings(**made))
        assert all(map(session.is_served, made))
        assert not session.is_served("SessionEnd"), "an event without a hook of its own is the plugin's"
        file.unlink()


@pytest.mark.requirement("OPS-3")
def test_hooks_of_others_do_not_silence_the_plugin(session: Session) -> None:
    def http(**changed: Any) -> dict[str, Any]:
        usual = {"type": "http", "url": "http://127.0.0.1:4711/hooks/Stop"}
        return {**usual, "headers": {"Authorization": f"Bearer {TOKEN}"}, **changed}

    cases: dict[str, Any] = {
        "another home": {"type": "command", "command": session.command(session.home.with_name("other home"))},
        "another token": http(headers={"Authorization": "Bearer " + "u" * 43}),
        "no header": http(headers=None),
        "a port that the daemon left": http(url="http://127.0.0.1:4712/hooks/Stop"),
        "what only brings the daemon back": {
            "type": "command",
            "command": revive_command(Path("/python"), Path("/package/hook.py"), session.home),
        },
        "the project's command without a launcher": {"type": "command", "command": PROJECT_COMMAND},
        "somebody's own": {"type": "command", "command": "python3 my/hook.py"},
        "no hook at all": "hook.py",
    }
    for what, hook in cases.items():
        session.user.write_text(settings(Stop=hook))
        assert not session.is_served("Stop"), what
    for broken in ("", "{", "[]", '{"hooks": "hook.py"}', '{"hooks": {"Stop": ["hook.py", 7]}}', "[" * 5000):
        session.user.write_text(broken + " hook.py" * (broken == "{"))
        assert not session.is_served("Stop"), broken[:40]
    (session.home / "hook").touch(0o700)
    session.user.write_text(settings(Stop=cases["the project's command without a launcher"]))
    assert session.is_served("Stop"), "with the launcher the project's command serves"


@pytest.mark.requirement("OPS-3", "WRK-6")
def test_a_file_of_a_project_does_not_switch_the_guards_off(session: Session) -> None:
    (session.home / "hook").touch(0o700)
    own = {"type": "command", "command": session.command()}
    for file in (session.project, session.local):
        for hook in (own, {"type": "command", "command": PROJECT_COMMAND}):
            file.write_text(settings(PreToolUse=hook, Stop=hook))
            assert not session.is_served("PreToolUse"), "nobody installed it there"
            assert session.is_served("Stop")
            (session.home / "install.json").write_text(json.dumps({"files": [{"path": str(file)}]}))
            assert session.is_served("PreToolUse")
            (session.home / "install.json").unlink()
        file.unlink()


@pytest.mark.requirement("OPS-3", "WRK-6")
def test_only_a_hook_that_runs_always_and_as_installed_serves(session: Session) -> None:
    (session.home / "hook").touch(0o700)
    own = {"type": "command", "command": session.command()}
    for group, serves in (
        ({"hooks": [own]}, True),
        ({"matcher": "", "hooks": [own]}, True),
        ({"matcher": "*", "hooks": [own]}, True),
        ({"matcher": "Read", "hooks": [own]}, False),
        ({"matcher": "Never", "hooks": [own]}, False),
        ({"hooks": [{**own, "command": f"exit 0; {session.command()}"}]}, False),
        ({"hooks": [{**own, "command": f"true hook.py {session.home}"}]}, False),
        ({"hooks": [{**own, "command": f"true # {PROJECT_COMMAND}"}]}, False),
        ({"hooks": [{**own, "if": "Bash(ls *)"}]}, False),
        ({"hooks": [{**own, "async": True}]}, False),
    ):
        session.user.write_text(json.dumps({"hooks": {"PreToolUse": [group]}}))
        assert session.is_served("PreToolUse") is serves, group
