"""Guards under the real client: what ran, what did not, what the model read, what the person saw."""

from __future__ import annotations

import subprocess

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.support.daemon import DaemonHome


@pytest.fixture
def held(claude: Claude, home: DaemonHome) -> DaemonHome:
    home.start()
    install(claude, home)
    return home


NOWHERE = "/usr/share/holdfast-test-of-a-folder-that-is-not-there"
"""Part of the system to a guard; if a test fails, nothing is lost."""


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "work"})


@pytest.mark.requirement("WRK-6", "WRK-7")
def test_a_denied_command_does_not_run_and_the_model_reads_why(claude: Claude, api: Api, held: DaemonHome) -> None:
    use = bash(f"touch ran && rm -rf {NOWHERE}")
    api.script(use, Say("I will not do that."))
    claude.run("Clean up.")
    assert not (claude.project / "ran").exists()
    told = api.result(use)
    assert told.is_error
    assert "files.delete" in told.text
    assert "part of the system" in told.text
    assert "allow-once" not in told.text, "the code is for the person alone"
    refused = held.request("POST", "/api/tools/guard_refusals", b"{}")[1]
    assert [each["decision"] for each in refused] == ["deny"]


@pytest.mark.requirement("WRK-7")
def test_a_command_that_is_watched_is_judged_as_any_other(claude: Claude, api: Api, held: DaemonHome) -> None:
    load = Use("ToolSearch", {"query": "select:Monitor", "max_results": 1})
    use = Use("Monitor", {"command": f"touch ran && rm -rf {NOWHERE}", "description": "watch", "timeout_ms": 5_000})
    api.script(load, use, Say("I will not do that."))
    claude.run("Watch it.")
    assert not (claude.project / "ran").exists()
    told = api.result(use)
    assert told.is_error
    assert "files.delete" in told.text


@pytest.mark.requirement("WRK-7")
def test_documentation_that_mentions_a_command_passes(claude: Claude, api: Api, held: DaemonHome) -> None:
    use = bash("cat > NOTES.md <<'EOF'\nNever run rm -rf ~ or git reset --hard.\nEOF")
    api.script(use, Say("Done."))
    claude.run("Write it down.")
    assert "rm -rf ~" in (claude.project / "NOTES.md").read_text()
    assert not api.result(use).is_error


@pytest.mark.requirement("WRK-13")
def test_a_discard_runs_after_its_bytes_are_kept_and_undo_brings_them_back(
    claude: Claude, api: Api, held: DaemonHome
) -> None:
    only = claude.project / "draft.txt"
    only.write_text("the only copy\n")
    use = bash("rm draft.txt")
    api.script(use, Say("Removed."))
    claude.run("Remove the draft.")
    assert not only.exists()
    assert api.reached("holdfast undo")
    done = held.request("POST", "/api/tools/undo", b"{}")[1]
    assert done["restored"] == [str(only)]
    assert only.read_text() == "the only copy\n"


@pytest.mark.requirement("WRK-13")
def test_a_worktree_that_the_client_discards_comes_back(claude: Claude, api: Api, held: DaemonHome) -> None:
    load = Use("ToolSearch", {"query": "select:EnterWorktree,ExitWorktree", "max_results": 2})
    enter, write = Use("EnterWorktree", {"name": "try"}), bash("echo 'the only copy' > draft.txt")
    leave = Use("ExitWorktree", {"action": "remove", "discard_changes": True})
    api.script(load, enter, write, leave, Say("Discarded."))
    claude.run("Try it in a worktree, then discard that.")
    only = claude.project / ".claude" / "worktrees" / "try" / "draft.txt"
    assert not api.result(leave).is_error, api.result(leave).text
    assert not only.parent.exists()
    assert api.reached("holdfast undo")
    done = held.request("POST", "/api/tools/undo", b"{}")[1]
    assert str(only) in done["restored"]
    assert only.read_text() == "the only copy\n"
    branch = subprocess.run(
        ("git", "branch", "--show-current"), cwd=only.parent, check=True, capture_output=True, text=True
    ).stdout
    assert branch == "worktree-try\n"


@pytest.mark.requirement("WRK-6")
def test_a_dry_run_lets_everything_pass_and_records_it(claude: Claude, api: Api, home: DaemonHome) -> None:
    home.home.config.write_text('[guards]\nmode = "dry-run"\n')
    home.start()
    install(claude, home)
    use = bash(f"touch ran && rm -rf {NOWHERE}")
    api.script(use, Say("Done."))
    claude.run("Remove it.")
    assert (claude.project / "ran").exists()
    refused = home.request("POST", "/api/tools/guard_refusals", b"{}")[1]
    assert [each["decision"] for each in refused] == ["dry-run: deny"]


