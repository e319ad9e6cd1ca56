"""Runs the process that reads source files: starts it when it is needed, ends it when it is idle, hangs or crashes.

A file whose parser crashed or did not end is named to the next process, which notes it as skipped.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from holdfast.errors import HoldfastError
from holdfast.source.child import ChildCommand, Index, ReadText, UpdateFiles
from holdfast.source.model import FileContent, IndexProgress

log = logging.getLogger(__name__)

T = TypeVar("T")
COMMAND: tuple[str, ...] = (sys.executable, "-I", "-m", "holdfast.source.child")
IDLE_SECONDS = 60.0
SILENT_SECONDS = 60.0
"""A process that says nothing for so long is ended. (One that computes is ended sooner, by the system.)"""
_MOST_CRASHES = 25
"""In one command: more than that is no file's fault."""
_LONGEST_LINE = 32 << 20
_MOST_GIVEN_UP = 1_000
_LAST_SECONDS = 5.0
"""For a process that closed its end of the line to end."""
CRASHED = "its parser crashed or did not end"
_BY_HAND = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT})
"""How a process ends that somebody ended. (A grammar that crashes or computes for too long has other signals.)"""


class ParserError(HoldfastError):
    """The source files could not be read."""


class _Died(Exception):
    """The process ended in the middle of an answer. `by_hand`: somebody ended it, or the system wanted its memory."""

    def __init__(self, at: str, *, by_hand: bool = False) -> None:
        self.at = at
        self.by_hand = by_hand


class Worker:
    """One process at most; commands wait for each other."""

    def __init__(self, command: Sequence[str] = COMMAND, *, silent_seconds: float = SILENT_SECONDS) -> None:
        self._command = tuple(command)
        self._silent_seconds = silent_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._reads: set[asyncio.Task[FileContent | None]] = set()
        self._given_up: set[str] = set()
        """Files from whose parser `read_soon` did not come back."""
        self.started = 0
        """How many processes there were."""

    @property
    def pid(self) -> int:
        """Of the process; 0 when there is none."""
        return self._process.pid if self._process else 0

    async def index(self, asked: Index, at: Callable[[str], None] = lambda path: None) -> IndexProgress:
        return await self._retried(asked, at)

    async def update(self, asked: UpdateFiles) -> IndexProgress:
        return await self._retried(asked, lambda path: None)

    async def read(self, path: str, text: str) -> FileContent:
        """Read one text."""
        async with self._lock:
            try:
                return msgspec.convert(await self._ask(ReadText(path, text), lambda at: None), FileContent)
            except _Died:
                raise ParserError(f"The parser did not come back from {path}; nothing was changed.") from None

    async def read_soon(self, path: str, text: str, seconds: float) -> FileContent | None:
        """Read one text, if that is done within so many seconds. None when it is not, or when the parser did not come
        back from this file before."""
        if path in self._given_up:
            return None
        task = asyncio.ensure_future(self._read_unless_late(path, text, asyncio.get_running_loop().time() + seconds))
        self._reads.add(task)
        task.add_done_callback(self._reads.discard)
        done, _ = await asyncio.wait({task}, timeout=seconds)  # a late one ends by itself
        return task.result() if done else None

    async def _read_unless_late(self, path: str, text: str, until: float) -> FileContent | None:
        async with self._lock:
            if asyncio.get_running_loop().time() > until:
                return None
            try:
                return msgspec.convert(await self._ask(ReadText(path, text), lambda at: None), FileContent)
            except _Died as died:
                if not died.by_hand and len(self._given_up) < _MOST_GIVEN_UP:
                    log.warning("the names in %s are not parsed any more: %s", path, CRASHED)
                    self._given_up.add(path)
            except ParserError as error:
                log.warning("the names in %s are not parsed: %s", path, error)
            return None

    async def _retried(self, asked: Index | UpdateFiles, at: Callable[[str], None]) -> IndexProgress:
        async with self._lock:
            ended_at, skipped = set[str](), dict[str, str]()
            for _ in range(_MOST_CRASHES):
                try:
                    done = msgspec.convert(await self._ask(asked, at, skipped), IndexProgress)
                    return msgspec.structs.replace(done, skipped=tuple(skipped.items()))
                except _Died as died:
                    if died.by_hand and died.at not in ended_at:
                        ended_at.add(died.at)  # no fault of the file, unless it happens twice
                        continue
                    if not died.at or died.at in asked.given_up:
                        break
                    asked.given_up[died.at] = CRASHED  # the next process tells it as skipped
        raise ParserError("The process that reads source files ends again and again; the index stays as it was.")

    async def _ask(
        self, command: ChildCommand, at: Callable[[str], None], skipped: dict[str, str] | None = None
    ) -> Any:
        """What the process answers. `skipped` is told what it leaves out, also when it does not come back."""
        process = await self._running()
        assert process.stdin
        assert process.stdout
        last = ""
        try:
            process.stdin.write(msgspec.json.encode(command) + b"\n")
            await process.stdin.drain()
            while True:
                line = await asyncio.wait_for(process.stdout.readline(), self._silent_seconds)
                if not line:
                    await self._end(_LAST_SECONDS)
                    raise _Died(last, by_hand=process.returncode in _BY_HAND)
                told = msgspec.json.decode(line)
                if "at" in told:
                    last = told["at"]
                    at(last)
                elif "skipped" in told:
                    if skipped is not None:
                        skipped.update([told["skipped"]])
                elif "failed" in told:
                    self._rest()
                    raise ParserError(f"The code index stays as it was: {told['failed']}")
                else:
                    self._rest()
                    return told["done"]
        except (TimeoutError, ConnectionError) as error:
            await self._end()
            raise _Died(last, by_hand=isinstance(error, ConnectionError)) from None
        except asyncio.CancelledError:
            await self._end()  # it is in the middle of an answer
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._idle:
            self._idle.cancel()
        if self._process is None or self._process.returncode is not None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    cwd="/",
                    limit=_LONGEST_LINE,
                )
            except OSError as error:
                raise ParserError(f"The process that reads source files cannot be started: {error}") from error
            self.started += 1
        return self._process

    def _rest(self) -> None:
        """End the process when nothing is asked for a while."""
        loop = asyncio.get_running_loop()
        if self._idle:
            self._idle.cancel()
        self._idle = loop.call_later(IDLE_SECONDS, self._let_go)

    def _let_go(self) -> None:
        if self._process and self._process.stdin and not self._lock.locked():
            self._process.stdin.close()  # it ends by itself
            self._process = None

    async def _end(self, within: float = 0.0) -> None:
        """End the process, after so many seconds in which it may end by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), within)
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def close(self) -> None:
        if self._idle:
            self._idle.cancel()
        await self._end()
