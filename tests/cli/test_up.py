"""up: the plan first, then hooks, daemon and proofs; again and again without harm."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.doors.cli import examining, planning, selftest
from holdfast.doors.cli.main import Call
from holdfast.errors import Refused
from holdfast.events.steps import used_events
from holdfast.install import InstallPlan, InstallScope, find_client
from holdfast.program import PROGRAM
from tests.support.patience import PATIENCE
from tests.support.shell import Shell

ORIGINAL = b'{\n  "model": "opus",\n  "env": {"A": "b"}\n}\n'


@pytest.fixture
def settled(shell: Shell) -> Shell:
    """Settings of others are there already."""
    shell.settings.parent.mkdir()
    shell.settings.write_bytes(ORIGINAL)
    return shell


def hooks_of(path: Path) -> list[dict[str, Any]]:
    table = json.loads(path.read_text())["hooks"]
    return [hook for groups in table.values() for group in groups for hook in group["hooks"]]


@pytest.mark.requirement("OPS-1")
def test_up_on_a_fresh_home_proves_four_things(settled: Shell) -> None:
    page = settled.up()
    assert "Install holdfast's hooks, user scope, for Claude Code 2.1.325" in page
    assert "The daemon was started" in page
    assert [line.split(".")[0].strip() for line in page.splitlines() if ".  " not in line and ". ok" in line] == [
        *("1", "2", "3", "4")
    ]
    assert str(settled.daemon.home.logs / "daemon.log") in page
    assert settled.daemon.token not in page
    assert json.loads(settled.settings.read_bytes())["env"] == {"A": "b"}
    port = settled.daemon.facts["port"]
    urls = [hook["url"] for hook in hooks_of(settled.settings) if hook["type"] == "http"]
    assert urls
    assert all(url.startswith(f"http://127.0.0.1:{port}/hooks/") for url in urls)


@pytest.mark.requirement("OPS-10")
def test_holdfast_is_on_the_path_afterwards_and_gone_after_uninstall(settled: Shell) -> None:
    page = settled.up()
    home = settled.daemon.home
    link = Path(settled.daemon.environment["HOME"]) / ".local" / "bin" / "holdfast"
    assert f"The command `holdfast` will be at {link}." in page
    assert "will be at" not in settled.up(), "the second time there is nothing to do"
    bare = {"HOME": settled.daemon.environment["HOME"], "PATH": f"{link.parent}:/usr/bin:/bin"}
    done = subprocess.run(
        ["holdfast", "status", "--json"], env=bare, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert json.loads(done.stdout)["pid"] == settled.daemon.facts["pid"], "the link serves the home it was made by"
    settled.run("uninstall", "--yes")
    assert not link.is_symlink()
    assert home.command.exists()


@pytest.mark.requirement("OPS-1")
def test_the_installed_hooks_really_arrive(settled: Shell) -> None:
    """The command is taken from the settings file and run by a shell, as the client does."""
    settled.up()
    [command] = {hook["command"] for hook in hooks_of(settled.settings) if hook["type"] == "command"}
    payload = {"hook_event_name": "SessionStart", "session_id": "mine", "source": "startup"}
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env={"PATH": settled.environment["PATH"]},
    )
    assert done.returncode == 0
    assert json.loads(done.stdout).keys() == {"systemMessage"}, "the sign of life"
    assert [entry["event"] for entry in settled.daemon.journal(session="mine")] == ["SessionStart"]


@pytest.mark.requirement("OPS-1")
def test_a_second_up_changes_nothing_and_proves_again(settled: Shell) -> None:
    settled.up()
    bytes_before, facts_before = settled.settings.read_bytes(), settled.daemon.facts
    done = settled.run("up", "--client", str(settled.client))
    assert done.returncode == 0, "nothing has to be changed, so nobody has to be asked"
    assert "nothing had to be changed" in done.stdout
    assert "4. ok" in done.stdout
    assert settled.settings.read_bytes() == bytes_before
    assert settled.daemon.facts == facts_before


@pytest.mark.requirement("OPS-1")
def test_uninstall_gives_the_bytes_back(settled: Shell) -> None:
    mode = settled.settings.stat().st_mode
    settled.up()
    assert settled.settings.read_bytes() != ORIGINAL
    settled.up()
    assert "restored byte for byte" in settled.ok("uninstall", "--yes")
    assert settled.settings.read_bytes() == ORIGINAL
    assert settled.settings.stat().st_mode == mode


@pytest.mark.requirement("OPS-1")
@pytest.mark.requirement("OPS-9")
def test_without_a_terminal_and_without_yes_nothing_is_done(settled: Shell) -> None:
    before = sorted(settled.daemon.home.root.iterdir())
    for words in ((), ("--json",)):
        done = settled.run("up", "--client", str(settled.client), *words)
        assert done.returncode == 4
        assert "--yes" in done.stderr
    assert settled.settings.read_bytes() == ORIGINAL
    assert sorted(settled.daemon.home.root.iterdir()) == before


@pytest.mark.requirement("OPS-1")
@pytest.mark.parametrize(("typed", "code"), [("n\n", 4), ("y\n", 0)])
def test_on_a_terminal_it_asks(settled: Shell, typed: str, code: int) -> None:
    ended, shown = settled.on_terminal("up", "--client", str(settled.client), typed=typed)
    assert ended == code
    assert "Do this? [Y/n]" in shown
    assert (settled.settings.read_bytes() == ORIGINAL) is (code == 4)
    assert settled.daemon.answers() is (code == 0)


@pytest.mark.requirement("OPS-9")
def test_up_as_json(settled: Shell) -> None:
    document = json.loads(settled.up("--json"))
    assert document["changed"] is True
    assert document["passed"] is True
    assert [proof["number"] for proof in document["proofs"]] == [1, 2, 3, 4]
    assert document["daemon"]["did"] == "started"
    assert settled.daemon.token not in json.dumps(document)
    assert json.loads(settled.up("--json"))["changed"] is False


@pytest.mark.requirement("OPS-5")
def test_a_taken_port_is_left_and_the_hooks_follow(settled: Shell) -> None:
    settled.up()
    old = settled.daemon.facts["port"]
    settled.ok("stop")
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", old))
        other.listen()
        refused = settled.run("up", "--client", str(settled.client))
        assert refused.returncode == 4
        page = settled.up()
    new = settled.daemon.facts["port"]
    assert f"Port {old}, which the configuration names, is taken by another program" in page
    assert new != old
    assert "4. ok" in page
    assert f"port = {new}" in settled.daemon.home.config.read_text()
    assert {hook["url"].split("/")[2] for hook in hooks_of(settled.settings) if hook["type"] == "http"} == {
        f"127.0.0.1:{new}"
    }


@pytest.mark.requirement("OPS-5")
def test_a_port_that_the_environment_insists_on_is_not_replaced(settled: Shell) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        settled.extra = {"HOLDFAST_DAEMON_PORT": str(other.getsockname()[1])}
        done = settled.run("up", "--yes", "--client", str(settled.client))
    assert done.returncode == 1
    assert "HOLDFAST_DAEMON_PORT" in done.stderr
    assert settled.settings.read_bytes() == ORIGINAL


def test_project_scope_uses_the_launcher_and_is_proven_too(settled: Shell) -> None:
    (settled.folder / ".git").mkdir()
    below = settled.folder / "src"
    below.mkdir()
    settled.folder = below
    page = settled.up("--scope", "project")
    written = below.parent / ".claude" / "settings.json"
    assert "4. ok" in page
    assert settled.daemon.token not in written.read_text()
    assert settled.settings.read_bytes() == ORIGINAL
    again = settled.up()
    assert "project scope" in again, "without --scope, where the hooks are already"
    assert "nothing had to be changed" in again


def test_hooks_of_another_scope_follow_too(settled: Shell) -> None:
    settled.up("--scope", "local")
    local = settled.folder / ".claude" / "settings.local.json"
    old = settled.daemon.facts["port"]
    settled.ok("stop")
    settled.daemon.home.config.unlink()
    with socket.create_server(("127.0.0.1", int(old))):  # somebody else has it now
        settled.up("--scope", "user")
    new = settled.daemon.facts["port"]
    assert new != old
    for path in (local, settled.settings):
        assert {hook["url"].split(":")[2].split("/")[0] for hook in hooks_of(path) if hook["type"] == "http"} == {
            str(new)
        }


def test_the_diff_is_for_those_who_ask(settled: Shell) -> None:
    short = settled.run("up", "--client", str(settled.client)).stdout
    long = settled.run("up", "--client", str(settled.client), "--diff").stdout
    assert '+    "SessionStart"' not in short
    assert '"SessionStart"' in long
    assert len(long.splitlines()) > len(short.splitlines()), long


def make_plan(shell: Shell, url: str, token: str) -> InstallPlan:
    wanted = planning.SetUpIntent(
        shell.daemon.home,
        InstallScope.USER,
        shell.folder,
        find_client(str(shell.client), shell.environment),
        shell.environment,
        used_events(PROGRAM),
    )
    return planning.plans(wanted, int(url.rsplit(":", 1)[1]), token)[0]


def proofs_of(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> list[selftest.TrialResult]:
    """The self-test on the settings as they are now."""
    for name, value in shell.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(shell.folder)
    context = examining.context_of(Call(shell.daemon.home), find_client(str(shell.client), shell.environment))
    return selftest.run(context, str(shell.daemon.status()["url"]))


@pytest.mark.requirement("OPS-1")
@pytest.mark.requirement("OPS-12")
@pytest.mark.requirement("SEC-1")
def test_the_self_test_can_fail(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tries what the settings hold: another token, a hook that delivers nothing or ends badly, no hook at all."""
    shell.up()
    fine = shell.settings.read_text()
    command = next(hook["command"] for hook in hooks_of(shell.settings) if "command" in hook)
    cases = [
        (fine.replace(shell.daemon.token, "A" * 43), [True, False, True, False], 1, "answered 401"),
        (fine.replace(json.dumps(command)[1:-1], "printf {}; exit 0; " + json.dumps(command)[1:-1]), [], 0, "0 times"),
        (fine.replace(json.dumps(command)[1:-1], "exit 3; " + json.dumps(command)[1:-1]), [], 0, "it ended with 3"),
        ('{"hooks": {}}', [False, True, True, True], 0, "no settings file that Claude Code reads here has one"),
    ]
    for text, passed, number, said in cases:
        shell.settings.write_text(text)
        proofs = proofs_of(shell, monkeypatch)
        assert [proof.passed for proof in proofs] == (passed or [False, True, True, True]), said
        assert said in proofs[number].sentence
    assert "No http hook is installed." in proofs[1].sentence
    shell.settings.write_text(fine)
    shell.daemon.home.config.write_text(shell.daemon.home.config.read_text() + '\n[scrub]\nallow = ["ghp_.*"]\n')
    shell.ok("restart")
    proofs = proofs_of(shell, monkeypatch)
    assert [proof.passed for proof in proofs] == [True, True, True, False]
    assert "secret" in proofs[3].sentence


