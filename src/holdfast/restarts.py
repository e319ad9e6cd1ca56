"""How the daemon asks `holdfast run` to start its client again: one small file for each start of a client.

The file outlives a restart of the daemon, and nobody has to hold a connection. Whoever runs the client looks for it. A
second file names the client's process: what that starts inherits the id of the run, and is no part of it.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from pathlib import Path

from holdfast.paths import make_private_folder, write_private
from holdfast.processes import is_running

VARIABLE = "HOLDFAST_RUN"
"""The environment variable that names a start of a client to its hooks."""
_RUN = re.compile(r"[0-9a-f]{32}\Z")
_OLD = 86_400
_OWNER = ".pid"


def ask(folder: Path, run: str, text: str) -> None:
    """Ask for the client of this run to be ended and started again with a prompt. Asked twice it is one wish."""
    if _RUN.match(run):
        make_private_folder(folder)
        for old in folder.iterdir():  # of a run that ended before it could look
            with suppress(OSError):  # the run that it was for may have just taken it away
                if time.time() - old.stat().st_mtime > _OLD and not _is_of_running(old):
                    old.unlink()
        write_private(folder / run, json.dumps({"text": text}).encode())


def owner(folder: Path, run: str, pid: int) -> int:
    """The process that came first with a run's id, over all lives of the daemon: this one, when none came before."""
    if not _RUN.match(run):
        return pid
    place = folder / f"{run}{_OWNER}"
    with suppress(OSError):
        make_private_folder(folder)
        if not place.exists():
            write_private(place, str(pid).encode())
            return pid
    return _process(place) or pid


def _process(place: Path) -> int:
    """The process that such a file names; 0 when it names none."""
    try:
        told = place.read_bytes()[:20]
    except OSError:
        return 0
    return int(told) if told.isdigit() else 0


def _is_of_running(place: Path) -> bool:
    """Does it name a client that still runs?"""
    pid = _process(place) if place.suffix == _OWNER else 0
    return bool(pid) and is_running(pid)


def wanted(folder: Path, run: str) -> str | None:
    """The text to start again with; None when nobody asked."""
    try:
        told = json.loads((folder / run).read_bytes())
    except (OSError, ValueError):
        return None
    text = told.get("text") if isinstance(told, dict) else None
    return text if isinstance(text, str) else None


def done(folder: Path, run: str) -> None:
    for place in (folder / run, folder / f"{run}{_OWNER}"):
        place.unlink(missing_ok=True)
