"""The daemon's log: rotated, owner-only, and scrubbed like everything else that is written."""

from __future__ import annotations

import logging
import logging.handlers
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TextIO

from holdfast.paths import open_private

_BYTES = 2 * 1024 * 1024
_FILES = 3
_STACKS_BYTES = 256 * 1024
_LINES_A_MINUTE = 30
_MINUTE = 60.0


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
        descriptor = open_private(Path(self.baseFilename), os.O_WRONLY | os.O_APPEND)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")


class Sparing(logging.Filter):
    """Lets a few lines per minute pass, then logs how many it dropped: strangers must not fill the log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._since = clock()
        self._told = self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            return True
        if self._clock() - self._since >= _MINUTE:
            if self._left_out:
                record.msg = f"{record.getMessage()} ({self._left_out} more like it were not logged)"
                record.args = ()
            self._since, self._told, self._left_out = self._clock(), 0, 0
        self._told += 1
        self._left_out += self._told > _LINES_A_MINUTE
        return self._told <= _LINES_A_MINUTE


_OF_STRANGERS = ("holdfast.strangers", "uvicorn.error")
"""The loggers of requests without a token."""


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
    for name in _OF_STRANGERS:
        logging.getLogger(name).filters[:] = [Sparing()]


def open_stacks(folder: Path) -> TextIO:
    """The file to which a hung worker writes the stacks of its threads."""
    file = folder / "hung.log"
    try:
        is_long = file.stat().st_size > _STACKS_BYTES
    except OSError:
        is_long = False
    flags = os.O_WRONLY | os.O_APPEND | (os.O_TRUNC if is_long else 0)
    return os.fdopen(open_private(file, flags), "a", encoding="utf-8")


def forget_lines(folder: Path, matches: Callable[[str], bool], *, preview: bool = False) -> int:
    """Replace the lines that match, in the log, its older parts and the reports; how many there were. `preview` only
    counts them."""
    gone = 0
    handlers = [handler for handler in logging.getLogger().handlers if isinstance(handler, _PrivateHandler)]
    for handler in handlers:
        handler.acquire()  # nothing is logged meanwhile
    try:
        for path in sorted(folder.glob("*")):
            gone += _forget_lines(path, matches, preview) if path.is_file() and not path.is_symlink() else 0
    finally:
        for handler in handlers:
            handler.release()
    return gone


def _forget_lines(path: Path, matches: Callable[[str], bool], preview: bool) -> int:
    text = path.read_text("utf-8", "backslashreplace")
    lines = text.splitlines(keepends=True)
    kept = ["[forgotten]\n" if matches(line) else line for line in lines]
    gone = sum(old is not new for old, new in zip(lines, kept, strict=True))
    if gone and not preview:
        # In place, because the log is open; what is shorter now is cut off.
        with path.open("r+", encoding="utf-8") as file:
            file.write("".join(kept))
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
    return gone
