"""Is what was kept really kept? Runs the commands that were let run because of undo, undoes them, and compares.

Here, and only here, commands of the corpus are run: in a mount, process and network namespace of their own, in which
nothing but the sandbox can be written. Where the kernel gives no such namespace, nothing is run and that is said.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.guards.corpus import Case
from bench.guards.judging import Room
from bench.guards.scenes import REBUILT, Place, at_home

_CAGE = """
for at in $(awk '$3 !~ /^(proc|sysfs|devpts|mqueue|cgroup2?)$/ { print $2 }' /proc/mounts); do
  mount -o remount,bind,ro "$at" 2>/dev/null
done
mount --bind "$1" "$1" && mount -o remount,bind,rw "$1" || exit 97
for at in / /etc /tmp /var /dev /dev/shm "$2"; do
  touch "$at/.holdfast-cage" 2>/dev/null && exit 98
done
cd "$3" || exit 99
HOME="$1" exec timeout 20 bash -c "$4"
"""
_NO_CAGE = frozenset({97, 98, 99})
ASKED = "it was asked about when it came to it: a busy machine was too slow to keep it in time"


class NoCage(Exception):
    """No command can be run safely here."""


def lost(cases: Iterable[Case], places: Mapping[str, Place]) -> dict[Case, list[str]]:
    """What was not brought back, by command; an empty list when all was."""

    async def work() -> dict[Case, list[str]]:
        found: dict[Case, list[str]] = {}
        with tempfile.TemporaryDirectory() as folder:
            room = Room(Path(folder), undo=True)
            for case in cases:
                place = places[case.scene]
                fresh = Path(folder) / f"fresh-{case.scene}"
                if not fresh.exists():
                    shutil.copytree(place.home, fresh, symlinks=True)
                with at_home(place.home):
                    found[case] = await _played(room, case, place)
                shutil.rmtree(place.home)
                shutil.copytree(fresh, place.home, symlinks=True)
        return found

    return asyncio.run(work())


async def _played(room: Room, case: Case, place: Place) -> list[str]:
    command = case.there(place.project, place.home)
    safe = _in_git(place)
    files = {name: what for name, what in _files(place).items() if name not in safe}
    commits = _commits(place)
    kept = await room.keep(command, place.project)
    if not kept:
        return [ASKED]
    _run(command, place)
    await room.bring_back(kept)
    now = _files(place)
    missing = [name for name, what in files.items() if now.get(name) != what]
    return missing + [f"commit {commit[:8]}" for commit in commits - _commits(place)]


def _run(command: str, place: Place) -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_TERMINAL_PROMPT": "0"}
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", _CAGE, "cage"]
    words += [place.home, os.path.dirname(os.path.dirname(place.home)), place.project, command]
    try:
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except OSError as error:
        raise NoCage("there is no `unshare`") from error
    if done.returncode in _NO_CAGE or b"unshare:" in done.stderr:
        raise NoCage("the kernel gives no namespaces to this user")


def _files(place: Place) -> dict[str, tuple[int, bytes]]:
    """Every file, link and folder of the home that is not git's own and not built again: mode and bytes."""
    found: dict[str, tuple[int, bytes]] = {}
    rebuilt = {f"shop/{name.split('/')[0]}" for name in REBUILT if not name.startswith("src/")}
    for folder, folders, names in os.walk(place.home):
        folders[:] = [name for name in folders if name not in (".git", "origin.git", "__pycache__")]
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            said = os.path.relpath(path, place.home)
            if name == ".git" or any(said == each or said.startswith(f"{each}/") for each in rebuilt):
                continue
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                found[said] = (mode, os.readlink(path).encode())
            else:
                found[said] = (mode, Path(path).read_bytes() if stat.S_ISREG(mode) else b"")
    return found


def _in_git(place: Place) -> set[str]:
    """Files of the project as they were committed, and the folders that hold them: git brings them back."""
    tracked = _git(place, "ls-files", "-z") - _git(place, "diff", "--name-only", "-z", "HEAD")
    return {f"shop/{parent}" for name in tracked for parent in (name, *map(str, Path(name).parents))}


def _commits(place: Place) -> set[str]:
    """Every commit that a ref, a stash or the reflog of a ref holds."""
    return _git(place, "rev-list", "--all", "--reflog") | _git(place, "stash", "list", "--format=%H")


def _git(place: Place, *words: str) -> set[str]:
    done = subprocess.run(["git", "-C", place.project, *words], capture_output=True, text=True)
    return set(done.stdout.replace("\0", "\n").split("\n")) - {""}
