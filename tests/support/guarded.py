"""A project with work of every kind, a guard beside it, and a snapshot of all bytes: for tests of guards and undo."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, cast

from holdfast.ids import ConversationId, now_us
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.service import Guards, Judged, ToolCall
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.room import Ground
from tests.support.patience import PATIENCE
from tests.support.roads import run

C1 = ConversationId("c1")
Snapshot = dict[str, tuple[str, int, bytes]]


class Sandbox:
    """A repository below a temporary folder, with HOME in it. Nothing outside is ever touched."""

    def __init__(self, folder: Path, settings: Settings | None = None, *, root: Path | None = None) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.root = root or folder / "home" / "code" / "project"
        self.home.mkdir(parents=True)
        self.root.mkdir(parents=True)
        self.guards = guards_in(folder / "holdfast" / "guards", settings or Settings())
        self._number = 0

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "n",
            "GIT_AUTHOR_EMAIL": "e@example.org",
            "GIT_COMMITTER_NAME": "n",
            "GIT_COMMITTER_EMAIL": "e@example.org",
            "LC_ALL": "C",
        }

    def bash(self, command: str, *, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run it, really."""
        here = (cwd or self.root).resolve()
        assert here.is_relative_to(self.folder.resolve()) or here.is_relative_to("/dev/shm")
        return subprocess.run(
            ("bash", "-c", command), cwd=here, env=self.environment(), capture_output=True, check=False, timeout=60
        )

    def call(self, command: str, *, cwd: Path | None = None, use: str = "") -> ToolCall:
        return ToolCall("Bash", {"command": command}, str(cwd or self.root), str(self.root), C1, use)

    def judge(self, command: str, *, keep: bool = False, cwd: Path | None = None) -> Judged:
        self._number += 1
        return self._decided(self.call(command, cwd=cwd), f"{self._number:08}" if keep else "")

    def _decided(self, call: ToolCall, keep_as: str) -> Judged:
        """By the hook's own road (`hooks.guard`): the first look, the reading, then the facts."""
        if self.guards.is_passed(call.tool, call.arguments, call.root, call.conversation):
            return Judged(Verdict())
        return run(self.guards.judge(call, keep_as=keep_as, now=now_us(), known=self.guards.look(call)))

    def does(self, command: str, *, cwd: Path | None = None) -> str:
        """What a session does: it is judged, it runs unless it is refused, and the ledger learns what came of it."""
        self._number += 1
        use = f"use{self._number}"
        judged = self._decided(self.call(command, cwd=cwd), f"{self._number:08}")
        if judged.verdict.decision in ("allow", "warn"):
            self.guards.ledger.expect(C1, use, judged.plan)
            self.bash(command, cwd=cwd)
            self.guards.ledger.settle(C1, use)
        return "kept" if judged.kept else judged.verdict.decision

    def snapshot(self) -> Snapshot:
        """Every file, link and folder of the project, with mode and bytes; of git, what its commands say."""
        found: Snapshot = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if name == ".git" or name.startswith(".git/"):
                continue
            if path.is_symlink():
                found[name] = ("link", 0, os.readlink(path).encode())
            elif path.is_dir():
                found[name] = ("folder", path.stat().st_mode, b"")
            else:
                found[name] = ("file", path.stat().st_mode, path.read_bytes())
        if (self.root / ".git").exists():
            asked = ("rev-parse HEAD", "symbolic-ref HEAD", "stash list --format=%H", "for-each-ref refs/heads", "tag",
                     "diff --cached")  # fmt: skip
            told = self.bash("; echo ==next==; ".join(f"git {each}" for each in asked)).stdout.split(b"==next==")
            found |= {f"git {each}": ("git", 0, said) for each, said in zip(asked, told, strict=True)}
        return found

    def furnish(self) -> None:
        """Files in every state: committed, changed, staged, unknown, ignored; links, modes, empty folders, a stash."""
        write(self.root / "src" / "app.py", "first\n")
        write(self.root / "src" / "same.md", "from src\n")
        write(self.root / ".gitignore", "local.cfg\nbuild/\n")
        self._git("init", "-q", "-b", "main")
        self._git("add", "-A")
        self._git("commit", "-qm", "first")
        self._git("branch", "side")
        write(self.root / "src" / "app.py", "second\n")
        write(self.root / "src" / "more.py", "more\n")
        self._git("add", "-A")
        self._git("commit", "-qm", "second")
        self._git("tag", "v1")
        self._git("checkout", "-qb", "lonely")
        self._git("commit", "-q", "--allow-empty", "-m", "only here")
        self._git("checkout", "-q", "main")
        write(self.root / "src" / "more.py", "stashed\n")
        self._git("stash", "-q")
        write(self.root / "src" / "app.py", "changed and not committed\n")
        write(self.root / "src" / "more.py", "staged\n")
        self._git("add", "src/more.py")
        write(self.root / "draft.txt", "draft\n")
        write(self.root / "notes" / "plan.md", "plan\n")
        write(self.root / "notes" / "ideas.md", "ideas\n")
        write(self.root / "notes" / "same.md", "from notes\n")
        write(self.root / "notes" / "deeper" / "x.md", "x\n")
        (self.root / "notes" / "deeper").chmod(0o750)
        write(self.root / "with space" / "ä b.txt", "odd\n")
        write(self.root / "local.cfg", "ignored, and the only copy\n")
        write(self.root / "run.sh", "#!/bin/sh\n").chmod(0o755)
        (self.root / "link.txt").symlink_to("draft.txt")
        (self.root / "empty").mkdir()

    def _git(self, *words: str) -> None:
        subprocess.run(("git", *words), cwd=self.root, env=self.environment(), check=True, capture_output=True)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def guards_in(folder: Path, settings: Settings) -> Guards:
    """The service alone: judging needs no store."""
    nothing: Any = None
    ground = Ground(
        store=nothing,
        owner="me",
        now=now_us,
        clean=cast(Any, lambda value: value),
        locate=lambda path: (path, path),
        jobs=nothing,
        items=nothing,
        folder=folder,
        chosen=nothing,
    )
    guards = Guards(ground, settings)
    guards.patience = PATIENCE  # nothing is asserted about time on a busy machine
    return guards
