"""How a room adds lines to an assembled context that are no items: commits, parts of code. Values only.

Items come by themselves: their families say which type of context they are (`Family.context_type`). A room with a
hundred thousand small things that nobody edits or forgets one by one gives them here, on demand.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from holdfast.events.scene import Services
from holdfast.items.indexed import Trust


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """What a context is assembled for, and where."""

    text: str
    """'' asks for what is newest."""
    owner: str
    project_id: str
    folder: str
    """The worktree's root; '' when it is not known."""
    now: int
    limit: int
    """No more lines than this are used."""
    unasked: bool = False
    """At a prompt: only what surely fits is used, so nothing else needs to be looked for."""


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line of a context. The room has cleaned its words; the house makes it inert and fences it."""

    id: str
    """By which the agent can ask for more: a commit's hash, a place in a file."""
    type: str
    text: str
    """One line, without a bullet, with who wrote it (`words.WRITER_MARKS`)."""
    score: float
    """From 0 to 1, beside the best line of its room."""
    fit: float
    """How surely it answers, from 0 to 1: at a prompt, below `recall.FLOOR`, it is not given."""
    trust: Trust = "repository"
    file: str = ""


@dataclass(frozen=True, slots=True)
class ContextSource:
    """A room's lines for assembled contexts."""

    types: tuple[str, ...]
    """The types of context that it gives: `code`."""
    find: Callable[[ContextQuery, Services], Awaitable[Sequence[ContextLine]]]
    """The lines for a query, the best first. What it raises is logged, and the context is assembled without it."""
    weight: float = 1.0
    """The share of its types beside that of others, when a context is filled."""
    at_prompt: bool = False
    """May it speak at a prompt, where nobody asked? The user may switch all such lines off (`include_code`)."""


@dataclass(frozen=True, slots=True)
class FileNews:
    """What happened to a file since an item named it."""

    moved_to: str = ""
    """Its path now; '' when it was not moved."""
    changes: int = 0
    """How often it changed since, if it changed much; else 0."""


NO_NEWS = FileNews()


class KnowsFiles(Protocol):
    """What a room knows of a project's files, from memory: nothing is read for it."""

    def __call__(self, project_id: str, path: str, since: int, /) -> FileNews: ...


class ChangedWith(NamedTuple):
    """A file that changed together with another one."""

    path: str
    together: int
    """Commits that changed both."""
    of: int
    """Commits that changed the other one."""


class KnowsPartners(Protocol):
    """Which files changed together with a file, the most often first, from memory: nothing is read for it."""

    def __call__(self, project_id: str, path: str, /) -> Sequence[ChangedWith]: ...


class NamesTests(Protocol):
    """Does a room name the tests of this file at a Read? Then no other room does. `off`: what the project left out."""

    def __call__(self, root: str, path: str, off: Collection[str], /) -> bool: ...


class KnowsSymbols(Protocol):
    """What a room knows of the names in a project's code. Called in a thread, for the few items that are told."""

    def standing(self, root: str, text: str, /) -> Mapping[str, str]:
        """The names in a text that the code of a worktree declares or declared once, each with the file that no longer
        has it; '' when it still stands. A name that the room never saw, or is not sure about, is left out."""
        ...
