"""A chained command keeps each of its parts, with the verdict of each as far as anybody can tell."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture.tool_use import observe
from tests.support.table import each_of
from tests.unit.rooms.memory.made import ROOT, bash, failed, seen

RED = "Exit code 1\nFAILED tests/test_a.py::test_x\n1 failed, 41 passed in 1s"
REJECTED = "Exit code 1\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'origin'"


@pytest.mark.requirement("MEM-24")
@each_of(
    ("event", "title", "runs", "outcome"),
    [
        (
            bash("pytest -q && git commit -qm 'fix login'", "42 passed in 1s"),
            "Ran pytest: 42 passed; committed: fix login",
            [("test", "passed"), ("commit", "passed")],
            "passed",
        ),
        (
            failed(
                "Bash", {"command": "gh pr create --title 'Fix login' --body x"}, "Exit code 1\nGraphQL: No commits"
            ),
            None,
            [("push", "failed")],
            "failed",
        ),
        (
            bash("helm lint chart; helm upgrade --install api chart | tail", "0 failed\nError: UPGRADE FAILED: x"),
            "Ran helm lint chart; ran helm upgrade api chart: failed",
            [("lint", ""), ("deploy", "failed")],
            "failed",
        ),
        (
            failed(
                "Bash", {"command": "npm test && npm publish"}, "Exit code 1\nTests: 4 passed, 4 total\nnpm ERR! 403"
            ),
            "Ran npm test: 4 passed; ran npm publish",
            [("test", "passed"), ("deploy", "failed")],
            "failed",
        ),
        (
            failed(
                "Bash", {"command": "pytest -q && git tag v1 && ./publish v1"}, "Exit code 1\n3 passed in 1s\nrefused"
            ),
            "Ran pytest: 3 passed; ran publish",
            [("test", "passed"), ("deploy", "failed")],
            "failed",
        ),
        (
            failed("Bash", {"command": "pytest -q && ./submit train"}, "Exit code 1\n3 passed in 1s\nquota exceeded"),
            None,
            [("test", "passed")],
            "",
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
        (
            bash("git push; git status", "remote: GitLab: You are not allowed to push code to protected branches."),
            None,
            [("push", "failed")],
            "failed",
        ),
        (bash("git push", "remote: denied by policy\nerror: failed to push"), None, [("push", "failed")], "failed"),
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


@pytest.mark.requirement("MEM-24")
def test_the_failure_of_a_chain_belongs_to_the_part_that_failed_and_never_to_the_first_by_guess() -> None:
    for command, output, outcomes in (
        ("helm lint && git commit -qm x; ./rollout.sh eu", "locked by tom", ["", "", "failed"]),
        ("make lint && git commit -m x; ./rollout.sh eu", "[main 1234567] x\nlocked", ["passed", "passed", "failed"]),
        ("pytest -q; ./deploy.sh prod", "refused", ["", "failed"]),
        ("pytest -q && ./deploy.sh prod", "42 passed in 1s\nrefused", ["passed", "failed"]),
        ("pytest -q && ./deploy.sh prod", "refused", ["", "failed"]),
        ("make check && ./publish.sh", "token revoked", ["", "failed"]),
        ("npm run lint && npm test && git push", "error: failed to push some refs", ["passed", "passed", "failed"]),
        ("terraform validate && terraform apply", "Success! It is valid.\nError: quota", ["", "failed"]),
        ("cargo build && cargo test", "error: could not compile `x`", ["failed"]),
        ("helm lint && ./rollout.sh eu", "1 chart(s) linted, 0 chart(s) failed\nlocked", ["", "failed"]),
    ):
        ran = seen(failed("Bash", {"command": command}, f"Exit code 1\n{output}")).runs
        assert [run.outcome for run in ran] == outcomes, command
        assert not [run.title for run in ran if not run.outcome and "fail" in run.title]


@pytest.mark.requirement("MEM-17")
def test_a_run_that_failed_names_the_first_tests_that_did() -> None:
    many = "Exit code 1\n" + "".join(f"FAILED tests/test_a.py::test_{name} - x\n" for name in "abcd")
    draft = observe(failed("Bash", {"command": "pytest -q"}, f"{many}4 failed, 1 passed in 1s"), ROOT)
    assert draft is not None
    [run] = draft.runs
    assert run.title == "Ran pytest: 4 failed, 1 passed (test_a.py::test_a, test_a.py::test_b)"
    long = f"FAILED tests/{'x' * 200}.py::test_a\n1 failed in 1s"
    draft = observe(failed("Bash", {"command": "pytest -q"}, f"Exit code 1\n{long}"), ROOT)
    assert draft is not None
    assert len(draft.runs[0].title) < 140
