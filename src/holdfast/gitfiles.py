"""What git's own files say, without a git process: the repository of a folder, and the commit that a worktree is at."""

from __future__ import annotations

import os
import re
import stat
from collections import OrderedDict
from collections.abc import Callable
from itertools import islice

_HASH = re.compile(r"[0-9a-f]{40,64}")
_LONGEST_LINE = 4096
_MOST_FOLDERS = 200
"""Of branches whose names have slashes."""
_MOST_ENTRIES = 1_000
"""Entries of a folder of branches that are looked at: a change in a folder behind them is noticed when HEAD moves."""
_LARGEST_PACKED = 16 << 20
"""Bytes: some 200,000 packed refs."""
_MOST_WORKTREES = 256
_LONGEST_BRANCH = 120
KEPT_HASH = 12
"""Characters of a hash that are kept: unique in any repository, and short to show."""

_Stamp = tuple[tuple[int, int] | None, ...]
"""Inode and time of change of some files; None for one that is not there."""


def repository(folder: str) -> tuple[str, str]:
    """The worktree's root and the common git directory, or the folder and ''."""
    current = folder
    while True:
        mark = os.path.join(current, ".git")
        if os.path.isdir(mark):
            return current, os.path.realpath(mark)
        if os.path.isfile(mark) and (common := _common_directory(mark, current)):
            return current, common
        if _is_bare(current):
            return current, current
        parent = os.path.dirname(current)
        if parent == current:
            return folder, ""
        current = parent


def _is_bare(folder: str) -> bool:
    """A git directory without a working copy. (One named `.git` belongs to the folder around it.)"""
    if os.path.basename(folder) == ".git":
        return False
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def _common_directory(mark: str, root: str) -> str:
    """The directory that all worktrees share: that of a `.git` file's own, then its `commondir` where there is one."""
    git_dir = _git_directory(mark, root)
    common = _line(os.path.join(git_dir, "commondir")) if git_dir else ""
    return os.path.realpath(os.path.join(git_dir, common)) if common else git_dir


def _git_directory(mark: str, root: str) -> str:
    """Where a worktree's (or submodule's) `.git` file leads; '' when it is none."""
    line = _line(mark)
    if not line.startswith("gitdir:"):
        return ""
    return os.path.realpath(os.path.join(root, line.removeprefix("gitdir:").strip()))


def main_worktree(worktree: str) -> str:
    """The worktree that the repository was made in; '' outside git, in a submodule and where it is bare."""
    common = repository(worktree)[1]
    return os.path.dirname(common) if os.path.basename(common) == ".git" else ""


def branch_of(worktree: str) -> str:
    """The branch that this worktree is on; '' outside git and on no branch."""
    git_dir = _own_directory(worktree)
    head = _line(os.path.join(git_dir, "HEAD")) if git_dir else ""
    return head.removeprefix("ref:").strip().removeprefix("refs/heads/") if head.startswith("ref:") else ""


def head_of(worktree: str) -> str:
    """The hash that HEAD of this worktree means; '' outside git or before the first commit."""
    git_dir = _own_directory(worktree)
    head = _line(os.path.join(git_dir, "HEAD")) if git_dir else ""
    if not head.startswith("ref:"):
        return head if _HASH.fullmatch(head) else ""
    *loose, packed = _ref_files(git_dir, head)
    for path in loose:
        found = _line(path)
        if _HASH.fullmatch(found):
            return found
    return _packed(packed, head.removeprefix("ref:").strip()) if loose else ""


def branches_mark(worktree: str) -> str:
    """Changes when HEAD of this worktree, or any local branch, leads to another commit; '' outside git and before the
    first commit. A few looks at folders: git renames each file of a branch into its place."""
    head = head_of(worktree)
    common = repository(worktree)[1] if head else ""
    if not common:
        return ""
    seen = [head, branch_of(worktree)]
    folders = [os.path.join(common, "refs", "heads")]
    for folder in folders:
        try:
            found = os.stat(folder)
            with os.scandir(folder) as entries:
                inner = sorted(
                    each.path for each in islice(entries, _MOST_ENTRIES) if each.is_dir(follow_symlinks=False)
                )
        except OSError:
            continue
        seen.append(f"{folder} {found.st_mtime_ns}")
        folders += inner[: _MOST_FOLDERS - len(folders)]
    for name in ("packed-refs", os.path.join("reftable", "tables.list")):
        try:
            found = os.stat(os.path.join(common, name))
        except OSError:
            continue
        seen.append(f"{name} {found.st_mtime_ns} {found.st_size}")
    return "\n".join(seen)


