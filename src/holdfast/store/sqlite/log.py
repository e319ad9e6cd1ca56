"""A SQLite write-ahead log, read as a file: which pages it holds, and whether SQLite could use all of it.

SQLite stops at the first frame whose checksum is wrong and says nothing. That is right after a crash, when the last
frame is half written, and hides damage in the middle. The format: https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">4I")
_FRAME_BYTES = 24
_MAGIC = (0x377F0682, 0x377F0683)
_FIRST_FRAME_SHM = struct.Struct("=I")
_SHM_LAST_FRAME = 16


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """What stands in the file, checksums aside."""

    is_readable: bool
    """Is its header one, and do its frames belong to it?"""
    pages: frozenset[int] = frozenset()
    frames: int = 0
    """Frames of this generation, from the first on."""
    last_commit: int = 0
    """The number of the last of them that ends a transaction."""
    pages_in_all: int = 0
    """Pages of the database after that transaction."""


def read_log(database: Path) -> WriteAheadLog | None:
    """The log beside a database; None when there is none, or nothing in it."""
    try:
        descriptor = os.open(database.with_name(f"{database.name}-wal"), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        size = os.fstat(descriptor).st_size
        if size <= _HEADER.size:
            return None
        return _read(descriptor, size)
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int) -> WriteAheadLog:
    head = os.pread(descriptor, _HEADER.size, 0)
    magic, version, page_size, _, salt1, salt2, *given = _HEADER.unpack(head)
    is_known = magic in _MAGIC and version == 3_007_000 and page_size.bit_count() == 1 and 512 <= page_size <= 65_536
    if not is_known or _checksum(head[:24], "<" if magic == _MAGIC[0] else ">") != tuple(given):
        return WriteAheadLog(False)
    pages: set[int] = set()
    frames = last_commit = in_all = 0
    at = _HEADER.size
    while at + _FRAME_BYTES + page_size <= size:
        page, commit, one, two = _FRAME.unpack(os.pread(descriptor, _FRAME.size, at))
        if (one, two) != (salt1, salt2):
            # Left over from the generation before, whose salt was one less: SQLite wraps around and overwrites.
            if frames == 0 and (one + 1) & 0xFFFF_FFFF != salt1:
                return WriteAheadLog(False)
            break
        frames += 1
        pages.add(page)
        if commit:
            last_commit, in_all = frames, commit
        at += _FRAME_BYTES + page_size
    return WriteAheadLog(True, frozenset(pages), frames, last_commit, in_all)


def _checksum(data: bytes, order: str) -> tuple[int, int]:
    one = two = 0
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for number in range(0, len(words), 2):
        one = (one + words[number] + two) & 0xFFFF_FFFF
        two = (two + words[number + 1] + one) & 0xFFFF_FFFF
    return one, two


def lost_frames(database: Path, log: WriteAheadLog | None) -> int:
    """How many frames SQLite would not use, although it had written on after them. Asked while the database is open.

    The number of the last frame it uses stands in the index of the log (`-shm`, offset 16).
    """
    if log is None:
        return 0
    if not log.is_readable:
        return 1
    try:
        with database.with_name(f"{database.name}-shm").open("rb") as file:
            file.seek(_SHM_LAST_FRAME)
            (used,) = _FIRST_FRAME_SHM.unpack(file.read(_FIRST_FRAME_SHM.size))
    except (OSError, struct.error):
        return 0
    # A crash leaves at most one frame half written, and it is the last.
    return log.frames - used if used < log.last_commit and log.frames - used > 1 else 0
