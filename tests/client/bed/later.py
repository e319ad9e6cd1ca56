"""Clocks that can be set forward, for one client: what it does after an hour is tested in seconds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.patience import PATIENCE

_SOURCE = Path(__file__).with_name("later.c")


class Later:
    """`command` starts a program whose clocks `forward` sets."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            raise AssertionError("cc is not on PATH, so the client's clocks cannot be set: install a C compiler.")
        self._library = folder / "later.so"
        self._file = folder / "later"
        self._seconds = 0
        self.forward(0)
        command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(self._library), str(_SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)

    @property
    def command(self) -> tuple[str, ...]:
        """What stands before the program's own command."""
        return ("env", f"LD_PRELOAD={self._library}", f"LATER_FILE={self._file}")

    def forward(self, seconds: int) -> None:
        """All its clocks are that much ahead of where they were."""
        self._seconds += seconds
        self._file.write_text(str(self._seconds))
