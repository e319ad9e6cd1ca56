"""The worst command lines through a real daemon, while another session works: each is answered and asked about, and the
other session is never starved (WRK-15, SEC-7). How long it takes is for `bench.crowd` and `bench.guards.worst`."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest

from tests.support.daemon import DaemonHome

MEGABYTE = 1_000_000
BEHIND = "; rm -rf ~"
WORST = {
    "a megabyte of one word": "echo " + "x" * MEGABYTE + BEHIND,
    "a megabyte of words": "echo " + "x " * (MEGABYTE // 2) + BEHIND,
    "5,000 parts": "; ".join(f"echo {number}" for number in range(5_000)) + BEHIND,
    "5,000 removals": "; ".join(f"rm -rf d{number}" for number in range(5_000)) + BEHIND,
    "NULs": "echo a\0b; " * 2_000 + BEHIND,
    "a quotation without end": "echo '" + "a b " * 8_000 + BEHIND,
    "many quotations without end": "echo 'a \"b " * 2_500 + BEHIND,
    "nested": "$(" * 8_000 + BEHIND,
    "semicolons": ";" * 16_000 + BEHIND,
    "line breaks": "\n" * 16_000 + BEHIND,
    "names of a cluster": "kubectl delete " + "a " * 5_000 + BEHIND,
    "calls of git": "git checkout -- f; " * 700 + BEHIND,
    "shells in shells": "bash -c $(" * 35 + "rm a" + ")" * 35 + BEHIND,
    "evals in quotes": 'eval "eval $(' * 30 + BEHIND,
    "a value that is doubled inside of itself": 'alias a=b;echo "$(a=$a$a; ' * 12
    + "alias a=b;echo"
    + ')"' * 12
    + BEHIND,
    "statements of Python": "python3 <<'E'\n" + "x\n" * 19_000 + "import shutil; shutil.rmtree('/etc')\nE\n",
    "a program": "python3 <<'E'\n" + "import shutil; shutil.rmtree('/etc')\n" * 20_000 + "E\n",
    "a megabyte for a program": "node <<'E'\n" + "\n" * MEGABYTE + "require('fs').rmSync('/etc')\nE\n",
}


def called(session: str, command: str, number: int) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "transcript_path": "",
        "cwd": "/",
        "tool_name": "Bash",
        "tool_use_id": f"{session}-{number}",
        "tool_input": {"command": command},
    }


@pytest.mark.requirement("WRK-15", "SEC-7")
def test_the_worst_lines_are_asked_about_and_starve_nobody(home: DaemonHome) -> None:
    home.start()
    ended = threading.Event()
    quiet: list[int] = []
    between: list[int] = []

    def works() -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            quiet.append(home.post("PreToolUse", called("quiet", "rm -rf build/a", number))[0])

    other = threading.Thread(target=works)
    other.start()
    try:
        for number, (name, command) in enumerate(WORST.items()):
            before = len(quiet)
            status, answer = home.post("PreToolUse", called("loud", command, number))
            between.append(len(quiet) - before)
            assert status == 200, name
            decided = answer.get("hookSpecificOutput", {}).get("permissionDecision")
            assert decided in ("ask", "deny"), (name, str(answer)[:300])
    finally:
        ended.set()
        other.join()
    assert set(quiet) == {200}
    assert sum(between) >= len(WORST), between
