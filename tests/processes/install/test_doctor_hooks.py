"""The doctor on client and hooks: each way hooks can be silently off, wrong or doubled, made for real."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from holdfast import __version__
from holdfast.install import ClientInfo, InstallScope, repair
from holdfast.install import manifest as manifests
from tests.processes.install.test_doctor import finding
from tests.support.older_hooks import REVIVED, add_revive_hook
from tests.support.place import TOKEN, Place

pytestmark = pytest.mark.requirement("OPS-4")


@pytest.fixture
def installed(place: Place) -> Place:
    place.settle()
    place.install()
    return place


def edit(path: Path, **members: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **members}))


def test_clients(installed: Place) -> None:
    assert finding(installed.context(), "client").state == "ok"
    away = ClientInfo(problem="no Claude Code was found (PATH)")
    check = finding(installed.context(client=away), "client")
    assert (check.state, check.sentence) == ("warn", "No Claude Code was found (PATH).")
    assert finding(installed.context(client=ClientInfo(Path("/c"), (0, 1, 0))), "client").state == "fail"
    named = ClientInfo(problem="there is no program /nonexistent")
    check = finding(installed.context(client=named, client_was_named=True), "client")
    assert (check.state, check.sentence) == ("fail", "There is no program /nonexistent.")
    hung = ClientInfo(Path("/c"), problem="`/c --version` did not end within 10 seconds")
    check = finding(installed.context(client=hung), "client")
    assert (check.state, check.sentence) == ("fail", "`/c --version` did not end within 10 seconds.")


@pytest.mark.requirement("OPS-12")
def test_a_settings_file_that_is_gone_or_was_emptied_is_named_as_such(installed: Place) -> None:
    file = installed.file(InstallScope.USER)
    file.write_text("{}")
    check = finding(installed.context(), "hooks")
    assert (check.state, check.fix) == (
        "fail",
        "Run `holdfast up` to put them back, or `holdfast uninstall`.",
    )
    assert check.sentence == f"The hooks were taken out of {file}, and `holdfast uninstall` did not do it."
    file.unlink()
    check = finding(installed.context(), "hooks")
    assert check.sentence == f"{file}, which had the hooks, is gone, so Claude Code runs none of them."
    assert check.fix == "Run `holdfast up`: it makes the file again."


@pytest.mark.requirement("OPS-11")
def test_a_client_that_was_installed_later_has_no_tools_until_up_registers_them(installed: Place) -> None:
    check = finding(installed.context(), "tools")
    assert (check.state, check.fix) == ("warn", "Run `holdfast up`: it registers them for new sessions.")
    edit(installed.file(InstallScope.USER), enabledPlugins={"holdfast@local": True})
    assert finding(installed.context(), "tools").state == "ok"  # they come by the plugin
    edit(installed.file(InstallScope.USER), enabledPlugins={"other@local": True})
    manifests.save(installed.home, manifests.load(installed.home).with_server("/h/bin/holdfast", "/opt/claude"))
    assert finding(installed.context(), "tools").state == "ok"


@pytest.mark.requirement("OPS-12")
def test_copies_of_the_plugin_that_are_old_or_left_behind(installed: Place) -> None:
    cache = installed.house / ".claude" / "plugins" / "cache" / "local" / "holdfast"
    for version in ("0.0.1", __version__):
        manifest = cache / version / ".claude-plugin" / "plugin.json"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(json.dumps({"name": "holdfast", "version": version}))
    check = finding(installed.context(), "plugin copies")
    assert check.state == "warn"
    assert "no settings enable are left behind" in check.sentence
    edit(installed.file(InstallScope.USER), enabledPlugins={"holdfast@local": True})
    check = finding(installed.context(), "plugin copies")
    assert check.fix == f"Run: rm -r {cache / '0.0.1'}"
    shutil.rmtree(cache / __version__)
    check = finding(installed.context(), "plugin copies")
    assert check.sentence == f"Claude Code loads a copy of the plugin of version 0.0.1 ({cache / '0.0.1'})."
    assert check.fix == "Run: claude plugin update holdfast@local"
    shutil.rmtree(cache / "0.0.1")
    assert finding(installed.context(), "plugin copies").state == "ok"


@pytest.mark.requirement("OPS-12")
def test_other_agents_on_the_same_settings(installed: Place) -> None:
    fine = {"events": {"Stop": {"fired": 1}}, "clients": {"claude-code": 4}}
    assert finding(installed.context(fine), "other agents").state == "ok"
    theirs = {"events": {"beforeShellExecution": {"fired": 1}}, "clients": {"claude-code": 4, "cursor": 2}}
    check = finding(installed.context(theirs), "other agents")
    assert check.state == "warn"
    assert "cursor (2 sessions); it sends beforeShellExecution" in check.sentence
    copilot = installed.base / "bin" / "copilot"
    copilot.parent.mkdir()
    copilot.write_text("#!/bin/sh\n")
    copilot.chmod(0o755)
    installed.write(InstallScope.PROJECT, installed.file(InstallScope.USER).read_bytes())
    environment = {**installed.environment, "PATH": str(copilot.parent)}
    check = finding(installed.context(fine, environment=environment), "other agents")
    assert "Copilot CLI is installed and reads" in check.sentence
    assert "COPILOT_HOOK_ALLOW_LOCALHOST=1" in str(check.fix)


@pytest.mark.parametrize("scope", list(InstallScope))
def test_hooks_switched_off(installed: Place, scope: InstallScope) -> None:
    installed.write(scope, '{"disableAllHooks": true}')
    check = finding(installed.context(), "hooks on")
    assert (check.state, str(installed.file(scope)) in check.sentence) == ("fail", True)


def test_hooks_switched_off_by_an_administrator(installed: Place) -> None:
    managed = installed.base / "managed-settings.json"
    managed.write_text('{"disableAllHooks": true, "allowManagedHooksOnly": true}')
    check = finding(installed.context(managed=(managed,)), "hooks on")
    assert check.sentence.count(str(managed)) == 2


def test_http_not_allowed(installed: Place) -> None:
    installed.write(InstallScope.LOCAL, '{"allowedHttpHookUrls": []}')
    check = finding(installed.context(), "http allowed")
    assert (check.state, '"http://127.0.0.1:*"' in str(check.fix)) == ("fail", True)


def test_a_proxy_in_the_way(installed: Place) -> None:
    environment = {**installed.environment, "HTTP_PROXY": "http://proxy:3128"}
    check = finding(installed.context(environment=environment), "proxy")
    assert (check.state, "NO_PROXY=127.0.0.1,localhost" in str(check.fix)) == ("fail", True)
    installed.extra = {"HTTP_PROXY": "http://proxy:3128"}
    installed.install()
    assert finding(installed.context(), "proxy").state == "warn"


def test_not_installed_and_installed_where_this_project_does_not_look(place: Place) -> None:
    place.settle()
    assert finding(place.context(), "hooks").fix == "Run `holdfast up`."
    place.install(InstallScope.LOCAL)
    assert finding(place.context(), "hooks").state == "ok"
    check = finding(place.context(root=place.base / "another"), "hooks")
    assert (check.state, str(place.file(InstallScope.LOCAL)) in check.sentence) == ("fail", True)


def test_the_plugin_counts_as_installed(place: Place) -> None:
    place.settle()
    place.write(InstallScope.USER, '{"enabledPlugins": {"holdfast@local": true}}')
    assert finding(place.context(), "hooks").state == "ok"


def test_events_of_a_newer_client_are_missing_and_added(installed: Place) -> None:
    installed.client = ClientInfo(Path("/opt/claude"), (2, 1, 72))
    installed.install()
    installed.client = ClientInfo(Path("/opt/claude"), (2, 1, 325))
    check = finding(installed.context(), "events")
    assert (check.state, "PreModelSwitch" in check.sentence) == ("warn", True)
    assert repair([check]) == [("events", None)]
    assert finding(installed.context(), "events").state == "ok"


@pytest.mark.requirement("EVT-15")
def test_the_hook_by_which_earlier_versions_brought_a_daemon_back_is_named_and_taken_out(place: Place) -> None:
    place.used = ("SessionStart", "PreToolUse", "PostToolUse")
    place.settle()
    place.install()
    file = place.file(InstallScope.USER)
    wanted = json.loads(file.read_text())
    assert REVIVED not in wanted["hooks"]
    add_revive_hook(file, place.python, place.hook, place.home.root)
    check = finding(place.context(), "events")
    assert (check.state, check.sentence.startswith(f"Nothing listens to {REVIVED}")) == ("warn", True)
    assert repair([check]) == [("events", None)]
    assert json.loads(file.read_text()) == wanted


@pytest.mark.requirement("OPS-2")
def test_an_older_client_that_drops_everything(installed: Place) -> None:
    installed.client = ClientInfo(Path("/opt/claude"), (2, 1, 100))
    check = finding(installed.context(), "events")
    assert (check.state, "runs no hook at all" in check.sentence) == ("fail", True)
    repair([check])
    assert finding(installed.context(), "events").state == "ok"


def test_http_where_only_commands_run(installed: Place) -> None:
    file = installed.file(InstallScope.USER)
    value = json.loads(file.read_text())
    url = {"type": "http", "url": f"http://127.0.0.1:{installed.port}/hooks/SessionStart"}
    value["hooks"]["SessionStart"] = [{"hooks": [url]}]
    file.write_text(json.dumps(value))
    check = finding(installed.context(), "events")
    assert "A command hook is needed for SessionStart" in check.sentence
    repair([check])
    assert finding(installed.context(), "events").state == "ok"


def test_two_scopes_at_once(installed: Place) -> None:
    installed.install(InstallScope.LOCAL)
    check = finding(installed.context(), "once")
    assert (check.state, str(installed.file(InstallScope.LOCAL)) in check.sentence) == ("warn", True)


@pytest.mark.requirement("SEC-2")
def test_another_token_and_another_port(installed: Place) -> None:
    new = "n" * 43
    installed.token, installed.port = new, installed.port + 1
    installed.settle()
    token, port = (finding(installed.context(), name) for name in ("token same", "port same"))
    assert (token.state, port.state) == ("fail", "fail")
    assert new not in token.sentence
    repair([token])
    assert finding(installed.context(), "token same").state == "ok"
    assert finding(installed.context(), "port same").state == "ok"
    assert TOKEN not in installed.file(InstallScope.USER).read_text()


def test_a_python_that_is_gone(installed: Place) -> None:
    gone = installed.base / "venv" / "bin" / "python"
    real, installed.python = installed.python, gone
    installed.install()
    installed.python = real
    check = finding(installed.context(), "programs")
    assert (check.state, str(gone) in check.sentence) == ("fail", True)
    repair([check])
    assert finding(installed.context(), "programs").state == "ok"


def test_a_launcher_that_is_gone_or_stale(place: Place) -> None:
    place.settle()
    place.install(InstallScope.PROJECT)
    place.home.launcher.chmod(0o600)
    assert finding(place.context(), "launcher").state == "fail"
    place.home.launcher.unlink()
    check = finding(place.context(), "launcher")
    repair([check])
    assert finding(place.context(), "launcher").state == "ok"
    place.home.launcher.write_text("#!/bin/sh\nexec old\n")
    assert "another Python" in finding(place.context(), "launcher").sentence


@pytest.mark.requirement("SEC-3")
def test_settings_with_the_token_open_to_others(installed: Place) -> None:
    file = installed.file(InstallScope.USER)
    file.chmod(0o644)
    check = finding(installed.context(), "settings private")
    assert check.state == "fail"
    repair([check])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.requirement("SEC-3")
def test_a_token_in_git(installed: Place) -> None:
    folder = installed.file(InstallScope.USER).parent
    assert finding(installed.context(), "token in git").state == "ok"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "add", "settings.json"], check=True)
    assert finding(installed.context(), "token in git").state == "fail"


@pytest.mark.requirement("SEC-3")
def test_a_token_in_committed_settings(installed: Place) -> None:
    installed.write(InstallScope.PROJECT, installed.file(InstallScope.USER).read_bytes())
    assert finding(installed.context(), "token in git").state == "fail"


def test_settings_that_cannot_be_read(installed: Place) -> None:
    installed.write(InstallScope.LOCAL, '{"a": 1,}')
    check = finding(installed.context(), "settings")
    assert (check.state, "line 1, column 8" in check.sentence) == ("fail", True)


def test_hooks_of_another_home_are_not_ours(installed: Place) -> None:
    other = Place(installed.base / "other", port=installed.port + 7, token="o" * 43)
    other.house = installed.house
    other.install()
    assert finding(installed.context(), "token same").state == "ok"
    assert finding(installed.context(), "port same").state == "ok"
    assert finding(installed.context(), "events").state == "ok"
