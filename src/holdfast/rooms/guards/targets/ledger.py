"""What each conversation made, moved and copied: a ledger in memory.

What a conversation made itself is its own to remove, unless something that was there before was moved into it, or it
holds the only copy of something. What is not in the ledger is unknown, and the stricter decision stands. At a restart
it is made anew from the journal, as far as that tells (`hooks.remember_ledger`).
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from holdfast.ids import ConversationId

_MOST_CONVERSATIONS = 256
_MOST_PATHS = 20_000
_MOST_WAITING = 1_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What a call is about to do, as far as its words tell. Paths are absolute."""

    makes: tuple[str, ...] = ()
    """Paths that it may make; those that are there already are left out by `expect`."""
    moves: tuple[tuple[str, str], ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    """From, to."""


NO_PLAN = Plan()


@dataclass(slots=True)
class _Book:
    made: set[str] = field(default_factory=set)
    arrived: dict[str, str] = field(default_factory=dict)
    """Moved here from elsewhere, and not made by this conversation: where, and from where."""
    copied: dict[str, str] = field(default_factory=dict)


class Ledger:
    """The books of all conversations."""

    def __init__(self) -> None:
        self._books: OrderedDict[ConversationId, _Book] = OrderedDict()
        self._waiting: OrderedDict[tuple[ConversationId, str], Plan] = OrderedDict()

    def knows(self, conversation: ConversationId) -> bool:
        return conversation in self._books

    # --- writing

    def expect(self, conversation: ConversationId, use: str, plan: Plan) -> None:
        """A call is about to run. What is not there yet and is afterwards, it made."""
        new = [target for source, target in (*plan.moves, *plan.copies) if _first_absent(source)]
        absent = tuple(dict.fromkeys(top for path in (*plan.makes, *new) if (top := _first_absent(path))))
        moves = tuple((_true(a), _arrival(a, b)) for a, b in plan.moves if os.path.lexists(a))
        copies = tuple((_true(a), _arrival(a, b)) for a, b in plan.copies if os.path.lexists(a))
        new_copies = tuple((a, b) for a, b in copies if not os.path.lexists(b))
        if absent or moves or new_copies:
            self._waiting[(conversation, use)] = Plan(absent, moves, new_copies)
            while len(self._waiting) > _MOST_WAITING:
                self._waiting.popitem(last=False)

    def settle(self, conversation: ConversationId, use: str) -> None:
        """The call ran, whole or in part: look what became of its plan."""
        plan = self._waiting.pop((conversation, use), None)
        book = self._book(conversation)
        if plan is None:
            return
        for path in plan.makes:
            if os.path.lexists(path):
                self._add(book, path)
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
        for path in paths:
            self._add(book, _true(path))

    def moved(self, conversation: ConversationId, source: str, target: str) -> None:
        """What a conversation owns it owns at the new place; what it does not, is a guest there."""
        book = self._book(conversation)
        own = self.is_own(conversation, source)
        below = [path for path in book.made if _is_in(path, source)]
        for path in below:
            book.made.discard(path)
        for path, origin in list(book.arrived.items()):
            if _is_in(path, source):
                del book.arrived[path]
                book.arrived[target + path[len(source) :]] = origin
        if own:
            self._add(book, target)
        else:
            book.arrived[target] = source
            book.made.discard(target)

    def _add(self, book: _Book, path: str) -> None:
        if len(book.made) < _MOST_PATHS:
            book.made.add(path)
        book.arrived.pop(path, None)

    def _book(self, conversation: ConversationId) -> _Book:
        book = self._books.get(conversation)
        if book is None:
            book = self._books[conversation] = _Book()
        self._books.move_to_end(conversation)
        while len(self._books) > _MOST_CONVERSATIONS:
            self._books.popitem(last=False)
        return book

    # --- asking; paths with their links followed, but for the last name

    def has_own(self, conversation: ConversationId) -> bool:
        """Did this conversation make anything that is known?"""
        book = self._books.get(conversation)
        return book is not None and bool(book.made)

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

    def guest_of(self, conversation: ConversationId, path: str) -> str:
        """Something that lies here and was not made by this conversation, in a few words; '' when there is nothing."""
        book = self._books.get(conversation)
        if book is None:
            return ""
        for target, source in book.arrived.items():
            if (_is_in(target, path) or _is_in(path, target)) and os.path.lexists(target):
                return f"{target} was moved there from {source} in this conversation"
        for target, source in book.copied.items():
            if _is_in(target, path) and os.path.lexists(target) and not os.path.lexists(source):
                return f"{target} is the only copy of {source} that is left"
        return ""


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _true(path: str) -> str:
    folder, name = os.path.split(os.path.normpath(path))
    return os.path.join(os.path.realpath(folder), name)


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
