"""Opens the files that tell what a command runs: tasks of the project, statements, scripts that a conversation wrote.

A committed script is the project's own business, and what it does by its variables cannot be told. What the agent wrote
itself a moment ago are its own words, in another place.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from holdfast.commandline.reading.files import FileKind, ReadsFile

_LARGEST = 128 * 1024
_MOST = 12
"""Files of one line that are read."""


def opener(cwd: str, is_own: Callable[[str], bool]) -> ReadsFile:
    """Reads files below `cwd` or by their full path. `is_own` tells whether this conversation made a file."""
    left = _MOST

    def read(kind: FileKind, path: str) -> str | None:
        nonlocal left
        full = os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))
        if left <= 0 or (kind == "script" and not is_own(os.path.realpath(full))):
            return None
        left -= 1
        return _text(full)

    return read


def _text(path: str) -> str | None:
    """The text of a regular file of a bounded size; None when there is none."""
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            told = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        return None
    return told.decode("utf-8", "replace") if len(told) <= _LARGEST else None
