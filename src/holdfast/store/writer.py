"""The one writer: a thread that takes what waits, runs it in one transaction, commits, and only then answers.

A group in which something fails is rolled back and its members are tried alone, so that only the culprit fails.
How a transaction begins and ends, and what an error means, is the business of the database's `Link`.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar, cast

from holdfast.errors import StoreAway, StoreError, StoreSlow
from holdfast.store.interface import EachAlone, Joint, Tx

T = TypeVar("T")

GROUP = 256
"""Members of one transaction at most."""
WAITING = 20_000
"""Writes accepted and not yet answered, at most; further callers wait before they are accepted."""

_LOOK_SECONDS = 0.02
"""How often it is looked whether a write's time is over."""

WriteWork = Callable[[Tx], Any]
SettledWork = tuple["asyncio.Future[Any]", Any, BaseException | None]


class Member:
    """One write that was accepted. Its caller may withdraw it while it waits for its turn."""

    __slots__ = ("answer", "withdrawn", "work")

    def __init__(self, work: WriteWork, answer: asyncio.Future[Any]) -> None:
        self.work = work
        self.answer = answer
        self.withdrawn = False


class Link(Protocol):
    """The writer's connection. Used by the writer's thread alone."""

    def ready(self) -> Tx:
        """A connection that is there, made anew if it was lost. Raises StoreAway while it cannot be."""
        ...

    def begin(self) -> None: ...

    def commit(self) -> None: ...

    def rollback(self) -> None:
        """Undo; does not raise, also when there is nothing to undo or nobody there."""
        ...

    def lost(self, error: BaseException) -> bool:
        """Does this error mean that the connection is gone (and with it the open transaction)?"""
        ...

    def explain(self, error: BaseException) -> BaseException:
        """The error as the writer's callers get it."""
        ...

    def close(self) -> None: ...


class NotBegun(Exception):
    """No transaction could begin, which is the fault of no member. The cause says why."""


class InDoubt(StoreAway):
    """The connection went away during the commit: only the database knows whether it happened."""


