"""Choosing what is to be forgotten: by id, session, file, text or time. Only `drop_…` writes."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec

from holdfast.errors import HoldfastError, UsageError
from holdfast.events import tombstone
from holdfast.ids import now_us
from holdfast.items.catalogue import Catalogue
from holdfast.rooms.memory import naming, tables
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.naming import Spelling
from holdfast.rooms.memory.rules import all_words
from holdfast.store.interface import Reader, Row, Tx

MANY = 100_000
_WHERE = frozenset({"cwd", "transcript_path", "agent_transcript_path"})
"""Fields that say where an event happened, not what it was about."""
_SPACE = re.compile(r"\s")
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What is to go, in one of five ways."""

    ids: tuple[str, ...] = ()
    session: str = ""
    file: tuple[str, ...] = ()
    """One file: in full, or relative to its project."""
    text: str = ""
    before: int = 0
    project: str = ""
    """The id of the project that relative paths are of; '' is every project."""
    spelled: tuple[Spelling, ...] = ()
    """The file in all spellings it may be kept under: see `settled`."""


def lower(text: str) -> str:
    """As LOWER does in both databases: letters of ASCII only."""
    return text.translate(_LOWER)


def like(text: str) -> str:
    """A text as a pattern that matches wherever it stands, in any case; '!' escapes."""
    return _pattern(lower(text))


def _pattern(text: str) -> str:
    escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def _flat(text: str) -> str:
    """A text in which it does not matter where a line ends: a summary has one sentence per line."""
    return _SPACE.sub(" ", lower(text))


