"""Context windows: one window of one agent. Decides which event opens a window, and which one ends it.

A conversation (the client's session_id) has one window after another: a compaction, a resume or a clear opens the next.
A window that ended stays ended; what arrives late still belongs to the last one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from holdfast.events.endings import TOLD
from holdfast.events.event import Event, SessionEnd, SessionStart, SubagentStop, agent_of
from holdfast.events.scene import Place
from holdfast.ids import WindowId, new_id
from holdfast.road.identity import Whereabouts
from holdfast.store.interface import Reader, Store, Tx, Value

Writes = Callable[[Callable[[Tx], Any]], Awaitable[Any]]

_MOST_KNOWN = 4096
_JUST_US = 30 * 1_000_000
"""How much later than the first event of a resumed window its SessionStart may come."""


@dataclass(frozen=True, slots=True)
class Window:
    id: WindowId
    number: int
    implicit: bool
    """Opened by the first event that came, not by a SessionStart."""
    started_at: int
    ended: bool


def opens_window(event: Event, current: Window | None, at_us: int) -> bool:
    """A SessionStart opens the next window, unless it is late, or an event that was faster has just opened it."""
    if current is None:
        return True
    if not isinstance(event, SessionStart) or agent_of(event) or at_us < current.started_at:
        return False
    if not current.implicit or current.ended:
        return True
    match event.source:
        case "compact":  # what was there before it was the window that was compacted
            return True
        case "resume":
            return at_us - current.started_at > _JUST_US
        case _:  # the others come with a new session_id
            return False


def ends_window(event: Event) -> str | None:
    """Why this event ends its window, if it does. A SubagentStop ends no window but its agent's own; a session that is
    ended by a word goes on until its client ends."""
    if isinstance(event, SessionEnd):
        return event.reason if event.reason != TOLD else None
    if isinstance(event, SubagentStop) and agent_of(event):
        return "done"
    return None


class Windows:
    """Finds the window, project and worktree of an event: from memory for a running session, from the store for a new
    one.
    """

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner
        self._windows: OrderedDict[tuple[str, str], Window] = OrderedDict()
        self._worktrees: dict[Whereabouts, tuple[str, str]] = {}

    async def load(self, since: int) -> None:
        """Load the windows that are open, so that no event has to ask the store for them."""

        def look(reader: Reader) -> tuple[list[dict[str, Value]], list[dict[str, Value]]]:
            about: dict[str, Value] = {"owner": self._owner, "limit": _MOST_KNOWN}
            return reader.all("session.known_windows", since=since, **about), reader.all(
                "session.known_worktrees", **about
            )

        windows, worktrees = await self._store.read(look)
        for row in windows:
            key = (str(row["conversation"]), str(row["agent_id"]))
            if key not in self._windows or self._windows[key].number < int(row["window_number"] or 0):
                self._windows[key] = _window(row)
        for row in worktrees:
            where = Whereabouts(str(row["place"]), str(row["name"]), str(row["path"]))
            self._worktrees[where] = (str(row["project_id"]), str(row["id"]))

    def forget_places(self) -> None:
        """A project moved: look its place up again."""
        self._worktrees.clear()

    def remembered(self, event: Event, where: Whereabouts) -> Place:
        """The place as far as memory knows it; unknown ids are empty."""
        window, ids = self._windows.get((event.session_id, agent_of(event))), self._worktrees.get(where, ("", ""))
        session, number = (window.id, window.number) if window else ("", 0)
        return Place(ids[0], where.name, ids[1], where.worktree, WindowId(session), number, where.place)

    async def place(
        self, event: Event, where: Whereabouts, event_key: str, at_us: int, write: Writes | None = None
    ) -> Place:
        """Where an event belongs. A new session is stored by `write`."""
        key = (event.session_id, agent_of(event))
        window, ids = self._windows.get(key), self._worktrees.get(where)
        if window is None or ids is None or isinstance(event, SessionStart) or at_us < window.started_at:
            settled = await (write or self._store.write)(lambda tx: self._settle(tx, event, where, event_key, at_us))
            window, ids = settled
            self._remember(key, window, where, ids)
        return Place(ids[0], where.name, ids[1], where.worktree, WindowId(window.id), window.number, where.place)

    def _remember(self, key: tuple[str, str], window: Window, where: Whereabouts, ids: tuple[str, str]) -> None:
        known = self._windows.get(key)
        if known is None or known.number <= window.number:
            self._windows[key] = window
            self._windows.move_to_end(key)
        if len(self._windows) > _MOST_KNOWN:
            self._windows.popitem(last=False)
        if len(self._worktrees) > _MOST_KNOWN:
            self._worktrees.clear()
        self._worktrees[where] = ids

    def _settle(
        self, tx: Tx, event: Event, where: Whereabouts, event_key: str, at_us: int
    ) -> tuple[Window, tuple[str, str]]:
        ids = self._settle_worktree(tx, where, at_us)
        agent = agent_of(event)
        row = tx.one("session.current", conversation=event.session_id, agent_id=agent)
        current = row and _window(row)
        if current:
            # The same SessionStart again: its window is there, whether or not its entry could be kept.
            again = (row or {})["began_by"] == event_key or tx.one("journal.has_key", event_key=event_key)
            if again or not opens_window(event, current, at_us):
                if isinstance(event, SessionStart) and current.implicit and not again:
                    tx.run("session.adopt", id=current.id, began_by=event_key)
                if at_us < current.started_at and not current.implicit:
                    then = tx.one("session.window_at", conversation=event.session_id, agent_id=agent, at=at_us)
                    return (_window(then) if then else current), ids
                return current, ids
        begun = isinstance(event, SessionStart)
        window = Window(WindowId(new_id()), current.number + 1 if current else 1, not begun, at_us, False)
        if current:
            tx.run("session.end", id=current.id, at=at_us, reason="next window")
        tx.run(
            "session.open",
            id=window.id,
            owner=self._owner,
            conversation=event.session_id,
            agent_id=agent,
            agent_type=event.agent_type,
            window_number=window.number,
            project_id=ids[0],
            worktree_id=ids[1],
            transcript_path=event.transcript_path or None,
            began_by=event_key if begun else "",
            started_at=at_us,
        )
        return window, ids

    def _settle_worktree(self, tx: Tx, where: Whereabouts, at_us: int) -> tuple[str, str]:
        tx.run(
            "session.project_add",
            id=new_id(),
            owner=self._owner,
            place=where.place,
            name=where.name,
            created_at=at_us,
        )
        project = tx.one("session.project_by_place", owner=self._owner, place=where.place)
        project_id = str((project or {})["id"])
        tx.run("session.worktree_add", id=new_id(), project_id=project_id, path=where.worktree, created_at=at_us)
        worktree = tx.one("session.worktree_by_path", project_id=project_id, path=where.worktree)
        return project_id, str((worktree or {})["id"])


def _window(row: dict[str, Value]) -> Window:
    return Window(
        id=WindowId(str(row["id"])),
        number=int(row["window_number"] or 0),
        implicit=row["began_by"] == "",
        started_at=int(row["started_at"] or 0),
        ended=row["ended_at"] is not None,
    )
