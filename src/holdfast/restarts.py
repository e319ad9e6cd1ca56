"""How the daemon asks `holdfast run` to start its client again: one small file for each start of a client.

The file outlives a restart of the daemon, and nobody has to hold a connection. Whoever runs the client looks for it.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from pathlib import Path

from holdfast.paths import make_private_folder, write_private

VARIABLE = "HOLDFAST_RUN"
"""The environment variable that names a start of a client to its hooks."""
_RUN = re.compile(r"[0-9a-f]{32}\Z")
_OLD = 86_400


def ask(folder: Path, run: str, text: str) -> None:
    """Ask for the client of this run to be ended and started again with a prompt. Asked twice it is one wish."""
    if _RUN.match(run):
        make_private_folder(folder)
        for old in folder.iterdir():  # of a run that ended before it could look
            with suppress(OSError):  # the run that it was for may have just taken it away
                if time.time() - old.stat().st_mtime > _OLD:
                    old.unlink()
        write_private(folder / run, json.dumps({"text": text}).encode())


def wanted(folder: Path, run: str) -> str | None:
    """The text to start again with; None when nobody asked."""
    try:
        told = json.loads((folder / run).read_bytes())
    except (OSError, ValueError):
        return None
    text = told.get("text") if isinstance(told, dict) else None
    return text if isinstance(text, str) else None


def done(folder: Path, run: str) -> None:
    (folder / run).unlink(missing_ok=True)
