"""Finds what a request to forget means: by id, session, file, text or time. It only reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.catalogue import Catalogue
from holdfast.store.interface import Reader, Row
from holdfast.store.table import Table
from holdfast.upkeep import file_names, text_match
from holdfast.upkeep import tables as queries
from holdfast.upkeep.file_names import Spelling
from holdfast.upkeep.rows import RowKey, Tables, key_of

MANY = 100_000
_ROWS = "rows"
"""Under which rows are counted whose table has no name for people."""
_WHERE = frozenset({"cwd", "transcript_path", "agent_transcript_path"})
"""Fields that say where an event happened, not what it was about."""


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


def check(request: ForgetRequest) -> None:
    """Exactly one way of choosing."""
    ways = [bool(each) for each in (request.ids, request.session, request.file, request.text.strip(), request.before)]
    if sum(ways) != 1:
        raise UsageError("Say what to forget in one way: ids, or a session, a file, a text, or a time before which.")
    if request.text and len(request.text.strip()) < 3:
        raise UsageError("A text to forget has at least three characters.")


def settled(reader: Reader, request: ForgetRequest, owner: str) -> ForgetRequest:
    """The request with its session's whole id, or its file in all spellings."""
    if request.file:
        worktrees = queries.worktrees(reader, owner)
        return replace(request, spelled=file_names.spellings(request.file, request.project, worktrees))
    if not request.session:
        return request
    named = request.session
    prefix = named.replace("%", "").replace("_", "") + "%" if len(named) >= 8 else named
    names = queries.conversations_like(reader, named, prefix, owner)
    if named in names:
        return request
    if not names:
        raise HoldfastError(f"No session {named} is known. `holdfast journal` shows sessions.")
    if len(names) > 1:
        raise UsageError(f"{named} means more than one session; say {' or '.join(names[:5])}.")
    return replace(request, session=names[0])


def items(
    reader: Reader, request: ForgetRequest, tables: Tables, catalogue: Catalogue, *, distilled: bool = True
) -> list[ItemId]:
    """The ids of the items that are meant, of every room; `distilled`: also those that are made of other items."""
    if request.ids:
        named = [each for name in request.ids for each in _by_id(reader, name, tables.owner, catalogue)]
        return list(dict.fromkeys(named))
    found: dict[ItemId, None] = {}
    for table in tables.items:
        if table.distilled and not distilled:
            continue
        rows: list[Row] = []
        if request.session:
            rows = tables.of_conversation(reader, table, ConversationId(request.session))
        elif request.spelled:
            rows = tables.of_file(reader, table, request.spelled)
        elif request.text:
            rows = tables.of_text(reader, table, request.text)
        elif request.before:
            rows = tables.of_time(reader, table, request.before, MANY)
        found |= dict.fromkeys(ItemId(str(row["id"])) for row in rows)
    for table in tables.others if request.text or request.spelled else ():
        for row in _going(reader, request, tables, table):
            beneath = tables.beneath(reader, table, row)
            found |= dict.fromkeys(ItemId(str(each["id"])) for part, each in beneath if part.family)
    return list(found)[:MANY]


def _by_id(reader: Reader, named: str, owner: str, catalogue: Catalogue) -> list[ItemId]:
    meant = catalogue.meant(reader, named, owner)
    if len(meant) > 1:
        raise UsageError(f"{named} means more than one item; say {' or '.join(item.id for item in meant)}.")
    return [item.id for item in meant]


def entries(reader: Reader, request: ForgetRequest, owner: str, *, limit: int) -> list[Row]:
    """The journal's entries that are meant, besides those that items were made from."""
    if request.session:
        return queries.entries_of_conversation(reader, ConversationId(request.session), owner, limit)
    if request.before:
        return queries.entries_before(reader, request.before, owner, limit)
    if request.text:
        rows = (queries.entry(reader, each, owner) for each in _of_text(reader, request, owner)[:limit])
        return [row for row in rows if row is not None]
    if request.spelled:
        return _of_file(reader, request, owner)[:limit]
    return []


def _of_text(reader: Reader, request: ForgetRequest, owner: str) -> list[EntryId]:
    """The whole text stands in an entry's payload, wherever lines end: `LIKE` looks for its longest word."""
    words = request.text.split()
    found = queries.ids_of_text(reader, text_match.like(text_match.in_json(max(words, key=len))), owner)
    if request.text == "".join(words):
        return found
    rows = ((each, queries.whole_entry(reader, each)) for each in found)
    return [each for each, row in rows if row is not None and text_match.says(str(row["payload"]), request.text)]


def _of_file(reader: Reader, request: ForgetRequest, owner: str) -> list[Row]:
    ids: dict[EntryId, None] = {}
    for path in file_names.fewest(request.spelled):
        like = text_match.pattern(text_match.in_json(path))
        ids |= dict.fromkeys(queries.ids_holding(reader, like, owner))
    rows = (queries.whole_entry(reader, each) for each in ids)
    return [row for row in rows if row is not None and _names_file(row, request)]


