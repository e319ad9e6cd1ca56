"""The folder that a line says it works in, where nobody says which it is: `cd /home/dev/shop/web && rm -rf dist`. Pure.

Agents begin many lines so. With a known folder this says nothing; without one, what lies below that folder is in the
project and not beside it. Folders of the system and those in which a person keeps documents are no project.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LEADING_CD = lazy_pattern(
    r"\s*(?:set -\w+;? )?cd ([\"']?)((?:/home/[\w.-]+|/Users/[\w.-]+|/workspaces?|/repos?|/projects?|/code)"
    r"/(?!\.|\w*(?:documents|desktop|downloads|pictures|photos|music|movies|videos|library|backups?|dumps?|data)\b)"
    r"[\w@+-][\w.@+-]*(?:/[\w@+-][\w.@+-]*){0,12})/?\1\s*(?:&&|;|\n)",
    re.IGNORECASE,
)


def named_in(command: str) -> str:
    """The folder, or '' where the line names none."""
    found = _LEADING_CD.match(command)
    return found[2] if found is not None else ""
