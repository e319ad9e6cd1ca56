"""The spool: events that could not be delivered, one owner-only file each, named so that they sort by time.

Standard library only: the command client writes here when it is alone, the daemon when its store will not take more.
What is written was scrubbed by its writer.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdfast.paths import make_private_folder, write_private
from holdfast.sender import NOBODY, Sender, read_sender

_VERSION = 1
_NOT_FILES = (errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EACCES)
"""A link, a socket, a device, and what may not be read: none of them becomes a file by waiting."""
_LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read: what is written here was cut to far less."""
MOST_FILES = 20_000
MOST_BYTES = 512 * 1024 * 1024
"""What may wait: days of work of a busy machine. What comes after that is counted, and left to the transcripts."""
_MEASURE_AFTER = 200
_MEASURE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Spooled:
    """One event that waits."""

    id: str
    event: str
    happened_at: int
    payload: dict[str, Any]
    agent: str = ""
    """The program that it came from, as it says itself."""
    sender: Sender = NOBODY


class SpoolFull(OSError):
    """As many events wait as may."""


@dataclass(slots=True)
class _Fill:
    """How full a folder was when it was last measured, and how much was put there since."""

    files: int
    bytes: int
    puts: int = 0
    measured_at: float = 0.0

    @property
    def is_full(self) -> bool:
        return self.files >= MOST_FILES or self.bytes >= MOST_BYTES


_fills: dict[Path, _Fill] = {}


def put(folder: Path, item: Spooled) -> Path:
    """Write one event: whole or not at all, durable, owner-only. A full spool is SpoolFull."""
    make_private_folder(folder)
    fill = _fill_of(folder)
    if fill.is_full:
        raise SpoolFull(
            errno.EDQUOT, f"the spool is full: {fill.files} events and {fill.bytes >> 20} MB wait", str(folder)
        )
    path = folder / f"{item.happened_at:020d}-{item.id}.json"
    data = encoded(item)
    write_private(path, data)
    fill.files, fill.bytes, fill.puts = fill.files + 1, fill.bytes + len(data), fill.puts + 1
    return path


def encoded(item: Spooled) -> bytes:
    """An event as its file holds it."""
    content = {
        "version": _VERSION,
        "id": item.id,
        "event": item.event,
        "happened_at": item.happened_at,
        "payload": item.payload,
        "agent": item.agent,
    } | ({"sender": item.sender.told()} if item.sender != NOBODY else {})
    return json.dumps(content).encode()


def _fill_of(folder: Path) -> _Fill:
    fill = _fills.get(folder)
    now = time.monotonic()
    if fill is None or fill.puts >= _MEASURE_AFTER or (fill.is_full and now - fill.measured_at > _MEASURE_SECONDS):
        files = size = 0
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".json"):
                    with suppress(OSError):
                        size += entry.stat(follow_symlinks=False).st_size
                        files += 1
        fill = _fills[folder] = _Fill(files, size, 0, now)
    return fill


def count_unkept(folder: Path) -> None:
    """One more event that found no room. Several processes count."""
    with suppress(OSError, ValueError):
        descriptor = os.open(folder / "not-kept", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            count = int(os.pread(descriptor, 32, 0) or b"0") + 1
            os.pwrite(descriptor, b"%d" % count, 0)
        finally:
            os.close(descriptor)


def not_kept(folder: Path) -> int:
    """How many events found no room in the spool since `forget_unkept`."""
    try:
        return int((folder / "not-kept").read_bytes() or b"0")
    except (OSError, ValueError):
        return 0


def waiting(folder: Path) -> list[Path]:
    """The files that wait, oldest first."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))
    except OSError:
        return []
    return [folder / name for name in names]


def read(path: Path) -> bytes:
    """What a file of the spool holds. A pipe, a device, a link, a folder or a giant is a ValueError: none is ours, and
    reading it could take for ever."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NOT_FILES:
            raise ValueError(f"{path.name} is not a spooled event ({error.strerror})") from error
        raise
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LARGEST:
            raise ValueError(f"{path.name} is not a spooled event")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def take(path: Path) -> Spooled:
    """Read one back. A file that is not one of ours is a ValueError."""
    try:
        content = json.loads(read(path))
        item = Spooled(content["id"], content["event"], content["happened_at"], content["payload"])
        agent = content.get("agent", "")
        item = replace(item, agent=agent) if isinstance(agent, str) else item
        item = replace(item, sender=read_sender(content.get("sender")))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} is not a spooled event") from error
    kinds = (str, str, int, dict)
    values = (item.id, item.event, item.happened_at, item.payload)
    if not all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True)) or not _can_be(item):
        raise ValueError(f"{path.name} is not a spooled event")
    return item


def _can_be(item: Spooled) -> bool:
    """Are its id and its time within what a journal can hold?"""
    return item.id.isascii() and item.id.isprintable() and 0 < len(item.id) <= 128 and 0 < item.happened_at < 2**62


def set_aside(path: Path) -> Path:
    """Move a file that cannot be read out of the way, without losing it."""
    folder = path.parent / "bad"
    make_private_folder(folder)
    target = folder / path.name
    if os.path.lexists(target):
        target = folder / f"{path.stem}-{os.urandom(4).hex()}.json"
    return path.rename(target)


def bad(folder: Path) -> Iterator[Path]:
    """The files that could not be read."""
    yield from sorted((folder / "bad").glob("*.json"))


def forget_unkept(folder: Path) -> None:
    """Begin to count anew: a person was told."""
    with suppress(OSError):
        (folder / "not-kept").unlink(missing_ok=True)
