"""Marks older work as replaced when newer work of equal rank says so: "instead of being skipped" (MEM-12, SEC-8)."""

from __future__ import annotations

from holdfast.ids import ItemId
from holdfast.items import tables as items
from holdfast.items.indexed import Start
from holdfast.items.model import Superseded
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.contradictions import given_up, gives_up
from holdfast.rooms.memory.model import Summary
from holdfast.store.interface import Tx
from holdfast.times import DAY_US

_LOOKED_AT = 200
_RECENT_US = 180 * DAY_US


def replace_older(tx: Tx, new: Summary | None, owner: str) -> None:
    """What a summary says no longer holds is ranked down, and said as such. A person's words stay."""
    if new is None or not gives_up(new.content.title):
        return
    start = Start(owner, new.project_id, new.happened_at, new.conversation)
    for old in tables.recent_summaries(tx, start, new.happened_at - _RECENT_US, _LOOKED_AT):
        if old.written_by == "user" or old.happened_at >= new.happened_at:
            continue
        if words := given_up(new.content.title, old.content.title):
            why = f"newer work says “{words}”"
            items.supersede(tx, Superseded(ItemId(old.id), ItemId(new.id), why, "rules", new.happened_at), owner)
