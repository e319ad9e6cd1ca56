"""A folder without git is a project, too: every way to ask the guards says what the daemon's hook says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import pytest

from holdfast.events.caller import Caller
from holdfast.ids import now_us
from holdfast.road.identity import whereabouts
from holdfast.rooms.guards import tools
from holdfast.rooms.guards.service import Guards, ToolCall
from tests.support.guarded import Sandbox, write
from tests.support.roads import run

T = TypeVar("T")
SAID = {"rm -rf data": "kept", "rm notes.txt": "kept", "rm -rf ../beside": "deny", "rm -rf .": "deny", "ls": "allow"}


class OnlyGuards:
    """The services of a caller: this one."""

    def __init__(self, guards: Guards) -> None:
        self._guards: Any = guards

    def get(self, kind: type[T]) -> T:
        assert kind is Guards
        return self._guards  # type: ignore[no-any-return]


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    for name in ("data/a.csv", "notes.txt", "../beside/b.csv"):
        write(made.root / name, "the only copy\n")
    return made


@pytest.mark.requirement("WRK-12", "WRK-15")
def test_guard_test_and_the_hook_say_the_same_in_a_folder_without_git(sandbox: Sandbox) -> None:
    caller = Caller(services=OnlyGuards(sandbox.guards), owner="me", now=now_us)
    folder = str(sandbox.root)

    def by_guard_test(command: str) -> str:
        told = run(tools.test(tools.Test(command, folder), caller))
        return "kept" if told.kept else told.decision

    def by_the_hook(command: str) -> str:
        call = ToolCall("Bash", {"command": command}, folder, whereabouts(folder).worktree)
        told = run(sandbox.guards.judge(call)).verdict
        return "kept" if told.kept else told.decision

    assert {command: by_guard_test(command) for command in SAID} == SAID
    assert {command: by_the_hook(command) for command in SAID} == SAID


@pytest.mark.requirement("WRK-12")
def test_the_project_of_a_folder_is_the_roads(sandbox: Sandbox) -> None:
    sandbox.bash(
        "mkdir -p repo/sub && cd repo && git init -q && git commit -q --allow-empty -m x && git worktree add -q ../tree"
    )
    os.symlink(sandbox.root / "repo", sandbox.root / "link")
    for name in (".", "data", "repo", "repo/sub", "tree", "link/sub", "nowhere"):
        folder = str(sandbox.root / name)
        assert sandbox.guards.root_of(folder) == whereabouts(folder).worktree, name
    assert sandbox.guards.root_of("/a\0b") == "/a\0b"
