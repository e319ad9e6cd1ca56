"""Where things live. One home holds everything; all of it is readable by its owner only.

Standard library only: the command client and the supervisor use it too.
"""

from __future__ import annotations

import errno
import os
import pwd
import stat
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holdfast.errors import ConfigError, HoldfastError, UsageError


def default_home() -> Path:
    """HOLDFAST_HOME, else the platform's user data directory."""
    named = os.environ.get("HOLDFAST_HOME")
    return resolved(Path(named)) if named else platform_home()


def platform_home() -> Path:
    """The platform's user data directory."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "holdfast"
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification: a relative path is invalid and to be ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share") / "holdfast"


def resolved(named: Path) -> Path:
    """The home that somebody named, as a path that means the same everywhere, or the sentence why it cannot be one."""
    try:
        path = named.expanduser().absolute()
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{named!r} cannot be the home: the name is not valid UTF-8.") from error
    except (OSError, RuntimeError) as error:
        raise ConfigError(f"{named} cannot be the home: it leads nowhere ({error}).") from error
    return path


@dataclass(frozen=True, slots=True)
class Home:
    """The names inside one holdfast home. Two homes are two independent daemons."""

    root: Path

    @classmethod
    def default(cls) -> Home:
        return cls(default_home())

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def database(self) -> Path:
        return self.root / "holdfast.db"

    @property
    def token(self) -> Path:
        return self.root / "token"

    @property
    def socket(self) -> Path:
        return self.root / "holdfast.sock"

    @property
    def lock(self) -> Path:
        return self.root / "daemon.lock"

    @property
    def stopped(self) -> Path:
        """Left by `holdfast stop`: while it is there, no hook starts the daemon."""
        return self.root / "stopped"

    @property
    def spool(self) -> Path:
        return self.root / "spool"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def log(self) -> Path:
        return self.logs / "daemon.log"

    @property
    def where_to_read(self) -> str:
        """Where a person reads more, in a sentence that names no file which is not there."""
        return f"See {self.log}." if self.log.exists() else "It has written no log yet."

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def store_record(self) -> Path:
        """What this home remembers about its store: see `store.record`."""
        return self.root / "store.json"

    @property
    def forgotten(self) -> Path:
        """Hashes of what was forgotten, beside the store: a restored backup must not bring it back."""
        return self.root / "forgotten.json"

    @property
    def pauses(self) -> Path:
        """The times in which nothing is recorded: see `pauses`."""
        return self.root / "pauses.json"

    @property
    def restarts(self) -> Path:
        """Wishes to start a client again: see `restarts`."""
        return self.root / "restarts"

    @property
    def manifest(self) -> Path:
        return self.root / "install.json"

    @property
    def launcher(self) -> Path:
        """The executable that project-scope hooks call, so that committed settings hold no machine's paths."""
        return self.root / "hook"

    @property
    def bin(self) -> Path:
        """Programs that stay when the installation is moved or deleted: see `install.on_path`."""
        return self.root / "bin"

    @property
    def command(self) -> Path:
        """What `holdfast` on PATH leads to."""
        return self.bin / "holdfast"

    @property
    def leaver(self) -> Path:
        return self.bin / "leave.py"

    def _is_foreign(self) -> bool:
        """Is this a folder of other things, which to close to others would be wrong (HOLDFAST_HOME=/tmp)?"""
        try:
            names, mode = set(os.listdir(self.root)), self.root.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return False
        ours = {path.name for path in (self.config, self.database, self.token, self.lock, self.spool, self.logs)}
        return bool(names) and not names & ours and bool(mode & 0o077)

    def prepare(self) -> None:
        """Make the folders, owner-only whatever the umask says. A folder that is someone else's is left alone."""
        if self._is_foreign():
            raise HoldfastError(
                f"{self.root} is not empty and not a home of holdfast, so it was left as it is. Name another folder."
            )
        for folder in (self.root, self.spool, self.logs, self.backups):
            make_private_folder(folder)


@cache
def own_programs() -> frozenset[str]:
    """The absolute paths by which `holdfast` is called: the one that runs here, the home's, and the usual link to
    either. Looked up once."""
    ours = (os.path.join(os.path.dirname(sys.executable), "holdfast"), str(Home.default().command))
    link = os.path.expanduser("~/.local/bin/holdfast")
    is_ours = os.path.realpath(link) in [os.path.realpath(each) for each in ours]
    return frozenset((*ours, link) if is_ours else ours)


def make_private_folder(folder: Path) -> None:
    """Create `folder` (and its parents) and make it the owner's alone. Where a link leads is not ours to close."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    close_to_others(folder)


def close_to_others(path: Path) -> None:
    """Take the others' permissions from a file or folder of ours. A link's target keeps the mode its owner gave it."""
    mode = path.lstat().st_mode
    if mode & 0o077 and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & 0o700)


def open_private(path: Path, flags: int) -> int:
    """Open a file of ours, or make it: owner-only. A link is followed, but its target keeps its mode."""
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


_LONGEST_PATH, _LONGEST_NAME = 4_000, 255


def named(text: str) -> Path:
    """The path that a caller of the daemon named, or the sentence why it can be none (SEC-11).

    Nothing is made of it: no home is put in for `~`, no folder of the daemon before a relative one.
    """
    shown = repr(text if len(text) <= 80 else f"{text[:80]}…")
    if not text.startswith("/"):
        raise UsageError(f"{shown} is not an absolute path; nothing was done. Name the whole path.")
    parts = text.split("/")
    if "\0" in text or len(os.fsencode(text)) > _LONGEST_PATH or max(map(len, map(os.fsencode, parts))) > _LONGEST_NAME:
        raise UsageError(f"{shown} cannot be a path on this machine; nothing was done.")
    if ".." in parts:
        raise UsageError(f"{shown} leads up by `..`; nothing was done. Name the path it leads to.")
    return Path(text)


def holds_everything(folder: Path) -> bool:
    """Is this the root of the file system, somebody's home, or a folder around one? Nobody means all that is in it."""
    real = os.path.realpath(folder)
    homes = {os.path.realpath(place) for place in (os.path.expanduser("~"), _account_home()) if os.path.isabs(place)}
    return real == "/" or any(home == real or home.startswith(f"{real}/") for home in homes)


def _account_home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def token_of(home: Home) -> str | None:
    """The token of a home's daemon; None when there is none that can be read."""
    try:
        return home.token.read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def write_private(path: Path, data: bytes) -> None:
    """Write a whole file atomically and durably: owner-only from its first byte, never half there."""
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)  # else the new name is gone after a power failure
    finally:
        os.close(folder)


def claude_config_dir() -> Path:
    """Where Claude Code keeps its user-scope settings: CLAUDE_CONFIG_DIR, else ~/.claude."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named).expanduser().absolute() if named else Path.home() / ".claude"
