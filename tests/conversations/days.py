"""Sessions on several days: each event has its moment, and a brief is written for the day it is asked for."""

from __future__ import annotations

import itertools
from typing import Any

from holdfast.events.scene import Source
from holdfast.times import DAY_US
from tests.conversations.session import Session
from tests.conversations.talk import Talk, context

FIRST = 1_790_000_000_000_000
_TICKS = itertools.count(1)


class DaySession(Session):
    """A session that takes place on a day of the story; a few seconds pass between its events."""

    def __init__(self, talk: Talk, day: float, cwd: str = "/p", name: str = "") -> None:
        super().__init__(talk, name or f"day{day}-{next(_TICKS)}", cwd)
        self.at = FIRST + int(day * DAY_US)

    def _payload(self, event: str, **own: Any) -> dict[str, Any]:
        common = {"session_id": self.name, "transcript_path": f"/t/{self.name}.jsonl", "cwd": self.cwd}
        return common | {"hook_event_name": event} | own

    async def tell(self, event: str, source: Source = "http", **own: Any) -> str:
        self.at += 3_000_000
        payload = self._payload(event, prompt_id=self.prompt_id) | self.agent | own
        return context(await self.talk.tell(payload, source=source, happened_at=self.at))

    async def start(self, how: str = "startup") -> str:
        self.at += 3_000_000
        payload = self._payload("SessionStart", source=how)
        return context(await self.talk.tell(payload, source="command", happened_at=self.at))


async def chat(talk: Talk, day: float, asked: str, said: str, *, cwd: str = "/p") -> DaySession:
    """A whole session in which nothing is done but talking."""
    session = DaySession(talk, day, cwd)
    await session.start()
    await session.ask(asked)
    await session.stop(said)
    await session.end()
    return session


async def work(talk: Talk, day: float, asked: str, said: str, *paths: str, cwd: str = "/p") -> DaySession:
    """A whole session that edits files and sees its tests pass."""
    session = DaySession(talk, day, cwd)
    await session.start()
    await session.ask(asked)
    for path in paths:
        await session.edit(f"{cwd}/{path}")
    if paths:
        await session.bash("pytest -q", "42 passed in 1s")
    await session.stop(said)
    await session.end()
    return session


def lines(text: str) -> list[str]:
    """The lines about items."""
    return [line for line in text.splitlines() if line.startswith("[")]
