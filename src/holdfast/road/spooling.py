"""The road while there is no store yet: every event is scrubbed, written into the spool, and answered with nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from holdfast.events.answer import NOTHING
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
        try:
            fields = clean(payload.fields, self.scrubber, mended=payload.mended, size=payload.size).fields
            event = parse(fields, name)
            kind, where = event.hook_event_name, (event.session_id, event.cwd, event.transcript_path)
            if self.recording and self.recording.pause_of(*where, received, received):
                return Travelled(kind, NOTHING, kept=True, paused=True)
        except Exception:
            log.exception("%s: it cannot be scrubbed, so it was not kept", name)
            return Travelled(name or "", NOTHING, kept=False, broken=True)
        self.put_aside(
            Arrival(EntryId(arrival_id or new_id()), received, received, source, agent, sender), kind, fields
        )
        return Travelled(kind, NOTHING, kept=False)
