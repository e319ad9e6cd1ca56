"""Reading git's own files, and how the client spells a worktree."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.gitfiles import Heads, head_of
from holdfast.rooms.memory.capture.worktree import root_of


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=Dev", "-c", "user.email=dev@example.invalid", "-c", "init.defaultBranch=main"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *identity, *words], cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "--quiet")
    return root


@pytest.mark.requirement("MEM-4")
def test_the_commit_is_read_from_loose_and_packed_refs_and_a_detached_head(repository: Path) -> None:
    assert head_of(str(repository)) == ""
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "one")
    now = git(repository, "rev-parse", "HEAD")
    assert head_of(str(repository)) == now
    git(repository, "pack-refs", "--all")
    assert head_of(str(repository)) == now
    git(repository, "checkout", "--quiet", "--detach")
    assert head_of(str(repository)) == now
    assert Heads().at(str(repository)) == now[:12]


@pytest.mark.requirement("MEM-4")
def test_a_second_worktree_has_its_own_commit(repository: Path, tmp_path: Path) -> None:
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "one")
    other = tmp_path / "w"
    git(repository, "worktree", "add", "--quiet", "-b", "side", str(other))
    git(other, "commit", "--quiet", "--allow-empty", "-m", "two")
    assert head_of(str(other)) == git(other, "rev-parse", "HEAD") != head_of(str(repository))


@pytest.mark.requirement("MEM-23")
def test_a_checkout_and_a_commit_are_seen_at_once(repository: Path, tmp_path: Path) -> None:
    heads = Heads()
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "one")
    for number in range(6):
        git(repository, "checkout", "--quiet", "-b", f"topic/{number}")
        assert heads.branch_at(str(repository)) == f"topic/{number}"
        git(repository, "commit", "--quiet", "--allow-empty", "-m", f"{number}")
        assert heads.at(str(repository)) == git(repository, "rev-parse", "HEAD")[:12]
        assert heads.branch_at(str(repository)) == f"topic/{number}"
    git(repository, "pack-refs", "--all")
    git(repository, "checkout", "--quiet", "main")
    assert (heads.branch_at(str(repository)), heads.at(str(repository))) == ("main", head_of(str(repository))[:12])
    assert (heads.branch_at(str(tmp_path)), heads.at(str(tmp_path))) == ("", "")
    git(tmp_path, "init", "--quiet")
    assert heads.branch_at(str(tmp_path)) == "main"


def test_outside_git_there_is_none(tmp_path: Path) -> None:
    assert head_of(str(tmp_path)) == ""
    (tmp_path / ".git").write_text("nonsense")
    assert head_of(str(tmp_path)) == ""


def test_the_root_is_spelled_as_the_client_does(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "sub").mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(real)
    assert root_of(str(real / "sub"), str(real)) == str(real)
    assert root_of(str(link / "sub"), str(real)) == str(link)
    assert root_of(str(link), str(real)) == str(link)
    assert root_of("", str(real)) == str(real)
