"""The name that a project's origin gives it: `owner_repo`, read from git's own file without a git process."""

from __future__ import annotations

import re
from pathlib import Path

from holdfast.gitfiles import repository

_URL = re.compile(r"^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r'^[ \t]*\[remote "origin"\][ \t]*$(.*?)(?=^[ \t]*\[|\Z)', re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"[:/]([^/:]+)/([^/]+?)(?:\.git)?/?$")
_LARGEST = 1_000_000


def origin_name(folder: str) -> str:
    """`owner_repo` of the remote named origin; '' when there is none."""
    try:
        config = Path(repository(folder)[1] or "/nowhere") / "config"
        if config.stat().st_size > _LARGEST:
            return ""
        section = _SECTION.search(config.read_text("utf-8", "replace"))
    except OSError:
        return ""
    url = _URL.search(section[1]) if section else None
    found = _PATH.search(url[1]) if url else None
    return f"{found[1]}_{found[2]}" if found else ""