class Writer:
    """Belongs to the event loop it was made in."""

    def __init__(self, link: Link, *, where: str = "store", waiting: int = WAITING) -> None:
        self.commits = 0
        """How many transactions were committed: fewer than writes, when they come in numbers."""
        self._link = link
        self._where = where
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Member | None] = SimpleQueue()
        self._accepted: list[Member] = []
        self._limit = waiting
        self._pending = 0
        self._dated: list[tuple[float, float, Member]] = []
        """The writes that have an end of their time: when, after how many seconds, and which."""
        self._looks = False
        self._outside: deque[asyncio.Future[None]] = deque()
        self._closing = False
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._live, name="holdfast-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        """Accept `work`; return after its commit.

        An accepted write is done even if nobody waits for it any more, unless it was withdrawn because its time
        (`within`) was over.
        """
        if within is None:
            return cast(T, await (await self._accept(work)).answer)
        end = self._loop.time() + within
        if self._pending >= self._limit:
            try:
                async with asyncio.timeout(within):
                    await self._room()
            except TimeoutError:
                raise self._slow(within) from None
        member = await self._accept(work)
        self._dated.append((end, within, member))
        if not self._looks:
            self._looks = True
            self._loop.call_later(_LOOK_SECONDS, self._look)
        return cast(T, await member.answer)

    def _look(self) -> None:
        """Withdraw the writes whose time is over. One timer for all: one for each would cost as much as the rest."""
        now = self._loop.time()
        waiting = [dated for dated in self._dated if not dated[2].answer.done()]
        for end, within, member in waiting:
            if end <= now:
                member.withdrawn = True
                member.answer.set_exception(self._slow(within))
        self._dated = [dated for dated in waiting if not dated[2].withdrawn]
        self._looks = bool(self._dated)
        if self._looks:
            self._loop.call_later(_LOOK_SECONDS, self._look)

    def _slow(self, within: float) -> StoreSlow:
        return StoreSlow(f"The {self._where} took longer than {within:.1f} s to write; it may be locked.")

    async def close(self) -> None:
        """Finish what was accepted, then end the thread."""
        if not self._closing:
            self._closing = True
            self._hand_over()
            self._queue.put(None)
            self._admit()
        await asyncio.shield(self._gone)

    # --- in the event loop

    def _hand_over(self) -> None:
        """What one turn of the loop accepted, at once: waking the thread costs as much as a write does."""
        accepted, self._accepted = self._accepted, []
        for member in accepted:
            self._queue.put(member)

    async def _accept(self, work: WriteWork) -> Member:
        if self._pending >= self._limit:
            await self._room()
        if self._closing:
            raise StoreError("The store is closing and takes no more writes; this one was not kept.")
        member = Member(work, self._loop.create_future())
        self._pending += 1
        if not self._accepted:
            self._loop.call_soon(self._hand_over)
        self._accepted.append(member)
        return member

    async def _room(self) -> None:
        while self._pending >= self._limit and not self._closing:
            turn: asyncio.Future[None] = self._loop.create_future()
            self._outside.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._admit()
                raise

    def _admit(self) -> None:
        """Call in as many as there is room for; all of them at the end, to be told."""
        free = len(self._outside) if self._closing else self._limit - self._pending
        while free > 0 and self._outside:
            turn = self._outside.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    def _answer(self, outcomes: Sequence[SettledWork]) -> None:
        self._pending -= len(outcomes)
        for answer, result, error in outcomes:
            if answer.done():
                continue
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)
        if self._outside:
            self._admit()

    # --- in the thread

    def _live(self) -> None:
        queue, last = self._queue, False
        while not last:
            first = queue.get()
            group: list[Member] = []
            for member in [first, *(queue.get() for _ in range(min(queue.qsize(), GROUP - 1)))]:
                if member is None:
                    last = True
                else:
                    group.append(member)
            if group:
                try:
                    self._loop.call_soon_threadsafe(self._answer, self._settle(group))
                except RuntimeError:  # the loop was closed without closing the store: nobody is left to answer
                    last = True
        try:
            self._link.close()
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._left)

    def _left(self) -> None:
        if not self._gone.done():
            self._gone.set_result(None)

    def _settle(self, group: list[Member]) -> list[SettledWork]:
        try:
            return self._together(group)
        except NotBegun as error:
            return self._failed(group, error.__cause__ or error)
        except BaseException as error:
            if isinstance(error, InDoubt) or (len(group) == 1 and not self._link.lost(error)):
                return self._failed(group, error)
        outcomes: list[SettledWork] = []
        for index, member in enumerate(group):
            try:
                outcomes += self._together([member])
            except NotBegun as error:
                return outcomes + self._failed(group[index:], error.__cause__ or error)
            except BaseException as error:
                outcomes += self._failed([member], error)
        return outcomes

    def _failed(self, group: list[Member], error: BaseException) -> list[SettledWork]:
        error = self._explain(error)
        return [(member.answer, None, error) for member in group]

    def _together(self, group: list[Member]) -> list[SettledWork]:
        """All of `group` in one transaction, or an error and nothing. What was withdrawn is left out."""
        if all(member.withdrawn for member in group):
            return [(member.answer, None, None) for member in group]
        link = self._link
        tx = link.ready()
        try:
            link.begin()
        except BaseException as error:
            link.rollback()
            if link.lost(error):
                raise
            raise NotBegun from error
        try:
            try:
                outcomes = _run(tx, group)
            except EachAlone:  # one event that is there already must not cost all others a commit of their own
                link.rollback()
                link.begin()
                outcomes = _run(tx, group, each_alone=True)
        except BaseException:
            link.rollback()
            raise
        try:
            link.commit()
        except BaseException as error:
            link.rollback()
            if link.lost(error):
                raise InDoubt(
                    "The connection to the database was lost during a commit; whether it was kept is not known, "
                    "and sending the same event again is safe."
                ) from error
            raise
        self.commits += 1
        return outcomes

    def _explain(self, error: BaseException) -> BaseException:
        error = self._link.explain(error)
        if isinstance(error, StopIteration):  # the one error that a future does not take
            wrapped = RuntimeError("a write raised StopIteration")
            wrapped.__cause__ = error
            return wrapped
        return error


def _run(tx: Tx, group: list[Member], *, each_alone: bool = False) -> list[SettledWork]:
    """Run every member that was not withdrawn, in the order in which they were accepted; joint ones of a type that
    stand next to each other at once."""
    results: list[Any] = [None] * len(group)
    members = [(index, member) for index, member in enumerate(group) if not member.withdrawn]
    for kind, run in groupby(members, key=lambda pair: _joint_type(pair[1])):
        together = list(run)
        works = [member.work for _, member in together]
        if kind is None or each_alone or len(works) == 1:
            came: Sequence[Any] = [work(tx) for work in works]
        else:
            came = works[0].together(tx, works)  # type: ignore[attr-defined]
        for (index, _), result in zip(together, came, strict=True):
            results[index] = result
    return [(member.answer, result, None) for member, result in zip(group, results, strict=True)]


def _joint_type(member: Member) -> type | None:
    return type(member.work) if isinstance(member.work, Joint) else None
