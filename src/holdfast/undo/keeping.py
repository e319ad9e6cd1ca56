"""Takes the bytes of files into a folder of `undo/`, before a command runs.

For a delete a hard link is enough (unlinking leaves the bytes), where the disk allows it and the file has no other
name; what is written over is copied. Sockets and pipes hold no bytes and are passed over.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterable
from pathlib import Path

from holdfast.undo.model import KeptFile, NotKept

MOST_FILES = 20_000
_BLOCK = 4 * 1024 * 1024


class Taking:
    """Takes files one after the other, within bytes and time."""

    def __init__(self, into: Path, *, left: int, until: float) -> None:
        self.files: list[KeptFile] = []
        self.size = 0
        self._into = into
        self._left = left
        self._until = until

    def take(self, paths: Iterable[str], *, copy: bool) -> None:
        """Take these paths, and all that is below them."""
        waiting = [path for path in reversed(outermost(paths)) if os.path.lexists(path)]
        while waiting:
            path = waiting.pop()
            if len(self.files) >= MOST_FILES:
                raise NotKept(f"there are more than {MOST_FILES} files")
            if time.monotonic() > self._until:
                raise NotKept("it would take too long")
            info = os.lstat(path)
            mode, modified = stat.S_IMODE(info.st_mode), info.st_mtime_ns
            if stat.S_ISDIR(info.st_mode):
                self.files.append(KeptFile(path, "folder", mode, modified))
                with os.scandir(path) as found:
                    waiting += [entry.path for entry in found]
            elif stat.S_ISLNK(info.st_mode):
                self.files.append(KeptFile(path, "link", mode, modified, os.readlink(path)))
            elif stat.S_ISREG(info.st_mode):
                name = f"{len(self.files):05}"
                self._count(info.st_size)
                if copy or info.st_nlink > 1 or not _linked(path, self._into / name):
                    self._copy(path, self._into / name)
                self.files.append(KeptFile(path, "file", mode, modified, name))
            elif stat.S_ISBLK(info.st_mode) or stat.S_ISCHR(info.st_mode):
                raise NotKept(f"{path} is a device")

    def take_index(self, path: str) -> None:
        """Take git's index. The blobs it names stay in the repository for two weeks at least."""
        self._count(os.path.getsize(path))
        self._copy(path, self._into / "index")

    def _count(self, size: int) -> None:
        self.size += size
        if self.size > self._left:
            raise NotKept("there is no room left for it; `holdfast undo --list` shows what is kept")

    def _copy(self, path: str, target: Path) -> None:
        with open(path, "rb") as source, open(target, "xb", opener=private) as copy:
            while block := source.read(_BLOCK):
                copy.write(block)
                if time.monotonic() > self._until:
                    raise NotKept("it would take too long")


def holds(path: Path, text: str) -> bool:
    """Are these words in the file, in small or capital letters? A file that cannot be read is taken to hold them."""
    wanted = text.lower().encode("utf-8", "surrogateescape")
    before = b""
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                if wanted in (before + block).lower():
                    return True
                before = block[-len(wanted) :]
    except OSError:
        return True
    return False


def _linked(path: str, target: Path) -> bool:
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:
        return False  # another file system, one without links, or a file of another user
    return True


def private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def outermost(paths: Iterable[str]) -> list[str]:
    """Each path once, and none that lies below another."""
    found: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths}, key=lambda each: each.split("/")):
        if not found or not path.startswith(f"{found[-1].rstrip('/')}/"):
            found.append(path)
    return found


def make_folder(folder: Path) -> None:
    """An empty folder for one kept thing, the owner's alone."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.chmod(folder.parent, 0o700)
    folder.mkdir(mode=0o700)
    (folder / "files").mkdir(mode=0o700)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
