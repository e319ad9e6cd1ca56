"""Items that are the rows of one table (`items/table_index.py`): the notebook's, on both databases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import ConfigError, UsageError
from holdfast.ids import ItemId, now_us
from holdfast.items.indexed import Change, Family, Listed, Page, Saying
from holdfast.items.service import Items
from holdfast.items.table_index import TableIndex
from holdfast.items.words import pattern
from holdfast.rooms.gather import catalog_of
from holdfast.store import Catalog, CatalogSource
from holdfast.store.interface import Tx
from holdfast.store.table import Table, Via
from tests.contract.kept import OWNER, START, fill
from tests.contract.site import AnyStore, Site
from tests.rooms.daemon import with_notebook
from tests.rooms.notebook.index import NoteIndex
from tests.rooms.notebook.model import NOTE, Jotting
from tests.rooms.notebook.schema import NOTES

HOUR = 3_600_000_000


def note(number: int, project: str = "", at: int = START, text: str = "Water the fern.", **more: Any) -> Jotting:
    known = {"conversation": "", "entry_id": "", "file": "", "trust": "user"} | more
    return Jotting(ItemId(f"01900000-0000-7000-8000-{number:012x}"), project, text=text, made_at=at, **known)


@pytest.mark.requirement("HSE-1")
def test_a_list_of_files_is_shown_as_paths_and_an_edit_that_changes_nothing_says_so() -> None:
    index = NoteIndex()
    several = note(1, file='["src/pump.py","src/valve.py"]')
    assert index.files(several) == ("src/pump.py", "src/valve.py")
    assert index.words(several) == "Water the fern. src/pump.py src/valve.py"
    assert index.whole(several)["file"] == ["src/pump.py", "src/valve.py"]
    assert "[" not in index.said(several, Saying(START)).partition("] ")[2]
    assert index.whole(note(2, file="src/pump.py"))["file"] == "src/pump.py"
    assert index.words(note(3, file="[]")) == "Water the fern."
    by_agent = note(4, trust="agent")
    for change in (Change(title="x"), Change(tags=("x",)), Change(text=by_agent.text)):
        assert index.edited(by_agent, change).trust == "agent", "the words stay their writer's"


@pytest.mark.requirement("HSE-1")
def test_a_page_has_what_was_asked_for_and_nothing_of_others(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        index, project = NoteIndex(), (await fill(store))["project"]
        kept = [
            note(1, project, text="Water the fern: 100% of it."),
            note(2, project, START + 1, conversation="c1", file="src/pot.py"),
            note(3, "", START + 2),
            note(4, "another", START + 2),
        ]

        def write(tx: Tx) -> None:
            for each in kept:
                index.add(tx, each, OWNER)
                index.add(tx, each, OWNER)
            index.add(tx, note(5, project), "you")

        await store.write(write)

        async def page(**asked: Any) -> list[int]:
            found = await store.read(lambda reader: index.page(reader, Page(**{"limit": 9} | asked), OWNER))
            return [int(each.id[-2:]) for each in found]

        assert await page() == [4, 3, 2, 1]
        assert await page(oldest_first=True) == [1, 2, 3, 4]
        assert await page(oldest_first=True, since=START + 2, after=kept[2].id) == [4]
        assert await page(limit=2) == [4, 3]
        assert await page(project_id=project) == [3, 2, 1]
        assert await page(since=START + 1, until=START + 2) == [2]
        assert await page(conversation="c1") == await page(file="%pot.py%") == [2]
        assert await page(like=pattern("100% of")) == [1]
        assert await page(family="note") == [4, 3, 2, 1]
        assert await page(family="memory") == await page(kind="edit") == []
        assert await store.read(lambda reader: index.count(reader, OWNER)) == 4
        tail = kept[1].id[-8:]
        assert await store.read(lambda reader: index.by_short(reader, "note", tail, OWNER)) == [kept[1].id]
        assert await store.read(lambda reader: index.by_short(reader, "note", tail, "you")) == []
        assert await store.read(lambda reader: index.item(reader, "note", kept[1].id, OWNER)) == kept[1]
        assert await store.read(lambda reader: index.item(reader, "note", kept[1].id, "you")) is None
        assert await store.write(lambda tx: index.remove(tx, [kept[0].id, ItemId("unknown")], "you")) == []
        assert await store.write(lambda tx: index.remove(tx, [kept[0].id, ItemId("unknown")], OWNER)) == [kept[0]]
        new = await store.write(lambda tx: index.edit(tx, kept[1], Change(text="Repot it."), OWNER))
        assert await store.read(lambda reader: index.item(reader, "note", new.id, OWNER)) == new
        assert new.text == "Repot it."

    site.tell(story, catalog_of(with_notebook().rooms))


@pytest.mark.requirement("SEC-6")
def test_its_line_says_how_old_it_is_and_who_wrote_it_unless_the_user_did() -> None:
    index, how = NoteIndex(), Saying(START + 3 * HOUR)
    assert index.said(note(1), how) == "[n00000001] Water the fern. (3 h ago)"
    assert index.said(note(1), replace(how, objection="It is a cactus.")).endswith(
        " — an agent objects: It is a cactus."
    )
    stale = index.said(note(1, trust="agent"), replace(how, stale=True, page_changed=True))
    assert stale.startswith("[n00000001] agent: Water the fern. (3 h ago, no longer holds, the page")


class Plain(TableIndex[Jotting]):
    """The least that a room may write."""

    def listed(self, item: Jotting) -> Listed:
        return Listed(item.id, "note", "note", item.text, item.project_id, item.made_at)


def test_what_a_room_leaves_out_has_a_plain_answer() -> None:
    index: Any = Plain(NOTES, NOTE, Jotting)
    with pytest.raises(UsageError, match="A note cannot be edited"):
        index.edited(note(1), Change(text="Other words."))
    assert index.files(note(1, file='["a.py", "b.py"]')) == ("a.py", "b.py")
    assert index.files(note(1, file="[draft].py")) == ("[draft].py",)
    assert index.files(note(1)) == ()
    assert index.for_start(None, None) == ()


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize("family", [Family("remark", "n"), Family("note", "n", kinds=("short", "long"))])
def test_a_family_that_does_not_fit_the_table_refuses_to_start(family: Family) -> None:
    with pytest.raises(ConfigError, match="The table note cannot be indexed as"):
        Plain(NOTES, family, Jotting)


REPLIES = Table(
    "reply",
    ("id",),
    owner=Via("note_id", "note"),
    words=("text",),
    plain={"id": "an id", "note_id": "an id"},
    exported=("id", "note_id", "text"),
    refers={"note_id": "note"},
)


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
def test_rows_that_belong_to_an_item_go_with_it(site: Site, tmp_path: Path) -> None:
    rooms = with_notebook().rooms
    (tmp_path / "replies/migrations").mkdir(parents=True)
    number = len(catalog_of(rooms).migrations) + 1
    made = "CREATE TABLE reply (id TEXT PRIMARY KEY, note_id TEXT NOT NULL, text TEXT NOT NULL);"
    (tmp_path / f"replies/migrations/{number:04}_replies.sql").write_text(made)
    sources = [
        replace(each, tables=(*each.tables, REPLIES)) if each.name == "notebook" else each
        for each in catalog_of(rooms).sources
    ]
    declared = Catalog(*sources, CatalogSource("replies", (), tmp_path / "replies"))

    async def story(store: AnyStore) -> None:
        index, items = NoteIndex(), Items(store, OWNER, now=now_us, locate=lambda folder: (folder, folder))
        items.gather([((NOTE,), index)])

        def write(tx: Tx) -> None:
            for kept, owner in ((note(1), OWNER), (note(2), OWNER), (note(3), "you")):
                index.add(tx, kept, owner)
                tx.run("table.reply.put", id=f"r{kept.id[-1]}", note_id=kept.id, text="Did so.")

        await store.write(write)
        await store.write(lambda tx: items.remove(tx, [note(1).id, note(3).id]))
        assert await store.read(lambda reader: reader.all("table.reply.count", owner=OWNER)) == [{"n": 1}]
        assert (await store.size()).rows["reply"] == 2

    site.tell(story, declared)
