"""A quick look at a command line: may it run a test, a build or a check? Says yes too often, never no wrongly.

For the hook's path: parsing a line takes a hundred times as long, and most lines look around.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.shell import tools
from holdfast.shell.by_words import says_so

_CHECKED = frozenset({"test", "build", "lint", "types", "format", "deploy"})
_PARTS = re.compile(r"[^\w@.+-]+")
_NAMES = frozenset(
    {name for name, kind in tools.PROGRAMS.items() if kind in _CHECKED}
    | {name for name, words in tools.SUBCOMMANDS.items() if _CHECKED & set(words.values())}
    | tools.MAKES
    | tools.SCRIPTS
    | tools.JVM
    | tools.PAIRS.keys()
    | tools.TASKS.keys()
    | {"build", "cmake", "node", "php", "ruby"}
)
"""Programs by whose name a run is recognised. What runs them (`npx`, `uv run`, `docker exec`) names them, too."""
_ENDINGS = (".exe", ".cmd", ".bat", ".js", ".mjs", ".cjs")


@lru_cache(maxsize=256)
def may_run(command: str) -> bool:
    """May something in this line be a run whose outcome counts?"""
    return says_so(command) or any(_is_name(part) for part in _PARTS.split(command))


def _is_name(part: str) -> bool:
    if part in _NAMES or "@" in part:
        return True
    plain = part.removesuffix("w") if part in ("gradlew", "mvnw") else part
    for ending in _ENDINGS:
        plain = plain.removesuffix(ending)
    return plain in _NAMES
