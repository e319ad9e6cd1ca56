"""What is known in memory of running efforts: whose they are, their windows, their heartbeats. The store is the truth.

A hook asks here first. While no effort is active, every step ends with one comparison. Identity goes by conversation,
by the client's agent_id and by AGENT_ID; a folder only says which project is meant.
"""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from holdfast.ids import ConversationId, WindowId
from holdfast.processes import is_running
from holdfast.rooms.work.model import Effort, EffortWindow, Pending
from holdfast.times import HOUR_US

_MOST_CALLS = 256
_LOST_AFTER = 10.0
"""Seconds after which a call whose commit was not heard of is counted no more: it went into the spool."""
QUIET_US = 12 * HOUR_US
"""A window that nobody heard of for so long holds no effort back from the next one."""


@dataclass(slots=True)
class LiveWindow:
    """One window of an effort: its heartbeat, and what it was told."""

    effort_id: str
    window_id: WindowId
    conversation: ConversationId
    agent_id: str = ""
    process: int = 0
    is_here: bool = True
    """Its client speaks to this daemon: of another machine's the process says nothing."""
    ended: bool = False
    seen_at: int = 0
    logged_at: int = 0
    committed: int = 0
    """The heartbeat as the store has it."""
    loaded: set[str] = field(default_factory=set)
    looked_in: set[str] = field(default_factory=set)
    """Folders that were searched for directives."""
    warned_overflow: bool = False
    _order: int = 0
    _under_way: dict[str, float] = field(default_factory=dict)
    _counted: OrderedDict[str, int] = field(default_factory=OrderedDict)

    @property
    def heartbeat(self) -> int:
        """Calls since the last log entry, those included whose commit is under way."""
        if self._under_way:
            now = time.monotonic()
            self._under_way = {use: at for use, at in self._under_way.items() if now - at < _LOST_AFTER}
        return self.committed + len(self._under_way)

    def count(self, use: str) -> int:
        """Count a call; the same call again (by another door) is the same count."""
        if use and use in self._counted:
            return self._counted[use]
        number = self.heartbeat + 1
        self._under_way[use or f"?{time.monotonic_ns()}"] = time.monotonic()
        self._counted[use] = number
        if len(self._counted) > _MOST_CALLS:
            self._counted.popitem(last=False)
        return number

    def settle(self, use: str, order: int, heartbeat: int) -> None:
        """The store has counted it. What was committed later is known already."""
        self._under_way.pop(use, None)
        if order > self._order:
            self._order, self.committed = order, heartbeat

    def reset(self, order: int, at: int) -> None:
        """Something was logged: what was counted before is settled."""
        self._under_way.clear()
        self._counted.clear()
        if order > self._order:
            self._order, self.committed, self.logged_at = order, 0, at


