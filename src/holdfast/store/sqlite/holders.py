"""Which other processes hold a write lock on a SQLite file, where the system tells (Linux: /proc/locks)."""

from __future__ import annotations

import os
from pathlib import Path

_LOCKS = Path("/proc/locks")
_WAL_WRITE = 120
"""The byte of the -shm file that the one writer locks (SQLite's wal.c: WALINDEX_LOCK_OFFSET)."""
_MOST = 3


def holders(path: Path) -> tuple[str, ...]:
    """Each holder as `pid 123, python3`; not this process."""
    files = {_inode(path.with_name(f"{path.name}-shm")): range(_WAL_WRITE, _WAL_WRITE + 1), _inode(path): None}
    files.pop("", None)
    try:
        lines = _LOCKS.read_text("ascii", "replace").splitlines() if files else []
    except OSError:
        return ()
    found: dict[int, None] = {}
    for line in lines:
        # `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 120 120`; a second line with `->` is one that waits.
        words = line.split()
        if len(words) != 8 or words[3] != "WRITE" or not words[4].isdigit():
            continue
        inode = words[5].rpartition(":")[2]
        place = files.get(inode, range(0))
        if inode in files and (place is None or int(words[6]) in place):
            found[int(words[4])] = None
    found.pop(os.getpid(), None)
    return tuple(f"pid {pid}{_name(pid)}" for pid in list(found)[:_MOST] if pid > 0)


def _inode(path: Path) -> str:
    try:
        return str(path.stat().st_ino)
    except OSError:
        return ""


def _name(pid: int) -> str:
    try:
        name = Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    return f", {name}" if name.isprintable() and name else ""
