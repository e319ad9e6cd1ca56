"""The supervisor: takes the lock, binds the sockets, and keeps both while it restarts the worker.

It does nothing else, so that it has no reason to die. While a worker is being replaced, connections wait in the
sockets' backlog: a client sees a short wait, never a refusal. A worker that is silent for ten seconds is replaced. On
SIGHUP the supervisor becomes its own successor (after an upgrade) without closing anything. If the worker cannot start
at all, it lets go, because an answer that never comes is worse than none. (A database that is only away does not keep
the worker from starting: see `waiting.py`.) Should it die all the same, its worker ends too, and the guardian takes its
place with the same lock and sockets.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from holdfast import __version__, lock
from holdfast.daemon.guardian import Guardian
from holdfast.daemon.sockets import adopt, listen_tcp, listen_unix
from holdfast.errors import HoldfastError
from holdfast.paths import Home, write_private

_BACK_OFF = (0.0, 0.1, 0.3, 1.0, 2.0)
_STOP_SECONDS = 10.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LOOK_SECONDS = 1.0
_LAST_WORDS_SECONDS = 0.2
_THRIFTY = {"MALLOC_ARENA_MAX": "2"}
"""For the worker: without it glibc reserves 64 MiB of addresses per thread, which hurts where addresses are limited."""
ALREADY_RUNNING = 0
COULD_NOT_START = 3


WORKER = ("-I", "-m", "holdfast.daemon.launch")
BEAT = b"\0"
"""What a worker sends once a second over its life line, from its event loop."""
HUNG_SECONDS = 10.0


class Silence:
    """How long a worker has been silent. One look counts for two seconds at most: a supervisor that was itself
    stopped for a minute, together with its worker, knows nothing about that minute."""

    def __init__(self, most: float = HUNG_SECONDS) -> None:
        self._most = most
        self._seconds = 0.0

    def broken(self) -> None:
        self._seconds = 0.0

    def lasts(self, seconds: float) -> bool:
        """Add seconds of silence. Is it too long now?"""
        self._seconds += min(seconds, 2 * _LOOK_SECONDS)
        return self._seconds >= self._most


class Supervisor:
    """Keeps one worker alive."""

    def __init__(
        self,
        home: Home,
        lock_fd: int,
        tcp: socket.socket,
        unix: socket.socket,
        worker: Sequence[str] = WORKER,
        *,
        is_revived: bool = False,
    ) -> None:
        self.home = home
        self._guardian = Guardian(home)
        self._is_revived = is_revived
        self._worker = worker
        self._lock_fd = lock_fd
        self._tcp = tcp
        self._unix = unix
        self._wanted: str = "run"
        self._hung = 0
        self._after_hang = False
        self._trouble = "The worker ended at once, five times in a row."
        self._wake_read, self._wake_write = os.pipe()  # not pipe2, which macOS does not have
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def run(self) -> int:
        """Run until asked to stop; the exit code."""
        for number in _SIGNALS:
            signal.signal(number, self._on_signal)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        self._sign(None)
        fruitless = 0
        while self._wanted == "run":
            time.sleep(_BACK_OFF[min(fruitless, len(_BACK_OFF) - 1)])
            was_ready, complaint = self._run_worker()
            fruitless = 0 if was_ready else fruitless + 1
            # One that had worked is tried again, whatever it complained of: it may be over.
            if (complaint and not was_ready) or fruitless >= len(_BACK_OFF):
                return self._give_up(complaint or self._trouble)
        self._guardian.end()  # also before a successor, which may be of a version that knows of none
        if self._wanted == "succeed":
            try:
                self._become_successor()
            except OSError as error:
                return self._give_up(f"The daemon could not renew itself ({sys.executable}: {error.strerror}).")
        self._remove_socket()
        return 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._wanted != "stop":
            self._wanted = "succeed" if number == signal.SIGHUP else "stop"

    def _run_worker(self) -> tuple[bool, str]:
        """Start a worker and wait for its end. Was it ever ready, and which known reason did it give?"""
        ours, theirs = socket.socketpair()
        named = (self._tcp.fileno(), self._unix.fileno(), theirs.fileno())
        command = [sys.executable, *self._worker, str(self.home.root), *map(str, named)]
        try:
            process = subprocess.Popen(
                command,
                pass_fds=(*named, self._guardian.line),  # the last one only to hold it
                cwd="/",
                stdin=subprocess.DEVNULL,
                env=os.environ | _THRIFTY,
            )
        except OSError as error:  # no more processes, or our Python was removed
            ours.close()
            self._trouble = f"The worker could not be started ({error})."
            return False, ""
        finally:
            theirs.close()
        self._sign(process.pid)
        self._after_hang = self._is_revived = False
        said = b""
        stop_by: float | None = None
        silence = Silence()
        while True:
            wait = _LOOK_SECONDS if stop_by is None else max(0.0, stop_by - time.monotonic())
            began = time.monotonic()
            readable, _, _ = select.select([ours.fileno(), self._wake_read], [], [], wait)
            if self._wake_read in readable:
                os.read(self._wake_read, 4096)
            if self._is_homeless():
                self._wanted = "stop"
            if stop_by is None and (self._wanted != "run" or self._found_again()):
                process.terminate()
                stop_by = time.monotonic() + _STOP_SECONDS
            if stop_by is not None and time.monotonic() >= stop_by:
                process.kill()
            if ours.fileno() in readable:
                data = ours.recv(4096)
                said += data.replace(BEAT, b"")
                silence.broken()
                if not data:
                    break
            elif b"ready\n" in said and stop_by is None and silence.lasts(time.monotonic() - began):
                self._replace_hung(process)
                silence.broken()
            if b"ready\n" in said and stop_by is None and self._stand_guard():
                self._sign(process.pid)
        ours.close()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:  # it let go of its life line, and lives
            process.kill()
            process.wait()
        self._trouble = (
            f"The worker ended at once, five times in a row (exit code {process.returncode}). {self.home.where_to_read}"
        )
        return b"ready\n" in said, said.replace(b"ready\n", b"").decode("utf-8", "replace").strip()

    def _replace_hung(self, process: subprocess.Popen[bytes]) -> None:
        """Replace a worker that is stopped, or whose loop is stuck: it answers nobody."""
        self._hung += 1
        self._after_hang = True
        process.send_signal(signal.SIGUSR1)  # it may still be able to write down where it is stuck
        time.sleep(_LAST_WORDS_SECONDS)
        process.kill()

    def _stand_guard(self) -> bool:
        return self._guardian.stand(self._lock_fd, self._tcp.fileno(), self._unix.fileno())

    def _is_homeless(self) -> bool:
        """Was the home deleted or replaced? Then nobody can find this daemon any more."""
        return not is_lock_of(self.home, self._lock_fd)

    def _found_again(self) -> bool:
        """Was the Unix socket deleted (a cleaner of temporary files does that), and could it be made anew?

        The worker has to be replaced then: it listens on the old one.
        """
        if self.home.socket.is_socket():
            return False
        try:
            made = listen_unix(self.home.socket)
        except (OSError, HoldfastError):
            return False  # hooks still come by TCP
        self._unix.close()
        self._unix = made
        self._guardian.end()  # it holds the old one; the next look starts another
        return True

    def _remove_socket(self) -> None:
        """Remove the socket, unless another daemon has the home by now."""
        try:
            if not (self.home.lock.exists() and self._is_homeless()):
                self.home.socket.unlink(missing_ok=True)
        except OSError:
            pass

    def _sign(self, worker_pid: int | None) -> None:
        facts = {
            "pid": os.getpid(),
            "worker_pid": worker_pid,
            "guardian_pid": self._guardian.pid,
            "version": __version__,
            "port": self._tcp.getsockname()[1],
            "hung": self._hung,
            "after_hang": self._after_hang,
            "revived": self._is_revived,
        }
        lock.sign(self._lock_fd, facts)

    def _give_up(self, reason: str) -> int:
        self._guardian.end()
        self._tcp.close()
        self._unix.close()
        self._remove_socket()
        complain(self.home, reason)
        return COULD_NOT_START

    def _become_successor(self) -> None:
        kept = (self._lock_fd, self._tcp.fileno(), self._unix.fileno())
        for descriptor in kept:
            os.set_inheritable(descriptor, True)
        signal.set_wakeup_fd(-1)
        # Handlers do not outlive exec, a mask does: a second SIGHUP waits for the successor instead of killing it.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        os.execv(
            sys.executable,
            [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", str(self.home.root), *map(str, kept)],
        )


def is_lock_of(home: Home, lock_fd: int) -> bool:
    """Is this locked file the one that the home has?"""
    try:
        return os.path.samestat(os.fstat(lock_fd), os.stat(home.lock))
    except OSError:
        return False


def complain(home: Home, reason: str) -> None:
    """Print the reason and write it to the home."""
    print(f"holdfast: {reason}", file=sys.stderr, flush=True)
    note(home, reason)


def note(home: Home, reason: str | None) -> None:
    """Write the reason where `up`, `status` and `doctor` read it; None removes the last one."""
    file = home.logs / "last-error"
    try:
        if reason is None:
            file.unlink(missing_ok=True)
        else:
            write_private(file, reason.encode())
    except OSError:
        pass


def main(arguments: list[str], worker: Sequence[str] = WORKER) -> int:
    """`HOME`, or `HOME LOCK TCP UNIX` with the descriptors of a predecessor. `worker` is what Python is told to run."""
    home = Home(Path(arguments[0]))
    try:
        if len(arguments) == 4:
            supervisor = _taken_over(home, *map(int, arguments[1:]), worker=worker)
            if supervisor is None:
                return ALREADY_RUNNING
        else:
            home.prepare()
            taken = lock.take(home.lock)
            if taken is None:
                return ALREADY_RUNNING
            from holdfast.daemon.port import settled_port

            tcp = settled_port(home, listen_tcp)
            supervisor = Supervisor(home, taken, tcp, listen_unix(home.socket), worker)
        (home.logs / "last-error").unlink(missing_ok=True)
    except HoldfastError as error:
        complain(home, str(error))
        return COULD_NOT_START
    except OSError as error:
        complain(
            home,
            f"{home.root} cannot be used: {error.strerror or error}. Check its permissions and the disk's space.",
        )
        return COULD_NOT_START
    except Exception as error:  # its traceback would have no reader
        complain(home, f"The daemon failed to start, unexpectedly ({type(error).__name__}: {error}).")
        return COULD_NOT_START
    return supervisor.run()


def _taken_over(home: Home, lock_fd: int, tcp_fd: int, unix_fd: int, *, worker: Sequence[str]) -> Supervisor | None:
    """In the place of a predecessor: of this very process before it renewed itself, or of one that was killed. None
    when the home is gone or another one's by now."""
    if not is_lock_of(home, lock_fd):
        return None
    for descriptor in (lock_fd, tcp_fd, unix_fd):
        os.set_inheritable(descriptor, False)
    was_killed = lock.signed(lock_fd).get("pid") != os.getpid()
    home.prepare()
    return Supervisor(home, lock_fd, adopt(tcp_fd), adopt(unix_fd), worker, is_revived=was_killed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
