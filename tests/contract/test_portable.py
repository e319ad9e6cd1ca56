"""Export and import: lossless, the same on both databases, and taking in twice changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import recall
from holdfast.errors import UsageError
from holdfast.events import tombstone
from holdfast.ids import now_us
from holdfast.rooms.memory.portable import Portable
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Store
from tests.contract.kept import OWNER, START, fill
from tests.contract.site import AnyStore, Site


def portable(store: Store, owner: str = OWNER) -> Portable:
    return Portable(store, owner, clean=lambda value: value)


async def exported(store: Store, project: str = "", owner: str = OWNER) -> list[str]:
    return [line.decode().strip() async for line in portable(store, owner).export(project, citations=True)]


async def another(tmp_path: Path) -> Store:
    return await open_store(sqlite_url(tmp_path / "another.db"), backups=tmp_path / "backups")


@pytest.mark.requirement("MEM-11")
def test_a_round_trip_loses_nothing(site: Site, tmp_path: Path) -> None:
    """From SQLite to this database and back: the same lines, but for the first."""

    async def story(store: AnyStore) -> None:
        first = await another(tmp_path)
        try:
            await fill(first)
            lines = await exported(first)
            assert json.loads(lines[-1])["end"] == {
                "project": 1,
                "worktree": 1,
                "session": 2,
                "prompt": 2,
                "observation": 4,
                "summary": 2,
                "memory": 4,
                "supersession": 2,
                "injection": 2,
            }
            new = await portable(store).take_in(lines)
            assert dict(new) == json.loads(lines[-1])["end"]
            assert (await exported(store))[1:] == lines[1:]
            assert not await portable(store).take_in(lines)
            assert (await exported(store))[1:] == lines[1:]
            for question in ("importer fail", "stale lock"):
                asked = recall.Query(question, (OWNER,))
                ours, theirs = [await each.read(lambda reader: recall.find(reader, asked)) for each in (store, first)]  # noqa: B023
                assert [hit.id for hit in ours] == [hit.id for hit in theirs]
                assert ours
        finally:
            await first.close()

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
        marks = [tombstone.of_item(ids["c1.edit"]), tombstone.of_item(ids["c1.memory"])]
        await store.write(lambda tx: tombstone.bury(tx, marks, now_us()))
        conversation = [tombstone.of_conversation("c2")]
        await store.write(lambda tx: tombstone.bury(tx, conversation, now_us(), until=START + 10**12))
        new = await portable(store).take_in(lines)
        assert (new["prompt"], new["observation"], new["summary"], new["memory"]) == (1, 1, 1, 3)
        assert "abc123" not in "".join(line for line in await exported(store) if ids["c1.edit"] in line)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_secrets_are_removed_on_the_way_out_and_in(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)

        def clean(value: object) -> object:
            return json.loads(json.dumps(value).replace("stale lock", "[scrubbed]"))

        careful = Portable(store, OWNER, clean=clean)
        lines = [line.decode() async for line in careful.export()]
        assert "[scrubbed]" in "".join(lines)
        assert "stale lock" not in "".join(lines)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_a_line_that_does_not_fit_takes_nothing_of_its_part(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        good = '{"record":"project","id":"p","place":"/x","name":"x","created_at":1}'
        for bad, reason in (
            ("no json", "not JSON"),
            ("[1]", "not a record"),
            ('{"record":"wish"}', "unknown record"),
            ('{"record":"project","id":"p"}', "no fit place"),
            ('{"record":"project","id":["p"],"place":"","name":"","created_at":1}', "no fit id"),
            ('{"holdfast_export":99}', "format 99"),
        ):
            with pytest.raises(UsageError, match=reason):
                await portable(store).take_in([good, bad])
        assert (await exported(store))[1:] == ['{"end":{}}']

    site.tell(story)
