"""What the file system and git know about the targets of a command. Reads only, within a deadline.

A fact that cannot be had in time is unknown, and the stricter decision stands.
"""

from __future__ import annotations

import glob
import itertools
import os
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

GIT_SECONDS = 0.12
MOST_ENTRIES = 2_000
"""Files and folders of a target that are looked at."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known about one path."""

    path: str
    exists: bool
    is_folder: bool = False
    is_link: bool = False
    real: str = ""
    """The path with every link followed, and in the spelling that the disk has."""
    is_mount: bool = False
    entries: int = 0
    """Files and folders below it, itself included; more than MOST_ENTRIES: not all were counted."""
    bytes: int = 0
    in_git: bool | None = None
    """True: git has every byte of it. False: there is work in it that no commit has. None: not known."""
    ignored: bool = False
    """Git is told to ignore it."""


def look(paths: Sequence[str], root: str) -> list[Fact]:
    """The facts about paths, patterns filled in; `root` is the work tree they may be in."""
    return [_look(each, root) for path in paths for each in filled(path)]


def filled(path: str) -> list[str]:
    """The paths that a pattern stands for now; a path without one is itself."""
    if not any(sign in path for sign in "*?["):
        return [path]
    return list(itertools.islice(glob.iglob(path, include_hidden=False), MOST_ENTRIES))


def _look(path: str, root: str) -> Fact:
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return Fact(path, exists=False)
    folder, link = stat.S_ISDIR(info.st_mode), stat.S_ISLNK(info.st_mode)
    real = os.path.realpath(path)
    entries, size = (1, info.st_size) if not folder else _measure(path)
    in_git: bool | None = None
    ignored = False
    if root and (real == root or real.startswith(f"{root}/")):
        lost = work_not_in_git(root, [path])
        in_git = None if lost is None else not lost
        ignored = is_ignored(root, path)
    return Fact(path, True, folder, link, real, os.path.ismount(path), entries, size, in_git, ignored)


def _measure(path: str) -> tuple[int, int]:
    entries, size, waiting = 1, 0, [path]
    while waiting and entries <= MOST_ENTRIES:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
                    if entries > MOST_ENTRIES:
                        break
        except OSError:
            continue
    return entries, size


def work_not_in_git(root: str, paths: Sequence[str], *, modified_only: bool = False) -> list[str] | None:
    """Files with work that no commit has: modified, staged or unknown to git. None: git did not answer."""
    kinds = ["--modified", "--deleted"] if modified_only else ["--modified", "--deleted", "--others"]
    told = git(root, "ls-files", "-z", *kinds, "--exclude-standard", "--", *paths)
    staged = git(root, "diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--", *paths)
    if told is None or staged is None:
        return None
    return sorted({name for name in (told + staged).split("\0") if name})


def is_ignored(root: str, path: str) -> bool:
    return bool(git(root, "check-ignore", "--", path))


def stashes(root: str) -> list[str]:
    """The commits of all stashes."""
    told = git(root, "rev-list", "--walk-reflogs", "refs/stash")
    return told.split() if told else []


def commit_of(root: str, name: str) -> str:
    """The commit that a name means; '' when it means none."""
    return (git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") or "").strip()


def aliases(root: str) -> dict[str, str]:
    """Git's aliases in force here."""
    told = git(root or "/", "config", "--get-regexp", "-z", r"^alias\.") or ""
    found = {}
    for entry in told.split("\0"):
        name, _, text = entry.partition("\n")
        if name.startswith("alias."):
            found[name[6:].lower()] = text
    return found


def git(root: str, *words: str, seconds: float = GIT_SECONDS) -> str | None:
    """What git prints; None when it fails or is late. It runs no hook, no pager and no helper of the repository."""
    command = ["git", "-C", root, "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "--no-optional-locks", *words]
    environment = {
        "PATH": os.defpath + ":/usr/local/bin",
        "HOME": str(Path.home()),
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, env=environment, check=False)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if done.returncode not in (0, 1):
        return None
    return done.stdout.decode("utf-8", "surrogateescape")
