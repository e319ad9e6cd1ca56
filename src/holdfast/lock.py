"""One daemon per home, by a lock that the kernel lets go of when its holder dies.

The file names the holder for people; only the lock itself counts. Standard library only.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

_TRIES = 10
_PAUSE = 0.005
_SIGNED = 512
"""Bytes of the facts, with spaces behind them: of shorter facts nothing older is left behind."""


def take(path: Path) -> int | None:
    """The locked descriptor, or None when another process holds the lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if not _lock(descriptor):
        os.close(descriptor)
        return None
    os.fchmod(descriptor, 0o600)
    # At once: until it is signed the file names its last holder, whose pid may be anyone's by now.
    sign(descriptor, {"pid": os.getpid()})
    return descriptor


def _lock(descriptor: int) -> bool:
    # `holder` locks, too, for the moment of its look: that is no reason to think that somebody is there already.
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(_PAUSE)
    return False


def sign(descriptor: int, facts: dict[str, Any]) -> None:
    """Write down who holds it, in one piece: whoever reads it meanwhile finds the old facts or the new ones."""
    data = json.dumps(facts).encode().ljust(_SIGNED)
    os.pwrite(descriptor, data, 0)
    os.ftruncate(descriptor, len(data))


def signed(descriptor: int) -> dict[str, Any]:
    """What was written down last; nothing when that cannot be read."""
    try:
        facts = json.loads(os.pread(descriptor, 4096, 0) or b"{}")
    except ValueError:
        facts = {}
    return facts if isinstance(facts, dict) else {}


def holder(path: Path) -> dict[str, Any] | None:
    """Who holds the lock; None when nobody does (a file left behind by a dead daemon does not count)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # a home may be read-only by now
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return signed(descriptor)
    finally:
        os.close(descriptor)
    return None