@pytest.mark.requirement("OPS-12")
def test_up_does_not_prove_what_claude_code_will_not_run(settled: Shell) -> None:
    settled.settings.write_text('{"disableAllHooks": true}')
    done = settled.run("up", "--yes", "--client", str(settled.client))
    assert done.returncode == 1
    page = " ".join(done.stdout.split())
    off = f'{settled.settings} has "disableAllHooks": true, so Claude Code runs no hook at all.'
    assert f"The command hook failed: it works, but Claude Code does not run it. {off}" in page
    assert f"The http hook failed: it works, but Claude Code does not run it. {off}" in page
    assert f'fix: Remove "disableAllHooks" from {settled.settings}.' in page
    assert "1 of " in page
    document = json.loads(settled.run("up", "--yes", "--json", "--client", str(settled.client)).stdout)
    assert document["passed"] is False
    assert [check["name"] for check in document["checks"] if check["state"] == "fail"] == ["hooks on"]


@pytest.mark.requirement("OPS-12")
def test_without_a_client_no_http_hook_is_installed_and_none_is_proven(settled: Shell) -> None:
    settled.extra = {"PATH": "/usr/bin:/bin"}
    page = " ".join(settled.ok("up", "--yes").split())
    assert "Install holdfast's hooks, user scope, before Claude Code is installed" in page
    assert "2. ok No http hook is installed. The daemon's door for them answered in" in page
    assert "The http hook" not in page
    assert "note client No Claude Code was found (PATH)." in page


