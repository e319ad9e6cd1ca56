"""Offers the items of this room to search, show, why, edit and forget (`items.indexed`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from holdfast import recall
from holdfast.events.correction import correction_in, corrections_in
from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.indexed import Background, Change, Listed, Page, Saying, Section, Start
from holdfast.items.words import short_id
from holdfast.prose.one_line import one_line
from holdfast.prose.updates.contradictions import given_up, gives_up
from holdfast.rooms.memory import documents, rules, tables
from holdfast.rooms.memory.injecting import selection, wording
from holdfast.rooms.memory.model import (
    FamilyName,
    Memory,
    MemoryItem,
    Observation,
    Prompt,
    Summary,
)
from holdfast.rooms.memory.standing import current
from holdfast.rooms.memory.standing.worth import has_substance, kept, of_item
from holdfast.rooms.memory.summaries import refresh
from holdfast.rooms.memory.summaries.answers import pages_told
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.memory.takeover.auto_memory import given_by_client
from holdfast.store.interface import Reader, Tx


class MemoryIndex:
    """Prompts, observations, summaries and memories."""

    # --- finding and showing

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> MemoryItem | None:
        return tables.item(reader, item_id, owner, (cast(FamilyName, family),))

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        return tables.ids_ending(reader, family, tail)

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        return tables.page(reader, wanted, owner)

    def listed(self, item: MemoryItem) -> Listed:
        return rows.listed_as(item)

    def whole(self, item: MemoryItem) -> dict[str, Any]:
        match item:
            case Prompt():
                return {"text": item.text, "number": item.number, "session": item.conversation}
            case Observation():
                return {
                    "title": item.title,
                    "outcome": item.outcome,
                    "tool": item.tool,
                    "files": item.files,
                    "command": item.command,
                    "excerpt": item.excerpt,
                    "commit": item.commit_hash,
                    "trust": item.trust,
                    "prompt_number": item.prompt_number,
                    "window": item.window_id,
                }
            case Summary():
                content = item.content
                return {
                    "title": content.title,
                    "request": content.request,
                    "done": content.done,
                    "investigated": content.investigated,
                    "learned": content.learned,
                    "left_to_do": content.left_open,
                    "said": content.said,
                    "outcome": content.outcome,
                    "files": content.files,
                    "session": item.conversation,
                    "written_by": item.written_by,
                }
            case Memory():
                return {
                    "title": item.title,
                    "text": item.text,
                    "tags": item.tags,
                    "files": item.files,
                    "trust": item.trust,
                }

    def words(self, item: MemoryItem) -> str:
        return rules.all_words(item)

    def background(self, reader: Reader, item: MemoryItem, owner: str) -> Background:
        """The journal entry of an item: a prompt and an observation have its id; a memory names its source; a summary
        has many entries and names none.
        """
        conversation = tables.conversation_of(reader, item)
        number = item.prompt_number if isinstance(item, Observation | Summary) else 0
        asked = tables.prompt_numbered(reader, conversation, number) if number else None
        rated = of_item(item)
        worth = {
            "value": round(rated.value, 2),
            "because": list(rated.because) or ["it says nothing that lasts"],
            "kept": kept(rated),
        }
        more: dict[str, Any] = {"worth": worth} if isinstance(item, Summary | Memory) else {}
        more |= {"asked": {"id": short_id("p", asked.id), "text": one_line(asked.text)}} if asked else {}
        return Background(
            entry_id=EntryId(item.source if isinstance(item, Memory) else "" if isinstance(item, Summary) else item.id),
            conversation=conversation,
            more=more,
        )

    # --- the index of recall

    def found_by(self, reader: Reader, item: MemoryItem, owner: str) -> recall.Item | None:
        if not documents.is_indexed(item):
            return None
        return documents.document(item, owner, tables.listener_of(reader, item))

    def count(self, reader: Reader, owner: str) -> int:
        return tables.count(reader, owner)

    # --- given to an agent that did not ask

    def said(self, item: MemoryItem, how: Saying) -> str:
        return wording.line(item, how)

    def shown_in(self, item: MemoryItem, line: str) -> frozenset[str]:
        return wording.shown_in(item, line)

    def instead(self, reader: Reader, item: MemoryItem, owner: str) -> MemoryItem:
        """Instead of a prompt, an edit or a run, the summary of its turn, if that says its outcome."""
        summary = None
        if isinstance(item, Prompt):
            summary = tables.turn_summary(reader, item)
        elif isinstance(item, Observation) and item.kind != "web":
            summary = tables.summary_of_observation(reader, item)
        return summary if summary is not None and rows.says_something(summary.content) else item

    def told_anew(self, reader: Reader, items: Sequence[MemoryItem], owner: str) -> Mapping[ItemId, MemoryItem]:
        """The summaries of newer work that says the state of these otherwise."""
        return current.told_anew(reader, items)

    def as_told(
        self, reader: Reader, items: Sequence[MemoryItem], owner: str, *, on_request: bool = False
    ) -> Sequence[MemoryItem]:
        """Without the summary of a session when a turn of that session is there, which says the same and more; without
        turns that answered nothing, and questions that nobody answered; without what newer work of these replaces, and
        without what was settled since."""
        items = [item for item in current.of_items(reader, items, owner) if _answers(item)]
        summaries = [item for item in items if isinstance(item, Summary)]
        turns = {item.conversation for item in summaries if item.level == "turn"}
        repeats = {item.id for item in summaries if item.level == "session" and item.conversation in turns}
        giving_up = [new for new in summaries if gives_up(new.content.title)]  # few do: no need to compare all pairs
        repeats |= {old.id for new in giving_up for old in summaries if _gives_up(new, old)}
        return current.with_news(reader, [item for item in items if item.id not in repeats])

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        """Without the memories that the client itself gives to this session."""
        if start.only_open:
            return selection.all_open(reader, start)
        shown = given_by_client(reader, start.owner, start.transcript)
        return selection.for_start(reader, replace(start, given=start.given | shown))

    # --- what others told

    def told_by_web(self, reader: Reader, conversation: ConversationId, owner: str, now: int) -> Sequence[str]:
        return pages_told(reader, conversation, owner, now)

    # --- changing

    def edit(self, tx: Tx, item: MemoryItem, change: Change, owner: str) -> MemoryItem:
        new = rules.edited(item, change)
        tables.rewrite(tx, new)
        if isinstance(new, Prompt):
            refresh.update_request(tx, new, owner)
            tables.drop_corrections(tx, new.id)
            tables.keep_corrections(tx, new, corrections_in(new.text))
        return new

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[MemoryItem]:
        return tables.remove(tx, ids, owner)

    def after_forget(self, tx: Tx, removed: Sequence[MemoryItem], owner: str, now: int) -> None:
        """Write the summaries again that the removed items were part of. What a model wrote about them is removed."""
        written = {item.subject for item in removed if isinstance(item, Summary)}
        parts = [item for item in removed if isinstance(item, Prompt | Observation)]
        for conversation in {tables.conversation_of(tx, item) for item in parts}:
            written |= tables.subjects_of_conversation(tx, conversation)
        refresh.drop_written(tx, sorted(written), now)
        refresh.rebuild_after_forget(tx, removed, owner, now)


def _answers(item: MemoryItem) -> bool:
    """Is there an answer in it? A question is none, and neither is "I see." or a test that passed."""
    match item:
        case Summary():
            return item.written_by != "rules" or has_substance(item.content)
        case Prompt():
            return correction_in(item.text) is not None
        case Observation():
            return not (item.kind in ("test", "build") and item.outcome == "passed")
        case Memory():
            return True


def _gives_up(new: Summary, old: Summary) -> bool:
    later = new.happened_at > old.happened_at and new.conversation != old.conversation
    return later and old.written_by != "user" and bool(given_up(new.content.title, old.content.title))
