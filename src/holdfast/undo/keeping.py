"""Takes the bytes of files into a folder of `undo/`, before a command runs.

What is written over is copied, and so are a few small files, and all that another part of the line may write into
before it is removed. Of many or large ones that are only removed a hard link is enough (unlinking leaves the bytes),
where the disk allows it and the file has no other name. A socket holds no bytes and is passed over.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterable
from pathlib import Path

from holdfast.undo.model import KeptFile, NotKept

MOST_FILES = 20_000
_BLOCK = 1024 * 1024
_ZEROS = bytes(_BLOCK)
_ROUNDED = 4096
"""A file system gives whole blocks: each file takes one at least."""
_OWN_BLOCKS = 4 * _ROUNDED
"""For the folders of one undo copy and its `kept.json`, before the files."""
_FEW, _SMALL = 1_000, 8 * 1024 * 1024
"""So many files, and bytes in all, are copied even where a link would do."""
_MOST_PARENTS = 40
_CLONE = 0x40049409
"""FICLONE: a copy that shares its blocks until one of both is written. Btrfs, XFS and some others can."""


class Taking:
    """Looks at the files first, then takes them one after the other, within time."""

    def __init__(self, into: Path, *, until: float) -> None:
        self.files: list[KeptFile] = []
        self.size = _OWN_BLOCKS
        self._into = into
        self._until = until
        self._found: list[tuple[str, os.stat_result]] = []
        self._parents: list[tuple[str, os.stat_result]] = []

    def look(self, paths: Iterable[str], *, beside: Iterable[str] = (), index: str = "", config: str = "") -> None:
        """Find these paths and all that is below them, and count what they take. Of those `beside` them only the
        folders around are looked at."""
        outer = [path for path in outermost(paths) if os.path.lexists(path)]
        seen: set[str] = set()
        for path in (*outer, *beside):
            self._around(path, seen)
        waiting = outer[::-1]
        while waiting:
            path = waiting.pop()
            if len(self._found) >= MOST_FILES:
                raise NotKept(f"there are more than {MOST_FILES} files")
            self._in_time()
            info = os.lstat(path)
            self._found.append((path, info))
            self.size += 300  # its line in kept.json
            if stat.S_ISDIR(info.st_mode):
                with os.scandir(path) as found:
                    waiting += [entry.path for entry in found]
            elif stat.S_ISREG(info.st_mode):
                self.size += _on_disk(info)
            elif stat.S_ISBLK(info.st_mode) or stat.S_ISCHR(info.st_mode):
                raise NotKept(f"{path} is a device")
        for extra in (index, config):
            if extra and os.path.exists(extra):
                self.size += _on_disk(os.stat(extra))

    def _around(self, path: str, seen: set[str]) -> None:
        """Folders that a command may remove together with what is in them: up to the project, or a few."""
        for _ in range(_MOST_PARENTS):
            if os.path.lexists(os.path.join(path, ".git")) or path == os.path.dirname(path):
                return
            path = os.path.dirname(path)
            if path in seen:
                return
            seen.add(path)
            info = os.lstat(path)
            if stat.S_ISDIR(info.st_mode):
                self._parents.append((path, info))

    def take(self, *, copy: bool, index: str = "", config: str = "") -> None:
        """Take all that was found."""
        files = [info for _, info in self._found if stat.S_ISREG(info.st_mode)]
        copy = copy or (len(files) <= _FEW and sum(info.st_size for info in files) <= _SMALL)
        self.files += [
            KeptFile(path, "parent", stat.S_IMODE(info.st_mode), info.st_mtime_ns) for path, info in self._parents
        ]
        for path, info in self._found:
            self._in_time()
            mode, modified = stat.S_IMODE(info.st_mode), info.st_mtime_ns
            if stat.S_ISDIR(info.st_mode):
                self.files.append(KeptFile(path, "folder", mode, modified, attributes=self._attributes(path)))
            elif stat.S_ISFIFO(info.st_mode):
                self.files.append(KeptFile(path, "pipe", mode, modified))
            elif stat.S_ISLNK(info.st_mode):
                self.files.append(KeptFile(path, "link", mode, modified, os.readlink(path)))
            elif stat.S_ISREG(info.st_mode):
                name = f"{len(self.files):05}"
                if copy or info.st_nlink > 1 or not _linked(path, self._into / name):
                    self._copy(path, self._into / name)
                same = f"{name}.same" if info.st_nlink > 1 and _linked(path, self._into / f"{name}.same") else ""
                self.files.append(KeptFile(path, "file", mode, modified, name, same, self._attributes(path)))
        for extra, name in ((index, "index"), (config, "config")):
            if extra and os.path.exists(extra):
                self._copy(extra, self._into / name)
                # By its time git tells which files may have changed after it looked at them.
                info = os.stat(extra)
                os.utime(self._into / name, ns=(info.st_atime_ns, info.st_mtime_ns))

    def _attributes(self, path: str) -> dict[str, str]:
        found: dict[str, str] = {}
        if sys.platform == "linux":  # Python reaches extended attributes on Linux only
            try:
                names = os.listxattr(path, follow_symlinks=False)
            except OSError:  # this file system has none
                return {}
            found = {name: b64encode(os.getxattr(path, name, follow_symlinks=False)).decode() for name in names}
            self.size += sum(map(len, found.values()))
        return found

    def check(self) -> None:
        """Is everything that was found in the store now, and as it still is? Raises NotKept."""
        kept = {each.path: each for each in self.files}
        for path, info in self._found:
            if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode) or stat.S_ISLNK(info.st_mode)):
                continue
            now = os.lstat(path)
            changed = (now.st_ino, now.st_size, now.st_mtime_ns) != (info.st_ino, info.st_size, info.st_mtime_ns)
            if changed and not stat.S_ISDIR(info.st_mode):
                raise NotKept(f"{path} changed meanwhile")
            each = kept.get(path)
            if each is None or (each.kind == "file" and os.path.getsize(self._into / each.at) != info.st_size):
                raise NotKept(f"{path} could not be kept whole")

    def _in_time(self) -> None:
        if time.monotonic() > self._until:
            raise NotKept("it would take too long")

    def _copy(self, path: str, target: Path) -> None:
        copied(path, target, self._in_time)


def copied(path: str | Path, target: str | Path, at_each: Callable[[], None] = lambda: None) -> None:
    """A new file with the same bytes, the owner's alone. Holes stay holes; `at_each` is called at each block."""
    with open(path, "rb") as source, open(target, "xb", opener=private) as copy:
        if _cloned(source.fileno(), copy.fileno()):
            return
        size = 0
        while block := source.read(_BLOCK):
            size += len(block)
            if block == _ZEROS:
                copy.seek(_BLOCK, os.SEEK_CUR)  # a hole
            else:
                copy.write(block)
            at_each()
        copy.truncate(size)


