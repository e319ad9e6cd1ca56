"""What only this room knows when an item is forgotten or imported: summaries quote prompts, and a model's summary
replaces that of the rules. The rest follows from the tables (`schema`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from holdfast.events import tombstone
from holdfast.ids import EntryId
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import LIGHT, Memory, MemoryItem, Observation, Summary
from holdfast.rooms.memory.summaries import answers, refresh
from holdfast.rooms.memory.summaries import marks as summary_marks
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Reader, Row, Tx


def made_from(reader: Reader, item: MemoryItem, owner: str) -> Sequence[EntryId]:
    """The agent's words are forgotten with the summary made from them, and with the prompt that they answer."""
    return [EntryId(str(row["id"])) for row in answers.words_of(reader, item, owner)]


def marks(reader: Reader, item: MemoryItem, owner: str) -> Sequence[str]:
    """A forgotten summary is not written again under another id."""
    return [summary_marks.of_subject(item.subject)] if isinstance(item, Summary) else []


def entries_go(tx: Tx, entries: Sequence[Row], owner: str, now: int) -> Callable[[Tx], None]:
    """Summaries that were made from these entries are written again without them."""
    made = refresh.summaries_from_words(tx, entries)

    def mend(tx: Tx) -> None:
        refresh.drop_written(tx, [summary.subject for summary in made], now)
        refresh.rebuild_without_words(tx, made, owner)

    return mend


def taken(tx: Tx, family: str, item: MemoryItem, owner: str) -> None:
    """Store the files that an imported item names. Its pages come by records of their own: they were read where the
    item was made.
    """
    if isinstance(item, Observation) and item.kind not in LIGHT:
        tables.touch(tx, item, item.happened_at, owner)
    elif isinstance(item, Memory):
        tables.touch(tx, item, item.created_at, owner)


def refuses(reader: Reader, table: str, record: Row, owner: str) -> bool:
    """A summary whose subject was forgotten; a model's summary whose subject is not here, or that is damaged."""
    subject = str(record.get("subject") or "")
    if table == "summary":
        return tombstone.lies_on(reader, int(record["happened_at"] or 0), summary_marks.of_subject(subject))
    if table != "model_summary":
        return False
    summary = tables.summary_of(reader, subject)
    there = summary is not None and tables.item(reader, summary.id, owner, ("summary",)) is not None
    return not there or not all(_is_object(str(record[name])) for name in ("by_model", "by_rules"))


def _is_object(text: str) -> bool:
    """Is this a JSON object? Scrubbing by a newer rule may have removed a quotation mark."""
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except msgspec.MsgspecError:
        return False


UPKEEP = Upkeep(made_from=made_from, marks=marks, entries_go=entries_go, taken=taken, refuses=refuses)
