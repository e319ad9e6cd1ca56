"""This room's part of the pane: whether guards are on, and what they refused, asked about or kept in this session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.events.caller import Caller
from holdfast.rooms.guards import state
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.room import Pane

_MOST = 100
_COMMAND = 60
_WORDS = {"deny": "refused", "ask": "asked about", "allow": "allowed by a person", "warn": "warned about"}


async def lines(caller: Caller) -> Sequence[str]:
    if not caller.conversation:
        return ()
    guards = caller.services.get(Guards)
    rows = await guards.records.of_conversation(caller.conversation, _MOST)
    said = [state.sign(guards)]
    if rows:
        counted = Counter(map(_named, rows))
        said.append(", ".join(f"{count} {words}" for words, count in counted.items()))
        said.append(f"last by {rows[0]['rule']}: {str(rows[0]['command'])[:_COMMAND]}")
    return said


def _named(row: Mapping[str, Any]) -> str:
    decision = str(row["decision"])
    if row["kept_id"] and decision in ("allow", "warn"):
        return "allowed after a copy was kept"
    return _WORDS.get(decision, decision)


PANE = Pane("guards", lines)
