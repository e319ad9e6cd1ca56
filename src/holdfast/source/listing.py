"""Lists the source files of a folder: those that git knows or would add, else those of a plain walk."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.git_calls import SAFE_OPTIONS, git_environment
from holdfast.gitfiles import head_files
from holdfast.source.filters import is_left_out, is_skipped_folder
from holdfast.source.languages import language_of
from holdfast.source.model import ReadLimits

_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_GIT_SECONDS = 60
_MOST_FOLDERS = 50_000


class NotListed(OSError):
    """Git knows which files are ignored, and does not tell: the index stays as it was."""


class ListedFile(NamedTuple):
    """One source file, as the file system has it."""

    path: str
    size: int
    changed_ns: int


def list_sources(root: str, limits: ReadLimits) -> tuple[list[ListedFile], bool]:
    """The source files of a folder in a fixed order, and whether there were more than the limit."""
    names = git_files(root)
    tracked = names is not None
    found: list[ListedFile] = []
    folders: dict[str, bool] = {}
    for path in sorted(set(names)) if names is not None else walk(root):
        if not language_of(path) or is_left_out(path, limits.exclude, tracked=tracked):
            continue
        listed = look(root, path, folders)
        if listed is None:
            continue
        if len(found) >= limits.files:
            return found, True
        found.append(listed)
    return found, False


def look(root: str, path: str, folders: dict[str, bool] | None = None) -> ListedFile | None:
    """A plain file below the root; None for a link, a folder, a submodule, nothing at all, or a file in a folder that
    is a link. `folders` remembers which folders were looked at."""
    if not _is_inside(root, os.path.dirname(path), {} if folders is None else folders):
        return None
    try:
        found = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return None
    return ListedFile(path, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _is_inside(root: str, folder: str, known: dict[str, bool]) -> bool:
    """Is a folder below the root without a link on the way? A link may lead out of the tree."""
    if not folder:
        return True
    if folder not in known:
        path = os.path.join(root, folder)
        known[folder] = os.path.realpath(path) == os.path.join(os.path.realpath(root), os.path.normpath(folder))
    return known[folder]


def git_files(root: str) -> list[str] | None:
    """Paths that git tracks or would add; None where there is no repository, or no git."""
    if not _is_repository(root):
        return None
    try:
        done = subprocess.run(
            ["git", "-C", root, *SAFE_OPTIONS, *_LIST],
            capture_output=True,
            timeout=_GIT_SECONDS,
            env=git_environment(),
            check=False,
        )
    except FileNotFoundError:
        return None
    except (OSError, subprocess.SubprocessError) as error:
        raise NotListed(f"git could not list {root}: {error}") from error
    if done.returncode != 0:
        raise NotListed(f"git could not list {root}: {_first_line(done.stderr)}")
    return [name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name and _is_text(name)]


def is_ignored(root: str, paths: list[str]) -> set[str]:
    """Which of these paths git ignores."""
    if not paths or not _is_repository(root):
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
    except FileNotFoundError:
        return set()
    except (OSError, subprocess.SubprocessError) as error:
        raise NotListed(f"git could not tell what {root} ignores: {error}") from error
    if done.returncode not in (0, 1):
        raise NotListed(f"git could not tell what {root} ignores: {_first_line(done.stderr)}")
    return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}


def _is_repository(root: str) -> bool:
    files = head_files(root)
    return bool(files) and os.path.lexists(files[0])


def _first_line(said: bytes) -> str:
    return said[:300].decode("utf-8", "replace").partition("\n")[0]


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
