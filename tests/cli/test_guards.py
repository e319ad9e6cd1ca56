"""guard test with tables, undo, and the hook by which guards hold although the daemon was away."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from holdfast.store import sqlite_url
from tests.support.daemon import until
from tests.support.locks import locked
from tests.support.shell import Shell

DENIED = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "transcript_path": "",
    "cwd": "/usr",
    "tool_name": "Bash",
    "tool_use_id": "u1",
    "tool_input": {"command": "rm -rf /usr/share/holdfast-test-of-a-folder-that-is-not-there"},
}


@pytest.mark.requirement("WRK-6")
def test_a_table_is_counted_and_what_differs_is_named(shell: Shell, tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("ls\tallow\nrm -rf ~\tdeny\ngit push --force\task\n# a remark\nbash <<'E'\\nrm -rf /\\nE\tdeny\n")
    shell.up()
    assert "4 of 4 as expected" in shell.ok("guard", "test", "--file", str(table))
    table.write_text('{"command": "ls", "expect": "deny"}\n{"command": "rm -rf ~", "expect": "allow"}\n')
    done = shell.run("guard", "test", "--file", str(table), "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["right"], told["caught"], told["refused"]) == (0, 0, 1)
    assert [each["line"] for each in told["mismatches"]] == [1, 2]
    one = shell.json("guard", "test", "echo a; rm -rf ~")
    assert (one["decision"], one["rule"], one["kept"], one["parts"]) == (
        "deny", "files.delete", False, ["echo a", "rm -rf ~"]
    )  # fmt: skip
    made = shell.json("guard", "test", "createdb app && dropdb app")
    assert (made["decision"], [(each["name"], each["rule"]) for each in made["excuses"]]) == (
        "allow", [("made-by-line", "database.destroy")]
    )  # fmt: skip
    assert "made-by-line" in shell.ok("guard", "test", "createdb app && dropdb app")
    (shell.folder / "here" / "drafts").mkdir(parents=True)
    subprocess.run(("git", "init", "-q", str(shell.folder / "here")), check=True)
    (shell.folder / "here" / "drafts" / "one.txt").write_text("not committed")
    beside = shell.json("guard", "test", "rm -rf drafts", "--cwd", "here")
    assert beside["kept"], "a folder that is named from where the caller stands"
    assert shell.run("guard", "test").returncode == 2
    assert "Nothing is kept" in shell.ok("undo", "--list")
    assert "on" in shell.ok("status")


@pytest.mark.requirement("WRK-15")
def test_a_guard_by_command_holds_although_the_daemon_was_away(shell: Shell) -> None:
    shell.json("install", "--yes", "--guard-command", "--client", str(shell.client))
    settings = json.loads(shell.settings.read_text())
    (group,) = settings["hooks"]["PreToolUse"]
    assert group["hooks"][0]["type"] == "command"
    assert settings["hooks"]["PostToolUse"][0]["hooks"][0]["type"] == "http"
    assert shell.json("install", "--client", str(shell.client))["changed"] is False, "the choice is remembered"
    shell.daemon.stop()
    done = subprocess.run(
        ("sh", "-c", group["hooks"][0]["command"]), input=json.dumps(DENIED), capture_output=True, text=True,
        env=shell.daemon.environment, timeout=60, check=False,
    )  # fmt: skip
    assert '"permissionDecision":"deny"' in done.stdout, done


@pytest.mark.requirement("WRK-15", "WRK-13")
def test_while_no_daemon_can_start_the_command_judges_by_itself_and_the_daemon_takes_it_down_later(
    shell: Shell,
) -> None:
    shell.json("install", "--yes", "--guard-command", "--client", str(shell.client))
    hook = json.loads(shell.settings.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    shell.daemon.stop()
    failed = shell.daemon.home.logs / "last-error"
    failed.parent.mkdir(parents=True, exist_ok=True)
    failed.write_text("a start has failed a moment ago, so none is tried now")
    project = shell.folder / "here"
    (project / "drafts").mkdir(parents=True)
    subprocess.run(("git", "init", "-q", str(project)), check=True)
    (project / "drafts" / "one.txt").write_text("not committed")

    def said(use: str, command: str) -> str:
        event = DENIED | {"cwd": str(project), "tool_use_id": use, "tool_input": {"command": command}}
        done = subprocess.run(
            ("sh", "-c", hook), input=json.dumps(event), capture_output=True, text=True,
            env=shell.daemon.environment, timeout=60, check=False,
        )  # fmt: skip
        assert done.stderr == "", done
        return done.stdout

    assert said("a1", "ls -la") == "{}"
    assert '"permissionDecision":"deny"' in said("a2", "rm -rf ~")
    kept = said("a3", "rm -rf drafts")
    assert "holdfast undo" in kept
    assert "permissionDecision" not in kept
    failed.unlink()
    shell.up()
    until(lambda: "rm -rf ~" in shell.ok("guard", "refusals"), "the spooled events are taken in")
    refusals = shell.json("guard", "refusals")
    assert {row["decision"] for row in refusals if row["command"] == "rm -rf ~"} == {"deny"}, "it was not unguarded"
    (project / "drafts" / "one.txt").unlink()
    shell.ok("undo")
    assert (project / "drafts" / "one.txt").read_text() == "not committed"


@pytest.mark.requirement("WRK-15", "EVT-14")
def test_a_decision_comes_while_the_store_is_locked(shell: Shell) -> None:
    shell.up()
    with locked(sqlite_url(shell.daemon.home.database)):
        for number in range(20):
            answer = shell.daemon.post("PreToolUse", DENIED | {"tool_use_id": f"t{number}"})[1]
            assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
            assert "allow-once" in answer["systemMessage"]