def _names_file(entry: Row, request: ForgetRequest) -> bool:
    paths = file_names.valid(request.spelled, str(entry["project_id"] or "-"))
    told: dict[str, object] = msgspec.json.decode(str(entry["payload"]), type=dict)
    fields = {name: value for name, value in told.items() if name not in _WHERE}
    return any(file_names.named_in(each, paths) or each in paths for each in text_match.strings(fields))


GoingRows = Mapping[str, set[RowKey]]
"""The keys of the rows that go, by table."""


def going(
    reader: Reader, request: ForgetRequest, tables: Tables, of_families: Mapping[str, Iterable[ItemId]]
) -> dict[str, set[RowKey]]:
    """What a request removes: the chosen items, rows that it chooses in other tables, and what belongs to either."""
    found: dict[str, set[RowKey]] = {}
    for table in tables.items:
        found[table.name] = {(each,) for each in of_families.get(table.family, ())}
    for table in tables.others:
        found[table.name] = _keys(table, _going(reader, request, tables, table))
    if not (request.session or request.before):  # their queries know what belongs to a row
        for table in (*tables.items, *tables.others):
            for key in list(found[table.name]):
                for part, row in tables.beneath(reader, table, dict(zip(table.key, key, strict=True))):
                    found[part.name].add(key_of(part, row))
    return found


def others(
    reader: Reader, request: ForgetRequest, tables: Tables, made_from: frozenset[EntryId], going: GoingRows
) -> Counter[str]:
    """How many journal entries and other rows are meant. `made_from` are entries that go with items."""
    counts: Counter[str] = Counter()
    owner = tables.owner
    counts["entries"] = len(made_from)
    if request.session:
        counts["entries"] += queries.count_of_conversation(reader, ConversationId(request.session), owner)
    if request.before:
        counts["entries"] += queries.count_before(reader, request.before, owner)
    if request.text:
        counts["entries"] = len(made_from.union(_of_text(reader, request, owner)))
    if request.spelled:
        counts["entries"] = len(made_from.union(EntryId(str(row["id"])) for row in _of_file(reader, request, owner)))
    for table in tables.others:
        if request.before:
            counts[called(table)] += tables.count_of_time(reader, table, request.before)
        else:
            counts[called(table)] += len(going[table.name])
            counts[mended(table)] += _changed(reader, request, tables, table)
    return +counts


def _changed(reader: Reader, request: ForgetRequest, tables: Tables, table: Table) -> int:
    """How many rows of a table stay, without what is forgotten."""
    if request.text and table.found == "blank":
        return len(tables.of_text(reader, table, request.text))
    if table.found != "mend" or not (request.text or request.spelled):
        return 0
    rows = tables.of_text(reader, table, request.text) if request.text else []
    if request.spelled and table.files:
        rows = tables.of_file(reader, table, request.spelled)
    return sum(1 for _ in tables.mended(reader, table, rows, lambda words, row: tells(request, words, row)))


def left_alone(reader: Reader, tables: Tables, going: GoingRows) -> Counter[str]:
    """How many rows go because nothing holds them any more, with those that belong to them."""
    counts: Counter[str] = Counter()
    alone: dict[str, set[RowKey]] = {}
    for table in tables.only_with:
        assert table.only_with is not None
        holder = table.only_with.table
        rows = tables.left_alone(reader, table, going[holder] | alone.get(holder, set()))
        for row in rows:
            for part, each in (*tables.beneath(reader, table, row), (table, row)):
                alone.setdefault(part.name, set()).add(key_of(part, each))
    for name, keys in alone.items():
        counts[called(tables.catalog.tables[name])] += len(keys - going[name])
    return +counts


def _keys(table: Table, rows: Iterable[Row]) -> set[RowKey]:
    return {key_of(table, row) for row in rows}


def _going(reader: Reader, request: ForgetRequest, tables: Tables, table: Table) -> list[Row]:
    """The rows of a table that a request removes by themselves."""
    if request.session:
        return tables.of_conversation(reader, table, ConversationId(request.session))
    if request.before:
        return tables.of_time(reader, table, request.before, MANY)
    if request.text and table.found == "drop":
        return tables.of_text(reader, table, request.text)
    if request.spelled and table.files and table.found != "mend":
        return tables.of_file(reader, table, request.spelled)
    return []


def tells(request: ForgetRequest, words: str, row: Row) -> bool:
    """Do words of a row mention the text or the file?"""
    return text_match.says(words, request.text) if request.text else names(request, words, row)


def called(table: Table) -> str:
    """Under what name rows are counted that go."""
    return table.counted or _ROWS


def by_name(tables: Tables, counts: Mapping[str, int]) -> Counter[str]:
    """Rows that went, by the names under which they are counted instead of by table. (Items are counted elsewhere.)"""
    found: Counter[str] = Counter()
    for name, count in counts.items():
        table = tables.catalog.tables[name]
        found[called(table)] += 0 if table.family else count
    return found


def mended(table: Table) -> str:
    """Under what name rows are counted that stay without what was forgotten."""
    return f"{called(table)}_mended"


def names(request: ForgetRequest, words: str, row: Row) -> bool:
    """Do words of a row name the file, or are they its path?"""
    paths = file_names.valid(request.spelled, str(row["project_id"] or ""))
    return words in paths or file_names.named_in(words, paths)
