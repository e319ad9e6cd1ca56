"""The writer with a database that does what the test says: groups, failures, lost connections, backpressure."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import pytest

from holdfast.errors import StoreAway, StoreError
from holdfast.store.interface import EachAlone, Joint, Tx
from holdfast.store.writer import GROUP, InDoubt, Writer


class Lost(Exception):
    """The connection is gone."""


class FakeLink:
    """Keeps what was committed; fails as it is told."""

    def __init__(self) -> None:
        self.kept: list[list[str]] = []
        self.open: list[str] | None = None
        self.fail_commits: list[Exception] = []
        self.away = 0
        self.closed = False

    def ready(self) -> Tx:
        if self.away:
            self.away -= 1
            raise StoreAway("nobody there")
        return cast(Tx, self)

    def begin(self) -> None:
        assert self.open is None
        self.open = []

    def add(self, word: str) -> str:
        assert self.open is not None
        self.open.append(word)
        return word

    def commit(self) -> None:
        if self.fail_commits:
            raise self.fail_commits.pop(0)
        assert self.open is not None
        self.kept.append(self.open)
        self.open = None

    def rollback(self) -> None:
        self.open = None

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, Lost)

    def explain(self, error: BaseException) -> BaseException:
        return StoreAway("explained") if isinstance(error, Lost) else error

    def close(self) -> None:
        self.closed = True


def add(word: str) -> Callable[[Tx], str]:
    return lambda tx: cast(FakeLink, tx).add(word)


def tell(story: Callable[[Writer, FakeLink], Awaitable[None]], **options: Any) -> FakeLink:
    async def told() -> FakeLink:
        link = FakeLink()
        writer = Writer(link, **options)
        await story(writer, link)
        await writer.close()
        assert link.closed
        return link

    return asyncio.run(told())


async def hold(writer: Writer) -> tuple[asyncio.Task[Any], threading.Event]:
    """Keep the writer busy, so that what follows waits together."""
    begun, go = threading.Event(), threading.Event()

    def wait(tx: Tx) -> None:
        begun.set()
        go.wait(10)

    held = asyncio.create_task(writer.write(wait))
    assert await asyncio.to_thread(begun.wait, 10)
    return held, go


async def together(writer: Writer, *works: Callable[[Tx], Any]) -> list[Any]:
    """Have the writer find all of `works` at once."""
    held, go = await hold(writer)
    tasks = [asyncio.create_task(writer.write(work)) for work in works]
    await asyncio.sleep(0)
    go.set()
    await held
    return await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.requirement("STO-1")
def test_what_waits_is_one_transaction_up_to_a_limit() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        results = await together(writer, *(add(str(number)) for number in range(GROUP + 10)))
        assert results == [str(number) for number in range(GROUP + 10)]
        assert [len(group) for group in link.kept] == [0, GROUP, 10]
        assert writer.commits == 3

    tell(story)


@pytest.mark.requirement("STO-1")
def test_only_the_culprit_fails() -> None:
    def bad(tx: Tx) -> None:
        cast(FakeLink, tx).add("half")
        raise ValueError("bad")

    async def story(writer: Writer, link: FakeLink) -> None:
        first, wrong, second = await together(writer, add("a"), bad, add("b"))
        assert (first, second) == ("a", "b")
        assert isinstance(wrong, ValueError)
        assert link.kept == [[], ["a"], ["b"]]

    tell(story)


class Pair(Joint[str]):
    """Adds its word; together with others, all words as one."""

    def __init__(self, word: str, *, fails: bool = False) -> None:
        self.word, self.fails = word, fails

    def __call__(self, tx: Tx, /) -> str:
        return cast(FakeLink, tx).add(self.word)

    def together(self, tx: Tx, works: Sequence[Pair], /) -> Sequence[str]:
        cast(FakeLink, tx).add("+".join(each.word for each in works))
        if any(each.fails for each in works):
            raise EachAlone
        return [each.word.upper() for each in works]


@pytest.mark.requirement("STO-1")
def test_joint_writes_of_a_group_are_one_work_or_each_alone() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        assert await together(writer, Pair("a"), add("x"), Pair("b"), Pair("c")) == ["a", "x", "B", "C"]
        assert link.kept == [[], ["a", "x", "b+c"]], "in the order in which they were accepted"
        assert await together(writer, add("y"), Pair("d"), Pair("e", fails=True)) == ["y", "d", "e"]
        assert link.kept[2:] == [[], ["y", "d", "e"]], "each alone, and one commit for all"
        assert await together(writer, Pair("f", fails=True)) == ["f"]

    tell(story)


@pytest.mark.requirement("STO-1")
def test_a_commit_that_fails_is_tried_with_each_alone() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        await writer.write(add("zero"))
        held, go = await hold(writer)
        tasks = [asyncio.create_task(writer.write(add(word))) for word in "ab"]
        await asyncio.sleep(0)
        link.fail_commits = [ValueError("held"), ValueError("group"), ValueError("a alone")]
        go.set()
        results = await asyncio.gather(held, *tasks, return_exceptions=True)
        assert [str(result) for result in results] == ["held", "a alone", "b"]
        assert link.kept == [["zero"], ["b"]]

    tell(story)


@pytest.mark.requirement("EVT-7")
def test_a_connection_lost_before_the_commit_is_tried_once_more() -> None:
    once = [Lost()]

    def loses(tx: Tx) -> str:
        if once:
            raise once.pop()
        return cast(FakeLink, tx).add("kept")

    async def story(writer: Writer, link: FakeLink) -> None:
        assert await writer.write(loses) == "kept"
        assert link.kept == [["kept"]]

    tell(story)


@pytest.mark.requirement("EVT-7")
def test_a_connection_lost_during_the_commit_is_not_tried_again() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        link.fail_commits = [Lost()]
        with pytest.raises(InDoubt, match="sending the same event again is safe"):
            await writer.write(add("perhaps"))
        assert link.kept == []
        assert await writer.write(add("next")) == "next"

    tell(story)


@pytest.mark.requirement("EVT-7")
def test_while_nobody_is_there_writes_fail_at_once_and_then_go_on() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        link.away = 1
        with pytest.raises(StoreAway):
            await writer.write(add("a"))
        assert await writer.write(add("b")) == "b"

    tell(story)


@pytest.mark.requirement("STO-1")
def test_too_many_wait_outside_and_all_come_in() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        held, go = await hold(writer)
        tasks = [asyncio.create_task(writer.write(add(str(number)))) for number in range(100)]
        await asyncio.sleep(0.01)
        assert writer._pending == 10
        assert len(writer._outside) == 91
        for task in tasks[20:60]:
            task.cancel()
        go.set()
        await held
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(result, str) for result in results) == 60
        assert sum(len(group) for group in link.kept) == 60
        assert writer._pending == 0

    tell(story, waiting=10)


@pytest.mark.requirement("STO-1")
def test_who_waits_outside_when_it_closes_is_told() -> None:
    async def story(writer: Writer, link: FakeLink) -> None:
        held, go = await hold(writer)
        tasks = [asyncio.create_task(writer.write(add(str(number)))) for number in range(5)]
        await asyncio.sleep(0.01)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0.01)
        go.set()
        await asyncio.gather(held, closing)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results[0] == "0"
        assert [type(result) for result in results[1:]] == [StoreError] * 4

    tell(story, waiting=2)