@pytest.mark.requirement("WRK-7")
def test_a_question_shows_its_reason_in_the_terminal(claude: Claude, api: Api, held: DaemonHome, tui: Tui) -> None:
    subprocess.run(("git", "branch", "side"), cwd=claude.project, check=True, capture_output=True)
    use = bash("git push --force origin main")
    api.script(use, Say("Understood."))
    tui.start()
    tui.submit("Push it.")
    screen = tui.wait_for("git.push-force")
    assert "force-with-lease" in screen
    tui.key("Escape")
    tui.wait_idle()


@pytest.mark.requirement("WRK-7", "WRK-12")
def test_a_session_removes_what_it_made_and_cannot_allow_itself(claude: Claude, api: Api, held: DaemonHome) -> None:
    outside = claude.project.parent / "made-outside"
    make, remove = bash(f"mkdir {outside} && touch {outside}/x"), bash(f"rm -rf {outside}")
    allow = bash("holdfast guard allow-once 3fa9c21b K7Q2MX")
    api.script(make, remove, allow, Say("Done."))
    claude.run("Make it, remove it, allow it.")
    assert not outside.exists()
    assert not api.result(remove).is_error
    assert not api.reached("holdfast undo"), "its own files need no undo"
    assert "only a person" in api.result(allow).text.lower()


@pytest.mark.requirement("WRK-15")
def test_by_the_command_option_guards_hold_while_no_daemon_runs(claude: Claude, api: Api, held: DaemonHome) -> None:
    install(claude, held, guard_command=True)
    held.stop()
    failed = held.home.logs / "last-error"
    failed.write_text("a start has failed a moment ago, so none is tried now")
    denied, passed = bash(f"touch ran && rm -rf {NOWHERE}"), bash("touch other")
    api.script(denied, passed, Say("Done."))
    claude.run("Clean up.")
    assert not (claude.project / "ran").exists()
    assert "part of the system" in api.result(denied).text
    assert (claude.project / "other").exists()


@pytest.mark.requirement("WRK-7")
def test_a_question_that_the_client_would_answer_itself_is_a_refusal(
    claude: Claude, api: Api, home: DaemonHome
) -> None:
    """In `bypassPermissions` the client's own question about such paths hid ours, and the call ran (2.1.325)."""
    home.start(HOME=str(claude.home))
    install(claude, home)
    startup = claude.home / ".bashrc"
    write = Use("Write", {"file_path": str(startup), "content": "exit"})
    beside = bash("git push --force origin main; mkdir .vscode")
    settings = bash(f"echo '{{}}' > {claude.config}/settings.json")
    api.script(write, beside, settings, Say("Understood."))
    claude.run("Do it.", mode="bypassPermissions")
    assert not startup.exists()
    assert not (claude.project / ".vscode").exists()
    assert "hooks" in (claude.config / "settings.json").read_text(), "an agent does not take its own hooks away"
    for use, rule in ((write, "files.startup"), (beside, "git.push-force"), (settings, "files.client-settings")):
        assert api.result(use).is_error
        assert rule in api.result(use).text


@pytest.mark.requirement("WRK-7", "WRK-12")
def test_a_script_that_the_agent_writes_and_runs_is_refused(claude: Claude, api: Api, home: DaemonHome) -> None:
    home.start(HOME=str(claude.home))
    install(claude, home)
    precious = claude.home / "Documents" / "thesis.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("the only copy\n")
    text = '#!/bin/sh\ntouch ran\nrm -rf "$HOME/Documents"\n'
    make = Use("Write", {"file_path": str(claude.project / "x.sh"), "content": text})
    mode, runs, reads = bash("chmod +x x.sh"), bash("./x.sh"), bash("cat x.sh")
    api.script(make, mode, runs, reads, Say("Understood."))
    claude.run("Write it and run it.", mode="bypassPermissions")
    assert api.result(runs).is_error
    assert "files.delete" in api.result(runs).text
    assert (claude.project / "x.sh").read_text() == text
    assert not (claude.project / "ran").exists()
    assert precious.read_text() == "the only copy\n"
    assert not api.result(reads).is_error
