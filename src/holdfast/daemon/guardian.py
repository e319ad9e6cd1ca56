"""The guardian: a shell that waits until supervisor and worker are both gone, and then becomes the next supervisor.

It holds the lock and both listening sockets, so that connections wait in their backlog meanwhile and nobody else starts
a daemon. It reads from a pipe to which nobody writes: the kernel ends that pipe when the last process that holds its
other end is gone, however it died. Only the supervisor and its worker hold it.

A supervisor that ends on purpose ends its guardian first. One is started only beside a worker that was ready, so a
daemon that cannot start is not tried again and again.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from holdfast import revive
from holdfast.paths import Home

SHELL = "/bin/sh"
SCRIPT = (
    'unset HOLDFAST_GUARDIAN; read -r _; [ -e "$1/stopped" ] || [ ! -e "$1/daemon.lock" ] || '
    'exec "$2" -I -m holdfast.daemon.supervisor "$1" "$3" "$4" "$5" </dev/null'
)
"""For any POSIX shell. A Python that waits would take ten times the memory."""
COMMAND = 'eval "$HOLDFAST_GUARDIAN"'
"""Its command line has no name and no path: whoever ends all processes that have "holdfast" in theirs may do so in the
middle of a turn, and the guardian is there for that. `status` tells its pid; `holdfast stop` ends it."""


class Guardian:
    """The guardian of one supervisor, and the pipe by which it notices the end."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._watched, self.line = os.pipe()
        """`line` is the end that supervisor and worker hold."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def stand(self, lock_fd: int, tcp_fd: int, unix_fd: int) -> bool:
        """Have a guardian for these descriptors. Was one started?"""
        if self._process is not None and self._process.poll() is None:
            return False
        handed = (lock_fd, tcp_fd, unix_fd)
        words = (str(self._home.root), sys.executable, *map(str, handed))
        script = f"set -- {shlex.join(words)}; {SCRIPT}"
        try:
            self._process = subprocess.Popen(
                (SHELL, "-c", COMMAND),
                stdin=self._watched,
                pass_fds=handed,
                cwd="/",
                env=revive.small_environment() | {b"HOLDFAST_GUARDIAN": os.fsencode(script)},
                start_new_session=True,
            )
        except OSError:  # no more processes: the next look tries again
            self._process = None
            return False
        return True

    def end(self) -> None:
        """By force: it has nothing to finish, and whoever waited for its answer could be left waiting."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
