"""Readers beside the writer: a few threads, each with its own connection, each read on one consistent view.

How a view is opened and closed is the business of the database.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from holdfast.errors import StoreError

T = TypeVar("T")
C = TypeVar("C", bound="Closable")


class Closable(Protocol):
    def close(self) -> None: ...


class Readers(Generic[C]):
    """`connect` makes one thread's connection; it is used by that thread alone until it is closed."""

    def __init__(self, connect: Callable[[], C], *, threads: int = 2) -> None:
        self._connect = connect
        self._own = threading.local()
        self._all: list[C] = []
        self._closed = False
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="holdfast-reader")

    async def run(self, work: Callable[[C], T]) -> T:
        """Run `work` with the connection of whichever thread is free."""
        if self._closed:
            raise StoreError("The store is closed and cannot be read.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._with, work)

    def _with(self, work: Callable[[C], T]) -> T:
        return work(self.connection())

    def connection(self) -> C:
        """This thread's connection, made when it is first needed."""
        found: C | None = getattr(self._own, "connection", None)
        if found is None:
            found = self._own.connection = self._connect()
            self._all.append(found)
        return found

    def forget(self) -> None:
        """Let this thread's connection go; the next read makes a new one."""
        found: C | None = getattr(self._own, "connection", None)
        if found is not None:
            self._own.connection = None
            self._all.remove(found)
            found.close()

    async def close(self) -> None:
        """Let the reads under way finish, then close."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
        while self._all:
            self._all.pop().close()
