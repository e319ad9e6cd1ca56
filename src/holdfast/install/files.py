"""Settings files on disk: read with their mode, written whole through links, and what git thinks of them.

Dotfile managers link `settings.json` into a repository: the link stays, its target gets the new bytes.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.errors import HoldfastError, Refused
from holdfast.git_calls import SAFE_OPTIONS, git_environment


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as it is now; no bytes when there is none."""

    data: bytes | None = field(repr=False)
    mode: int | None


def digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def read(path: Path) -> FoundFile:
    """Bytes and permission bits of `path`, following links."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            return FoundFile(file.read(), stat.S_IMODE(mode))
    except FileNotFoundError:
        return FoundFile(None, None)
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}). Nothing was changed.") from error


def missing_folders(path: Path) -> tuple[Path, ...]:
    """The parents that writing `path` would have to make, outermost first."""
    folders: list[Path] = []
    folder = target_of(path).parent
    while not folder.exists():
        folders.insert(0, folder)
        folder = folder.parent
    return tuple(folders)


def target_of(path: Path) -> Path:
    """The file a link leads to, the path itself when it is none."""
    return Path(os.path.realpath(path))


def write(path: Path, data: bytes, mode: int | None) -> None:
    """Replace the file behind `path` atomically. `mode` None leaves new files to the umask, at most 0644."""
    target = target_of(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        for folder in missing_folders(target):
            folder.mkdir(mode=0o755, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if mode else 0o644)
        try:
            _keep_owner(descriptor, target)
            if mode is not None:
                os.fchmod(descriptor, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise HoldfastError(f"{path} cannot be written ({error.strerror}). It is as it was before.") from error


def _keep_owner(descriptor: int, target: Path) -> None:
    """Root who installs for someone (sudo) must not take the file away from them."""
    try:
        now = os.fstat(descriptor)
        owner = target.stat() if target.exists() else target.parent.stat()
        if os.geteuid() == 0 and (owner.st_uid, owner.st_gid) != (now.st_uid, now.st_gid):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    except OSError:
        return


def delete(path: Path, folders: tuple[Path, ...]) -> None:
    """Remove a file and those of the folders made for it that are empty now."""
    try:
        target_of(path).unlink(missing_ok=True)
    except OSError as error:
        raise HoldfastError(f"{path} cannot be removed ({error.strerror}).") from error
    for folder in reversed(folders):
        try:
            folder.rmdir()
        except OSError:
            return


def tracked_by_git(path: Path, environment: Mapping[str, str]) -> bool:
    """Whether a commit would carry this file: it is in a repository's index, under its real name."""
    target = target_of(path)
    return _git(target, environment, "ls-files", "--error-unmatch", "--", target.name) == 0


def open_to_git(path: Path, environment: Mapping[str, str]) -> bool:
    """Whether `git add --all` would take this file in: inside a work tree and not ignored."""
    target = target_of(path)
    folder = target.parent
    while not folder.exists():
        folder = folder.parent
    inside = _git(folder / "x", environment, "rev-parse", "--is-inside-work-tree") == 0
    return inside and _git(folder / "x", environment, "check-ignore", "--quiet", "--", str(target)) == 1


def _git(path: Path, environment: Mapping[str, str], *words: str) -> int | None:
    command = ["git", "-C", str(path.parent), *SAFE_OPTIONS, *words]
    try:
        return subprocess.run(
            command,
            env=git_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=False,
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        return None
