"""Choosing what is to be forgotten: by id, session, file, text or time. Only `drop_…` writes."""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import dataclass, replace

import msgspec

from holdfast.errors import HoldfastError, UsageError
from holdfast.events import tombstone
from holdfast.ids import now_us
from holdfast.rooms.memory import shelf
from holdfast.rooms.memory.model import Memory, Observation, Summary
from holdfast.store.interface import Reader, Row, Tx

MANY = 100_000
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to go, in one of five ways."""

    ids: tuple[str, ...] = ()
    session: str = ""
    file: tuple[str, ...] = ()
    """One file in the spellings it may be kept under."""
    text: str = ""
    before: int = 0


def lower(text: str) -> str:
    """As LOWER does in both databases: letters of ASCII only."""
    return text.translate(_LOWER)


def like(text: str) -> str:
    """A text as a pattern that matches wherever it stands; '!' escapes."""
    escaped = lower(text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def in_json(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return msgspec.json.encode(text).decode()[1:-1]


def settled(reader: Reader, wish: Wish, owner: str) -> Wish:
    """The wish with its session's whole id."""
    if not wish.session:
        return wish
    named = wish.session
    prefix = named.replace("%", "").replace("_", "") + "%" if len(named) >= 8 else named
    found = reader.all("upkeep.conversations_like", owner=owner, named=named, like=prefix)
    names = [str(row["conversation"]) for row in found]
    if named in names:
        return wish
    if not names:
        raise HoldfastError(f"No session {named} is known. `holdfast journal` shows sessions.")
    if len(names) > 1:
        raise UsageError(f"{named} means more than one session; say {' or '.join(names[:5])}.")
    return replace(wish, session=names[0])


def items(reader: Reader, wish: Wish, owner: str, *, limit: int, summaries: bool = True) -> list[str]:
    """The ids of the prompts, observations, summaries and memories that are meant."""
    if wish.ids:
        found = []
        for each in wish.ids:
            meant = shelf.meant(reader, each, owner)
            if len(meant) > 1:
                raise UsageError(f"{each} means more than one thing; say {' or '.join(item.id for item in meant)}.")
            found += [item.id for item in meant]
        return found
    rows: list[Row] = []
    if wish.session:
        rows += reader.all("memory.ids_of_conversation", conversation=wish.session)
    for path in wish.file:
        rows += [
            row
            for row in reader.all("memory.ids_of_file", owner=owner, like=f"%{in_json(path)}%")
            if _names(reader, str(row["id"]), path, owner)
        ]
    if wish.text:
        rows += reader.all("memory.ids_of_text", owner=owner, like=like(wish.text))
        rows += reader.all("upkeep.ids_of_tag", owner=owner, like=like(wish.text))
    if wish.before:
        rows += reader.all("memory.ids_before", owner=owner, before=wish.before, family="", limit=limit)
    ids = list(dict.fromkeys(str(row["id"]) for row in rows))
    if not summaries:
        ids = [each for each in ids if not isinstance(shelf.item(reader, each, owner), Summary)]
    return ids[:limit]


def _names(reader: Reader, item_id: str, path: str, owner: str) -> bool:
    """LIKE matches more than it should (`_` is any character): is the file really named?"""
    item = shelf.item(reader, item_id, owner)
    match item:
        case Observation() | Memory():
            return path in item.files
        case Summary():
            return path in item.sums.files or path in "\n".join((item.sums.done, item.sums.investigated))
        case _:
            return False


def entries(reader: Reader, wish: Wish, owner: str, *, limit: int) -> list[Row]:
    """The journal's entries that are meant, besides those that items were made from."""
    if wish.session:
        return list(reader.all("upkeep.entries_of_conversation", conversation=wish.session, owner=owner, limit=limit))
    if wish.before:
        return list(reader.all("upkeep.entries_before", owner=owner, before=wish.before, limit=limit))
    if wish.text:
        found = reader.all("memory.entries_of_text", owner=owner, like=like(in_json(wish.text)))[:limit]
        rows = (reader.one("upkeep.entry", id=row["id"], owner=owner) for row in found)
        return [row for row in rows if row is not None]
    return []


def others(reader: Reader, wish: Wish, owner: str) -> Counter[str]:
    """How many journal entries and readings of web pages are meant."""
    counts: Counter[str] = Counter()
    if wish.session:
        counts["entries"] = _n(reader.one("upkeep.count_of_conversation", conversation=wish.session, owner=owner))
    if wish.before:
        counts["entries"] = _n(reader.one("upkeep.count_before", owner=owner, before=wish.before))
    if wish.text:
        counts["entries"] = len(reader.all("memory.entries_of_text", owner=owner, like=like(in_json(wish.text))))
        counts["readings"] = _n(reader.one("upkeep.count_readings_of_text", owner=owner, like=like(wish.text)))
    return +counts


def drop_others(tx: Tx, wish: Wish, owner: str) -> Counter[str]:
    """What is neither an item nor an entry: showings, readings of web pages, what a model wrote."""
    gone: Counter[str] = Counter()
    if wish.session:
        gone["injections"] = tx.run("upkeep.drop_injections_of_conversation", conversation=wish.session)
    if wish.before:
        gone["injections"] = tx.run("upkeep.drop_injections_before", before=wish.before, owner=owner)
    for path in wish.file:
        tx.run("upkeep.drop_touched_path", path=path)
        gone["injections"] += tx.run("upkeep.drop_injections_about", about=path)
    if wish.text:
        pattern = like(wish.text)
        gone["readings"] = tx.run("upkeep.drop_readings_of_text", owner=owner, like=pattern)
        gone["readings"] += tx.run("upkeep.drop_readings_of_pages", owner=owner, like=pattern)
        tx.run("upkeep.drop_empty_pages", owner=owner)
        for what in ("sightings", "changes", "traits", "cited_pages", "call_errors"):
            tx.run(f"upkeep.drop_{what}_of_text", owner=owner, like=pattern)
        tx.run("upkeep.drop_supersessions_of_text", like=pattern)
        written = tx.all("upkeep.model_summaries_of_text", like=like(in_json(wish.text)))
        drop_written(tx, [str(row["subject"]) for row in written])
        tx.run("upkeep.clear_job_errors")
    return +gone


def drop_written(tx: Tx, subjects: list[str]) -> None:
    """Remove what a model wrote of these subjects, and what the rules had written; no export brings it back."""
    now = now_us()
    tombstone.bury(tx, [tombstone.of_written(subject) for subject in subjects], now, until=now)
    tx.many("upkeep.drop_model_summary", [{"subject": subject} for subject in subjects])


def _n(row: Row | None) -> int:
    return int(row["n"] or 0) if row else 0
