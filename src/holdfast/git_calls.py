"""How git is called in a repository that may be a stranger's, so that none of its programs run.

A repository's configuration can name programs: monitors, hooks, pagers, proofs of signatures, transports (also for an
object that is fetched when it is missed), and filters. The options and the environment here switch off all but the
filters; whoever lets git read files of the work tree adds `without_filters`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

SAFE_OPTIONS = (
    "--no-pager", "--no-optional-locks",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "core.sshCommand=false", "-c", "core.quotePath=false", "-c", "log.showSignature=false",
)  # fmt: skip
LIST_FILTERS = ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
"""Prints the settings that `without_filters` takes. Git ends with 1 when there are none."""
_FILTER = re.compile(r"filter\.(.*)\.(?:clean|smudge|process|required)", re.DOTALL)


def git_environment(around: Mapping[str, str] | None = None) -> dict[str, str]:
    """Nothing of ours but where programs and the user's own settings are: a daemon that a git hook started would hand
    GIT_DIR on. Nothing is fetched."""
    here = os.environ if around is None else around
    settings = {"XDG_CONFIG_HOME": here["XDG_CONFIG_HOME"]} if here.get("XDG_CONFIG_HOME") else {}
    return settings | {
        "PATH": os.pathsep.join(filter(None, (here.get("PATH", ""), os.defpath))),
        "HOME": here.get("HOME") or str(Path.home()),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }


def without_filters(settings: Iterable[str]) -> tuple[str, ...] | None:
    """The options that switch these filters off; None when one has a name that no option can say."""
    names = {match[1] for each in settings if (match := _FILTER.fullmatch(each))}
    if any("=" in name for name in names):
        return None
    off = ("clean=", "smudge=", "process=", "required=false")
    return tuple(word for name in sorted(names) for each in off for word in ("-c", f"filter.{name}.{each}"))