class LiveEfforts:
    """Every active effort of one owner, and its windows."""

    def __init__(self, home: str = "") -> None:
        self.home = home
        """The name of this daemon; '' where no other one shares its store."""
        self.changes = 0
        """How often something changed here since the start: what was read meanwhile is older."""
        self.is_loaded = False
        self.efforts: dict[str, Effort] = {}
        self.windows: dict[tuple[str, str], LiveWindow] = {}
        """By conversation and the client's agent_id."""
        self.pending: dict[str, list[Pending]] = {}
        self.documents: dict[str, tuple[str, ...]] = {}
        """The kinds of documents that each effort has, besides its log."""
        self._given: dict[str, float] = {}
        self._begun: dict[str, float] = {}
        self._orders = itertools.count(1)

    @property
    def is_idle(self) -> bool:
        """Is it known that no effort is active?"""
        return self.is_loaded and not self.efforts

    def next_order(self) -> int:
        """A number that tells which of two commits came later. Taken in the one writer thread."""
        return next(self._orders)

    def load(
        self,
        efforts: Iterable[Effort],
        windows: Iterable[EffortWindow],
        pending: Iterable[Pending],
        documents: Iterable[tuple[str, str]] = (),
    ) -> None:
        """What the store holds. Counts that are under way stay."""
        self.efforts = {effort.id: effort for effort in efforts}
        before, self.windows = self.windows, {}
        for window in windows:
            key = (window.conversation, window.agent_id)
            same, is_here = before.get(key), not window.home or window.home == self.home
            if is_here and same and (same.window_id, same.effort_id) == (window.window_id, window.effort_id):
                same.loaded = set(window.loaded_files)
                self.windows[key] = same
                continue
            self.windows[key] = LiveWindow(
                window.effort_id,
                window.window_id,
                window.conversation,
                window.agent_id,
                process=window.process,
                is_here=is_here,
                ended=bool(window.ended_at),
                seen_at=max(window.started_at, window.logged_at, window.ended_at),
                logged_at=window.logged_at,
                committed=window.heartbeat,
                loaded=set(window.loaded_files),
            )
        self.pending = {}
        for each in pending:
            self.pending.setdefault(each.effort_id, []).append(each)
        self.documents = {}
        for effort_id, kind in documents:
            self.documents[effort_id] = (*self.documents.get(effort_id, ()), kind)
        self.is_loaded = True

    # --- efforts

    def effort_of(self, conversation: ConversationId) -> Effort | None:
        """The active effort of a conversation."""
        window = self.windows.get((conversation, ""))
        return self.efforts.get(window.effort_id) if window else None

    def window_of(self, conversation: ConversationId, agent_id: str = "") -> tuple[Effort, LiveWindow] | None:
        """The effort and window of an agent. A subagent without a window of its own has none."""
        window = self.windows.get((conversation, agent_id))
        effort = self.efforts.get(window.effort_id) if window else None
        return (effort, window) if effort and window else None

    def of_agent(self, agent: str, project_id: str) -> Effort | None:
        """The active effort of an agent with a name."""
        return next((e for e in self.efforts.values() if e.agent == agent and e.project_id == project_id), None)

    def new_in(self, project_id: str) -> Effort | None:
        """An effort of a project that somebody started outside every session, and that no window has yet."""
        found = [e for e in self.efforts.values() if e.project_id == project_id and not e.agent]
        return next((effort for effort in found if not any(True for _ in self.of_effort(effort.id))), None)

    def free_in(self, project_id: str, now: int, *, even_held: bool = False, cleared: int = 0) -> Effort | None:
        """The effort of a project that nobody works on and that was heard of last, of no named agent. `even_held`: or
        else any. `cleared`: the process that emptied its window; what it worked on goes on, whatever else is free."""
        found = [e for e in self.efforts.values() if e.project_id == project_id and not e.agent]
        found.sort(key=lambda effort: (self._heard_of(effort), effort.started_at, effort.id), reverse=True)
        own = [effort for effort in found if any(w.is_here and w.process == cleared for w in self.of_effort(effort.id))]
        if cleared and own:
            return own[0]
        free = [effort for effort in found if not any(self.is_held(w, now) for w in self.of_effort(effort.id))]
        return next(iter(free or (found if even_held else ())), None)

    def _heard_of(self, effort: Effort) -> int:
        return max((window.seen_at for window in self.of_effort(effort.id)), default=effort.started_at)

    def of_effort(self, effort_id: str) -> Iterator[LiveWindow]:
        return (window for window in self.windows.values() if window.effort_id == effort_id)

    def is_held(self, window: LiveWindow, now: int) -> bool:
        """Does somebody work in this window? Not when it ended, its process is gone, or it was quiet for long."""
        if window.agent_id or window.ended or now - window.seen_at > QUIET_US:
            return False
        return not window.is_here or not window.process or is_running(window.process)

    def open(self, window: LiveWindow) -> LiveWindow:
        """A window of an effort was written."""
        self.changes += 1
        self.windows[window.conversation, window.agent_id] = window
        return window

    def put(self, effort: Effort) -> None:
        self.changes += 1
        if effort.is_active:
            self.efforts[effort.id] = effort
        else:
            self.drop(effort.id)

    def renew(self, effort: Effort) -> None:
        """An effort as a hook's commit left it. One that was finished meanwhile does not come back."""
        if effort.id in self.efforts:
            self.put(effort)

    def drop(self, effort_id: str) -> None:
        """An effort is finished: its windows and what waits go."""
        self.changes += 1
        self.efforts.pop(effort_id, None)
        self.pending.pop(effort_id, None)
        self.documents.pop(effort_id, None)
        for key in [key for key, window in self.windows.items() if window.effort_id == effort_id]:
            del self.windows[key]

    def document(self, effort_id: str, kind: str) -> None:
        """A document of an effort was written."""
        self.documents[effort_id] = tuple(sorted({*self.documents.get(effort_id, ()), kind}))

    # --- what waits to be given

    def wait(self, items: Iterable[Pending]) -> None:
        """These wait from now on."""
        self.changes += 1
        for item in items:
            self.pending.setdefault(item.effort_id, []).append(item)

    def waiting(self, effort_id: str, window_id: WindowId) -> list[Pending]:
        """What may be given in this window now. What is being given is left out for a while."""
        listed = self.pending.get(effort_id)
        if not listed:
            return []
        now = time.monotonic()
        self._given = {item: at for item, at in self._given.items() if now - at < _LOST_AFTER}
        return [each for each in listed if each.not_in != window_id and each.id not in self._given]

    def giving(self, items: Iterable[Pending]) -> None:
        """These are about to be given: nobody else gives them meanwhile."""
        now = time.monotonic()
        self._given |= {item.id: now for item in items}

    def begins(self, key: str) -> bool:
        """This is about to be given; False when somebody else gives it just now. Also for other threads."""
        now = time.monotonic()
        if len(self._begun) > _MOST_CALLS:
            self._begun = {each: at for each, at in list(self._begun.items()) if now - at < _LOST_AFTER}
        if now - self._begun.get(key, -_LOST_AFTER) < _LOST_AFTER:
            return False
        self._begun[key] = now
        return True

    def given(self, items: Iterable[Pending]) -> None:
        """These were given, and are gone from the store."""
        gone = {item.id for item in items}
        self.changes += bool(gone)
        for effort_id, listed in list(self.pending.items()):
            self.pending[effort_id] = [each for each in listed if each.id not in gone]
