"""Items of two rooms at once: memory, and a made-up room of notes that memory has never heard of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from holdfast import recall
from holdfast.errors import ConfigError, HoldfastError, UsageError
from holdfast.ids import ConversationId, EntryId, ItemId, new_id, new_item_id
from holdfast.items import tables
from holdfast.items.asked import Asked
from holdfast.items.catalogue import Catalogue
from holdfast.items.indexed import Background, Change, Family, Indexed, Listed, Page, Saying, Section, Start
from holdfast.items.model import Listener
from holdfast.items.service import Items
from holdfast.rooms.memory.index import MemoryIndex
from holdfast.rooms.memory.model import FAMILIES
from holdfast.store.interface import Reader, Store, Tx
from tests.contract.kept import OWNER, START, fill
from tests.contract.site import AnyStore, Site
from tests.support.upkeep import items_of

HOUR = 3_600_000_000
WORDS = "The espresso machine needs descaling every Tuesday because of the hard water."


@dataclass(frozen=True, slots=True)
class Note:
    id: ItemId
    text: str
    by: str
    at: int


class Notes:
    """A room whose rows are in a dictionary: what the house asks of it is all the same."""

    families = (Family("note", "n", unasked=("note",)),)

    def __init__(self) -> None:
        self.kept: dict[ItemId, Note] = {}
        self.mended: list[str] = []

    async def write(self, store: Store, items: Items, text: str, by: str = "user", at: int = START) -> Note:
        note = Note(new_item_id(at), text, by, at)
        self.kept[note.id] = note
        await store.write(lambda tx: tables.put_in_index(tx, self, note, OWNER))
        return note

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> Note | None:
        return self.kept.get(item_id)

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        return [each for each in self.kept if each.endswith(tail)]

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        like = wanted.like.strip("%")
        notes = sorted(self.kept.values(), key=lambda each: (each.at, each.id), reverse=not wanted.oldest_first)
        inside = [
            each
            for each in notes
            if (each.at, each.id) > (wanted.since, wanted.after)
            and each.at < wanted.until
            and like in each.text.lower()
        ]
        return [self.listed(each) for each in inside[: wanted.limit]]

    def listed(self, item: Note) -> Listed:
        return Listed(
            ItemId(item.id), "note", "note", item.text, "", item.at, trust="user" if item.by == "user" else "agent"
        )

    def whole(self, item: Note) -> dict[str, Any]:
        return {"text": item.text, "by": item.by}

    def words(self, item: Note) -> str:
        return item.text

    def background(self, reader: Reader, item: Note, owner: str) -> Background:
        return Background(more={"desk": "the left one"})

    def found_by(self, reader: Reader, item: Note, owner: str) -> recall.Item:
        return recall.Item(ItemId(item.id), "note", owner, item.text, item.at)

    def count(self, reader: Reader, owner: str) -> int:
        return len(self.kept)

    def said(self, item: Note, how: Saying) -> str:
        return f"[n{item.id[-8:]}] {item.text}{' (no longer holds)' if how.stale else ''}"

    def shown_in(self, item: Note, line: str) -> frozenset[str]:
        return frozenset()

    def instead(self, reader: Reader, item: Note, owner: str) -> Note:
        return item

    def told_anew(self, reader: Reader, items: Sequence[Note], owner: str) -> Mapping[ItemId, Note]:
        return {}

    def as_told(self, reader: Reader, items: Sequence[Note], owner: str, *, on_request: bool = False) -> Sequence[Note]:
        return items

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        notes = [each for each in self.kept.values() if each.id not in start.given]
        return [Section("Notes:", [(each.id, self.said(each, Saying(start.now))) for each in notes], weight=4)]

    def told_by_web(self, reader: Reader, conversation: str, owner: str, now: int) -> Sequence[str]:
        return ()

    def edit(self, tx: Tx, item: Note, change: Change, owner: str) -> Note:
        new = replace(item, text=change.text or item.text, by=change.by)
        self.kept[item.id] = new
        return new

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[Note]:
        return [self.kept.pop(each) for each in ids if each in self.kept]

    def after_forget(self, tx: Tx, removed: Sequence[Note], owner: str, now: int) -> None:
        self.mended += [each.id for each in removed]


def both(store: Store) -> tuple[Items, Notes]:
    items, notes = items_of(store), Notes()
    items.gather([(FAMILIES, MemoryIndex()), (Notes.families, notes)])
    return items, notes


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("MEM-10")
def test_an_item_of_any_room_is_recalled_recorded_and_explained(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        items, notes = both(store)
        note = await notes.write(store, items, WORDS)
        who = Listener(ConversationId("later"))
        asked = Asked("when was the espresso machine last in for descaling", OWNER, ids["project"], who, START + HOUR)

        def recalled(reader: Reader) -> list[str]:
            return [each.text for each in items.for_prompt(reader, asked, tokens=500, most=5)]

        assert await store.read(recalled) == [f"[n{note.id[-8:]}] {WORDS}"]
        given = await store.read(lambda reader: items.for_prompt(reader, asked, tokens=500, most=5))
        await store.write(lambda tx: tables.inject(tx, EntryId(new_id()), START + HOUR, who, "recall", "", given))
        assert await store.read(recalled) == []
        known = await items.why(f"n{note.id[-8:]}")
        assert [(each.conversation, each.occasion) for each in known.shown] == [("later", "recall")]
        assert known.more == {"desk": "the left one"}

    site.tell(story)


@pytest.mark.requirement("MEM-6")
@pytest.mark.requirement("CTX-2")
def test_the_brief_holds_every_rooms_sections_within_one_budget(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        items, notes = both(store)
        for number in range(6):
            await notes.write(store, items, f"Note {number}: {WORDS}", at=START + number)
        start = Start(OWNER, ids["project"], START + HOUR)
        text, given = await store.read(lambda reader: items.brief(reader, start, 400))
        assert "Notes:" in text
        assert "To keep in mind:" in text
        assert {each.item_id for each in given} & notes.kept.keys()
        assert sum(each.tokens for each in given) <= 400
        alone, _ = await store.read(lambda reader: items_of(store).brief(reader, start, 400))
        assert "Notes:" not in alone

    site.tell(story)


@pytest.mark.requirement("MEM-9")
@pytest.mark.requirement("MEM-11")
def test_search_timeline_edit_and_remove_work_over_both_rooms(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        items, notes = both(store)
        note = await notes.write(store, items, WORDS, at=START + 5)
        assert [each.id for each in await items.search("espresso descaling")] == [note.id]
        assert [each.id for each in await items.search(text="every Tuesday")] == [note.id]
        assert note.id in {each.id for each in await items.timeline(START + 6, before=3, after=3)}
        assert {each.family for each in await items.timeline(START + 6, before=9, after=9)} > {"note", "prompt"}
        with pytest.raises(UsageError, match="a user's words"):
            await items.edit(note.id, text="Never descale.", by="agent")
        await items.edit(note.id, text="Descale on Fridays.")
        assert await items.search("espresso") == []
        assert [each.id for each in await items.search("descale fridays")] == [note.id]
        assert len(await store.read(lambda reader: items.texts(reader, [ItemId(note.id)]))) == 1
        removed = await store.write(lambda tx: items.remove(tx, [ItemId(note.id)]))
        assert [item.id for item in removed] == notes.mended == [note.id]
        assert await items.search("descale fridays") == []
        with pytest.raises(HoldfastError, match="Nothing is kept"):
            await items.why(note.id)

    site.tell(story)


@pytest.mark.requirement("MEM-9")
def test_a_word_that_the_index_leaves_out_is_found_as_it_stands(site: Site) -> None:
    """`make` is a stop word: no index has it, and whoever searches for nothing else means the word itself."""

    async def story(store: AnyStore) -> None:
        items, notes = both(store)
        older = await notes.write(store, items, "`make docs` writes the pages.", at=START + 5)
        newer = await notes.write(store, items, "It makes two passes over the page.", at=START + 6)
        await notes.write(store, items, "The pump drips.", at=START + 7)
        assert [each.id for each in await items.search("make")] == [newer.id, older.id]
        assert [each.id for each in await items.search("makes")] == [newer.id]
        assert [each.id for each in await items.search("make", limit=1)] == [newer.id]
        assert await items.search("make", since=START + 7) == []
        assert [each.id for each in await items.search("make docs")] == [older.id]
        assert await items.search("what will they") == []

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_everything_that_the_index_must_hold_comes_once_and_in_order(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        items, notes = both(store)
        for number in range(450):
            # Many of one moment: the page goes on within it.
            await notes.write(store, items, f"Note {number}", at=START + number // 300)
        found = [entry async for part in items.documents() for entry in part]
        assert len({each.id for each in found}) == len(found) == await store.read(items.count)
        assert [each.happened_at for each in found] == sorted(each.happened_at for each in found)
        assert {each.id for each in found} >= notes.kept.keys()

    site.tell(story)


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("families", "sentence"),
    [
        ((Family("remark", "n"),), "have the same id letter, n"),
        ((Family("note", "x"),), "Two rooms have items of the family note"),
        ((Family("remark", "r", kinds=("note",)),), "both have items of the kind note"),
        ((Family("remark", "no"),), "must be a letter"),
        ((Family("remark", "r", unasked=("pie",)),), "kind pie is not in family"),
    ],
)
def test_two_rooms_cannot_share_a_name_a_kind_or_a_letter(families: tuple[Family, ...], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Catalogue([(Notes.families, Notes()), (families, Notes())])


def test_an_id_that_means_two_items_names_both(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        items, notes = both(store)
        tail = ids["c1.prompt"][-8:]
        twin = Note(ItemId(f"01900000-0000-7000-8000-0000{tail}"), "A twin.", "user", START)
        notes.kept[twin.id] = twin
        assert [item.id for item in await items.get([f"n{tail}"])] == [twin.id]
        assert [item.id for item in await items.get([f"p{tail}"])] == [ids["c1.prompt"]]
        with pytest.raises(UsageError, match="means more than one item") as raised:
            await items.why(tail)
        assert twin.id in str(raised.value)
        assert ids["c1.prompt"] in str(raised.value)

    site.tell(story)


def test_memory_answers_all_questions_of_the_contract() -> None:
    rooms: list[tuple[tuple[Family, ...], Indexed]] = [(FAMILIES, MemoryIndex()), (Notes.families, Notes())]
    assert Catalogue(rooms).kinds[:3] == ("memory", "summary", "prompt")
