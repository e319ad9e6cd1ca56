"""The daemon's log: rotated, owner-only, and scrubbed like everything else that is written."""

from __future__ import annotations

import logging
import logging.handlers
import os
from pathlib import Path
from typing import Protocol

_BYTES = 2 * 1024 * 1024
_FILES = 3


class _Scrubbed(Protocol):
    @property
    def text(self) -> str: ...


class _TextScrubber(Protocol):
    def text(self, text: str, /) -> _Scrubbed: ...


class _ScrubbingFormatter(logging.Formatter):
    def __init__(self, scrubber: _TextScrubber) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._scrubber = scrubber

    def format(self, record: logging.LogRecord) -> str:
        return self._scrubber.text(super().format(record)).text


class _PrivateHandler(logging.handlers.RotatingFileHandler):
    def _open(self):  # type: ignore[no-untyped-def]
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        os.fchmod(descriptor, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")


def open_log(folder: Path, level: str, scrubber: _TextScrubber) -> None:
    """Send everything that is logged to `daemon.log`."""
    handler = _PrivateHandler(folder / "daemon.log", maxBytes=_BYTES, backupCount=_FILES)
    handler.setFormatter(_ScrubbingFormatter(scrubber))
    # A log that cannot be written (a full disk) is no reason to fail, and stderr has no reader.
    logging.raiseExceptions = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("asyncio", "uvicorn", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
