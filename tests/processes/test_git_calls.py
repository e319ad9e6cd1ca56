"""A stranger's repository names programs in its configuration. Whatever asks git about it, none of them runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from holdfast.git_calls import without_filters
from holdfast.install.files import open_to_git, tracked_by_git
from holdfast.rooms.commits.git import GitFailed
from holdfast.rooms.commits.git import GitHistory as CommitsGit
from holdfast.source.listing import NotListed, git_files, is_ignored
from holdfast.undo.git import Git, Unknown
from tests.processes.road.test_identity import FIXED, git


def hostile(root: Path, evil: Path) -> None:
    """A partial clone without its .gitignore, which git would fetch by running a program; and a filter."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.py").write_text("a = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    before = set((root / ".git/objects").glob("??/*"))
    (root / ".gitignore").write_text("built\n")
    git(root, "add", ".gitignore")
    (blob,) = set((root / ".git/objects").glob("??/*")) - before
    (root / ".gitattributes").write_text("*.py filter=evil.one\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    git(root, "update-index", "--skip-worktree", ".gitignore")
    blob.unlink()
    (root / ".gitignore").unlink()
    for key, value in (
        ("remote.origin.url", f"ext::{evil}"), ("remote.origin.promisor", "true"), ("protocol.ext.allow", "always"),
        ("extensions.partialClone", "origin"), ("core.repositoryformatversion", "1"), ("core.fsmonitor", str(evil)),
        ("filter.evil.one.clean", str(evil)), ("filter.evil.one.process", str(evil)),
        ("filter.evil.one.required", "true"), ("log.showSignature", "true"), ("gpg.program", str(evil)),
    ):  # fmt: skip
        git(root, "config", key, value)
    (root / "new.py").write_text("")  # whether git ignores it is asked of .gitignore
    (root / "a.py").write_text("a = 2\n")


@pytest.mark.requirement("CTX-4", "WRK-12")
def test_nothing_that_a_repository_names_runs_whoever_asks_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran, evil, root = tmp_path / "ran", tmp_path / "evil", tmp_path / "shop"
    evil.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat 2>/dev/null\n")
    evil.chmod(0o755)
    hostile(root, evil)
    ran.unlink(missing_ok=True)
    for name in ("GIT_DIR", "GIT_WORK_TREE"):  # as in a daemon that a git hook started
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    file, here = root / "a.py", Git(str(root))
    asked: dict[str, Callable[[], object]] = {
        "list": lambda: git_files(str(root)),
        "is_ignored": lambda: is_ignored(str(root), ["b.py"]),
        "changed": here.changed,
        "unsaved": lambda: here.unsaved([str(file)]),
        "committed": lambda: here.committed([str(file)]),
        "ignored": lambda: here.ignored(["b.py"]),
        "stashes": here.stashes,
        "commits": lambda: CommitsGit(str(root)).commits(CommitsGit(str(root)).newest(9), "lines"),
        "tracked": lambda: tracked_by_git(file, os.environ),
        "open": lambda: open_to_git(root / "b.py", os.environ),
    }
    culprits = []
    for name, ask in asked.items():
        with suppress(Unknown, GitFailed, NotListed):
            ask()
        if ran.exists():
            culprits.append(name)
            ran.unlink()
    assert not culprits, "these ran a program of the repository"
    assert here.changed() == ["a.py"], "changes are seen without the filter"
    assert tracked_by_git(file, os.environ | FIXED), "the file of this repository, not of GIT_DIR"


def test_filters_are_switched_off_by_name() -> None:
    assert without_filters([]) == ()
    off = without_filters(["filter.a.b.clean", "filter.a.b.process", "filter.clean"])
    assert off is not None
    assert set(off[1::2]) == {f"filter.a.b.{each}" for each in ("clean=", "smudge=", "process=", "required=false")}
    assert without_filters(["filter.a=b.clean"]) is None, "an option cannot say this name"