def _on_disk(info: os.stat_result) -> int:
    size = min(info.st_size, max(info.st_blocks * 512, _ROUNDED)) if info.st_blocks else info.st_size
    return max(1, -(-size // _ROUNDED)) * _ROUNDED


def _cloned(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, _CLONE, source)
    except OSError:
        return False
    return True


_FLAT = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\t\n\v\f\r", b"abcdefghijklmnopqrstuvwxyz     ")


def flat(text: str | bytes) -> bytes:
    """As a text is looked for in the store, too: in any case of ASCII letters, wherever a line ends."""
    return (text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text).translate(_FLAT)


def holds(path: Path, text: str) -> bool:
    """Are these words in the file? A file that cannot be read is taken to hold them."""
    wanted = flat(text)
    before = b""
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                before += flat(block)
                if wanted in before:
                    return True
                before = before[-len(wanted) :]
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
    """An empty folder for one undo copy, the owner's alone."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.chmod(folder.parent, 0o700)
    folder.mkdir(mode=0o700)
    (folder / "files").mkdir(mode=0o700)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


_SAID = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
    errno.EROFS: "the folder of undo copies is read-only",
    errno.EFBIG: "a file is larger than this process may write",
}


def reason(error: Exception) -> str:
    """Why something was not kept, in a few words."""
    if isinstance(error, OSError):
        return _SAID.get(error.errno or 0) or error.strerror or str(error)
    return str(error) or type(error).__name__
