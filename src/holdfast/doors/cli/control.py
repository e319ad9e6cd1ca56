"""Starting, stopping and replacing the daemon. Signals go only to the process that holds the home's lock."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from holdfast import __version__, revive
from holdfast.build import identity
from holdfast.doors.cli.client import Client, last_error, lock_holder
from holdfast.errors import DaemonAway, HoldfastError, StoreWaits
from holdfast.lock import holder
from holdfast.paths import Home, write_private

_START_SECONDS = 25.0
_STOP_SECONDS = 20.0
"""More than the supervisor gives its worker to finish what it has."""
_STEP = 0.02


def running(home: Home) -> dict[str, Any] | None:
    """The status of the daemon (of one that is just starting, when it is ready); None when there is none."""
    return start(home) if lock_holder(home) is not None else None


def check_home(home: Home) -> None:
    """The home can be made and written, or one sentence says why not."""
    try:
        home.prepare()
        with tempfile.TemporaryFile(dir=home.root) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise DaemonAway(f"{home.root} {_trouble(error)}") from error


def _trouble(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "cannot be used, because the disk is full. Free some space; what was kept before is safe."
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return (
            f"cannot be written ({error.strerror}), so the daemon was not started. Correct its owner and permissions, "
            "or set HOLDFAST_HOME to a folder of yours."
        )
    return f"cannot be the home ({error.strerror}). Set HOLDFAST_HOME to a folder of yours."


def start(home: Home) -> dict[str, Any]:
    """Start the daemon (or find it running) and wait until it answers: its status."""
    before = _stamp(home)
    if lock_holder(home) is None:
        check_home(home)
        home.stopped.unlink(missing_ok=True)
        if not _by_service(home):
            revive.start(str(home.root))
    else:
        home.stopped.unlink(missing_ok=True)
    with _dots() as dot:
        _await(home, before, dot)
    return Client(home).status()


def _by_service(home: Home) -> bool:
    """Where a user service keeps the daemon, that starts it. The record is read without the installer's modules."""
    try:
        if b'"service": "' not in home.manifest.read_bytes():
            return False
    except OSError:
        return False
    from holdfast.install.service import start_service

    return start_service(home, os.environ)


def _await(home: Home, before: int, dot: Callable[[], None]) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        if _stamp(home) not in (before, 0):
            raise DaemonAway(last_error(home) or f"The daemon did not start. {home.where_to_read}")
        if home.socket.exists() and lock_holder(home) is not None:
            try:
                Client(home, patience=0.5).get("/api/health")
                return
            except StoreWaits:
                if last_error(home):  # else it is still being opened
                    raise
            except DaemonAway:
                pass
        dot()
        time.sleep(_STEP)
    reason = last_error(home) or home.where_to_read
    raise DaemonAway(f"The daemon did not answer within {_START_SECONDS:.0f} seconds: {reason}")


def _stamp(home: Home) -> int:
    try:
        return (home.logs / "last-error").stat().st_mtime_ns
    except OSError:
        return 0


def stop(home: Home) -> int | None:
    """Ask the daemon to finish and wait until it has let go of the lock: its pid, None when there was none.

    A mark in the home keeps hooks from starting it again; `start` takes it away.
    """
    if home.root.is_dir():
        write_private(home.stopped, b"holdfast stop\n")
    pid = _signal(home, signal.SIGTERM)
    if pid is None:
        return None
    with _dots() as dot:
        until = time.monotonic() + _STOP_SECONDS
        while lock_holder(home) is not None:
            if time.monotonic() > until:
                raise HoldfastError(
                    f"The daemon (pid {pid}) was asked to stop {_STOP_SECONDS:.0f} seconds ago and still works. "
                    "Nothing is lost; `holdfast logs` says what it does."
                )
            dot()
            time.sleep(_STEP)
    return pid


def restart(home: Home) -> dict[str, Any]:
    """A new daemon in the place of the old one, on the same sockets where that is possible: its status."""
    if lock_holder(home) is None:
        return start(home)
    try:
        status = Client(home).status()
    except DaemonAway:
        status = None  # it holds the lock and does not answer: what else is a restart for
    if status is None or not _on_wanted_port(home, status):
        stop(home)
        return start(home)
    new = _hand_over(home, status)
    if is_installed(new):
        return new
    # The supervisor renews itself with the Python it was started with, which is not ours: another installation's.
    stop(home)
    return start(home)


def ensure(home: Home) -> tuple[str, dict[str, Any]]:
    """A daemon of the installed code on the configured port: what had to be done for it, and its status."""
    status = running(home)
    if status is None:
        return "started", start(home)
    if not is_installed(status) or not _on_wanted_port(home, status):
        return "replaced", restart(home)
    return "running", status


def is_installed(status: dict[str, Any]) -> bool:
    """Does the daemon run the code that is installed? A `git pull` changes the build and not the version."""
    return (status["version"], status.get("build")) == (__version__, identity())


def _hand_over(home: Home, old: dict[str, Any]) -> dict[str, Any]:
    """By SIGHUP the supervisor becomes its own successor; its sockets stay open, so that callers only wait."""
    if _signal(home, signal.SIGHUP) is None:
        return start(home)
    until = time.monotonic() + _START_SECONDS
    with _dots() as dot:
        while time.monotonic() < until:
            if lock_holder(home) is None:
                return start(home)
            try:
                status = Client(home, patience=5.0).status()
                if status["worker_pid"] != old["worker_pid"]:
                    return status
            except DaemonAway:
                pass
            dot()
            time.sleep(_STEP)
    raise DaemonAway(f"The daemon was asked to renew itself and has not. {home.where_to_read}")


def _signal(home: Home, number: signal.Signals) -> int | None:
    """Send a signal to the lock's holder: its pid, None when nobody holds the lock."""
    until = time.monotonic() + 1.0
    while (facts := holder(home.lock)) is not None:
        pid = facts.get("pid")
        if isinstance(pid, int) and pid > 1:
            try:
                os.kill(pid, number)
                return pid
            except ProcessLookupError:
                pass  # it went between the look and the signal
            except PermissionError as error:
                raise HoldfastError(f"The daemon (pid {pid}) belongs to another user; nothing was done.") from error
        if time.monotonic() > until:
            raise HoldfastError(f"{home.lock} is held, but its holder has not written its pid. Try again in a moment.")
        time.sleep(_STEP)
    return None


def _on_wanted_port(home: Home, status: dict[str, Any]) -> bool:
    from holdfast import config

    wanted = config.load(home.config, rooms=()).config.daemon.port
    return wanted == 0 or str(status["url"]).endswith(f":{wanted}")


@contextmanager
def _dots() -> Iterator[Callable[[], None]]:
    """A dot for every half second of waiting, on a terminal only."""
    shown, began = 0, time.monotonic()

    def dot() -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.monotonic() - began > (shown + 1) * 0.5:
            shown += 1
            print(".", end="", file=sys.stderr, flush=True)

    try:
        yield dot
    finally:
        if shown:
            print(file=sys.stderr)
