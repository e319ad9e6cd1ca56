"""A merge into the branch that others start from is known by its command; anything unsure is none."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture.merges import merged
from holdfast.rooms.memory.model import Draft
from tests.support.table import each_of


def _merged(command: str, branch: str = "main", outcome: str = "", excerpt: str = "") -> str:
    draft = Draft(
        "command", "Bash", "Ran it", "failed" if outcome else "", "tool", (), command=command, excerpt=excerpt
    )
    return merged(draft, branch)


@pytest.mark.requirement("MEM-23")
@each_of(
    ("command", "name"),
    [
        ("git merge feat/x", "feat/x"),
        ("git checkout main && git merge --no-ff feat/x -m 'Bring in x'", "feat/x"),
        ("git switch main && git merge origin/feat/x && git push", "feat/x"),
        ("git -C /p merge hotfix && git branch -d hotfix", "hotfix"),
        ("git merge --ff-only hotfix && make test", "hotfix"),
        ("git fetch; git merge hotfix", "hotfix"),
        ("git merge --squash feat/x", ""),
        ("git merge --abort", ""),
        ("git merge --continue", ""),
        ("git merge feat/x; git checkout feat/x", ""),
        ("git merge feat/x || true", ""),
        ("git merge feat/x | tail -3", ""),
        ("git merge feat/x && git checkout feat/y", ""),
        ("git merge a b", ""),
        ("git merge master", ""),
        ("git merge HEAD", ""),
        ("git merge 'feat", ""),
        ("git merge-base main feat/x", ""),
        ("echo git merge feat/x", ""),
    ],
)
def test_only_a_sure_merge_counts(command: str, name: str) -> None:
    assert _merged(command) == name


@pytest.mark.requirement("MEM-23")
def test_what_failed_and_what_goes_into_another_branch_moves_no_work() -> None:
    assert _merged("git merge feat/x", "feat/y") == ""
    assert _merged("git merge feat/x", "") == ""
    assert _merged("git merge feat/x", outcome="failed") == ""
    assert _merged("git merge feat/x", excerpt="CONFLICT (content): a.py") == ""
    assert _merged("git merge feat/x", "develop") == "feat/x"


@pytest.mark.requirement("SEC-7")
def test_a_long_command_is_read_in_part() -> None:
    assert _merged("git merge x && " * 100_000) == ""
