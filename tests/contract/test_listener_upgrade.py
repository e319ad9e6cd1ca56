"""Migration 21 on data of the version before it, on both databases: the index names the listeners that it held."""

from __future__ import annotations

import asyncio

import pytest

from holdfast.ids import ConversationId, ListenerId
from holdfast.recall import Query, search
from holdfast.store.interface import Tx, Value
from tests.contract.site import Site, add_query
from tests.support.early_store import catalog_of

_ADD = """
INSERT INTO recall_item (seq, id, kind, owner, project_id, session_id, position, happened_at, outcome, trust,
                         superseded, light, files, words)
VALUES (:seq, :id, 'edit', 'me', 'p', :session_id, :position, :seq, 'none', 1.0, 0, 0, '', :words)
"""
_ROWS: list[dict[str, Value]] = [
    {"seq": 1, "id": "a1", "session_id": "c1", "position": 1, "words": "flang gasket"},
    {"seq": 2, "id": "a2", "session_id": "c1", "position": 2, "words": "valv"},
    {"seq": 3, "id": "b1", "session_id": "c1/agent", "position": 1, "words": "flang"},
    {"seq": 4, "id": "c1", "session_id": "c12", "position": 1, "words": "flang"},
    {"seq": 5, "id": "d1", "session_id": "", "position": 0, "words": "flang"},
]


@pytest.mark.requirement("STO-2")
@pytest.mark.requirement("HSE-6")
def test_an_index_of_the_version_before_answers_as_it_did(site: Site) -> None:
    before = catalog_of(20)
    add_query("test.add", _ADD, before)

    def write(tx: Tx) -> None:
        for row in _ROWS:
            tx.run("test.add", **row)
            if tx.kind == "sqlite":
                tx.run("recall.add_words", seq=row["seq"])

    async def story() -> None:
        async with site.open(before) as store:
            await store.write(write)
        async with site.open() as store:

            async def found(query: Query) -> dict[str, str]:
                return {hit.id: hit.listener for hit in await search(store.read, query)}

            everywhere = await found(Query("flange", ("me",)))
            # a2 does not have the word; it stands beside a1.
            assert everywhere == {"a1": "c1", "a2": "c1", "b1": "c1/agent", "c1": "c12", "d1": ""}
            assert set(await found(Query("flange", ("me",), conversation=ConversationId("c1")))) == {"a1", "a2", "b1"}
            assert set(await found(Query("", ("me",), conversation=ConversationId("c1")))) == {"a1", "a2", "b1"}
            others = Query("flange", ("me",), not_listener=ListenerId("c1"))
            assert set(await found(others)) == {"b1", "c1", "d1"}

    asyncio.run(story())
