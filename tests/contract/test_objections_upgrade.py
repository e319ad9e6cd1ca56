"""The migrations about objections, on data of the version before each, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from holdfast.ids import ItemId
from holdfast.items import tables
from holdfast.store.interface import Tx, Value
from tests.contract.site import Site, add_query
from tests.support.early_store import catalog_of

_QUERIES = {
    "project": "INSERT INTO project (id, owner, place, name, created_at) VALUES (:id, 'me', '/p', 'p', 1)",
    "memory": "INSERT INTO memory (id, owner, project_id, title, text, trust, source, created_at, updated_at)"
    " VALUES (:id, 'me', 'p', 't', 'x', :trust, '', 1, 1)",
    "prompt": "INSERT INTO prompt (id, conversation, prompt_id, session_id, project_id, number, text, happened_at)"
    " VALUES (:id, 'c', '', 's', 'p', 1, 'x', 1)",
    "summary": "INSERT INTO summary (id, subject, level, conversation, session_id, project_id, prompt_number, title,"
    " request, investigated, done, learned, left_open, said, outcome, written_by, happened_at)"
    " VALUES (:id, :id, 'turn', 'c', 's', 'p', 1, 't', '', '', '', '', '', '', '', :by, 1)",
    "supersession": "INSERT INTO supersession (old_id, new_id, reason, made_by, happened_at, owner)"
    " VALUES (:id, '', :reason, :by, 7, 'me')",
    "objection": "INSERT INTO objection (item_id, new_id, reason, made_by, happened_at, owner)"
    " VALUES (:id, '', :reason, 'agent', 7, 'me')",
}


@pytest.mark.requirement("STO-2")
@pytest.mark.requirement("SEC-8")
def test_what_agents_had_hidden_of_a_persons_holds_again(site: Site) -> None:
    """Migration 9: of a user's memories, prompts and summaries; what was an agent's, or a person hid, stays hidden."""
    items: list[tuple[str, dict[str, Value], str, bool]] = [
        ("memory", {"id": "m1", "trust": "user"}, "agent", True),
        ("memory", {"id": "m2", "trust": "agent"}, "agent", False),
        ("memory", {"id": "m3", "trust": "user"}, "user", False),
        ("prompt", {"id": "p1"}, "agent", True),
        ("summary", {"id": "s1", "by": "user"}, "agent", True),
        ("summary", {"id": "s2", "by": "rules"}, "agent", False),
    ]
    before = catalog_of(8)
    for name, text in _QUERIES.items():
        if name != "objection":
            add_query(f"test.{name}", text, before)

    def write(tx: Tx) -> None:
        tx.run("test.project", id="p")
        for family, values, by, _ in items:
            tx.run(f"test.{family}", **values)
            tx.run("test.supersession", id=values["id"], reason=f"about {values['id']!s}", by=by)

    async def story() -> None:
        async with site.open(before) as store:
            await store.write(write)
        async with site.open() as store:
            for _, values, by, holds in items:
                item = str(values["id"])
                old, said = await store.read(
                    lambda reader, item=item: (tables.superseded(reader, item), tables.objections(reader, item))  # type: ignore[misc]
                )
                assert (old is None) == holds, item
                assert [each.reason for each in said] == ([f"about {item}"] if holds else []), item
                assert old is None or old.by == by

    asyncio.run(story())


@pytest.mark.requirement("STO-2")
def test_the_one_objection_of_before_stays_and_more_may_follow(site: Site) -> None:
    """Migration 10."""
    before = catalog_of(9)
    add_query("test.objection", _QUERIES["objection"], before)

    async def story() -> None:
        async with site.open(before) as store:
            await store.write(lambda tx: tx.run("test.objection", id="m1", reason="the first"))
        async with site.open() as store:
            [first] = await store.read(lambda reader: tables.objections(reader, ItemId("m1")))
            assert (first.reason, first.by, first.happened_at) == ("the first", "agent", 7)
            again = replace(first, reason="the second")
            await store.write(lambda tx: tables.objects(tx, again, "me"))
            both = await store.read(lambda reader: tables.objections(reader, ItemId("m1")))
            assert [each.reason for each in both] == ["the second", "the first"]

    asyncio.run(story())
