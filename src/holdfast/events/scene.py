"""Where and when an event happens, as a contribution sees it; and what a contribution is.

A contribution is an async function of an event and its scene. It reads through the scene, decides by its room's
pure rules, and returns a Part whose `record` writes; it never writes by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from holdfast.events.answer import Part
from holdfast.ids import EntryId, WindowId, now_us
from holdfast.sender import NOBODY, Sender
from holdfast.store.interface import Reader

T = TypeVar("T")
Source = Literal["http", "command", "rpc", "spool", "transcript", "import", "journal", "tool"]
"""How an event reached a step. `rpc`: a script told it (`events/method.py`). `tool`: somebody says by a tool that it
happened. `journal`: it is an old entry, read again to make what is missing (STO-5)."""


class Services(Protocol):
    """The registry of the rooms' services: one of each kind, built by `daemon.compose` (CON-12)."""

    def get(self, kind: type[T], /) -> T: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Which project, worktree and window an event belongs to.

    A step that may deny runs before the store is touched: ids that are not in memory are empty for it, and `identity`
    is what it can look the project up by.
    """

    project_id: str
    project_name: str
    worktree_id: str
    worktree_path: str
    window_id: WindowId
    window_number: int
    identity: str = ""
    """What identifies the project outside the store: its git directory, its folder, or the name it gives itself."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The circumstances of one event."""

    entry_id: EntryId
    at_us: int
    owner: str
    source: Source
    place: Place
    services: Services
    read: Callable[[Callable[[Reader], Any]], Awaitable[Any]]
    now: Callable[[], int] = now_us
    """The clock. `at_us` is when the event happened, which may be long ago."""
    off: frozenset[str] = frozenset()
    """The settings that the project switches off, by their names (`memory.brief`)."""
    has_command: bool = False
    """`holdfast` is a command of the session's shell, and reaches this daemon."""
    has_tools: bool = False
    """The session is connected to holdfast's tools by MCP."""
    kept: Callable[[], Awaitable[Any]] | None = None
    """For a step that may deny, which sees the event as it came: the event as it is kept, for all that it writes."""
    sender: Sender = NOBODY
    """The agent, pane and process that the event came from, where its hook tells."""

    @property
    def is_live(self) -> bool:
        """Is the client waiting for the answer? (A spooled, recovered or imported event is only recorded.)"""
        return self.source in ("http", "command", "rpc")

    @property
    def is_rebuilding(self) -> bool:
        """Is this an old journal entry, from which only what is missing is made?"""
        return self.source == "journal"


Contribution = Callable[[Any, Scene], Part | Awaitable[Part | None] | None]
"""`Any`, because each contribution takes the event type that `program.py` lists it under; a test checks that.
One that waits for nothing may be a plain function: it then costs no task."""
