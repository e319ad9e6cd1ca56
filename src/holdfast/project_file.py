"""A project's own settings file, `.holdfast.toml` at its root: its name, and what it switches off.

A cloned repository is not trusted, so a project may switch things off and nothing on. The file is looked at before
every event, so a change counts at once. Standard library only: the command client reads it too.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT_FILE = ".holdfast.toml"
CAPTURE = "capture"
SIGN_OF_LIFE = "sign_of_life"
SWITCH = {"project": "off"}
"""Marks a setting (`Meta.extra`) that a project may switch off, and never on."""
_LARGEST = 256 * 1024
_MOST_KNOWN = 4096
_SPEAKS_OF_CAPTURE = re.compile(rb"(?m)^[ \t\"']*capture[ \t\"']*=")


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """What a project says for itself."""

    name: str = ""
    off: frozenset[str] = frozenset()
    """Dotted names of the settings that it switches off, such as `memory.brief`."""
    changed_at: int = 0
    """When the file last changed, in microseconds; of a file that is not there: when its folder did."""

    @property
    def captures(self) -> bool:
        return CAPTURE not in self.off


def read(root: str) -> ProjectFile:
    """The file of this folder. One that cannot be read says nothing, unless it speaks of `capture`: then somebody
    meant to switch recording off, and it is off."""
    found = read_file(os.path.join(root, PROJECT_FILE))
    return found if found.changed_at else ProjectFile(changed_at=_changed_at(root))


def read_file(path: str | Path) -> ProjectFile:
    """What a settings file says of these. The user's own has the same names."""
    try:
        with open(path, "rb") as file:
            changed, data = os.fstat(file.fileno()).st_ctime_ns, file.read(_LARGEST)
    except (OSError, ValueError):
        return ProjectFile()
    return parsed(data, changed // 1_000)


def parsed(data: bytes, changed_at: int = 0) -> ProjectFile:
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        return ProjectFile(
            off=frozenset({CAPTURE}) if _SPEAKS_OF_CAPTURE.search(data) else frozenset(), changed_at=changed_at
        )
    off = {name for name, value in _flat(table) if value is False}
    if table.get(CAPTURE, True) is not True:
        off.add(CAPTURE)
    name = table.get("project")
    return ProjectFile(name if isinstance(name, str) else "", frozenset(off), changed_at)


def _flat(table: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in table.items():
        found += _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return found


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_ctime_ns // 1_000
    except (OSError, ValueError):
        return 0


class ProjectFiles:
    """The files of all projects, read again when they change."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int, int], ProjectFile]] = {}

    def at(self, root: str) -> ProjectFile:
        if not root:
            return ProjectFile()
        try:
            found = os.stat(os.path.join(root, PROJECT_FILE))
        except (OSError, ValueError):
            self._known.pop(root, None)
            return ProjectFile()
        state = (found.st_ctime_ns, found.st_size, found.st_ino)
        known = self._known.get(root)
        if known is None or known[0] != state:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[root] = (state, read(root))
        return known[1]
