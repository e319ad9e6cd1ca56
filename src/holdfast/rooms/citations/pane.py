"""This room's part of the pane: how much is kept of web pages, and how often it answered."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.caller import Caller
from holdfast.rooms.citations.service import CitationService
from holdfast.rooms.room import Pane


async def lines(caller: Caller) -> Sequence[str]:
    kept, counts = await caller.services.get(CitationService).stats()
    if not kept["pages"]:
        return ()
    return (f"{kept['pages']} kept, {counts.get('hits', 0)} fetches answered",)


PANE = Pane("web pages", lines)
