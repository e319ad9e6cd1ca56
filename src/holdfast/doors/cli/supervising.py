"""Runs a client in this terminal, and starts it again when the daemon asks for it (`restarts`).

The client has the terminal, the process group and the standard streams of this process, so keys, window sizes and job
control reach it as without us. Signals from elsewhere are passed on. A client that does not end when it is asked to is
killed; one that would have to be started again and again is left to compact by itself.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from holdfast import restarts
from holdfast.doors.cli.client_words import USUAL, Takes, again, options_in, split

GRACE = 8.0
"""Seconds that a client may take to end."""
MOST, WITHIN = 3, 600.0
"""So many starts within so many seconds: more is a loop."""
_LOOK = 0.1
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_PLAIN_SCREEN = b"\x1b[?1049l\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[<u\x1b[?25h\x1b[0m"
"""Takes back what a full-screen program had set and could not take back itself."""


class ClientSupervisor:
    """One call of `holdfast run`."""

    def __init__(self, command: Sequence[str], folder: Path, say: Callable[[str], None], grace: float = GRACE) -> None:
        self._command = list(command)
        self._folder = folder
        self._say = say
        self._grace = grace
        self._begun: list[float] = []
        self._told_to_end = False
        self._child: subprocess.Popen[bytes] | None = None
        self._terminal = _terminal()

    def run(self) -> int:
        """Run the client until it ends without being wanted again: its exit code."""
        before = {each: signal.signal(each, self._on_signal) for each in (*_PASSED_ON, signal.SIGINT, signal.SIGCONT)}
        try:
            command, code = self._command, 0
            while True:
                run = secrets.token_hex(16) if self._may_start_again() else ""
                code, prompt = self._once(command, run)
                if prompt is None or self._told_to_end:
                    return code
                self._say("The context window was full: the client is started again with a hand-over.")
                command = again(self._command, self._options(), prompt)
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _may_start_again(self) -> bool:
        """Not when it was started too often of late: the client then compacts by itself."""
        now = time.monotonic()
        self._begun = [at for at in self._begun if now - at < WITHIN]
        if len(self._begun) >= MOST:
            self._say(
                f"It was started again {MOST} times in {WITHIN / 60:.0f} minutes; from now on it compacts by itself."
            )
            return False
        self._begun.append(now)
        return True

    def _once(self, command: Sequence[str], run: str) -> tuple[int, str | None]:
        """One life of the client: its exit code, and the prompt to start it again with."""
        environment = {name: value for name, value in os.environ.items() if name != restarts.VARIABLE}
        environment |= {restarts.VARIABLE: run} if run else {}
        child = self._child = subprocess.Popen(command, env=environment)
        ended = threading.Event()
        threading.Thread(target=self._await, args=(child.pid, ended), daemon=True).start()
        prompt = None
        while not ended.wait(_LOOK):
            if run and not self._told_to_end and (prompt := restarts.wanted(self._folder, run)) is not None:
                self._end(child.pid, ended)
                break
        if run:
            prompt = prompt if prompt is not None else restarts.wanted(self._folder, run)
            restarts.done(self._folder, run)
        self._child = None
        self._restore()
        return self._code, prompt

    def _await(self, pid: int, ended: threading.Event) -> None:
        """Wait for the client to end. One that stops itself (Ctrl-Z) stops us, too: the shell must see it."""
        while True:
            _, status = os.waitpid(pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.kill(os.getpid(), signal.SIGSTOP)
        code = os.waitstatus_to_exitcode(status)
        self._code = code if code >= 0 else 128 - code
        if self._child is not None:
            self._child.returncode = code
        ended.set()

    def _end(self, pid: int, ended: threading.Event) -> None:
        """End the client: by asking twice, then by force."""
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
            if ended.wait(self._grace / 2):
                return
        ended.wait()

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """Pass a signal on to the client, unless the terminal has sent it to both of us."""
        child = self._child
        self._told_to_end = self._told_to_end or number in (signal.SIGTERM, signal.SIGHUP)
        if child is None or (number == signal.SIGINT and _is_in_foreground()):
            return
        with suppress(ProcessLookupError):
            os.kill(child.pid, number)

    def _options(self) -> dict[str, Takes]:
        client, _ = split(self._command)
        with suppress(OSError, subprocess.SubprocessError):
            asked = subprocess.run(
                [*client, "--help"], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL
            )
            if found := options_in(asked.stdout):
                return dict(found)
        return dict(USUAL)

    def _restore(self) -> None:
        """The terminal as it was before the client: one that was killed could not clean up."""
        if self._terminal is None or not _is_in_foreground():
            return
        with suppress(OSError, termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._terminal)
            if self._code == 128 + signal.SIGKILL and sys.stdout.isatty():
                os.write(sys.stdout.fileno(), _PLAIN_SCREEN)

    _code = 0


def _terminal() -> list[Any] | None:
    try:
        return termios.tcgetattr(sys.stdin.fileno())
    except (OSError, ValueError, termios.error):
        return None


def _is_in_foreground() -> bool:
    """Does the terminal send its signals to our process group?"""
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(descriptor)
