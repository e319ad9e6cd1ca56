"""A real daemon in a home of its own, for tests: start it, talk to it, look into it, and always stop it."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from holdfast import lock
from holdfast.daemon.guardian import COMMAND
from holdfast.paths import Home
from tests.support.patience import PATIENCE

HOOK = Path(__file__).parents[2] / "src" / "holdfast" / "hook.py"


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout: float = PATIENCE) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class DaemonHome:
    """A short-named temporary home (a Unix socket's path is limited) and the daemon in it."""

    def __init__(self) -> None:
        self.home = Home(Path(tempfile.mkdtemp(prefix="hf")))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home.root),
            "HOLDFAST_HOME": str(self.home.root),
            "CLAUDE_CONFIG_DIR": str(self.home.root / "claude"),
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, **environment: str) -> None:
        """Start the supervisor as the command client does, and wait until it answers and is guarded."""
        self.launch(**environment)
        until(self.answers, "the daemon answers")
        until(self.guarded, "it has a guardian")

    def launch(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start the supervisor, whatever comes of it."""
        launched = subprocess.Popen(
            [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", str(self.home.root)],
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(launched)
        return launched

    def answers(self) -> bool:
        try:
            return self.get("/api/health")[0] == 200
        except OSError:
            return False

    @property
    def facts(self) -> dict[str, Any]:
        """Who holds the lock: pid, worker_pid, guardian_pid, port."""
        return lock.holder(self.home.lock) or {}

    @property
    def token(self) -> str:
        return self.home.token.read_text().strip()

    def get(self, path: str) -> tuple[int, Any]:
        return self.request("GET", path)

    def post(self, event: str, payload: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """One event, as the client's http hook posts it: by TCP, with the token."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"} | (headers or {})
        connection = http.client.HTTPConnection("127.0.0.1", self.facts["port"], timeout=PATIENCE)
        return _exchange(connection, "POST", f"/hooks/{event}", body, given)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """A request by the Unix socket."""
        return _exchange(UnixConnection(self.home.socket), method, path, body, headers or {})

    def hook(self, payload: Any, user: int | None = None) -> subprocess.CompletedProcess[bytes]:
        """One event, as the client's command hook delivers it."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        command = [sys.executable, "-I", "-S", "-E", str(HOOK), str(self.home.root)]
        return subprocess.run(
            command, input=body, capture_output=True, check=False, env=self.environment, timeout=PATIENCE, user=user
        )

    def journal(self, **filters: str | int) -> list[dict[str, Any]]:
        query = "&".join(f"{name}={value}" for name, value in ({"limit": 10_000} | filters).items())
        status, rows = self.get(f"/api/journal?{query}")
        assert status == 200, rows
        return list(rows)

    def status(self) -> dict[str, Any]:
        return dict(self.get("/api/status")[1])

    def log(self) -> str:
        path = self.home.logs / "daemon.log"
        return path.read_text("utf-8") if path.exists() else ""

    def reap(self) -> bool:
        """Has the process that this test started ended?"""
        return bool(self._processes) and self._processes[-1].poll() is not None

    def stop(self) -> None:
        """Stop whatever holds the lock of this home (a guardian may have become the supervisor)."""
        deadline = time.monotonic() + PATIENCE
        while (facts := lock.holder(self.home.lock)) is not None and time.monotonic() < deadline:
            try:
                os.kill(int(facts["pid"]), signal.SIGTERM)
            except (KeyError, ProcessLookupError):
                pass
            time.sleep(0.1)
        for process in self._processes:
            process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill all that belongs to the daemon, so that none is left that could bring it back."""
        facts = self.facts
        # In this order: the guardian sleeps while the worker lives, and without a supervisor nobody starts another.
        for name in ("pid", "guardian_pid", "worker_pid"):
            if facts.get(name):
                os.kill(int(facts[name]), signal.SIGKILL)
        until(lambda: lock.holder(self.home.lock) is None, "the daemon is gone")

    def kill_both(self) -> None:
        """Kill supervisor and worker at once, as a machine without memory would. The guardian is left."""
        facts = self.facts
        assert facts["guardian_pid"], "the daemon has a guardian"
        for name in ("pid", "worker_pid"):
            os.kill(int(facts[name]), signal.SIGKILL)

    def guarded(self) -> bool:
        """Has it a guardian by now? It gets one when its worker is ready."""
        return bool(self.facts.get("guardian_pid"))

    def processes(self) -> list[str]:
        """The command lines of all processes that have this home in theirs (where the system can say it)."""
        found = []
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                words = place.read_bytes().split(b"\0")
                home = os.fsencode(self.home.root)
                is_ours = home in words and b"holdfast.daemon" in b" ".join(words)
                is_guardian = os.fsencode(COMMAND) in words and home in (place.parent / "environ").read_bytes()
                if is_ours or is_guardian:
                    found.append(f"{place.parent.name}: {b' '.join(words).decode()}")
        return found

    def remove(self) -> None:
        self.stop()
        until(lambda: not self.processes(), f"no process of {self.home.root} is left")
        shutil.rmtree(self.home.root, ignore_errors=True)


def is_fine(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Did a SessionStart go well? The daemon has a line for the user; the client alone has none."""
    return done.returncode == 0 and set(json.loads(done.stdout)) <= {"systemMessage"}


def _exchange(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> tuple[int, Any]:
    try:
        # A server that refuses a request may answer and close before it has read the body.
        with suppress(BrokenPipeError):
            connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        is_json = (response.getheader("content-type") or "").startswith("application/json")
        return response.status, json.loads(data) if is_json and data else data.decode()
    finally:
        connection.close()


def until(true: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for something to become true, or fail saying what it was."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)
