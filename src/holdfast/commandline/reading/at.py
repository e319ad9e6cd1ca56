"""The circumstances under which a text is read: where, how deep, what it reads, how it was reached."""

from __future__ import annotations

from dataclasses import dataclass, replace

from holdfast.commandline.model import Mount
from holdfast.shell.script import CommandLink


@dataclass(frozen=True, slots=True)
class At:
    """The circumstances under which a text is read."""

    depth: int = 0
    directory: str | None = ""
    remote: str = ""
    via: tuple[str, ...] = ()
    stdin: str | None = None
    more_input: bool = False
    piped_from: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    nesting: tuple[str, ...] = ()
    mounts: tuple[Mount, ...] | None = None
    fed_by: tuple[str, ...] = ()
    container: str = ""
    after_failure: bool = False
    may_fail: bool = False
    followed_by: CommandLink = ""
    captured: bool = False

    def deeper(self, by: str) -> At:
        return replace(self, depth=self.depth + 1, via=(*self.via, by))
