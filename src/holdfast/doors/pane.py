"""The pane beside a conversation: what holdfast says of itself and of this turn, then the parts of the rooms.

`GET /api/pane` serves it. The plugin's mod asks while its pane is open; whoever asks names the session in a header.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from holdfast.composition import Composition
from holdfast.events.caller import Caller
from holdfast.items import tables
from holdfast.layout import plain
from holdfast.rooms.gather import HOUSE_PANES
from holdfast.store.interface import Reader

log = logging.getLogger(__name__)

_LONGEST_LINE = 200
_MOST_LINES = 8
_MOST_GIVEN = 100


async def pane_of(composition: Composition, caller: Caller) -> list[dict[str, Any]]:
    """All parts that have something to say."""

    async def state() -> Sequence[str]:
        return [_state(composition, caller)]

    async def turn() -> Sequence[str]:
        return await composition.store.read(lambda reader: list(_turn(reader, caller)))

    house = [*zip(HOUSE_PANES, (state, turn), strict=True)] if caller.conversation else [(HOUSE_PANES[0], state)]
    found = [await _part(title, lines) for title, lines in house]
    return [each for each in found if each["lines"]] + await rooms_parts(composition, caller)


async def rooms_parts(composition: Composition, caller: Caller) -> list[dict[str, Any]]:
    """The rooms' parts that have something to say."""
    found = [
        await _part(pane.title, lambda pane=pane: pane.lines(caller))  # type: ignore[misc]
        for pane in composition.declared.panes.values()
    ]
    return [each for each in found if each["lines"]]


async def _part(title: str, lines: Callable[[], Awaitable[Sequence[str]]]) -> dict[str, Any]:
    """One part. One that fails says so itself, and the others are shown."""
    try:
        said = [plain(str(line))[:_LONGEST_LINE] for line in await lines()]
    except Exception as error:
        log.exception("the pane %s failed", title)
        said = [f"not known ({type(error).__name__}; the daemon's log has the details)"]
    return {"title": title, "lines": said[:_MOST_LINES]}


def _state(composition: Composition, caller: Caller) -> str:
    if composition.road.gate.cause is not None:
        return "the store is away; events wait in the spool"
    return "recording is paused" if caller.is_paused else "recording"


def _turn(reader: Reader, caller: Caller) -> Iterator[str]:
    """What the model was given since the last prompt: how much, and at what cost."""
    since = tables.last_prompt(reader, caller.conversation, caller.owner)
    given = tables.given_since(reader, caller.conversation, caller.owner, since, _MOST_GIVEN)
    if not given:
        yield "nothing was given to the model"
        return
    tokens = sum(int(row["tokens"] or 0) for row in given)
    yield f"given {len(given)} times, {tokens} tokens" if len(given) > 1 else f"given once, {tokens} tokens"
    for event, count in Counter(f"{row['event']!s}: {row['origins']!s}" for row in given).items():
        yield f"{event}{f' ({count})' if count > 1 else ''}"