def head_files(worktree: str) -> tuple[str, ...]:
    """The files that say which commit and branch this worktree is at, `HEAD` first; none outside git."""
    git_dir = _own_directory(worktree)
    if not git_dir:
        return ()
    path = os.path.join(git_dir, "HEAD")
    head = _line(path)
    return (path, *_ref_files(git_dir, head)) if head.startswith("ref:") else (path,)


def _own_directory(worktree: str) -> str:
    """The git directory of this very worktree; '' outside git."""
    git_dir = os.path.join(worktree, ".git")
    if os.path.isfile(git_dir):
        return _git_directory(git_dir, worktree)
    return git_dir if os.path.isdir(git_dir) else ""


def _ref_files(git_dir: str, head: str) -> tuple[str, ...]:
    """Where the commit of a branch may be written: files of its own, and last the file of packed ones."""
    common = _line(os.path.join(git_dir, "commondir"))
    common_dir = os.path.join(git_dir, common) if common else git_dir
    packed = os.path.join(common_dir, "packed-refs")
    name = head.removeprefix("ref:").strip()
    if ".." in name:
        return (packed,)
    return (*(os.path.join(folder, *name.split("/")) for folder in dict.fromkeys((git_dir, common_dir))), packed)


def _packed(path: str, name: str) -> str:
    for line in _start_of(path, _LARGEST_PACKED).splitlines():
        found, _, ref = line.strip().partition(" ")
        if ref == name and _HASH.fullmatch(found):
            return found
    return ""


def _line(path: str) -> str:
    return _start_of(path, _LONGEST_LINE).partition("\n")[0].strip()


def _start_of(path: str, most: int) -> str:
    """The first bytes of a plain file as text; '' of anything else. (To open a pipe would wait for its other end.)"""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            return file.read(most).decode("utf-8", "replace") if stat.S_ISREG(os.fstat(descriptor).st_mode) else ""
    except (OSError, ValueError):
        return ""


class Heads:
    """Looks up the commit and the branch of a worktree, and remembers them as long as git's own files stay the same:
    git replaces `HEAD` at a checkout and the branch's file at a commit."""

    def __init__(self) -> None:
        self._commits: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]] = OrderedDict()
        self._branches: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]] = OrderedDict()

    def at(self, worktree: str) -> str:
        """The first characters of the commit's hash; '' outside git or before the first commit."""
        return _looked_up(self._commits, worktree, head_files, lambda place: head_of(place)[:KEPT_HASH])

    def branch_at(self, worktree: str) -> str:
        """The branch; '' outside git and on no branch."""
        return _looked_up(
            self._branches,
            worktree,
            lambda place: head_files(place)[:1],
            lambda place: branch_of(place)[:_LONGEST_BRANCH],
        )


def _looked_up(
    known: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]],
    worktree: str,
    files: Callable[[str], tuple[str, ...]],
    look: Callable[[str], str],
) -> str:
    if not worktree:
        return ""
    before = known.get(worktree)
    if before and _stamp(before[0]) == before[1]:
        return before[2]
    paths = files(worktree) or (os.path.join(worktree, ".git"),)  # outside git: as long as that is not there
    stamp = _stamp(paths)  # before the look: what changes meanwhile is seen the next time
    found = look(worktree)
    known[worktree] = (paths, stamp, found)
    known.move_to_end(worktree)
    if len(known) > _MOST_WORKTREES:
        known.popitem(last=False)
    return found


def _stamp(paths: tuple[str, ...]) -> _Stamp:
    return tuple(map(_changed, paths))


def _changed(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
