"""A chained command keeps each of its parts, with the verdict of each as far as anybody can tell."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture.tool_use import observe
from tests.unit.rooms.memory.made import ROOT, bash, failed, seen

RED = "Exit code 1\nFAILED tests/test_a.py::test_x\n1 failed, 41 passed in 1s"
REJECTED = "Exit code 1\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'origin'"


@pytest.mark.requirement("MEM-24")
@pytest.mark.parametrize(
    ("event", "title", "runs", "outcome"),
    [
        (
            bash("pytest -q && git commit -qm 'fix login'", "42 passed in 1s"),
            "Ran pytest: 42 passed; committed: fix login",
            [("test", "passed"), ("commit", "passed")],
            "passed",
        ),
        (
            failed("Bash", {"command": "pytest -q && git commit -qm 'fix login'"}, RED),
            "Ran pytest: 1 failed, 41 passed",
            [("test", "failed")],
            "failed",
        ),
        (
            failed("Bash", {"command": "pytest -q && git push"}, f"Exit code 1\n42 passed in 1s\n{REJECTED}"),
            "Ran pytest: 42 passed; git push failed",
            [("test", "passed"), ("push", "failed")],
            "failed",
        ),
        (
            failed(
                "Bash", {"command": "git add -A && git commit -m done && git push"}, f"[main 1a2b3c4] done\n{REJECTED}"
            ),
            "Committed: done; git push failed",
            [("commit", "passed"), ("push", "failed")],
            "failed",
        ),
        (
            bash("ruff check . ; pytest -q | tail -1", "Found 2 errors.\n42 passed in 1s"),
            "Ran ruff check .: 2 errors; ran pytest: 42 passed",
            [("lint", "failed"), ("test", "passed")],
            "failed",
        ),
        (bash("git push 2>&1 | tail -2", REJECTED), None, [("push", "failed")], "failed"),
        (bash("git log --oneline -3", "abc fix"), None, [], ""),
        (failed("Bash", {"command": "ls missing/"}, "Exit code 2\nls: no such file"), None, [], "failed"),
        (failed("Bash", {"command": "node -e 'throw 1'"}, "Exit code 1\nError"), None, [], "failed"),
        (failed("Bash", {"command": "curl -f localhost:1/health"}, "Exit code 7\nrefused"), None, [], "failed"),
        (
            failed("Bash", {"command": "./deploy.sh prod"}, "Exit code 3\nno route"),
            None,
            [("deploy", "failed")],
            "failed",
        ),
    ],
)
def test_every_part_is_kept(event: object, title: str | None, runs: list[tuple[str, str]], outcome: str) -> None:
    draft = seen(event)  # type: ignore[arg-type]
    assert [(run.kind, run.outcome) for run in draft.runs] == runs
    assert draft.outcome == outcome
    if title:
        assert draft.title == title


@pytest.mark.requirement("MEM-16")
def test_what_did_nothing_or_never_ran_is_not_observed() -> None:
    assert observe(failed("Bash", {"command": "exit 1"}, "Exit code 1\n"), ROOT) is None
    assert observe(failed("Bash", {"command": "cd src"}, "Exit code 1\nno"), ROOT) is None
    refused = "Permission to use Bash with command pytest has been denied."
    assert observe(failed("Bash", {"command": "pytest"}, refused), ROOT) is None
    assert seen(bash("bash a.sh && bash b.sh")).title == "Ran 2 commands: a.sh, b.sh"
