"""Which code this is: one short name for the bytes of the installed package.

Two builds of one version have different names, so `up`, `restart`, `status` and `doctor` know when the daemon runs
other code than what is installed (a `git pull` does not change the version). Standard library only.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

PACKAGE = Path(__file__).parent
_SUFFIXES = (".py", ".sql", ".toml", ".json")


def identity(package: Path = PACKAGE) -> str:
    """Seven hexadecimal digits of the package's content; nothing else of the machine goes in."""
    whole = hashlib.sha256()
    for path in _files(package):
        whole.update(path[len(str(package)) :].encode())
        try:
            with open(path, "rb") as file:
                whole.update(hashlib.sha256(file.read()).digest())
        except OSError:
            continue
    return whole.hexdigest()[:7]


def stamp(package: Path = PACKAGE) -> int:
    """Changes when a file of the package is written, added or removed; much cheaper than `identity`."""
    parts = []
    for path in _files(package):
        try:
            facts = os.stat(path)
            parts.append((path, facts.st_size, facts.st_mtime_ns))
        except OSError:
            continue
    return hash(tuple(parts))


class Running:
    """The code that a process has loaded, and whether another one is installed by now."""

    LOOK_SECONDS = 5.0
    """Looking takes some milliseconds, so it is not done for every request."""
    CHANGED = "changed"
    """The name of a build whose files changed before anybody asked for it."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package
        self._stamp = stamp(package)
        self._build = ""
        self._looked = time.monotonic()
        self._is_outdated = False

    @property
    def build(self) -> str:
        """`identity` of what was loaded. It reads every file, so the daemon asks for it when it has started."""
        if not self._build:
            name = identity(self._package)
            self._build = self.CHANGED if self.is_outdated(at_once=True) else name
        return self._build

    @property
    def must_look(self) -> bool:
        """Is what is known too old?"""
        return not self._is_outdated and time.monotonic() - self._looked > self.LOOK_SECONDS

    def is_outdated(self, at_once: bool = False) -> bool:
        """Did a file of the package change since this process started?"""
        if (at_once and not self._is_outdated) or self.must_look:
            self._is_outdated = stamp(self._package) != self._stamp
            self._looked = time.monotonic()
        return self._is_outdated


def _files(package: Path) -> list[str]:
    found: list[str] = []
    folders = [str(package)]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    folders.append(entry.path)
            elif entry.name.endswith(_SUFFIXES):
                found.append(entry.path)
    return sorted(found)
