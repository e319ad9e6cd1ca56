"""Files that a tool is told to write: the path means what it means elsewhere, however it is spelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.rooms.guards.service import ToolCall
from holdfast.rooms.guards.settings import Settings
from tests.support.guarded import guards_in
from tests.support.roads import run

WRITTEN = {
    "~/.ssh/authorized_keys": "deny",
    "$HOME/.ssh/authorized_keys": "deny",
    "${HOME}/.aws/credentials": "deny",
    "file://HOME/.ssh/authorized_keys": "deny",
    "file://localhostHOME/.ba%73hrc": "ask",
    "HOME/.BASHRC": "ask",
    "HOME/.Ssh/Authorized_Keys": "deny",
    ".GIT/config": "ask",
    ".Git/Hooks/pre-commit": "ask",
    ".Claude/Settings.json": "ask",
    "~/.claude/hooks/x.sh": "ask",
    ".claude/hooks/before.py": "ask",
    "/usr/local/bin/ls": "ask",
    "/usr/bin/env": "ask",
    "/lib/x86_64/libc.so": "ask",
    "/proc/sys/kernel/core_pattern": "ask",
    "/dev/sda": "deny",
    "/dev/mem": "deny",
    "/etc/passwd": "deny",
    "HOLDFAST/config.toml": "deny",
    "HOLDFAST_IN_CAPITALS/config.toml": "deny",
    "/dev/null": "allow",
    "/dev/shm/state.json": "allow",
    "/usr/src/app/index.js": "allow",
    "src/app.py": "allow",
    "./.github/workflows/test.yml": "allow",
    "~/notes.md": "allow",
    "$HOME.md": "allow",
    "file.md": "allow",
    ".claude/commands/review.md": "allow",
    "a\0b/.bashrc": "allow",
    "": "allow",
}


@pytest.mark.requirement("WRK-7", "WRK-12")
def test_a_path_means_what_it_means_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, root = tmp_path / "home", tmp_path / "home" / "project"
    root.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    guards = guards_in(tmp_path / "own" / "guards", Settings())

    def said(path: str, tool: str, name: str) -> str:
        path = path.replace("HOLDFAST_IN_CAPITALS", str(tmp_path / "OWN")).replace("HOLDFAST", str(tmp_path / "own"))
        path = path if "$HOME" in path or "${HOME" in path else path.replace("HOME", str(home))
        call = ToolCall(tool, {name: path}, str(root), str(root))
        return run(guards.judge(call)).verdict.decision

    for tool, name in (("Write", "file_path"), ("Edit", "file_path"), ("NotebookEdit", "notebook_path")):
        assert {path: said(path, tool, name) for path in WRITTEN} == WRITTEN, tool
    assert {path: said(path, "mcp__fs__write_file", "path") for path in WRITTEN} == WRITTEN
