"""What a request to forget would take from the store: the preview, and what a receipt is measured by. It only reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from holdfast.ids import NO_CONVERSATION, ConversationId, EntryId, ItemId
from holdfast.items.indexed import Listed
from holdfast.items.model import Item
from holdfast.items.service import Items
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Reader, Row
from holdfast.upkeep import forget_selection as selection
from holdfast.upkeep import tables
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.rows import Tables
from holdfast.upkeep.traces import Traces

MOST_WORDS = 200
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What would go."""

    counts: Counter[str]
    """Per family, `entries` of the journal, what tables call their rows, and `rows` of those that call them nothing."""
    lines: tuple[Listed, ...]
    """The first items."""
    traces: Traces
    """What the files beside the store are searched for."""


@dataclass(frozen=True, slots=True)
class JournalCopies:
    """The journal's copies of what an item was made from."""

    entries: list[Row] = field(default_factory=list)
    aged: ConversationId = NO_CONVERSATION
    """The conversation of the item when its own entry has aged out: how a transcript would mention it is not known."""


def planned(
    reader: Reader, request: ForgetRequest, declared: Tables, items: Items, hooks: Mapping[str, Upkeep]
) -> ForgetPlan:
    """What a settled request (`forget_selection.settled`) is about."""
    counts: Counter[str] = Counter()
    lines: list[Listed] = []
    traces = traces_of(request)
    entries: dict[EntryId, Row] = {}
    distilled = {table.family for table in declared.items if table.distilled}
    of_families: dict[str, list[ItemId]] = defaultdict(list)
    for item_id in selection.items(reader, request, declared, items.catalogue):
        item = items.catalogue.item(reader, item_id, declared.owner)
        if item is None:
            continue
        counts[item.listed.family] += 1
        of_families[item.listed.family].append(item_id)
        traces.note_item(item.id, item.words(), MOST_WORDS)
        if len(lines) < _SHOWN:
            lines.append(item.listed)
        # What was distilled of others is made anew without them; then its entries stay.
        if not (request.text or request.file) or item.listed.family not in distilled:
            of = origin(reader, item, hooks.get(declared.room_of(item.listed.family)), request, declared.owner)
            entries |= {EntryId(str(row["id"])): row for row in of.entries}
    traces.note_entries(entries.values())
    going = selection.going(reader, request, declared, of_families)
    counts += selection.others(reader, request, declared, frozenset(entries), going)
    counts += selection.left_alone(reader, declared, going)
    return ForgetPlan(counts, tuple(lines), traces)


def traces_of(request: ForgetRequest) -> Traces:
    return Traces(request.text, ConversationId(request.session), request.before, request.file)


def origin(reader: Reader, item: Item, hooks: Upkeep | None, request: ForgetRequest, owner: str) -> JournalCopies:
    """Without those that the request's session or time chooses by itself: they go first."""
    told = list(hooks.made_from(reader, item.value, owner)) if hooks and hooks.made_from else []
    background = item.room.background(reader, item.value, owner)
    rows = (_entry(reader, each, request, owner) for each in dict.fromkeys(told))
    found: list[Row] = [row for row in rows if row is not None]
    if not background.entry_id:
        return JournalCopies(found)
    entry = _entry(reader, background.entry_id, request, owner)
    if entry is None:
        return JournalCopies(found, ConversationId(background.conversation))
    found.append(entry)
    if entry["tool_use_id"]:
        found += tables.entries_of_use(reader, entry, owner)
    elif entry["prompt_id"] and entry["event"] in ("UserPromptSubmit", "UserPromptExpansion"):
        found += tables.entries_of_prompt(reader, entry, owner)
    return JournalCopies([row for row in found if not _goes_first(row, request)])


def _entry(reader: Reader, entry_id: EntryId, request: ForgetRequest, owner: str) -> Row | None:
    row = tables.entry(reader, entry_id, owner)
    return None if row is None or _goes_first(row, request) else row


def _goes_first(entry: Row, request: ForgetRequest) -> bool:
    if request.session:
        return entry["conversation"] == request.session
    return int(entry["happened_at"] or 0) < request.before
