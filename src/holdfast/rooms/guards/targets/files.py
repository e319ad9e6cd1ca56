"""Opens the files that tell what a command runs: tasks of the project, statements, scripts that a conversation wrote.

A committed script is the project's own business, and what it does by its variables cannot be told. What the agent wrote
itself a moment ago are its own words, in another place. Of a committed script that it changed, these are the lines
which the last commit has not.
"""

from __future__ import annotations

import os
import re
import stat
import textwrap
import time
from collections.abc import Callable

from holdfast.commandline.reading.files import FileKind, ReadsFile
from holdfast.rooms.guards.targets.ledger import Wrote, real
from holdfast.undo.git import Git, Unknown

_LARGEST = 128 * 1024
_MOST = 12
"""Files of one line that are read."""
_GIT_SECONDS = 0.15
_STRUCTURED = re.compile(r"(?i)(?:\.(?:json[5c]?|ya?ml|toml)|(?:gnu)?makefile|\.?justfile|rakefile)\Z")
"""Files of which some lines say nothing without the others: who asks for one picks what it needs."""


def opener(cwd: str, wrote: Callable[[str], Wrote]) -> ReadsFile:
    """Reads files below `cwd` or by their full path. `wrote` tells what this conversation did to a file."""
    left = _MOST

    def read(kind: FileKind, path: str) -> str | None:
        nonlocal left
        full = named(cwd, path)
        how = wrote(real(full)) if kind == "script" else "made"
        if left <= 0 or not how:
            return None
        left -= 1
        text = _text(full)
        whole = how == "made" or _STRUCTURED.search(full) is not None
        return text if whole or text is None else _changed_part(text, real(full))

    return read


def named(cwd: str, path: str) -> str:
    """The full path of a file that a line names."""
    return os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))


def _changed_part(text: str, path: str) -> str:
    """The lines of a file that the last commit has not, behind the line that says who reads it. All of it where git
    shows no change: it has no commit of the file, or the change is committed already."""
    try:
        added = Git(os.path.dirname(path), time.monotonic() + _GIT_SECONDS).added_lines(path)
    except Unknown:
        added = ""
    first, sign, _ = text.partition("\n") if text.startswith("#!") else ("", "", "")
    return f"{first}{sign}{textwrap.dedent(added)}" if added else text


def _text(path: str) -> str | None:
    """The text of a regular file of a bounded size; None when there is none."""
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            told = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        return None
    if len(told) > _LARGEST or b"\0" in told[:_HEAD]:
        return None  # too much to be read in time, or no text
    return told.decode("utf-8", "replace")


_HEAD = 4096
