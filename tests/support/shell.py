"""A person at a shell, in miniature: runs `holdfast` in a home of its own, with or without a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE

COMMAND = (sys.executable, "-m", "holdfast.doors.cli")


@dataclass
class Shell:
    """The commands of one test speak of one home, stand in one folder, and know one Claude Code."""

    daemon: DaemonHome
    folder: Path
    client: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return self.daemon.environment | {"TERM": "xterm", "COLUMNS": "300"} | self.extra

    @property
    def settings(self) -> Path:
        return Path(self.daemon.environment["CLAUDE_CONFIG_DIR"]) / "settings.json"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command, without a terminal."""
        return subprocess.run(
            [*COMMAND, *words],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def ok(self, *words: str) -> str:
        """One command that must succeed: what it printed."""
        done = self.run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.ok(*words, "--json"))

    def up(self, *words: str) -> str:
        return self.ok("up", "--yes", "--client", str(self.client), *words)

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """One command that goes on until it is interrupted."""
        return subprocess.Popen(
            [*COMMAND, *words],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def on_terminal(self, *words: str, typed: str = "") -> tuple[int, str]:
        """One command at a terminal, with these keys pressed: its exit code, and what the terminal showed."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, *words],
            env=self.environment,
            cwd=self.folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if select.select([ours], [], [], 0.1)[0]:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                if not part:
                    break
                shown += part
            elif process.poll() is not None:
                break
        os.close(ours)
        return process.wait(PATIENCE), shown.decode("utf-8", "replace")
