"""Keeps the index files open that are in use, and lets one thread at a time read them.

No lock is taken on the event loop: a question that takes long would hold up every hook.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from holdfast.source.index_file import IndexFile

T = TypeVar("T")
_MOST_OPEN = 16


class OpenFiles:
    """The open index files. Every method may wait, and is called in a thread of its own."""

    def __init__(self) -> None:
        self._open: dict[Path, tuple[tuple[int, int], IndexFile]] = {}
        self._reading = threading.Lock()

    def ask(self, file: Path, work: Callable[[IndexFile], T]) -> T:
        """Ask an index. Raises FileNotFoundError when there is none; a file that cannot be read is closed."""
        with self._reading:
            try:
                return work(self._opened(file))
            except Exception:
                self._close(file)
                raise

    def close(self, file: Path) -> None:
        with self._reading:
            self._close(file)

    def close_all(self) -> None:
        with self._reading:
            for file in list(self._open):
                self._close(file)

    def _opened(self, file: Path) -> IndexFile:
        found = os.stat(file)
        mark = (found.st_dev, found.st_ino)
        known = self._open.get(file)
        if known is None or known[0] != mark:
            self._close(file)
            if len(self._open) >= _MOST_OPEN:
                for other in list(self._open):
                    self._close(other)
            known = self._open[file] = (mark, IndexFile(file))
        return known[1]

    def _close(self, file: Path) -> None:
        known = self._open.pop(file, None)
        if known is not None:
            known[1].close()