def in_json(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return msgspec.json.encode(text).decode()[1:-1]


def settled(reader: Reader, request: ForgetRequest, owner: str) -> ForgetRequest:
    """The request with its session's whole id, or its file in all spellings."""
    if request.file:
        found = reader.all("upkeep.worktrees", owner=owner, project_id="")
        worktrees = [(str(row["project_id"]), str(row["path"])) for row in found]
        return replace(request, spelled=naming.spellings(request.file, request.project, worktrees))
    if not request.session:
        return request
    named = request.session
    prefix = named.replace("%", "").replace("_", "") + "%" if len(named) >= 8 else named
    found = reader.all("upkeep.conversations_like", owner=owner, named=named, like=prefix)
    names = [str(row["conversation"]) for row in found]
    if named in names:
        return request
    if not names:
        raise HoldfastError(f"No session {named} is known. `holdfast journal` shows sessions.")
    if len(names) > 1:
        raise UsageError(f"{named} means more than one session; say {' or '.join(names[:5])}.")
    return replace(request, session=names[0])


def items(
    reader: Reader, request: ForgetRequest, catalogue: Catalogue, owner: str, *, limit: int, summaries: bool = True
) -> list[str]:
    """The ids of the prompts, observations, summaries and memories that are meant."""
    if request.ids:
        found: list[str] = []
        for each in request.ids:
            meant = catalogue.meant(reader, each, owner)
            if len(meant) > 1:
                raise UsageError(f"{each} means more than one thing; say {' or '.join(item.id for item in meant)}.")
            found += [item.id for item in meant]
        return found
    rows: list[Row] = []
    if request.session:
        rows += reader.all("memory.ids_of_conversation", conversation=request.session)
    for path in naming.fewest(request.spelled):
        found_here = reader.all("memory.ids_of_file", owner=owner, like=_pattern(path), listed=_pattern(in_json(path)))
        rows += [row for row in found_here if _tells_of_file(reader, str(row["id"]), request, owner)]
    if request.text:
        anyhow = _SPACE.sub("_", like(request.text))
        found_here = reader.all("memory.ids_of_text", owner=owner, like=anyhow)
        found_here += reader.all("upkeep.ids_of_tag", owner=owner, like=anyhow)
        rows += [row for row in found_here if _says(reader, str(row["id"]), request.text, owner)]
    if request.before:
        rows += reader.all("memory.ids_before", owner=owner, before=request.before, family="", limit=limit)
    ids = list(dict.fromkeys(str(row["id"]) for row in rows))
    if not summaries:
        ids = [each for each in ids if not isinstance(tables.item(reader, each, owner), Summary)]
    return ids[:limit]


def _tells_of_file(reader: Reader, item_id: str, request: ForgetRequest, owner: str) -> bool:
    """LIKE finds the path wherever it stands: is it this file's?"""
    item = tables.item(reader, item_id, owner)
    return item is not None and naming.tells_of(item, naming.valid(request.spelled, item.project_id))


def _says(reader: Reader, item_id: str, text: str, owner: str) -> bool:
    """LIKE takes any character for a space: does the text really stand there?"""
    if not _SPACE.search(text):
        return True
    item = tables.item(reader, item_id, owner)
    return item is not None and _flat(text) in _flat(all_words(item))


def entries(reader: Reader, request: ForgetRequest, owner: str, *, limit: int) -> list[Row]:
    """The journal's entries that are meant, besides those that items were made from."""
    if request.session:
        return list(
            reader.all("upkeep.entries_of_conversation", conversation=request.session, owner=owner, limit=limit)
        )
    if request.before:
        return list(reader.all("upkeep.entries_before", owner=owner, before=request.before, limit=limit))
    if request.text:
        found = reader.all("memory.entries_of_text", owner=owner, like=like(in_json(request.text)))[:limit]
        rows = (reader.one("upkeep.entry", id=row["id"], owner=owner) for row in found)
        return [row for row in rows if row is not None]
    if request.spelled:
        return _entries_of_file(reader, request, owner)[:limit]
    return []


def _entries_of_file(reader: Reader, request: ForgetRequest, owner: str) -> list[Row]:
    ids: dict[str, None] = {}
    for path in naming.fewest(request.spelled):
        found = reader.all("upkeep.entries_holding", owner=owner, like=_pattern(in_json(path)))
        ids |= dict.fromkeys(str(row["id"]) for row in found)
    rows = (reader.one("journal.get", id=each) for each in ids)
    return [row for row in rows if row is not None and _entry_names_file(row, request)]


def _entry_names_file(entry: Row, request: ForgetRequest) -> bool:
    paths = naming.valid(request.spelled, str(entry["project_id"] or "-"))
    told: dict[str, object] = msgspec.json.decode(str(entry["payload"]), type=dict)
    fields = {name: value for name, value in told.items() if name not in _WHERE}
    return any(naming.named_in(each, paths) or each in paths for each in strings(fields))


def strings(value: object) -> Iterable[str]:
    """Every string in a payload, as it was before it was written as JSON."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            stack += [*node.keys(), *node.values()]
        elif isinstance(node, list):
            stack += node


def others(reader: Reader, request: ForgetRequest, owner: str) -> Counter[str]:
    """How many journal entries and readings of web pages are meant."""
    counts: Counter[str] = Counter()
    if request.session:
        counts["entries"] = _n(reader.one("upkeep.count_of_conversation", conversation=request.session, owner=owner))
    if request.before:
        counts["entries"] = _n(reader.one("upkeep.count_before", owner=owner, before=request.before))
    if request.text:
        counts["entries"] = len(reader.all("memory.entries_of_text", owner=owner, like=like(in_json(request.text))))
        counts["readings"] = _n(reader.one("upkeep.count_readings_of_text", owner=owner, like=like(request.text)))
    if request.spelled:
        counts["entries"] = len(_entries_of_file(reader, request, owner))
    return +counts


def drop_others(tx: Tx, request: ForgetRequest, owner: str) -> Counter[str]:
    """What is neither an item nor an entry: showings, readings of web pages, what a model wrote."""
    gone: Counter[str] = Counter()
    if request.session:
        gone["injections"] = tx.run("upkeep.drop_injections_of_conversation", conversation=request.session)
    if request.before:
        gone["injections"] = tx.run("upkeep.drop_injections_before", before=request.before, owner=owner)
    for each in request.spelled:
        where = {"owner": owner, "project_id": each.project}
        tx.run("upkeep.drop_touched_path", path=each.path, **where)
        gone["injections"] += tx.run("upkeep.drop_injections_about", about=each.path, **where)
    if request.text:
        pattern = like(request.text)
        gone["readings"] = tx.run("upkeep.drop_readings_of_text", owner=owner, like=pattern)
        gone["readings"] += tx.run("upkeep.drop_readings_of_pages", owner=owner, like=pattern)
        tx.run("upkeep.drop_empty_pages", owner=owner)
        tx.run("upkeep.drop_job_errors_of_text", like=pattern, escaped=like(in_json(request.text)))
        for what in ("sightings", "pages", "traits", "cited_pages", "call_errors", "supersessions"):
            tx.run(f"upkeep.drop_{what}_of_text", owner=owner, like=pattern)
        written = tx.all("upkeep.model_summaries_of_text", owner=owner, like=like(in_json(request.text)))
        drop_written(tx, [str(row["subject"]) for row in written])
    return +gone


def drop_written(tx: Tx, subjects: list[str]) -> None:
    """Remove what a model wrote of these subjects, and what the rules had written; no export brings it back."""
    now = now_us()
    tombstone.bury(tx, [tombstone.of_written(subject) for subject in subjects], now, until=now)
    tx.many("memory.drop_model_summary", [{"subject": subject} for subject in subjects])


def _n(row: Row | None) -> int:
    return int(row["n"] or 0) if row else 0
