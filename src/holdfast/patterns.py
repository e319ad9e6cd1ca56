"""Regular expressions that are compiled at their first use.

The daemon's modules hold some 750 patterns. Compiled where they are written, they took a third of its start, and the
first event of a session needs few of them. `compile_waiting` compiles the others when the daemon has nothing to do, so
that no later event waits for them.
"""

from __future__ import annotations

import re
import time
from typing import Any, AnyStr, cast

_waiting: list[_LazyPattern] = []


class _LazyPattern:
    """Stands for a `re.Pattern`. A method becomes an attribute when it is first called, so that later calls cost
    what they cost on the pattern itself."""

    __slots__ = (
        *("_source", "_flags", "_made"),
        *("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"),
        *("pattern", "flags", "groups", "groupindex", "scanner"),
    )

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source: str | bytes = source
        self._flags = flags
        _waiting.append(self)

    def __getattr__(self, name: str) -> Any:
        """The first use of a method; also the first use of all, which compiles."""
        if name == "_made":
            self._made = re.compile(self._source, self._flags)
            return self._made
        found = getattr(self._made, name)
        if not name.startswith("__"):
            setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return repr(self._made)


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, as `re.compile` makes it, but later. A mistake in it is raised at the first use: a test compiles
    all of them."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


def compile_waiting(pause: float = 0.0) -> None:
    """Compile what was not used yet, one by one, and rest after each: for a thread that gives way to others."""
    while True:
        try:
            pattern = _waiting.pop()
        except IndexError:  # none, or `leave_waiting` was called in another thread
            return
        try:
            pattern._made  # noqa: B018 (reading it compiles)
        except re.error:
            raise ValueError(f"{pattern._source!r} is no regular expression") from None
        time.sleep(pause)


def leave_waiting() -> None:
    """Compile none beforehand any more: the process ends, and would wait for the thread that does."""
    _waiting.clear()
