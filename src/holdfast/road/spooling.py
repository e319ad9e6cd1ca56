"""The road while there is no store yet: every event is scrubbed and written into the spool. A tool is decided about by
what needs no store; the user is told at a session's start; all else is answered with nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from holdfast.events.answer import NOTHING, Answer
from holdfast.events.event import JsonObject
from holdfast.events.parse import parse
from holdfast.events.scene import Source
from holdfast.ids import EntryId, new_id, now_us
from holdfast.road.clean import ScrubsValues, clean
from holdfast.road.edge import Payload
from holdfast.road.journal import Arrival
from holdfast.road.recording import Recording
from holdfast.road.road import Travelled
from holdfast.sender import NOBODY, Sender

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpoolsEvents:
    """Replaces the road at the same door. When the spool is drained, its events take the road."""

    scrubber: ScrubsValues
    put_aside: Callable[[Arrival, str, JsonObject], str]
    recording: Recording | None = None
    """Says which events are not recorded, and so not put aside either."""
    decide: Callable[[JsonObject, str], tuple[Answer, dict[str, str]]] | None = None
    """Decides about a tool without a store (`offline_decision`): the answer, and what was decided for the record."""

    async def travel(
        self,
        payload: Payload,
        *,
        name: str | None,
        source: Source,
        arrival_id: str | None,
        agent: str = "",
        command: str = "",
        sender: Sender = NOBODY,
    ) -> Travelled:
        """Write one event into the spool. Never raises."""
        received = now_us()
        entry_id = EntryId(arrival_id or new_id())
        answer, decided = await self._answered(name, payload, entry_id)
        try:
            fields = clean(payload.fields, self.scrubber, mended=payload.mended, size=payload.size).fields
            event = parse(fields, name)
            kind, where = event.hook_event_name, (event.session_id, event.cwd, event.transcript_path)
            if self.recording and self.recording.pause_of(*where, received, received):
                return Travelled(kind, answer, kept=True, paused=True)
            if decided:
                fields = fields | {DECIDED: clean(dict(decided), self.scrubber).fields}
        except Exception:
            log.exception("%s: its secrets could not be removed, so it was not stored", name)
            return Travelled(name or "", answer, kept=False, broken=True)
        self.put_aside(Arrival(entry_id, received, received, source, agent, sender), kind, fields)
        return Travelled(kind, answer, kept=False)

    async def _answered(self, name: str | None, payload: Payload, entry_id: EntryId) -> tuple[Answer, dict[str, str]]:
        if name == "SessionStart":
            return _WAITS, {}
        if name != "PreToolUse" or self.decide is None:
            return NOTHING, {}
        try:
            return await asyncio.wait_for(asyncio.to_thread(self.decide, payload.fields, entry_id), _DECIDING)
        except Exception:
            log.exception("a tool call could not be judged while the store is away")
            return NOTHING, {}


DECIDED = "holdfast_decided"
"""The field of a spooled event that tells what was decided without a store."""
_DECIDING = 4.0
"""Seconds; the hook of PreToolUse has ten."""
_WAITS = Answer(message="holdfast waits for its store: nothing is recalled meanwhile. `holdfast status` says why.")
