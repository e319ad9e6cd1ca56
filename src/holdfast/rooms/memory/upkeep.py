"""What only this room knows when something is forgotten or imported: summaries quote prompts, and a model's words
stand in place of the rules'. The rest follows from the tables (`schema`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from holdfast.events import tombstone
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import LIGHT, Memory, MemoryItem, Observation, Summary
from holdfast.rooms.memory.summaries import answers, refresh
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Reader, Row, Tx


def made_from(reader: Reader, item: MemoryItem, owner: str) -> Sequence[str]:
    """What the agent said goes with the summary that was made of it, and with the prompt that it answers."""
    return [str(row["id"]) for row in answers.words_of(reader, item, owner)]


def marks(reader: Reader, item: MemoryItem, owner: str) -> Sequence[str]:
    """A summary that was forgotten is not written again, under whichever id."""
    return [tombstone.of_subject(item.subject)] if isinstance(item, Summary) else []


def entries_go(tx: Tx, entries: Sequence[Row], owner: str) -> Callable[[Tx], None]:
    """Summaries that were made from these entries are written anew without them."""
    told = refresh.told_in(tx, entries)

    def mend(tx: Tx) -> None:
        refresh.drop_written(tx, [summary.subject for summary in told])
        refresh.unsay(tx, told, owner)

    return mend


def taken(tx: Tx, family: str, item: MemoryItem, owner: str) -> None:
    """The files that an imported item tells of. Its pages come by records of their own: they were read where it was
    made, and not as they are here today."""
    if isinstance(item, Observation) and item.kind not in LIGHT:
        tables.touch(tx, item, item.happened_at, owner)
    elif isinstance(item, Memory):
        tables.touch(tx, item, item.created_at, owner)


def refuses(reader: Reader, table: str, record: Row, owner: str) -> bool:
    """A summary whose subject was forgotten; a model's words of a summary that is not here, or that are not whole."""
    subject = str(record.get("subject") or "")
    if table == "summary":
        return tombstone.lies_on(reader, int(record["happened_at"] or 0), tombstone.of_subject(subject))
    if table != "model_summary":
        return False
    summary = tables.summary_of(reader, subject)
    there = summary is not None and tables.item(reader, summary.id, owner, ("summary",)) is not None
    return not there or not all(_is_object(str(record[name])) for name in ("by_model", "by_rules"))


def _is_object(text: str) -> bool:
    """Scrubbing by a newer rule may have taken a quotation mark along."""
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except msgspec.MsgspecError:
        return False


UPKEEP = Upkeep(made_from=made_from, marks=marks, entries_go=entries_go, taken=taken, refuses=refuses)
