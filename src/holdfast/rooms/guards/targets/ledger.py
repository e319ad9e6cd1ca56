"""What each conversation made, moved and copied: a ledger in memory.

What a conversation made itself is its own to remove, unless something that was there before was moved into it, it
holds the only copy of something, or somebody else put a file into it: one whose time of change lies in none of the
conversation's calls. What is not in the ledger is unknown, and the stricter decision stands. At a restart
it is made anew from the journal, as far as that tells (`hooks.remember_ledger`).

It also knows the files of others that a conversation wrote into: their scripts are read when they run.
"""

from __future__ import annotations

import bisect
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS
from holdfast.ids import ConversationId
from holdfast.worktree_paths import is_within

_MOST_CONVERSATIONS = 256
_MOST_PATHS = 20_000
_MOST_WAITING = 1_000
_MOST_CALLS = 5_000
_MOST_LOOKED_AT = 50_000
_COARSE = 20_000_000
"""File systems note times by the tick of the clock: up to 10 ms before the moment itself."""
_TEXT = re.compile(r"\.(?:md|markdown|rst|adoc|txt|log|csv|tsv|svg|png|jpe?g|gif|webp|pdf|css|html?)\Z", re.I)
"""Files that people read and no program runs by a plain command."""
Wrote = Literal["made", "changed", ""]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a call is about to do, as far as its words tell. Paths are absolute."""

    makes: tuple[str, ...] = ()
    """Paths that it may make; those that are there already are left out by `expect`."""
    moves: tuple[tuple[str, str], ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    """From, to."""
    changes: tuple[str, ...] = ()
    """Of the paths that it may make, the files that are there already: it writes into them."""


NO_PLAN = Plan()


@dataclass(slots=True)
class _Book:
    made: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    """Files of others that the conversation wrote into."""
    may_run: bool = False
    """Is anything of what it made or changed more than a text to read?"""
    arrived: dict[str, str] = field(default_factory=dict)
    """Moved here from elsewhere, and not made by this conversation: where, and from where."""
    copied: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[int, int]] = field(default_factory=list)
    """When the calls of the conversation ran, from and to, in nanoseconds; in their order, none within another."""
    told: dict[str, int] = field(default_factory=dict)
    """Files that the journal names, with the time of their last change then: it does not tell when calls ran."""


class Ledger:
    """The books of all conversations."""

    def __init__(self, now: Callable[[], int]) -> None:
        """`now` is the clock, in microseconds."""
        self._now = now
        self._books: OrderedDict[ConversationId, _Book] = OrderedDict()
        self._waiting: OrderedDict[tuple[ConversationId, str], Plan] = OrderedDict()
        self._began: OrderedDict[tuple[ConversationId, str], int] = OrderedDict()

    def knows(self, conversation: ConversationId) -> bool:
        return conversation in self._books

    # --- writing

    def expect(self, conversation: ConversationId, use: str, plan: Plan) -> None:
        """A call is about to run. What is not there yet and is afterwards, it made."""
        self._began[(conversation, use)] = self._now() * 1_000
        while len(self._began) > _MOST_WAITING:
            self._began.popitem(last=False)
        new = [target for source, target in (*plan.moves, *plan.copies) if _first_absent(source)]
        absent = tuple(dict.fromkeys(top for path in (*plan.makes, *new) if (top := _first_absent(path))))
        moves = tuple((_true(a), _arrival(a, b)) for a, b in plan.moves if os.path.lexists(a))
        copies = tuple((_true(a), _arrival(a, b)) for a, b in plan.copies if os.path.lexists(a))
        new_copies = tuple((a, b) for a, b in copies if not os.path.lexists(b))
        there = dict.fromkeys((*map(_true, plan.makes), *(b for _, b in copies)))
        changes = tuple(path for path in there if os.path.isfile(path))
        if absent or moves or new_copies or changes:
            self._waiting[(conversation, use)] = Plan(absent, moves, new_copies, changes)
            while len(self._waiting) > _MOST_WAITING:
                self._waiting.popitem(last=False)

    def settle(self, conversation: ConversationId, use: str, seconds: float = 0.0) -> None:
        """The call ran, whole or in part: see what happened to its plan. `seconds` is how long it took, if the client
        says so."""
        plan = self._waiting.pop((conversation, use), None)
        book = self._book(conversation)
        now = (self._now() + 1) * 1_000
        began = self._began.pop((conversation, use), 0) or (now - int(seconds * 1e9) if seconds else 0)
        if began:
            _add_call(book.calls, began - _COARSE, now)
        if plan is None:
            return
        for path in plan.makes:
            if os.path.lexists(path):
                self._add(book, path)
        for path in plan.changes:
            if _changed(path) > began - _COARSE:
                self._change(book, path)
        for source, target in plan.copies:
            if os.path.lexists(target):
                self._add(book, target)
                book.copied[target] = source
        for source, target in plan.moves:
            if os.path.lexists(target) and not os.path.lexists(source):
                self.moved(conversation, source, target)

    def made(self, conversation: ConversationId, paths: Iterable[str]) -> None:
        """The conversation made these files."""
        book = self._book(conversation)
        for path in map(_true, paths):
            self._add(book, path)
            if len(book.told) < _MOST_PATHS:
                book.told[path] = _changed(path)

    def changed(self, conversation: ConversationId, paths: Iterable[str]) -> None:
        """The conversation wrote into these files, which were there before."""
        book = self._book(conversation)
        for path in map(_true, paths):
            self._change(book, path)

    def moved(self, conversation: ConversationId, source: str, target: str) -> None:
        """What a conversation owns it owns at the new place; what it does not, is a guest there."""
        book = self._book(conversation)
        own = self.is_own(conversation, source)
        below = [path for path in book.made if is_within(path, source)]
        for path in below:
            book.made.discard(path)
        for path, origin in list(book.arrived.items()):
            if is_within(path, source):
                del book.arrived[path]
                book.arrived[target + path[len(source) :]] = origin
        for path in [path for path in book.changed if is_within(path, source)]:
            book.changed.discard(path)
            self._change(book, target + path[len(source) :])
        if own:
            self._add(book, target)
        else:
            book.arrived[target] = source
            book.made.discard(target)

    def _add(self, book: _Book, path: str) -> None:
        if len(book.made) < _MOST_PATHS:
            book.made.add(path)
        book.arrived.pop(path, None)
        book.may_run = book.may_run or not _TEXT.search(path)

    def _change(self, book: _Book, path: str) -> None:
        if len(book.changed) < _MOST_PATHS and path not in book.made:
            book.changed.add(path)
        book.may_run = book.may_run or not _TEXT.search(path)

    def _book(self, conversation: ConversationId) -> _Book:
        book = self._books.get(conversation)
        if book is None:
            book = self._books[conversation] = _Book()
        self._books.move_to_end(conversation)
        while len(self._books) > _MOST_CONVERSATIONS:
            self._books.popitem(last=False)
        return book

    # --- asking; paths with their links followed, but for the last name

    def may_run_own(self, conversation: ConversationId) -> bool:
        """Did this conversation write anything that a command may run? A folder may hold such a file."""
        book = self._books.get(conversation)
        return book is not None and book.may_run

    def wrote(self, conversation: ConversationId, path: str) -> Wrote:
        """Did this conversation make a file, or write into one of others? What a package manager put into a folder
        that it made are not its words."""
        book = self._books.get(conversation)
        if book is None:
            return ""
        if path in book.changed:
            return "changed"
        if path in book.made and not self.guest_of(conversation, path):
            return "made"
        of_tools = any(part in CERTAIN_ARTEFACTS for part in path.split("/"))
        return "made" if not of_tools and self.is_own(conversation, path) else ""

    def is_own(self, conversation: ConversationId, path: str) -> bool:
        """Did this conversation make it, or the folder it lies in, and is nothing of others in it?"""
        book = self._books.get(conversation)
        if book is None or self.guest_of(conversation, path):
            return False
        here = path
        while True:
            if here in book.made:
                return True
            if here == os.path.dirname(here):
                return False
            here = os.path.dirname(here)

    def foreign(self, conversation: ConversationId, path: str, until: float) -> list[str] | None:
        """Files in what a conversation made that others made or changed: none of its calls ran then. None when there
        are too many to look at."""
        book = self._books.get(conversation)
        if book is None:
            return None
        found, calls = [], list(book.calls)  # the event loop goes on writing meanwhile
        for number, each in enumerate(_leaves(path)):
            if number > _MOST_LOOKED_AT or (number % 500 == 499 and time.monotonic() > until):
                return None
            changed = _changed(each)
            if changed and not _is_in_call(calls, changed) and book.told.get(each) != changed:
                found.append(each)
        return found

    def guest_of(self, conversation: ConversationId, path: str) -> str:
        """Something that lies here and was not made by this conversation, in a few words; '' when there is nothing."""
        book = self._books.get(conversation)
        if book is None:
            return ""
        for target, source in list(book.arrived.items()):
            if (is_within(target, path) or is_within(path, target)) and os.path.lexists(target):
                return f"{target} was moved there from {source} in this conversation"
        for target, source in list(book.copied.items()):
            if is_within(target, path) and os.path.lexists(target) and not os.path.lexists(source):
                return f"{target} is the only copy of {source} that is left"
        return ""


def _leaves(path: str) -> Iterator[str]:
    """A file itself; of a folder every file and link in it, but for what tools make again."""
    if os.path.islink(path) or not os.path.isdir(path):
        yield path
        return
    for here, folders, names in os.walk(path):
        yield from (each for name in folders if os.path.islink(each := os.path.join(here, name)))
        folders[:] = [name for name in folders if name not in CERTAIN_ARTEFACTS]
        yield from (os.path.join(here, name) for name in names)


def _changed(path: str) -> int:
    """When it was last changed, by any means: a tool cannot set this time."""
    try:
        return os.lstat(path).st_ctime_ns
    except (OSError, ValueError):
        return 0


def _add_call(calls: list[tuple[int, int]], began: int, ended: int) -> None:
    while calls and calls[-1][1] >= began:  # calls that run side by side are one
        before = calls.pop()
        began, ended = min(began, before[0]), max(ended, before[1])
    calls.append((began, ended))
    del calls[:-_MOST_CALLS]


def _is_in_call(calls: list[tuple[int, int]], moment: int) -> bool:
    place = bisect.bisect_right(calls, (moment, 1 << 63))
    return place > 0 and moment <= calls[place - 1][1]


def _true(path: str) -> str:
    folder, name = os.path.split(os.path.normpath(path))
    return os.path.join(real(folder), name)


def real(path: str) -> str:
    """A path with its links followed; as it is when no system could have it (a NUL in it)."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


def _first_absent(path: str) -> str:
    """The outermost part of a path that is not there yet; '' when all of it is."""
    path = _true(path)
    if os.path.lexists(path):
        return ""
    while not os.path.lexists(parent := os.path.dirname(path)) and parent != path:
        path = parent
    return path


def _arrival(source: str, target: str) -> str:
    """Where something that is moved or copied lands: a folder takes it in under its own name."""
    inside = os.path.isdir(target)
    return _true(os.path.join(target, os.path.basename(source.rstrip("/"))) if inside else target)
