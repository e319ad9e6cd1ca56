"""Starts a daemon where there is none and one may be. The command client does so at every prompt.

Like `hook.py` it imports only what the bare interpreter has: a session waits for it. Hooks of older versions run it as
`python -I -S -E revive.py HOME`, when their shell did not find the daemon's process.
"""

import sys
from fcntl import LOCK_NB, LOCK_SH, flock
from posix import (
    O_RDONLY,
    O_RDWR,
    _exit,
    access,
    chdir,
    close,
    closerange,
    dup2,
    environ,
    execve,
    fork,
    lstat,
    setsid,
    stat,
)
from posix import open as open_file

BETWEEN_STARTS = 30.0
"""Seconds before a start that failed is tried again: a broken daemon must not cost every hook its deadline."""

_KEPT_VARIABLES = (
    *(b"PATH", b"HOME", b"LANG", b"LC_ALL", b"TZ", b"TMPDIR", b"USER", b"LOGNAME"),
    *(b"XDG_DATA_HOME", b"CLAUDE_CONFIG_DIR"),
)


def small_environment() -> "dict[bytes, bytes]":
    """What a daemon gets of the environment, whoever starts it (SEC-4)."""
    return {name: value for name, value in environ.items() if name in _KEPT_VARIABLES or name.startswith(b"HOLDFAST_")}


def start(home: str) -> int:
    """Start the supervisor: its pid, or 0 where the system has no place for one more process. It has its own process
    group, no streams and little environment."""
    kept = small_environment()
    try:
        pid = fork()
    except OSError:  # the event is kept all the same
        return 0
    if pid:
        return pid
    try:
        setsid()
        chdir("/")
        nothing = open_file("/dev/null", O_RDWR)
        for stream in (0, 1, 2):
            dup2(nothing, stream)
        closerange(3, 1024)
        execve(sys.executable, [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", home], kept)
    finally:
        _exit(1)


def may_start(home: str, now: float) -> bool:
    """Not after `holdfast stop`, and not so soon after a start that failed."""
    try:
        stat(home + "/stopped")
        return False
    except OSError:
        pass
    try:
        # A time to come was written before the clock was set back; it says nothing.
        return not 0 <= now - stat(home + "/logs/last-error").st_mtime < BETWEEN_STARTS
    except OSError:
        return True


def is_held(home: str) -> bool:
    """Does a daemon hold the lock of this home?"""
    try:
        descriptor = open_file(home + "/daemon.lock", O_RDONLY)
    except OSError:
        return False
    try:
        flock(descriptor, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    finally:
        close(descriptor)  # and the lock with it: the daemon that is started next wants it
    return False


def can_be_written(root: str) -> bool:
    """Can a file be made in this home, or (where there is none yet) the home itself?"""
    while len(root) > 1:
        try:
            lstat(root)
            break
        except OSError:
            root = root.rstrip("/").rpartition("/")[0] or "/"
    return access(root, 2 | 1)


def start_missing(home: str, now: float) -> int:
    """Start a daemon where there is none and one may be: its pid, else 0. The command client does so before it loads
    anything else, because the daemon takes longer."""
    is_wanted = may_start(home, now) and not is_held(home) and can_be_written(home)
    return start(home) if is_wanted else 0


if __name__ == "__main__":
    import time

    start_missing(sys.argv[1], time.time())
