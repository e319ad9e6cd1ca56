"""Pauses: the times in which nothing is recorded, of everything, of a project or of one session (MEM-30).

They stand in `pauses.json` of the home, not in the store: the command client must know them when it is alone, the
daemon while its store is away, and `holdfast pause` must work without either. A pause that ended stays in the file, so
that nothing of its time is taken later from the spool or from a transcript. Standard library only.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from holdfast.ids import ConversationId
from holdfast.paths import make_private_folder, open_private, write_private

PauseScope = Literal["all", "project", "session"]
SHORT_ID = 8
"""Characters of a session's id that `journal` and `seen` show: so many name it."""
FOR_EVER = 2**62
"""The end of a pause that nobody has ended yet."""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing of `scope` is recorded from `since` up to `until`, in microseconds."""

    scope: PauseScope
    target: str = ""
    """What identifies the project; the client's session id, or its beginning, as lists show it; '' for everything."""
    since: int = 0
    until: int = FOR_EVER
    root: str = ""
    """The project's folder."""
    by: Literal["person", "settings", "fault"] = "person"
    """`settings`: the project's file, or the user's, says `capture = false`."""

    def holds(self, at: int) -> bool:
        return self.since <= at < self.until

    def is_about(self, conversation: ConversationId, places: Collection[str]) -> bool:
        """Is it about this session, or about one of these projects?"""
        match self.scope:
            case "all":
                return True
            case "project":
                return self.target in places
            case "session":
                is_begin = len(self.target) >= SHORT_ID and conversation.startswith(self.target)
                return is_begin or self.target == conversation


UNREADABLE = Pause("all", by="fault")
"""In force when the file is damaged: whom it concerned is not known, so nothing is recorded until a person says so."""


def covering(pauses: Iterable[Pause], conversation: ConversationId, places: Collection[str], at: int) -> Pause | None:
    """The pause in which something of this moment lies; of several, the one that lasts longest."""
    found = [each for each in pauses if each.holds(at) and each.is_about(conversation, places)]
    return max(found, key=lambda each: each.until, default=None)


def ended(pauses: Sequence[Pause], at: int, which: Callable[[Pause], bool]) -> list[Pause]:
    """All pauses, those that are in force and meant ended at this moment."""
    return [replace(each, until=max(each.since, at)) if each.until > at and which(each) else each for each in pauses]


def words(pause: Pause, clock: Callable[[int], str]) -> str:
    """A pause in a few words, for people. `clock` writes a moment."""
    if pause.by == "fault":
        return "recording off: pauses.json of the home cannot be read; `holdfast resume --all` makes it anew"
    if pause.by == "settings":
        return "recording off by `capture = false`" + (" in this project" if pause.scope == "project" else "")
    of = {"all": "", "project": " in this project", "session": " for this session"}[pause.scope]
    until = f" until {clock(pause.until)}" if pause.until < FOR_EVER else ""
    return f"recording paused{of}{until}"


def told(pause: Pause) -> dict[str, Any]:
    """A pause for programs; `until` is null while nobody has ended it."""
    return asdict(pause) | {"until": pause.until if pause.until < FOR_EVER else None}


class PauseFile:
    """The pauses of one home."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state: tuple[int, int, int] | None = None
        self._known: tuple[Pause, ...] = ()
        self._looked_at = -1.0

    def read(self, fresh_for: float = 0.0) -> tuple[Pause, ...]:
        """All pauses, those that ended too. Read again only when the file has changed; not looked at if that was done
        within so many seconds."""
        if fresh_for and time.monotonic() - self._looked_at < fresh_for:
            return self._known
        self._looked_at = time.monotonic()
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            self._state, self._known = None, ()
            return ()
        except OSError:
            return self._known
        state = (found.st_mtime_ns, found.st_size, found.st_ino)
        if state != self._state:
            self._known, self._state = self._parsed(), state
        return self._known

    def change(self, how: Callable[[Sequence[Pause]], Sequence[Pause]]) -> tuple[Pause, ...]:
        """Write the pauses as `how` makes them. Several processes may; none loses another's."""
        with self._alone():
            before = self._parsed()
            after = tuple(how(() if before == (UNREADABLE,) else before))
            if after != before:
                content = {"version": _VERSION, "pauses": [asdict(each) for each in after]}
                write_private(self._path, json.dumps(content, indent=1).encode())
        return self.read()

    def add(self, pause: Pause) -> None:
        """Begin a pause, unless the same one is in force."""

        def how(pauses: Sequence[Pause]) -> Sequence[Pause]:
            same = (pause.scope, pause.target, pause.by)
            if any((each.scope, each.target, each.by) == same and each.until >= pause.until for each in pauses):
                return pauses
            return [*pauses, pause]

        self.change(how)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_private_folder(self._path.parent)
        descriptor = open_private(self._path.with_suffix(".lock"), os.O_RDWR)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _parsed(self) -> tuple[Pause, ...]:
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError:
            return (UNREADABLE,)
        try:
            return tuple(map(_pause, json.loads(data)["pauses"]))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            return (UNREADABLE,)


def _pause(fields: dict[str, Any]) -> Pause:
    scope, by = fields["scope"], fields.get("by", "person")
    if scope not in ("all", "project", "session") or by not in ("person", "settings", "fault"):
        raise ValueError(scope)
    since, until = int(fields["since"]), int(fields["until"])
    return Pause(cast(PauseScope, scope), str(fields["target"]), since, until, str(fields.get("root", "")), by)