def test_the_self_test_does_not_count_as_the_client(running: Shell) -> None:
    status = {"running": True, "events": {selftest.EVENT: {"fired": 3}, "Stop": {"fired": 1}}}
    assert selftest.without(status)["events"] == {"Stop": {"fired": 1}}


def test_settings_that_changed_after_the_plan_are_not_touched(running: Shell) -> None:
    url, token = str(running.daemon.status()["url"]), running.daemon.token
    shown = make_plan(running, url, token)
    running.settings.parent.mkdir(exist_ok=True)
    running.settings.write_bytes(ORIGINAL)
    with pytest.raises(Refused, match="changed by someone else"):
        planning.carry_out([shown], [make_plan(running, url, token)])
    assert running.settings.read_bytes() == ORIGINAL


@pytest.mark.requirement("MCP-1")
def test_the_tools_are_registered_once_and_taken_out_again(settled: Shell) -> None:
    asked = settled.folder / "asked"
    settled.client.write_text(
        f'#!/bin/sh\necho "2.1.325 (Claude Code)"\n[ "$1" != mcp ] || echo "$@" >> "{asked}"\n[ "$1" != --init-only ]\n'
    )
    page = settled.up()
    program = settled.daemon.home.command
    assert f"claude mcp add --scope user holdfast -- {program} mcp" in page
    settled.up()
    assert asked.read_text() == f"mcp add --scope user holdfast -- {program} mcp\n"
    settled.ok("uninstall", "--yes")
    assert asked.read_text().splitlines()[1:] == ["mcp remove --scope user holdfast"]


@pytest.mark.requirement("MCP-1")
def test_a_client_that_does_not_register_them_is_said_with_the_way_by_hand(settled: Shell) -> None:
    settled.client.write_text(
        '#!/bin/sh\n[ "$1" = mcp ] && { echo "MCP server holdfast already exists in user config" >&2; exit 1; }\n'
        'echo "2.1.325 (Claude Code)"\n[ "$1" != --init-only ]\n'
    )
    page = settled.up()
    assert "! The tools were not registered with Claude Code: MCP server holdfast already exists" in page
    assert "By hand: claude mcp add --scope user holdfast" in page
    assert "Proven just now" in page
