"""Which files an archive or a patch writes over. Lists only: nothing is unpacked, and all of it within a time."""

from __future__ import annotations

import os
import subprocess
import time
import zipfile
from collections.abc import Iterable

from holdfast.undo.git_losses import LARGEST_PATCH, patched

_SECONDS = 0.6
_MOST_NAMES = 20_000
_PATCHES = (".patch", ".diff", ".rej")


def written(path: str, stdin: str | None, folder: str, until: float) -> list[str] | None:
    """Files of a folder that are written over; None when it cannot be told."""
    if not path:
        return patched(stdin, [folder]) if stdin is not None else None
    try:
        with open(path, "rb") as file:
            head = file.read(512)
    except (OSError, ValueError):
        return None
    # An archive has bytes of zero in its head, and may begin with the file `diff of today.txt`.
    if (b"\0" not in head and (b"--- " in head or b"diff " in head)) or path.endswith(_PATCHES):
        return _of_patch(path, folder)
    names = _zipped(path) if head[:2] == b"PK" else _tarred(path, until)
    return None if names is None else _there(names, folder, until)


def _of_patch(path: str, folder: str) -> list[str] | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(LARGEST_PATCH + 1)
    except OSError:
        return None
    return patched(text, [folder])


def _zipped(path: str) -> list[str] | None:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None
    return names if len(names) <= _MOST_NAMES else None


def _tarred(path: str, until: float) -> list[str] | None:
    seconds = min(_SECONDS, until - time.monotonic())
    if seconds <= 0:
        return None
    words = ("tar", "--force-local", "--quoting-style=literal", "--show-transformed-names", "-tf", path)
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
            env={"PATH": os.defpath, "LC_ALL": "C"},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    names = os.fsdecode(done.stdout).split("\n")
    return names if done.returncode == 0 and len(names) <= _MOST_NAMES else None


def _there(names: Iterable[str], folder: str, until: float) -> list[str] | None:
    """The files that are there, however many folders are left out at the beginning of a name; None: it is too much."""
    found: dict[str, None] = {}
    for name in names:
        if time.monotonic() > until:
            return None
        parts = [part for part in name.split("/") if part not in ("", ".", "..")][-40:]
        for first in range(len(parts)):
            path = os.path.join(folder, *parts[first:])
            if os.path.lexists(path) and not (os.path.isdir(path) and not os.path.islink(path)):
                found[os.path.normpath(path)] = None
    return list(found)
