"""Export and import: lossless, the same on both databases, and taking in twice changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import recall
from holdfast.composition import Registry
from holdfast.errors import UsageError
from holdfast.events import tombstone
from holdfast.events.caller import Caller
from holdfast.ids import ConversationId, ItemId, now_us
from holdfast.items import tools
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Store
from holdfast.times import when
from holdfast.upkeep import export
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.kept import CHANGED, FAQ, GUIDE, OWNER, START, fill, fill_more, forgetting, page
from tests.contract.site import AnyStore, Site
from tests.support.upkeep import Portable, items_of


def portable(store: Store, owner: str = OWNER) -> Portable:
    return Portable(store, owner, clean=lambda value: value)


async def exported(store: Store, project: str = "", owner: str = OWNER) -> list[str]:
    return [line.decode().strip() async for line in portable(store, owner).export(project, citations=True)]


def records(lines: list[str], kind: str) -> list[dict[str, object]]:
    return [record for record in map(json.loads, lines) if record.get("record") == kind]


async def another(tmp_path: Path) -> Store:
    return await open_store(sqlite_url(tmp_path / "another.db"), CATALOG, backups=tmp_path / "backups")


@pytest.mark.requirement("MEM-11")
def test_a_round_trip_loses_nothing(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From SQLite to this database and back: the same lines, but for the first."""

    async def story(store: AnyStore) -> None:
        first = await another(tmp_path)
        try:
            await fill_more(first, await fill(first))
            lines = await exported(first)
            assert json.loads(lines[-1])["end"] == {
                "project": 1,
                "worktree": 1,
                "session": 2,
                "prompt": 2,
                "observation": 4,
                "summary": 2,
                "memory": 5,
                "supersession": 2,
                "objection": 2,
                "cited_page": 2,
                "injection": 2,
                "lost_context": 2,
                "model_summary": 2,
                "citation": 2,
                "reading": 1,
            }
            new = await portable(store).take_in(lines)
            assert dict(new) == json.loads(lines[-1])["end"]
            assert (await exported(store))[1:] == lines[1:]
            assert not await portable(store).take_in(lines)
            monkeypatch.setattr(export, "PAGE", 1)
            assert (await exported(store))[1:] == lines[1:]
            changes = [(each["url"], each["changed_at"], each["new_version"]) for each in records(lines, "cited_page")]
            assert changes == [(FAQ, None, None), (GUIDE, CHANGED, "v2")]
            for question in ("importer fail", "stale lock"):
                asked = recall.Query(question, (OWNER,))
                ours, theirs = [await each.read(lambda reader: recall.find(reader, asked)) for each in (store, first)]  # noqa: B023
                assert [hit.id for hit in ours] == [hit.id for hit in theirs]
                assert ours
        finally:
            await first.close()

    site.tell(story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("CIT-9")
def test_the_version_of_a_page_that_a_memory_cites_comes_along(site: Site, tmp_path: Path) -> None:
    """Also without the readings of pages, and though this store knows the page as it is today."""

    async def told(store: Store, item: str) -> tuple[object, ...]:
        services = Registry()
        services.add(items_of(store))
        caller = Caller(services, OWNER, now_us)
        why = await tools.why(tools.Why(item), caller)
        [whole] = await tools.get(tools.Get([item]), caller)
        [line] = [each for each in await items_of(store).search("guide retries") if each.id == item]
        return why["pages"], whole["pages"], line.page_changed

    async def story(store: AnyStore) -> None:
        first = await another(tmp_path)
        try:
            item = (await fill_more(first, await fill(first)))["guide"]
            before = await told(first, item)
            lines = [line.decode().strip() async for line in portable(first).export()]
        finally:
            await first.close()
        cited = [(FAQ, None), (GUIDE, when(CHANGED))]
        assert before[0] == [{"url": url, "version": "v1", "changed": changed} for url, changed in cited]
        assert before[1:] == (before[0], True)
        assert not [line for line in lines if "Five attempts." in line]
        await store.write(lambda tx: tx.run("table.citation.put", owner=OWNER, **page(GUIDE, "v9")))
        older = [line for line in lines if '"record":"cited_page"' not in line]
        await portable(store).take_in(older)
        assert (await items_of(store).why(item)).pages == ()
        assert dict(await portable(store).take_in(lines)) == {"cited_page": 2}
        assert await told(store, item) == before
        assert not await portable(store).take_in(lines)
        assert [line.decode().strip() async for line in portable(store).export()][1:] == lines[1:]

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_only_one_project_is_exported(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill_more(store, await fill(store))
        assert records(await exported(store, ids["project"]), "cited_page")
        elsewhere = await exported(store, "another project")
        assert json.loads(elsewhere[-1])["end"] == {}

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_what_is_imported_belongs_to_who_imports_it_and_joins_what_is_there(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        first = await another(tmp_path)
        try:
            await fill(first, ("c1", "c2"))
            lines = await exported(first)
        finally:
            await first.close()
        # The same project, and one of the sessions, are known here under other ids.
        await fill(store, ("c2",), owner="you")
        before = await exported(store, owner="you")
        await portable(store, "you").take_in(lines)
        after = await exported(store, owner="you")
        kinds = [json.loads(line).get("record") for line in after]
        assert kinds.count("project") == 1
        assert kinds.count("session") == 2
        assert kinds.count("prompt") == 3
        assert set(before[1:-1]) <= set(after)
        assert len(await exported(store, owner="someone else")) == 2

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_what_was_forgotten_is_not_taken_in(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        first = await another(tmp_path)
        try:
            ids = await fill(first)
            lines = await exported(first)
        finally:
            await first.close()
        marks = [tombstone.of_item(ItemId(ids["c1.edit"])), tombstone.of_item(ItemId(ids["c1.memory"]))]
        await store.write(lambda tx: tombstone.bury(tx, marks, now_us()))
        conversation = [tombstone.of_conversation(ConversationId("c2"))]
        await store.write(lambda tx: tombstone.bury(tx, conversation, now_us(), until=START + 10**12))
        new = await portable(store).take_in(lines)
        assert (new["prompt"], new["observation"], new["summary"], new["memory"]) == (1, 1, 1, 3)
        assert "abc123" not in "".join(line for line in await exported(store) if ids["c1.edit"] in line)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_nothing_about_what_was_forgotten_is_taken_in(site: Site, tmp_path: Path) -> None:
    """Neither its pages, nor what a model wrote of it, nor what a forgotten conversation was shown."""

    async def story(store: AnyStore) -> None:
        ids = await fill_more(store, await fill(store))
        lines = await exported(store)
        # Nothing but what the model wrote has these words; its summary stays.
        await forgetting(store).forget(ForgetRequest(text="worn gasket"))
        await forgetting(store).forget(ForgetRequest(text="docs.example"))
        left = "".join(await exported(store))
        assert ids["c1.turn"] in left
        for _ in range(2):
            new = await portable(store).take_in(lines)
            assert not new.keys() & {"memory", "cited_page", "model_summary"}
            assert "worn gasket" not in "".join(await exported(store))
        await forgetting(store).forget(ForgetRequest(session="c1"))
        assert not (await portable(store).take_in(lines)).keys() & {"injection", "model_summary", "lost_context"}
        other = await another(tmp_path)
        try:
            mark = tombstone.of_conversation(ConversationId("c1"))
            await other.write(lambda tx: tombstone.bury(tx, [mark], now_us(), until=now_us()))
            new = await portable(other).take_in(lines)
            assert (new["injection"], new["lost_context"], new["model_summary"]) == (1, 1, 1)
        finally:
            await other.close()

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_what_a_model_wrote_after_the_forgetting_is_taken_in(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill_more(store, await fill(store))
        await forgetting(store).forget(ForgetRequest(text="worn gasket"))
        lines = await exported(store)
        about = {"facts": "f2", "by_model": '{"title": "A new seal"}', "by_rules": "{}", "written_at": now_us() + 1}
        later = {"record": "model_summary", "subject": f"turn:{ids['c1.prompt']}"} | about
        broken = later | {"subject": f"turn:{ids['c2.prompt']}", "by_model": '{"title": "A new'}
        assert dict(await portable(store).take_in([*lines, json.dumps(later), json.dumps(broken)])) == {
            "model_summary": 1
        }

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_secrets_are_removed_on_the_way_out_and_in(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        await fill_more(store, await fill(store))

        def clean(value: object) -> object:
            text = json.dumps(value).replace("docs.example", "[scrubbed].example")
            return json.loads(text.replace("stale lock", "[scrubbed]").replace("worn gasket", "[scrubbed]"))

        careful = Portable(store, OWNER, clean=clean)
        lines = [line.decode() async for line in careful.export(citations=True)]
        for kind in ("summary", "memory", "cited_page", "model_summary"):
            assert [one for one in records(lines, kind) if "[scrubbed]" in json.dumps(one)], kind
        other = await another(tmp_path)
        try:
            await Portable(other, OWNER, clean=clean).take_in(await exported(store))
            taken = await exported(other)
        finally:
            await other.close()
        for words in ("stale lock", "worn gasket", "docs.example"):
            assert words in "".join(await exported(store))
            assert words not in "".join(lines)
            assert words not in "".join(taken)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_a_line_that_does_not_fit_takes_nothing_of_its_part(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        good = '{"record":"project","id":"p","place":"/x","name":"x","created_at":1}'
        for bad, reason in (
            ("no json", "not JSON"),
            ("[1]", "not a record"),
            ('{"record":"request"}', "unknown record"),
            ('{"record":"project","id":"p"}', "says nothing that fits under 'place'"),
            ('{"record":"cited_page","item_id":"m","url":"u","version":{}}', "says nothing that fits under 'version'"),
            (
                '{"record":"project","id":["p"],"place":"","name":"","created_at":1}',
                "says nothing that fits under 'id'",
            ),
            ('{"holdfast_export":99}', "format 99"),
        ):
            with pytest.raises(UsageError, match=reason):
                await portable(store).take_in([good, bad])
        assert (await exported(store))[1:] == ['{"end":{}}']

    site.tell(story)


@pytest.mark.requirement("MCP-3")
@pytest.mark.parametrize(
    ("kind", "column", "value"),
    [
        ("summary", "said", None),
        ("summary", "level", "x"),
        ("summary", "outcome", "weird"),
        ("observation", "files", "nojson"),
        ("observation", "kind", "sung"),
        ("observation", "prompt_number", "one"),
        ("memory", "trust", "nobody"),
        ("prompt", "happened_at", True),
    ],
)
def test_a_value_that_does_not_fit_gets_a_sentence(site: Site, kind: str, column: str, value: object) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        record = records(await exported(store), kind)[0]
        with pytest.raises(UsageError, match=f"says nothing that fits under '{column}'"):
            await portable(store).take_in([json.dumps(record | {column: value})])

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_an_export_from_before_the_agents_words_were_kept_is_taken_in(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        lines = await exported(store)
        old = [
            json.dumps({name: value for name, value in json.loads(line).items() if name != "said"}) for line in lines
        ]
        assert not sum((await portable(store).take_in(old)).values())

    site.tell(story)
