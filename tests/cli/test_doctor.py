"""doctor at the command line: the exit code, the page, and the repairs."""

from __future__ import annotations

import json
import os
import time

import pytest

from holdfast.store import sqlite_url
from tests.support.locks import locked
from tests.support.shell import Shell


def states(shell: Shell, *words: str) -> tuple[int, dict[str, str], list[dict[str, object]]]:
    done = shell.run("doctor", "--client", str(shell.client), "--json", *words)
    document = json.loads(done.stdout)
    assert document["healthy"] is (done.returncode == 0)
    return done.returncode, {one["name"]: one["state"] for one in document["checks"]}, document["repairs"]


@pytest.mark.requirement("OPS-4")
def test_a_machine_without_holdfast_is_told_what_to_do(shell: Shell) -> None:
    done = shell.run("doctor", "--client", str(shell.client))
    assert done.returncode == 1
    assert "FAIL  daemon" in done.stdout
    assert "fix: Run `holdfast up`." in done.stdout


@pytest.mark.requirement("OPS-4")
def test_after_up_everything_is_well(shell: Shell) -> None:
    shell.up()
    code, found, _ = states(shell)
    assert (code, set(found.values())) == (0, {"ok"})
    assert "checks pass" in shell.ok("doctor", "--client", str(shell.client))


@pytest.mark.requirement("OPS-4")
def test_fix_repairs_modes_and_starts_the_daemon(shell: Shell) -> None:
    shell.up()
    shell.ok("stop")
    shell.daemon.home.token.chmod(0o644)
    code, found, _ = states(shell)
    assert code == 1
    assert (found["private files"], found["daemon"]) == ("fail", "fail")
    code, found, repairs = states(shell, "--fix")
    assert code == 0, found
    assert {"name": "daemon", "error": None} in repairs
    assert shell.daemon.home.token.stat().st_mode & 0o777 == 0o600
    assert shell.daemon.answers()


def test_fix_says_what_it_could_not_do(shell: Shell) -> None:
    shell.daemon.home.config.write_text("[daemon]\nport = 'high'\n")
    code, found, repairs = states(shell, "--fix")
    assert code == 1
    assert found["configuration"] == "fail"
    [error] = [one["error"] for one in repairs if one["name"] == "daemon"]
    assert "does not fit" in str(error)


def test_the_self_test_does_not_hide_silence(shell: Shell) -> None:
    """Claude Code ran after the install, and no event but the self-test's came."""
    shell.up()
    transcript = shell.settings.parent / "projects" / "p" / "session.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}")
    later = time.time() + 120
    os.utime(transcript, (later, later))
    assert states(shell)[1]["silence"] == "fail"


@pytest.mark.requirement("OPS-12")
def test_a_client_that_is_not_there_and_a_store_that_is_locked_are_named(running: Shell) -> None:
    named = running.run("doctor", "--client", "/nonexistent", "--json")
    told = {one["name"]: one for one in json.loads(named.stdout)["checks"]}
    assert (named.returncode, told["client"]["state"]) == (1, "fail")
    assert told["client"]["sentence"] == "There is no program /nonexistent."
    with locked(sqlite_url(running.daemon.home.database)):
        running.daemon.post("Notification", {"session_id": "s", "message": "it waits at most a second"})
        found = {one["name"]: one for one in json.loads(running.run("doctor", "--json").stdout)["checks"]}
        page = running.run("status").stdout
    assert found["store"]["state"] == "fail"
    assert "The store takes no events at present, so they wait in the spool:" in found["store"]["sentence"]
    assert "locked" in found["store"]["sentence"]
    assert "locked" in page
