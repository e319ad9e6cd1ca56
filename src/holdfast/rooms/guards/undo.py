"""Keeping what a command is about to remove, and bringing it back byte for byte.

A kept thing is a folder below `undo/`: `kept.json` says what lies where, `files/` holds the bytes. For a delete a hard
link is enough (unlinking leaves the bytes), where the disk allows it; what is written over is copied. Commits that a
dropped stash or branch would lose are held by a private ref. Bounded in bytes, entries and days. The bytes are not
scrubbed: the folder is the owner's alone, never exported, backed up or indexed.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import ConversationId, new_id
from holdfast.rooms.guards import facts

REFS = "refs/holdfast/undo"
_LONGEST_NAME = 4_000


class KeptFile(msgspec.Struct, frozen=True):
    """One file, link or folder: where it was, and what it was."""

    path: str
    kind: str
    """`file`, `link` or `folder`."""
    mode: int
    modified_ns: int
    at: str = ""
    """Below `files/`, for a file; the target, for a link."""


class Kept(msgspec.Struct, frozen=True):
    """All that was kept before one command."""

    id: str
    command: str
    conversation: ConversationId
    created_at: int
    bytes: int
    files: list[KeptFile] = []
    root: str = ""
    commits: dict[str, str] = {}
    """Refs to bring back and their commits: `refs/heads/x`, or `stash` entries, the newest first."""


class NotKept(Exception):
    """It cannot be kept: too large, too many, or not readable."""


class Undo:
    """The folder of kept things."""

    def __init__(self, folder: Path, *, most_bytes: int, days: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._days = days

    # --- keeping

    def keep(
        self,
        command: str,
        conversation: str,
        paths: Sequence[str],
        *,
        written_over: bool = False,
        root: str = "",
        commits: dict[str, str] | None = None,
        now: int,
    ) -> Kept:
        """Keep these paths (and commits) before a command runs, or raise NotKept and keep nothing."""
        kept_id = new_id()[-8:]
        folder = self._folder / kept_id
        folder.mkdir(parents=True, mode=0o700)
        os.chmod(self._folder, 0o700)
        (folder / "files").mkdir(mode=0o700)
        try:
            files, size = self._take(folder / "files", paths, copy=written_over)
            for number, commit in enumerate((commits or {}).values()):
                if facts.git(root, "update-ref", f"{REFS}/{kept_id}/{number}", commit, seconds=1.0) is None:
                    raise NotKept("git could not hold the commits")
            kept = Kept(
                kept_id, command[:_LONGEST_NAME], ConversationId(conversation), now, size, files, root, commits or {}
            )
            target = folder / "kept.json"
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(kept))
            return kept
        except (OSError, NotKept) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise NotKept(str(error)) from error

    def _take(self, into: Path, paths: Iterable[str], *, copy: bool) -> tuple[list[KeptFile], int]:
        files: list[KeptFile] = []
        size, left = 0, self._most_bytes - self.used()
        waiting = [path for path in _outermost(paths) if os.path.lexists(path)]
        while waiting:
            path = waiting.pop()
            if len(files) >= facts.MOST_ENTRIES:
                raise NotKept(f"more than {facts.MOST_ENTRIES} files")
            info = os.lstat(path)
            if stat.S_ISDIR(info.st_mode):
                files.append(KeptFile(path, "folder", stat.S_IMODE(info.st_mode), info.st_mtime_ns))
                waiting += sorted((entry.path for entry in os.scandir(path)), reverse=True)
            elif stat.S_ISLNK(info.st_mode):
                files.append(KeptFile(path, "link", stat.S_IMODE(info.st_mode), info.st_mtime_ns, os.readlink(path)))
            elif stat.S_ISREG(info.st_mode):
                name = f"{len(files):05}"
                size += info.st_size
                if size > left:
                    raise NotKept(f"more than {self._most_bytes // 1_000_000} MB in all")
                self._take_bytes(path, into / name, copy=copy)
                files.append(KeptFile(path, "file", stat.S_IMODE(info.st_mode), info.st_mtime_ns, name))
            else:
                raise NotKept(f"{path} is neither a file nor a folder")
        return files, size

    def _take_bytes(self, path: str, target: Path, *, copy: bool) -> None:
        if not copy:
            try:
                os.link(path, target, follow_symlinks=False)
                return
            except OSError:
                pass  # another file system, or one without links
        shutil.copyfile(path, target, follow_symlinks=False)
        os.chmod(target, 0o600)

    # --- bringing back

    def listed(self) -> list[Kept]:
        """All kept things, the newest first."""
        found = []
        for file in self._folder.glob("*/kept.json"):
            try:
                found.append(msgspec.json.decode(file.read_bytes(), type=Kept))
            except (OSError, msgspec.MsgspecError):
                continue
        return sorted(found, key=lambda kept: kept.created_at, reverse=True)

    def find(self, kept_id: str = "") -> Kept:
        """The one with this id (or its beginning); without one the newest."""
        found = [kept for kept in self.listed() if kept.id.startswith(kept_id)]
        if not found:
            raise HoldfastError("Nothing is kept to undo." if not kept_id else f"Nothing is kept under {kept_id}.")
        if kept_id and len(found) > 1:
            raise UsageError(f"{kept_id} means more than one; say {' or '.join(kept.id for kept in found[:5])}.")
        return found[0]

    def restore(self, kept: Kept, *, over: bool = False) -> list[str]:
        """Bring it back; the paths that were written. Nothing that is there now is written over unless `over`."""
        source = self._folder / kept.id / "files"
        there = [each.path for each in kept.files if each.kind != "folder" and self._differs(each, source)]
        if there and not over:
            names = ", ".join(there[:3]) + (" …" if len(there) > 3 else "")
            raise HoldfastError(
                f"{len(there)} of these exist again ({names}); nothing was changed. Use --over to replace them."
            )
        written = []
        folders = [each for each in kept.files if each.kind == "folder"]
        for each in sorted(folders, key=lambda one: len(one.path)):
            os.makedirs(each.path, exist_ok=True)
        for each in kept.files:
            if each.kind == "folder":
                continue
            os.makedirs(os.path.dirname(each.path), exist_ok=True)
            if os.path.lexists(each.path):
                os.unlink(each.path)
            if each.kind == "link":
                os.symlink(each.at, each.path)
            else:
                shutil.copyfile(source / each.at, each.path)
                os.chmod(each.path, each.mode)
                os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
            written.append(each.path)
        for each in sorted(folders, key=lambda one: -len(one.path)):
            os.chmod(each.path, each.mode)
            os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
        return written + self._restore_commits(kept)

    def _differs(self, each: KeptFile, source: Path) -> bool:
        if not os.path.lexists(each.path):
            return False
        if each.kind == "link":
            return not os.path.islink(each.path) or os.readlink(each.path) != each.at
        try:
            return os.path.islink(each.path) or Path(each.path).read_bytes() != (source / each.at).read_bytes()
        except OSError:
            return True

    def _restore_commits(self, kept: Kept) -> list[str]:
        done = []
        for name, commit in reversed(kept.commits.items()):
            if name.startswith("stash"):
                ok = facts.git(kept.root, "stash", "store", "-m", "brought back by holdfast undo", commit, seconds=5.0)
            else:
                ok = facts.git(kept.root, "update-ref", name, commit, "", seconds=5.0)
            if ok is not None:
                done.append(name)
        return done

    # --- bounds

    def used(self) -> int:
        return sum(kept.bytes for kept in self.listed())

    def tidy(self, now: int) -> int:
        """Remove what is older than its days, and the oldest beyond the bytes. How many were removed."""
        gone, total = 0, 0
        for kept in self.listed():
            total += kept.bytes
            if now - kept.created_at > self._days * 86_400_000_000 or total > self._most_bytes:
                self.drop(kept)
                gone += 1
        return gone

    def drop(self, kept: Kept) -> None:
        for number in range(len(kept.commits)):
            facts.git(kept.root, "update-ref", "-d", f"{REFS}/{kept.id}/{number}", seconds=1.0)
        shutil.rmtree(self._folder / kept.id, ignore_errors=True)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Each path once, and none that lies below another."""
    found: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths}):
        if not found or not path.startswith(f"{found[-1]}/"):
            found.append(path)
    return found
