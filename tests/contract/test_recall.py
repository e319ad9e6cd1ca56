"""The recall index on both databases: found by words, narrowed by filters, gone when forgotten, mended when broken."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from holdfast.ids import ConversationId, ItemId, ListenerId
from holdfast.recall import (
    FLOOR,
    FLOOR_ASKED,
    Hit,
    Item,
    Query,
    healthy,
    index,
    mark,
    mend,
    purge,
    reindex,
    remove,
    search,
)
from holdfast.store import sqlite_path
from holdfast.store.interface import Reader
from tests.contract.site import AnyStore, Site

DAY = 86_400_000_000
NOW = 1_700_000_000_000_000


def item(
    name: str, kind: str, owner: str, text: str, at: int, project_id: str = "", listener: str = "", **about: Any
) -> Item:
    return Item(ItemId(name), kind, owner, text, at, project_id, ListenerId(listener), **about)


STORY = [
    item("a1", "prompt", "me", "Why does the login test fail on CI?", NOW - 3 * DAY, "p-1", "s1"),
    item("a2", "observation", "me", "Ran pytest tests/auth/test_login.py: TokenExpired raised in refresh_token",
         NOW - 3 * DAY, "p-1", "s1", files=("tests/auth/test_login.py",), outcome="failed"),
    item("a3", "observation", "me", "Froze the clock in the fixture; all green",
         NOW - 3 * DAY, "p-1", "s1", outcome="ok"),
    item("b1", "memory", "me", "The billing service rounds amounts half to even", NOW - 90 * DAY, "p-2", "s2"),
    item("c1", "memory", "you", "Deploys happen on Thursday from the release branch", NOW - DAY, "p-1", "s3"),
    item("d1", "memory", "", "Team rule: migrations are reviewed by two people", NOW - DAY, "p-1"),
]  # fmt: skip


async def told(store: AnyStore) -> AnyStore:
    await store.write(lambda tx: index(tx, STORY))
    return store


def ids(hits: list[Hit]) -> list[str]:
    return [hit.id for hit in hits]


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("STO-1")
def test_found_by_words_and_by_what_stands_beside(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        hits = await search(store.read, Query("login test failing", ("me",), ("p-1",)))
        assert set(ids(hits)) >= {"a1", "a2"}
        # It has no word of the question, but stands after those that do.
        assert "a3" in ids(hits)
        assert ids(await search(store.read, Query("TokenExpired", ("me",))))[0] == "a2"
        assert ids(await search(store.read, Query("refreshToken", ("me",))))[0] == "a2"
        assert ids(await search(store.read, Query("test_login.py", ("me",))))[0] == "a2"

    site.tell(story)


@pytest.mark.requirement("MEM-7")
def test_a_name_with_capitals_is_found_by_its_letters(site: Site) -> None:
    names = ("GitHub", "iPhone", "OAuth", "PostgreSQL", "Node.js")

    async def story(store: AnyStore) -> None:
        some = [item(f"n{at}", "memory", "me", f"{name} was down", NOW) for at, name in enumerate(names)]
        some += [
            item(f"l{at}", "memory", "me", f"ask {name.lower().replace('.', '')} first", NOW)
            for at, name in enumerate(names)
        ]
        await store.write(lambda tx: index(tx, some))
        for at, name in enumerate(names):
            for asked in (name, name.lower(), name.lower().replace(".", "")):
                assert set(ids(await search(store.read, Query(asked, ("me",))))[:2]) == {f"n{at}", f"l{at}"}, asked

    site.tell(story)


@pytest.mark.requirement("MEM-7")
def test_what_is_light_is_found_only_by_who_looks_for_it(site: Site) -> None:
    """Hundreds of newer light items with the same word take no place from the one that is not."""

    async def story(store: AnyStore) -> None:
        told_once = item("heavy", "edit", "me", "Edited gasket.py: the flange", NOW - DAY, "p-1", "s1")
        read_often = [
            item(f"r{number}", "read", "me", "Read gasket.py", NOW + number, "p-1", f"s{number}", light=True)
            for number in range(400)
        ]
        await store.write(lambda tx: index(tx, [told_once, *read_often]))
        kinds = ("edit", "test", "build", "read")
        for asked in ((), kinds):
            query = Query("gasket", ("me",), ("p-1",), kinds=asked, light=False)
            assert ids(await search(store.read, query)) == ["heavy"]
        assert len(await search(store.read, Query("gasket", ("me",), ("p-1",), kinds=kinds))) == 20
        assert ids(await search(store.read, Query("gasket flange", ("me",), ("p-1",), kinds=("edit",)))) == ["heavy"]

    site.tell(story)


@pytest.mark.requirement("MEM-7")
def test_an_unrelated_prompt_gets_nothing(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        for prompt in ("hello", "thanks!", "continue", "Write a haiku about autumn leaves", "rename this variable"):
            assert await search(store.read, Query(prompt, ("me",), ("p-1",), floor=FLOOR)) == []
        asked = Query("why did the login test fail", ("me",), ("p-1",), floor=FLOOR)
        assert await search(store.read, asked) == [], "one telling word proves nothing"
        assert await search(store.read, replace(asked, floor=FLOOR_ASKED)), "unless memory is asked for"

    site.tell(story)


@pytest.mark.requirement("MEM-22")
def test_a_hit_says_how_much_of_the_prompt_it_has_and_which_words_stand_side_by_side(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)

        async def found(text: str, floor: float = 0.01) -> Hit:
            return (await search(store.read, Query(text, ("me",), ("p-2",), floor=floor)))[0]

        together, apart = await found("the billing service rounds"), await found("rounds the service of billing")
        assert together.covered == apart.covered == 1.0
        assert (together.pairs, apart.pairs) == (2, 0)
        assert (await found("the billing service rounds", floor=0.0)).pairs == 0, "a search has no use for it"
        assert 0 < (await found("billing service of another kind altogether")).covered < 1

    site.tell(story)


@pytest.mark.requirement("MEM-7")
def test_what_does_not_reach_the_floor_is_there_to_compare_with(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        asked = Query("test_login.py fails with TokenExpired in refreshToken", ("me",), ("p-1",))
        fits = sorted((hit.fit for hit in await search(store.read, asked)), reverse=True)
        assert fits[0] > fits[1]
        compared = await search(store.read, replace(asked, floor=fits[0], below=1))
        assert [hit.fit >= fits[0] for hit in compared] == [True, False], "it comes after what fits"
        assert await search(store.read, replace(asked, floor=1.1, below=1)) == [], "and not without it"

    site.tell(story)


@pytest.mark.requirement("MEM-9")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query("billing", ("me",)), ["b1"]),
        (Query("billing", ("me",), ("p-1",)), []),
        (Query("deploys", ("me",)), []),
        (Query("deploys", ("me", "you")), ["c1"]),
        (Query("migrations reviewed", ("me", "")), ["d1"]),
        (Query("login", ("me",), kinds=("prompt",)), ["a1"]),
        (Query("billing", ("me",), since=NOW - 10 * DAY), []),
        (Query("billing", ("me",), until=NOW - 10 * DAY), ["b1"]),
        (Query("billing", ("me",), conversation=ConversationId("s1")), []),
        (Query("billing", ("me",), not_listener=ListenerId("s2")), []),
        (Query("billing", ("me",), exclude=frozenset({ItemId("b1")})), []),
        (Query("", ("me",), file="tests/auth/test_login.py"), ["a2"]),
        (Query("", ("me",), file="test_login.py"), ["a2"]),
        (Query("", ("me",), conversation=ConversationId("s1"), kinds=("observation",)), ["a3", "a2"]),
        (Query("", ("me",), ("p-2",)), ["b1"]),
        (Query("token", ("me",), file="nowhere.py"), []),
        (Query("the of and", ("me",)), []),
        (Query('"(*): -- \' " AND OR NOT NEAR ~ _p', ("me",)), []),
    ],
)
def test_filters(site: Site, query: Query, expected: list[str]) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        assert sorted(ids(await search(store.read, query))) == sorted(expected)

    site.tell(story)


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("SEC-6")
def test_signals_order_equals(site: Site) -> None:
    def same(name: str, **other: object) -> Item:
        fields: dict[str, object] = {"happened_at": NOW - 60 * DAY} | other
        return Item(id=name, kind="memory", owner="me", text="cache invalidation of the thumbnail worker", **fields)  # type: ignore[arg-type]

    items = [
        same("plain"),
        same("new", happened_at=NOW),
        same("failed", outcome="failed"),
        same("web", trust=0.2),
        same("old-news", superseded=True),
        same("gone", files=("gone.py",)),
        same("there", files=("there.py",)),
    ]

    async def story(store: AnyStore) -> None:
        await store.write(lambda tx: index(tx, items))
        query = Query("thumbnail cache", ("me",), now=NOW, exists=lambda path: path == "there.py")
        found = {str(hit.id): hit for hit in await search(store.read, query)}
        scores = {name: hit.score for name, hit in found.items()}
        assert scores["new"] > scores["plain"] > scores["failed"] > scores["web"] > scores["gone"] > scores["old-news"]
        assert scores["there"] == scores["plain"]
        assert found["gone"].parts["files"] < 1
        assert found["web"].parts["trust"] < 1

    site.tell(story)


@pytest.mark.requirement("MEM-10")
def test_a_hit_says_why(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        (hit, *_) = await search(store.read, Query("billing rounds amounts", ("me",), now=NOW))
        assert (hit.id, hit.kind, hit.project_id, hit.listener) == ("b1", "memory", "p-2", "s2")
        assert hit.matched == ("bill", "round", "amount")
        assert {"lexical", "recency", "outcome", "trust", "superseded", "files"} <= set(hit.parts)
        assert 0.9 <= hit.fit <= 1

    site.tell(story)


def test_replaced_and_marked(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        await store.write(lambda tx: index(tx, [item("b1", "memory", "me", "Billing truncates", NOW, "p-2", "s2")]))
        assert ids(await search(store.read, Query("truncates", ("me",)))) == ["b1"]
        assert ids(await search(store.read, Query("rounds", ("me",)))) == []
        await store.write(lambda tx: mark(tx, [ItemId("b1")], superseded=True, outcome="failed"))
        (hit,) = await search(store.read, Query("truncates", ("me",)))
        assert (hit.superseded, hit.parts["outcome"] < 1, hit.trust) == (True, True, 1.0)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_forgotten_means_gone(site: Site) -> None:
    secret = [item(f"x{n}", "memory", "me", f"zanzibar{n} quixotic plan", NOW, "p-1", "s9") for n in range(50)]

    async def story(store: AnyStore) -> None:
        await told(store)
        await store.write(lambda tx: index(tx, secret))
        await store.write(lambda tx: index(tx, [item("y", "memory", "me", "something else", NOW, "p-1", "s9")]))
        assert await store.write(lambda tx: remove(tx, [item.id for item in secret] + [ItemId("nobody")])) == 50
        assert await search(store.read, Query("zanzibar7 quixotic", ("me",))) == []
        await purge(store)
        assert await healthy(store)
        assert "a2" in ids(await search(store.read, Query("TokenExpired", ("me",))))

    site.tell(story)
    if site.kind == "sqlite":
        raw = sqlite_path(site.url).read_bytes()
        assert b"token" in raw
        assert b"zanzibar" not in raw
        assert b"quixot" not in raw


@pytest.mark.requirement("STO-5")
def test_everything_anew(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await told(store)
        assert await reindex(store, iter(STORY[:4]), batch=3) == 4
        assert ids(await search(store.read, Query("migrations", ("me", "")))) == []
        assert ids(await search(store.read, Query("billing", ("me",)))) == ["b1"]

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_a_damaged_index_mends_itself(site: Site) -> None:
    async def damage(store: AnyStore) -> None:
        await told(store)
        assert not await mend(store)
        assert await healthy(store)

    site.tell(damage)
    if site.kind != "sqlite":
        return
    with sqlite3.connect(sqlite_path(site.url)) as connection:
        connection.execute("DELETE FROM recall_words_data WHERE id > 10")
    connection.close()

    async def story(store: AnyStore) -> None:
        assert await mend(store)
        assert await healthy(store)
        assert ids(await search(store.read, Query("billing", ("me",)))) == ["b1"]

    site.tell(story)


class Colours:
    """A model that knows colours only: each is a direction, whatever language it is said in."""

    id = "colours-1"
    dimensions = 4
    scale: tuple[float, float] | None = (0.5, 0.9)

    def _embed(self, texts: Sequence[str]) -> Any:
        np = pytest.importorskip("numpy")
        names = (("red", "rot", "rouge"), ("blue", "blau", "bleu"), ("green", "vert"))
        made = np.array(
            [[0.1, *(float(any(name in text.lower() for name in same)) for same in names)] for text in texts],
            dtype=np.float32,
        )
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    embed_queries = embed_items = _embed


PAINTED = [
    item(f"v{number}", "observation", "me", text, NOW + number, "p-1", "s1")
    for number, text in enumerate(["the door is rouge", "the wall is bleu", "the roof is vert", "the sky", "the sea"])
] + [item("hers", "observation", "you", "the rouge of another", NOW, "p-1", "s2")]
TEXTS = {item.id: item.text for item in PAINTED}


def texts(reader: Reader, wanted: Sequence[ItemId]) -> dict[ItemId, str]:
    return {each: TEXTS[each] for each in wanted if each in TEXTS}


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("STO-1")
def test_found_by_direction(site: Site) -> None:
    pytest.importorskip("numpy")
    from holdfast.recall.dense import Dense
    from holdfast.recall.pgvector import Pgvector
    from holdfast.recall.vectors import embed_missing

    async def story(store: AnyStore) -> None:
        embedder = Colours()
        await store.write(lambda tx: index(tx, PAINTED))
        dense = Dense(embedder)
        while made := await embed_missing(store, embedder, texts, batch=4):
            dense.add(made)
        ways: list[Dense | Pgvector] = [dense, Dense(embedder)]
        assert await cast(Dense, ways[1]).load(store) == 6
        if site.kind == "postgresql":
            assert store.vectors
            ways.append(Pgvector(embedder))
            await cast(Pgvector, ways[-1]).prepare(store)
            await cast(Pgvector, ways[-1]).prepare(store)
        for near in ways:
            assert await search(store.read, Query("rot", ("me",))) == []
            hits = await search(store.read, Query("rot", ("me",), ("p-1",)), near=near)
            assert hits[0].id == "v0"
            assert hits[0].parts["vector"] > 0.9
            assert "hers" not in ids(hits)
            assert hits[0].fit >= FLOOR
            long = Query("rot " + " ".join(f"word{number}" for number in range(40)), ("me",), floor=FLOOR)
            assert await search(store.read, long, near=near) == []
            assert ids(await search(store.read, Query("rot", ("you",)), near=near))[0] == "hers"
            assert await search(store.read, Query("rot", ("me",), ("p-9",)), near=near) == []
        # The next item's vector was made with the removed one beside it: both go, and the next is made anew.
        await store.write(lambda tx: remove(tx, [ItemId("v0")]))
        left = await store.read(lambda reader: reader.one("recall.vector_count", model=embedder.id))
        assert left == {"n": 4}
        assert "v0" not in ids(await search(store.read, Query("rot", ("me",)), near=dense))
        assert len(await embed_missing(store, embedder, texts)) == 1
        assert await embed_missing(store, embedder, texts) == []

    site.tell(story)
