"""Files that a line most likely makes anew, and programs that ask before they write over one. Pure.

Where there is a folder, the file system tells whether a file is there. Without one, the way in which it is written
tells most: whoever sends a report, a dump or a difference into a file beyond the project names a new one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from holdfast.commandline.model import Arg, Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_TYPED = listed(": true false echo printf cat yes cp dd tr head shuf openssl base64 sponge tee")
"""Programs that print what they are told to, or nothing: such a line may well be about a file that is there."""
_NOTHING = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_HOMES = frozenset({"~", "$HOME", "${HOME}"})
_PATTERN = lazy_pattern(r"[*?\[{$`]")


def is_report(run: Run, target: Arg) -> bool:
    """Does a program send what it found out into a file that the line does not read: `git diff > ~/my.patch`?"""
    if not run.program or run.program in _TYPED or any(text in _NOTHING for text in run.texts):
        return False
    return target.text not in run.texts and target.text not in run.fed_by


def in_home(target: Arg, sources: Sequence[Arg]) -> tuple[Arg, ...]:
    """The files that arrive where something is put into the home directory itself: `cp report.pdf ~/`."""
    if target.text.rstrip("/") not in _HOMES or (target.quoted and target.text.startswith("~")):
        return ()
    if not sources or any(not arg.known or _PATTERN.search(arg.text) for arg in sources):
        return ()
    names = [posixpath.basename(posixpath.normpath(arg.text)) for arg in sources]
    return tuple(Arg(f"~/{name}") for name in names) if all(name.strip(".") for name in names) else ()


def asks_itself(run: Run, flags: Sequence[str]) -> bool:
    """Does it ask before each file: `cp -i a b`? Where nobody answers, nothing is written over."""
    fed = run.piped_from or run.fed_by or run.stdin is not None or run.via
    return not fed and "-f" not in flags and "--force" not in flags and ("-i" in flags or "--interactive" in flags)
