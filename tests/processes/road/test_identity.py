"""Which project a folder belongs to, against repositories that real git made."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from holdfast import project_file
from holdfast.gitfiles import branch_of, head_of
from holdfast.road import identity
from holdfast.road.identity import NOWHERE, Atlas, Whereabouts, whereabouts
from tests.support.patience import PATIENCE

FIXED = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "protocol.file.allow=always"]
    environment = {"PATH": os.environ["PATH"], **FIXED}
    subprocess.run(["git", *settings, *words], cwd=folder, env=environment, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "src" / "deep").mkdir(parents=True)
    (root / "src" / "deep" / "a.txt").write_text("a")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    return root


def expected(repository: Path, worktree: Path | None = None) -> Whereabouts:
    return Whereabouts(str(repository / ".git"), "shop", str(worktree or repository))


def test_a_repository_and_its_subfolders_are_one_project(repository: Path) -> None:
    for folder in (repository, repository / "src", repository / "src" / "deep", repository / ".git" / "hooks"):
        assert whereabouts(str(folder)) == expected(repository)


def test_a_worktree_is_the_same_project_elsewhere(repository: Path, tmp_path: Path) -> None:
    other = tmp_path.resolve() / "other place"
    git(repository, "worktree", "add", "-q", "--detach", str(other))
    assert whereabouts(str(other)) == expected(repository, other)
    assert whereabouts(str(other / "src" / "deep")) == expected(repository, other)
    inside = repository / ".claude" / "worktrees" / "w"
    git(repository, "worktree", "add", "-q", "--detach", str(inside))
    assert whereabouts(str(inside / "src")) == expected(repository, inside)


def test_a_submodule_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    library = tmp_path.resolve() / "library"
    library.mkdir()
    git(library, "init", "-q", "-b", "main")
    git(library, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "submodule", "add", "-q", str(library), "vendor/lib")
    inside = repository / "vendor" / "lib"
    assert whereabouts(str(inside)) == Whereabouts(str(repository / ".git/modules/vendor/lib"), "lib", str(inside))
    assert whereabouts(str(repository)) == expected(repository)


def test_a_bare_repository_and_its_worktrees_are_one_project(repository: Path, tmp_path: Path) -> None:
    bare, tree = tmp_path.resolve() / "shop.git", tmp_path.resolve() / "tree"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "-q", str(tree), "main")
    assert whereabouts(str(bare)) == Whereabouts(str(bare), "shop", str(bare))
    assert whereabouts(str(bare / "hooks")) == Whereabouts(str(bare), "shop", str(bare))
    assert whereabouts(str(tree)) == Whereabouts(str(bare), "shop", str(tree))


def test_a_git_directory_elsewhere(tmp_path: Path) -> None:
    root, apart = tmp_path.resolve() / "work", tmp_path.resolve() / "apart"
    root.mkdir()
    git(root, "init", "-q", f"--separate-git-dir={apart}")
    assert whereabouts(str(root)) == Whereabouts(str(apart), "apart", str(root))


def test_a_folder_outside_git_is_its_own_project(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "notes"
    folder.mkdir()
    assert whereabouts(str(folder)) == Whereabouts(str(folder), "notes", str(folder))
    assert whereabouts("/") == Whereabouts("/", "/", "/")


def test_a_path_through_a_link_is_the_place_it_leads_to(repository: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(repository / "src")
    assert whereabouts(str(link / "deep")) == expected(repository)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / ".git").symlink_to(repository / ".git")
    assert whereabouts(str(linked)).place == expected(repository).place


def test_a_folder_that_was_deleted_still_belongs_to_its_repository(repository: Path) -> None:
    shutil.rmtree(repository / "src" / "deep")
    assert whereabouts(str(repository / "src" / "deep")) == expected(repository)


def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "odd"
    folder.mkdir()
    (folder / ".git").write_bytes(b"\xff not a gitdir line")
    assert whereabouts(str(folder)).place == str(folder)


def test_the_name_in_the_projects_own_settings_wins(repository: Path, tmp_path: Path) -> None:
    (repository / ".holdfast.toml").write_text('project = "the-shop"\n')
    other = tmp_path.resolve() / "other"
    shutil.copytree(repository, other)

    def named(root: str) -> str:
        return project_file.read(root).name

    for root in (repository, other):
        found = whereabouts(str(root / "src"), named)
        assert found == Whereabouts("project:the-shop", "the-shop", str(root))
    (other / ".holdfast.toml").write_text("project = [broken")
    assert whereabouts(str(other), named).place == str(other / ".git")


def test_an_event_without_a_folder_is_nowhere() -> None:
    assert Atlas(lambda root: "").find("") is NOWHERE


@pytest.mark.requirement("MEM-14")
def test_what_is_no_path_is_the_name_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not a folder below wherever the daemon runs."""
    (tmp_path / "website").mkdir()
    monkeypatch.chdir(tmp_path)
    assert whereabouts("website") == Whereabouts("website", "website", "website")


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize("cwd", ["a\0b", "/" + "x" * 5000, "/" + "d/" * 4000])
def test_a_path_that_no_system_has_is_a_place_all_the_same(cwd: str) -> None:
    found = Atlas(lambda root: project_file.read(root).name).find(cwd)
    assert found.place
    assert found.worktree


def test_a_folder_is_looked_up_again_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("holdfast.road.identity.time.monotonic", lambda: now)
    atlas = Atlas(lambda root: "")
    folder = tmp_path.resolve()
    assert atlas.find(str(folder)).place == str(folder)
    git(folder, "init", "-q")
    assert atlas.find(str(folder)).place == str(folder)
    now += 31
    assert atlas.find(str(folder)).place == str(folder / ".git")


def test_the_memory_of_folders_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "_MOST_FOLDERS", 10)
    atlas = Atlas(lambda root: "")
    for number in range(35):
        atlas.find(f"/nowhere/{number}")
    assert len(atlas._known) <= 10


@pytest.mark.requirement("CTX-4")
def test_a_pipe_among_the_files_of_git_stops_nobody(repository: Path) -> None:
    git_dir = repository / ".git"
    told: list[object] = []

    def ask() -> None:
        told.append((head_of(str(repository)), branch_of(str(repository))))

    for name in ("packed-refs", "HEAD"):
        (git_dir / name).unlink(missing_ok=True)
        (git_dir / "refs" / "heads" / "main").unlink(missing_ok=True)
        os.mkfifo(git_dir / name)
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(PATIENCE)
    assert told == [("", "main"), ("", "")]
