"""Decides whether an event is recorded: not in a pause, and not where a project says `capture = false` (MEM-30).

Every way into the store asks here: hooks, the spool, transcripts, imports. So does the command client before it spools.
An event counts by the time it happened, so what happened in a pause is not taken when the pause is over. That a
settings file says `capture = false` is noted as a pause, because the file itself does not say since when.
Standard library only.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast import project_file
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.pauses import FOR_EVER, Pause, PauseFile, covering, ended, told, words
from holdfast.project_file import ProjectFiles
from holdfast.road.identity import NOWHERE, Atlas, Whereabouts
from holdfast.times import clock_time

_MOST_KNOWN = 4096
_CLEAR_US = 30 * 1_000_000
"""How long after the end of a session that was cleared the next one begins, at most."""
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]")


class Recording:
    """Which pause an event lies in, if any."""

    def __init__(
        self, pauses: PauseFile, projects: ProjectFiles, find: Callable[[str], Whereabouts], *, captures: bool = True
    ) -> None:
        """`captures` is the user's own setting, for all projects."""
        self.pauses = pauses
        self._projects = projects
        self._find = find
        self._captures = captures
        self._begun: OrderedDict[str, Whereabouts] = OrderedDict()
        """Where each session was first seen. One that goes elsewhere (`cd /tmp`) is still a session of its project."""
        self._cleared: dict[str, tuple[int, Pause]] = {}
        self._unwritten: dict[str, Pause] = {}
        """Pauses of sessions that the file could not take: they hold as long as this process."""

    def pause_of(
        self, conversation: ConversationId, cwd: str, transcript: str, at: int, now: int, fresh_for: float = 0.0
    ) -> Pause | None:
        """The pause that this event lies in; None when it is recorded. Files that were looked at within `fresh_for`
        seconds are not looked at again."""
        if (unwritten := self._unwritten.get(conversation)) and unwritten.holds(at):
            return unwritten
        here = self._find(cwd)
        begun = self._first_seen(conversation, here)
        pauses = self.pauses.read(fresh_for)
        off = None
        if pauses or not self._captures:
            off = self._switched_off(pauses, Pause("all", by="settings"), self._captures, now)
        for where in (here,) if begun == here else (here, begun):
            if where is not NOWHERE:
                file = self._projects.at(where.worktree, fresh_for)
                if not pauses and file.captures:
                    continue
                about = Pause("project", where.place, file.changed_at, root=where.worktree, by="settings")
                off = self._switched_off(pauses, about, file.captures, now) or off
        if off or not pauses:
            return off
        places = {here.place, begun.place} | _places_of(pauses, cwd, transcript)
        return covering(self.pauses.read(), conversation, places, at)

    def is_recorded(
        self, clock: Callable[[], int], folder: str, at: int, conversation: ConversationId = NO_CONVERSATION
    ) -> bool:
        """Is what was written in this project at this moment recorded? Where nobody knows whose session wrote it, any
        session's pause counts."""
        now = clock()
        if not conversation and any(each.scope == "session" and each.holds(at) for each in self.pauses.read()):
            return False
        return self.pause_of(conversation, folder, "", at, now) is None

    def state(self, conversation: ConversationId, folder: str, now: int) -> dict[str, Any]:
        """What `status` says: is this session recorded in this folder now, and which pauses are in force anywhere?"""
        here = self.pause_of(conversation, folder, "", now, now)
        return {
            "here": here is None,
            "sentence": words(here, clock_time) if here else "on",
            "pauses": [told(each) for each in self.pauses.read() if each.holds(now)],
        }

    def session_was_cleared(self, cwd: str, pause: Pause, now: int) -> None:
        """A paused session ends by `/clear`: the next one in this folder is the same person's, and paused too."""
        if pause.scope == "session":
            self._cleared[cwd] = (now, pause)

    def session_after_clear(self, conversation: ConversationId, cwd: str, now: int) -> None:
        """`/clear` begins a session under another id."""
        at, pause = self._cleared.pop(cwd, (0, None))
        if pause and now - at < _CLEAR_US:
            here = replace(pause, target=conversation, since=now)
            try:
                self.pauses.add(here)
            except OSError:
                self._unwritten[conversation] = here

    def _first_seen(self, conversation: ConversationId, here: Whereabouts) -> Whereabouts:
        if not conversation:
            return here
        known = self._begun.get(conversation)
        if known is None or known is NOWHERE:
            known = self._begun[conversation] = here
            if len(self._begun) > _MOST_KNOWN:
                self._begun.popitem(last=False)
        return known

    def _switched_off(self, pauses: Sequence[Pause], about: Pause, captures: bool, now: int) -> Pause | None:
        """The pause that a settings file makes. Notes since when it does, or that it does no longer."""
        whose = (about.by, about.scope, about.target)
        noted = next(
            (one for one in pauses if (one.by, one.scope, one.target) == whose and one.until == FOR_EVER), None
        )
        if captures:
            if noted:
                self._end(noted, now)
            return None
        if noted:
            return noted
        pause = replace(about, since=min(about.since or now, now))
        with suppress(OSError):  # a home that cannot be written takes no event either
            self.pauses.add(pause)
        return pause

    def _end(self, noted: Pause, now: int) -> None:
        """The file was changed at some time up to now. Its own time (a removed one's: its folder's) is not earlier."""
        changed = project_file.read(noted.root).changed_at if noted.root else 0
        until = changed if noted.since < changed < now else now
        with suppress(OSError):
            self.pauses.change(lambda pauses: ended(pauses, until, lambda each: each == noted))


def recording_alone(root: Path) -> Recording:
    """What says which events are recorded, where there is no daemon, or none that has read its settings yet."""
    user = project_file.read_file(root / "config.toml")
    projects = ProjectFiles()
    named = Atlas(lambda folder: projects.at(folder).name or user.name)
    return Recording(PauseFile(root / "pauses.json"), projects, named.find, captures=user.captures)


def _places_of(pauses: Sequence[Pause], cwd: str, transcript: str) -> set[str]:
    """The paused projects in whose folder the client began this session, as its transcript's folder tells.

    The folder is named after the one that the session began in, with `-` for all but letters and digits (2.1.325). Two
    folders can have one such name, so it counts only for a session that is elsewhere now.
    """
    folder = os.path.basename(os.path.dirname(transcript))
    if not folder or folder == _folder_name(cwd):
        return set()
    return {each.target for each in pauses if each.root and _folder_name(each.root) == folder}


def _folder_name(path: str) -> str:
    return _NOT_PLAIN.sub("-", path)
