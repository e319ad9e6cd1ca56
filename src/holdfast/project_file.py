"""A project's own settings file, `.holdfast.toml` at its root: its name, and what it switches off.

A cloned repository is not trusted, so a project may switch things off and nothing on. The file is looked at before
every event, so a change counts at once (within 20 ms where many events come side by side); reading it is quick and
never fails, whatever it holds. Standard library only: the command client reads it too.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

PROJECT_FILE = ".holdfast.toml"
CAPTURE = "capture"
SIGN_OF_LIFE = "sign_of_life"
SWITCH = {"project": "off"}
"""Marks a setting (`Meta.extra`) that a project may switch off, and never on."""
_LARGEST = 64 * 1024
_MOST_DOTS = 16
"""In one line. The parser's time grows with the square of a key's parts, and its depth with them."""
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


NOTHING_SAID = ProjectFile()


def read(root: str) -> ProjectFile:
    """The file of this folder. One that cannot be read says nothing, unless it speaks of `capture`: then somebody
    meant to switch recording off, and it is off."""
    found = read_file(os.path.join(root, PROJECT_FILE))
    return found if found.changed_at else ProjectFile(changed_at=_changed_at(root))


def read_file(path: str | Path) -> ProjectFile:
    """What a settings file says of these. The user's own has the same names."""
    try:
        changed, data = contents(path)
    except (OSError, ValueError):
        return ProjectFile()
    return parsed(data, changed)


def contents(path: str | Path, *, is_link_refused: bool = False) -> tuple[int, bytes]:
    """When a plain file last changed, in microseconds, and the bytes of it that are read: one more than may be there.

    A pipe or a device in its place is not waited for (OSError); nor is a link followed where that is refused."""
    link = os.O_NOFOLLOW if is_link_refused else 0
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | link)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("it is no plain file")
        return found.st_ctime_ns // 1_000, file.read(_LARGEST + 1)


def toml_table(data: bytes) -> dict[str, Any]:
    """A TOML file of a stranger; ValueError when it is none, or is made to be slow to read."""
    if len(data) > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST} bytes")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > _MOST_DOTS and len(re.findall(rb"\.++", line)) > _MOST_DOTS:
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (RecursionError, MemoryError) as error:
        raise ValueError("it is nested too deeply") from error


def parsed(data: bytes, changed_at: int = 0) -> ProjectFile:
    try:
        table = toml_table(data)
    except ValueError:
        return ProjectFile(
            off=frozenset({CAPTURE}) if _SPEAKS_OF_CAPTURE.search(data) else frozenset(), changed_at=changed_at
        )
    off = {name for name, value in dotted(table) if value is False}
    if table.get(CAPTURE, True) is not True:
        off.add(CAPTURE)
    name = table.get("project")
    return ProjectFile(name if isinstance(name, str) else "", frozenset(off), changed_at)


def dotted(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a table and of those in it, by dotted names; not deeper than a setting's name is."""
    waiting: list[tuple[str, Mapping[str, Any]]] = [("", table)]
    while waiting:
        prefix, inner = waiting.pop()
        for name, value in inner.items():
            if not isinstance(value, dict):
                yield f"{prefix}{name}", value
            elif prefix.count(".") < _MOST_DOTS:
                waiting.append((f"{prefix}{name}.", value))


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_ctime_ns // 1_000
    except (OSError, ValueError):
        return 0


def _read_anyway(root: str) -> ProjectFile:
    """Guards are asked after this file was read: no file may keep them from being asked."""
    try:
        return read(root)
    except Exception:
        log.exception("%s in %s could not be read and is ignored", PROJECT_FILE, root)
        return ProjectFile()


class ProjectFiles:
    """The files of all projects, read again when they change."""

    def __init__(self, other_names: Mapping[str, str] | None = None) -> None:
        """`other_names` of settings, with the names that they mean: who switches one off, switches off both."""
        self._other_names = other_names or {}
        self._known: dict[str, tuple[tuple[int, int, int] | None, ProjectFile]] = {}
        self._looked: dict[str, float] = {}

    def looked_at(self, root: str) -> ProjectFile:
        """What `at` last found there. For one who asks again about the same event."""
        known = self._known.get(root)
        return known[1] if known else self.at(root)

    def at(self, root: str, fresh_for: float = 0.0) -> ProjectFile:
        """The file of this folder; not looked at if that was done within so many seconds."""
        if not root:
            return NOTHING_SAID
        if fresh_for and time.monotonic() - self._looked.get(root, -1.0) < fresh_for:
            return self.looked_at(root)
        if len(self._looked) >= _MOST_KNOWN:
            self._looked.clear()
        self._looked[root] = time.monotonic()
        try:
            found = os.stat(f"{root}/{PROJECT_FILE}")
        except (OSError, ValueError):
            state = None
        else:
            state = (found.st_ctime_ns, found.st_size, found.st_ino)
        known = self._known.get(root)
        if known is None or known[0] != state:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[root] = (state, self._meant(_read_anyway(root)) if state else NOTHING_SAID)
        return known[1]

    def _meant(self, file: ProjectFile) -> ProjectFile:
        return replace(file, off=file.off | {self._other_names[each] for each in file.off & self._other_names.keys()})
