"""The write of an event that brings nothing but itself, as most do: its entry, the time of its window, its note for the
later steps. Events that come at once are written together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from holdfast.store.interface import EachAlone, Joint, Tx, Value


class NotAllNew(EachAlone):
    """Some of these events are there already. Written one by one, each says whether it is."""


@dataclass(frozen=True, slots=True)
class PlainEntry(Joint[bool]):
    """True when the event is new."""

    row: dict[str, Value]
    follower: str
    """The home whose later steps wait for it; '' when none do."""

    def __call__(self, tx: Tx, /) -> bool:
        row = self.row
        if tx.run("journal.insert", **row) != 1:
            return False
        tx.run("session.touch", id=row["session_id"], at=row["happened_at"])
        if self.follower:
            tx.run("follow.add", entry_id=row["id"], home=self.follower)
        return True

    def together(self, tx: Tx, works: Sequence[PlainEntry], /) -> Sequence[bool]:
        if tx.many("journal.insert", [each.row for each in works]) != len(works):
            raise NotAllNew
        last: dict[Value, int] = {}
        for each in works:
            window, at = each.row["session_id"], int(each.row["happened_at"] or 0)
            last[window] = max(at, last.get(window, 0))
        tx.run("session.touch_all", windows=msgspec.json.encode(list(last.items())).decode())
        tx.many("follow.add", [{"entry_id": each.row["id"], "home": each.follower} for each in works if each.follower])
        return [True] * len(works)
