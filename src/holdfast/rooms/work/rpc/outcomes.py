"""The outcome of the steps of one event, for the one who sent it by RPC: the road's answer is a text for a model."""

from __future__ import annotations

from collections import OrderedDict

from msgspec import Struct

from holdfast.ids import EntryId

_MOST = 500


class EventResult(Struct):
    """What this room did on one event."""

    heartbeat: int | None = None
    allow: bool = True
    reason: str = ""
    overflow: bool = False
    handover: str = ""
    preloads: tuple[str, ...] = ()
    injections: tuple[str, ...] = ()
    dialogue: str = ""
    ended: bool = False
    loaded_files: tuple[str, ...] = ()


class Outcomes:
    """The outcomes of events that came by RPC, until their sender has them."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, EventResult] = OrderedDict()

    def at(self, entry_id: EntryId) -> EventResult:
        """The outcome of an event, to be filled in."""
        found = self._known.setdefault(entry_id, EventResult())
        while len(self._known) > _MOST:
            self._known.popitem(last=False)
        return found

    def take(self, entry_id: EntryId) -> EventResult:
        return self._known.pop(entry_id, None) or EventResult()
