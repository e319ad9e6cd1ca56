"""Lists the source files of a folder: those that git knows or would add, else those of a plain walk."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.git_calls import SAFE_OPTIONS, git_environment
from holdfast.source.filters import is_left_out, is_skipped_folder
from holdfast.source.languages import language_of
from holdfast.source.model import Limits

_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_GIT_SECONDS = 60
_MOST_FOLDERS = 50_000


class Listed(NamedTuple):
    """One source file, as the file system has it."""

    path: str
    size: int
    changed_ns: int


def list_sources(root: str, limits: Limits) -> tuple[list[Listed], bool]:
    """The source files of a folder in a fixed order, and whether there were more than the limit."""
    names = git_files(root)
    tracked = names is not None
    found: list[Listed] = []
    for path in sorted(set(names)) if names is not None else walk(root):
        if not language_of(path) or is_left_out(path, limits.exclude, tracked=tracked):
            continue
        listed = look(root, path)
        if listed is None:
            continue
        if len(found) >= limits.files:
            return found, True
        found.append(listed)
    return found, False


def look(root: str, path: str) -> Listed | None:
    """A plain file below the root; None for a link, a folder, a submodule or nothing at all."""
    try:
        found = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return None
    return Listed(path, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def git_files(root: str) -> list[str] | None:
    """Paths that git tracks or would add; None where there is no repository, or git does not answer."""
    if not os.path.lexists(os.path.join(root, ".git")):
        return None
    try:
        done = subprocess.run(
            ["git", "-C", root, *SAFE_OPTIONS, *_LIST],
            capture_output=True,
            timeout=_GIT_SECONDS,
            env=git_environment(),
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode != 0:
        return None
    return [name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name and _is_text(name)]


def is_ignored(root: str, paths: list[str]) -> set[str]:
    """Which of these paths git ignores."""
    if not os.path.lexists(os.path.join(root, ".git")):
        return set()
    try:
        done = subprocess.run(
            ["git", "-C", root, *SAFE_OPTIONS, "check-ignore", "-z", "--stdin"],
            input="\0".join(paths).encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=_GIT_SECONDS,
            env=git_environment(),
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return set()
    return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}


def walk(root: str) -> Iterator[str]:
    """The files below a folder, without hidden folders and those of tools. Links are not followed."""
    waiting = [""]
    seen = 0
    while waiting and seen < _MOST_FOLDERS:
        folder = waiting.pop()
        seen += 1
        try:
            entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)
        except OSError:
            continue
        below = []
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not _is_text(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not is_skipped_folder(entry.name) and not os.path.lexists(os.path.join(root, path, ".git")):
                    below.append(path)
            else:
                yield path
        waiting += reversed(below)


def _is_text(path: str) -> bool:
    """Can the path be written as text? (Any bytes may be a name.)"""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\n" not in path
