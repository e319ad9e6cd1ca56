"""Marks older work as replaced: when newer work of equal rank says so ("instead of being skipped"), and when the user
rejected a turn and the next one did it otherwise (MEM-12, MEM-31, SEC-8)."""

from __future__ import annotations

import re

from holdfast.events.correction import correction_in
from holdfast.ids import ItemId
from holdfast.items import tables as items
from holdfast.items.model import Superseded
from holdfast.items.words import one_line
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.contradictions import given_up, gives_up
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.summaries.threads import telling, threads_of
from holdfast.store.interface import Tx
from holdfast.times import DAY_US

_LOOKED_AT = 200
_RECENT_US = 180 * DAY_US
_REJECTS = re.compile(
    r"(?:no+|nope|nein|wrong|stop|undo|revert)\b|that(?:'s| is) (?:not|wrong)\b|not (?:what|like)\b"
    r"|(?:as )?i (?:said|told|meant|did(?: not|n't) (?:ask|say|want|mean))\b",
    re.IGNORECASE,
)
"""It says that what was done is not what was wanted; "you forgot the tests" does not."""


def replace_older(tx: Tx, new: Summary | None, owner: str) -> None:
    """What a summary says no longer holds is ranked down, and said as such. A person's words stay."""
    if new is None:
        return
    if new.level == "turn" and new.prompt_number > 1:
        _withdraw(tx, new, owner)
    if not gives_up(new.content.title):
        return
    for old in tables.summaries_before(tx, new, new.happened_at - _RECENT_US, _LOOKED_AT):
        if old.written_by == "user" or old.content.title == new.content.title:
            continue
        if words := given_up(new.content.title, old.content.title):
            _supersede(tx, old, new, f"newer work says “{words}”", owner)


def _withdraw(tx: Tx, new: Summary, owner: str) -> None:
    """The turn before is withdrawn when the user rejected it."""
    asked = tables.prompt_numbered(tx, new.conversation, new.prompt_number)
    before = tables.prompt_numbered(tx, new.conversation, new.prompt_number - 1) if asked else None
    old = tables.turn_summary(tx, before) if before else None
    if asked is None or old is None or old.written_by == "user":
        return
    if said := rejected(asked.text, old.content, new.content):
        _supersede(tx, old, new, f"the user said “{one_line(said, 160)}”", owner)


def rejected(prompt: str, before: SummaryContent, after: SummaryContent) -> str:
    """The user's words by which the turn before was not what was wanted; '' when it was, or when nobody can tell.

    A "no" may answer what the agent asked. Then, as with a rule ("never use floats"), it counts when the next turn
    changed the same files, and the rule is about what was told."""
    corrected = correction_in(prompt)
    if corrected is None:
        return ""
    rejects = bool(_REJECTS.match(prompt.lstrip()) or _REJECTS.match(corrected.text))
    if rejects and not any(thread.kind == "asked" for thread in threads_of(before)):
        return corrected.text
    is_about = rejects or bool(corrected.kind == "rule" and telling(corrected.text) & telling(before.title))
    return corrected.text if is_about and set(before.files) & set(after.files) else ""


def _supersede(tx: Tx, old: Summary, new: Summary, why: str, owner: str) -> None:
    items.supersede(tx, Superseded(ItemId(old.id), ItemId(new.id), why, "rules", new.happened_at), owner)
