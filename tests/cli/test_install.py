"""install, uninstall and --purge at the command line."""

from __future__ import annotations

import json

import pytest

from holdfast.doors.cli.table import read_rooms
from holdfast.doors.cli.verbs.uninstall import contents
from tests.support.shell import Shell


def test_install_puts_hooks_in_and_uninstall_takes_them_out(shell: Shell) -> None:
    assert shell.run("install", "--client", str(shell.client)).returncode == 4
    assert not shell.settings.exists()
    document = shell.json("install", "--yes", "--client", str(shell.client))
    assert document["changed"] is True
    assert shell.settings.exists()
    assert shell.daemon.answers(), "the hooks name a port and a token, so there must be a daemon"
    assert shell.json("install", "--client", str(shell.client))["changed"] is False
    assert shell.run("uninstall").returncode == 4
    assert shell.settings.exists()
    assert "The daemon still runs" in shell.ok("uninstall", "--yes")
    assert not shell.settings.exists()
    assert shell.json("uninstall") == {
        "changed": False,
        "plan": shell.json("uninstall")["plan"],
        "receipt": None,
        "purged": [],
    }


def test_a_broken_settings_file_is_refused_and_kept(shell: Shell) -> None:
    shell.settings.parent.mkdir()
    shell.settings.write_text("{ not json")
    done = shell.run("install", "--yes", "--client", str(shell.client))
    assert done.returncode == 4
    assert "is not valid JSON" in done.stderr
    assert shell.settings.read_text() == "{ not json"


@pytest.mark.requirement("OPS-4")
def test_purge_removes_what_is_ours_and_nothing_else(shell: Shell) -> None:
    shell.up()
    root = shell.daemon.home.root
    (root / "my-notes.txt").write_text("not holdfast's")
    assert shell.run("uninstall", "--purge").returncode == 4
    assert shell.daemon.answers()
    page = shell.ok("uninstall", "--purge", "--yes")
    assert "receipt:" not in page
    assert "my-notes.txt" in page
    assert sorted(path.name for path in root.iterdir()) == ["my-notes.txt"]
    assert not shell.settings.exists()


def test_purge_removes_the_home_itself_when_it_is_all_ours(shell: Shell) -> None:
    shell.extra = {"CLAUDE_CONFIG_DIR": str(shell.folder / "claude")}
    shell.up()
    purged = shell.json("uninstall", "--purge", "--yes")["purged"]
    assert {"config.toml", "token", "holdfast.db", "daemon.lock"} <= set(purged)
    assert not shell.daemon.home.root.exists()
    assert shell.json("stop")["stopped"] is False


def test_purge_is_refused_while_something_cannot_be_undone(shell: Shell) -> None:
    shell.up()
    shell.settings.write_text("{ not json any more")
    done = shell.run("uninstall", "--purge", "--yes", "--json")
    assert done.returncode == 4
    assert "was not removed" in json.loads(done.stderr)["error"]
    assert shell.daemon.home.manifest.exists()


def test_purge_names_a_store_that_is_elsewhere(shell: Shell) -> None:
    shell.extra = {"HOLDFAST_STORE": f"sqlite://{shell.folder / 'elsewhere.db'}"}
    shell.up()
    assert "elsewhere.db, which is not in the home" in shell.ok("uninstall", "--purge", "--yes")
    assert (shell.folder / "elsewhere.db").exists()


def test_everything_the_daemon_makes_is_known_to_purge(shell: Shell) -> None:
    shell.up()
    shell.ok("backup")
    shell.ok("pause", "--for", "1m")
    shell.client.write_text("#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
    shell.ok("plugin", "--install", "--client", str(shell.client))
    (shell.daemon.home.root / "guards").mkdir(exist_ok=True)
    known = {path.name for path in contents(shell.daemon.home, read_rooms()["rooms"])}
    assert {path.name for path in shell.daemon.home.root.iterdir()} - known == {"claude", ".local"}, (
        "the link on PATH goes with its folders"
    )


@pytest.mark.requirement("OPS-2", "OPS-7")
def test_the_status_line_goes_with_uninstall(shell: Shell) -> None:
    """Also where no hook of ours is in the settings, and where the manifest is lost."""
    theirs = '{"statusLine": {"type": "command", "command": "echo hi"}}'
    for before, is_lost in ((None, False), ('{ "model":"x" }', False), (theirs, True)):
        shell.settings.parent.mkdir(exist_ok=True)
        if before is not None:
            shell.settings.write_text(before)
        shell.ok("statusline", "--on")
        assert "statusline.py" in shell.settings.read_text()
        if is_lost:
            shell.daemon.home.manifest.unlink()
        shell.ok("uninstall", "--yes")
        assert (shell.settings.read_text() if shell.settings.exists() else None) == before


@pytest.mark.requirement("SEC-8")
def test_an_agent_cannot_switch_off_what_protects_a_person_s_work(shell: Shell) -> None:
    shell.ok("start")
    shell.extra["CLAUDECODE"] = "1"
    for words in (("uninstall", "--yes"), ("stop",), ("pause",), ("resume",)):
        done = shell.run(*words)
        assert done.returncode == 4
        assert f"Only a person may {words[0]}" in done.stderr
        assert shell.daemon.answers()
