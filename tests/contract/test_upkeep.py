"""Forgetting, retention and reindexing, told on both databases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import recall
from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import ItemId
from holdfast.items import service as service_of_items
from holdfast.recall import keep
from holdfast.recall.keep import words
from holdfast.store.interface import Row, Store
from holdfast.times import DAY_US
from holdfast.upkeep import text_match
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.reindex import AsksForSlices, Reindexing
from holdfast.upkeep.settings import RetentionSettings
from holdfast.upkeep.traces import Traces
from tests.contract.kept import GUIDE, MINUTE, OWNER, START, fill, fill_more, forgetting, found
from tests.contract.site import AnyStore, Site, add_query, arrival
from tests.support.upkeep import Portable, items_of, retention


async def entries(store: Store) -> list[str]:
    about: dict[str, Any] = {"conversation": "", "event": "", "since": 0, "owner": OWNER, "limit": 10_000}
    return [str(row["id"]) for row in await store.read(lambda reader: reader.all("journal.list", **about))]


async def journal(store: Store, *rows: dict[str, Any]) -> None:
    for row in rows:
        await store.write(lambda tx, row=row: tx.run("journal.insert", **row))  # type: ignore[misc]


# --- forgetting


@pytest.mark.requirement("MEM-11")
def test_forgetting_by_each_way_of_choosing(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        service = forgetting(store)
        assert (await service.preview(ForgetRequest(text="STALE LOCK"))).counts == {"summary": 2}
        receipt = await service.forget(ForgetRequest(ids=(ids["c1.old"],)))
        assert receipt.counts == {"memory": 1}
        receipt = await service.forget(ForgetRequest(file=("src/importer.py",)))
        assert receipt.counts == {"observation": 2, "rows": 2}, "each with its row among the files that were touched"
        assert ids["c1.edit"] not in await found(store, "edited importer")
        receipt = await service.forget(ForgetRequest(session="c1"))
        assert receipt.counts["prompt"] == 1
        assert ids["c2.prompt"] in await found(store, "importer fail")
        receipt = await service.forget(ForgetRequest(text="taken ONCE"))
        assert receipt.counts == {"memory": 2}
        receipt = await service.forget(ForgetRequest(before=START + 10_000 * MINUTE))
        assert receipt.counts["prompt"] == 1
        left = [line async for line in Portable(store, OWNER, clean=lambda value: value).export()]
        assert json.loads(left[-1])["end"] == {"project": 1, "worktree": 1, "session": 2, "memory": 1}
        with pytest.raises(HoldfastError, match="Nothing is kept"):
            await service.forget(ForgetRequest(ids=(ids["c1.old"],)))
        with pytest.raises(HoldfastError, match="No session"):
            await service.forget(ForgetRequest(session="unknown-session"))

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_text_finds_entries_that_never_became_memories(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        quoted = 'He said "open 100% of_it!" \\ and left'
        kept = arrival("k1", event="Notification", tool_use_id=None, payload=json.dumps({"message": quoted}))
        other = arrival("k2", event="Notification", tool_use_id=None, payload='{"message": "open 100 % of it"}')
        await journal(store, kept, other)
        seen: list[Traces] = []
        service = forgetting(store, seen)
        assert (await service.preview(ForgetRequest(text='"open 100% of_it!" \\'))).counts == {"entries": 1}
        assert (await service.forget(ForgetRequest(text='"OPEN 100% of_it!" \\'))).counts == {"entries": 1}
        assert await entries(store) == [other["id"]]
        assert seen[0].ids == {str(kept["id"])}

    site.tell(story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("CIT-9")
def test_text_goes_out_of_all_that_is_known_of_web_pages(site: Site) -> None:
    tables = ("citation", "reading", "page", "cited_page", "origin_trait")
    add_query("test.pages", "SELECT " + ", ".join(f"(SELECT COUNT(*) FROM {name}) AS {name}" for name in tables))
    noted: dict[str, Any] = {"owner": OWNER, "trait": "unprovable", "now": START, "until": START}

    async def story(store: AnyStore) -> None:
        await fill_more(store, await fill(store))
        await store.write(lambda tx: tx.run("citations.note_trait", subject=GUIDE, **noted))
        await store.write(lambda tx: tx.run("citations.note_trait", subject="https://other.example", **noted))
        before = await store.read(lambda reader: reader.one("test.pages"))
        assert before == dict(zip(tables, (2, 1, 2, 2, 2), strict=True))
        await forgetting(store).forget(ForgetRequest(text="DOCS.example"))
        after = await store.read(lambda reader: reader.one("test.pages"))
        assert after == dict(zip(tables, (0, 0, 0, 0, 1), strict=True))

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_an_observation_takes_its_copies_along_and_stays_away(site: Site) -> None:
    """Before, after and batch go; only hashes stay, and by them the transcript's telling is known."""
    from holdfast.road.journal import keep

    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        use = {"conversation": "c1", "tool_use_id": "toolu_x1", "prompt_id": "pr1"}
        after = arrival("post", id=ids["c1.test"], **use)
        before = arrival("pre", event="PreToolUse", **use)
        batch = arrival("batch", event="PostToolBatch", **use | {"tool_use_id": None})
        batch["payload"] = '{"tool_calls": [{"tool_use_id": "toolu_x1"}]}'
        apart = arrival("apart", conversation="c1", tool_use_id="toolu_x2")
        await journal(store, after, before, batch, apart)
        receipt = await forgetting(store).forget(ForgetRequest(ids=(ids["c1.test"],)))
        assert receipt.counts == {"observation": 1, "entries": 3}
        assert await entries(store) == [apart["id"]]
        told = arrival("told otherwise", source="transcript", **use)
        again = arrival("batch", event="PostToolBatch", source="spool", conversation="c1", tool_use_id=None)
        fresh = arrival("fresh", source="transcript", conversation="c1", tool_use_id="toolu_x3")
        for row, taken in ((told, False), (again, False), (fresh, True)):
            assert await store.write(lambda tx, row=row: keep(tx, row)) is taken  # type: ignore[misc]
        add_query("test.tombstones", "SELECT mark FROM tombstone")
        marks = [str(row["mark"]) for row in await store.read(lambda reader: reader.all("test.tombstones"))]
        assert marks
        assert all(len(mark) == 32 and int(mark, 16) >= 0 for mark in marks)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_a_file_is_matched_by_its_name_and_not_by_a_pattern(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        assert (
            await forgetting(store).preview(ForgetRequest(file=("src_importer.py", "src/imp_rter.py")))
        ).counts == {}
        assert text_match.like("a%_!B") == "%a!%!_!!b%"

    site.tell(story)


def test_short_and_doubled_wishes_are_refused() -> None:
    from holdfast.upkeep.forget_selection import check

    for request in (
        ForgetRequest(),
        ForgetRequest(text="ab"),
        ForgetRequest(text="abc", session="x"),
        ForgetRequest(text="   "),
    ):
        with pytest.raises(UsageError):
            check(request)
    check(ForgetRequest(text="abc"))


# --- retention


@pytest.mark.requirement("MEM-15")
def test_what_is_old_grows_light_then_goes_and_what_is_distilled_stays(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        now = START + 400 * DAY_US
        long = json.dumps({"tool_input": {"command": "x" * 900}, "tool_response": {"stdout": "y" * 9_000}})
        ages = {"new": 1, "light": 30, "gone": 90}
        rows = {
            (name, event): arrival(
                f"{name}{event}", event=event, tool_use_id=None, happened_at=now - days * DAY_US, payload=long
            )
            for name, days in ages.items()
            for event in ("PostToolUse", "PreToolUse", "Stop")
        }
        await journal(store, *rows.values())
        aged = await retention(store, OWNER, RetentionSettings(14, 60, 0, 365)).run(now)
        assert (aged.lightened, aged.entries) == (4, 4)
        assert aged.rows["observation"] == 4
        left = set(await entries(store))
        assert left == {
            rows[key]["id"] for key in rows if key[0] == "new" or key in (("light", "PostToolUse"), ("light", "Stop"))
        }
        small = await store.read(lambda reader: reader.one("journal.get", id=rows["light", "PostToolUse"]["id"]))
        assert small is not None
        payload = json.loads(str(small["payload"]))
        assert payload["holdfast_light"] == 1
        assert len(str(small["payload"])) < 400
        assert int(small["cut_bytes"] or 0) > 9_000
        assert (await retention(store, OWNER, RetentionSettings(14, 60, 0, 365)).run(now)).lightened == 0
        for name in ("turn", "memory", "prompt"):
            family = {"turn": "summary"}.get(name, name)
            assert await store.read(lambda reader, f=family, n=name: reader.one(f"memory.{f}", id=ids[f"c1.{n}"]))  # type: ignore[misc]
        assert ids["c1.edit"] not in await found(store, "edited importer")
        grown = await store.read(lambda reader: reader.all("upkeep.growth_since", day=0))
        assert {"", "journal", "observation"} <= {str(row["name"]) for row in grown}
        assert all(int(row["bytes"] or 0) > 0 for row in grown if row["name"] in ("", "journal"))

    site.tell(story)


@pytest.mark.requirement("MEM-15")
def test_the_journal_keeps_within_its_bytes_and_zero_keeps_all(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        now = START + 400 * DAY_US
        rows = [
            arrival(f"d{day}", event="Stop", tool_use_id=None, happened_at=now - day * DAY_US, payload="z" * 1_000)
            for day in range(10)
        ]
        await journal(store, *rows)
        assert (await retention(store, OWNER, RetentionSettings(0, 0, 0, 0)).run(now)).entries == 0
        assert (await retention(store, OWNER, RetentionSettings(0, 0, 4_500, 0)).run(now)).entries == 6
        assert set(await entries(store)) == {row["id"] for row in rows[:4]}

    site.tell(story)


# --- reindexing


@pytest.mark.requirement("STO-5")
def test_the_index_is_made_anew_from_the_rows(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        before = {question: await found(store, question) for question in ("importer fail", "lock taken", "pytest")}
        service = Reindexing(store, items_of(store), OWNER)
        assert await service.is_whole()
        await recall.reindex(store, ())
        assert await found(store, "importer fail") == []
        assert not await service.is_whole()
        await service.mend({})
        assert await service.is_whole()
        assert {question: await found(store, question) for question in before} == before

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_a_damaged_index_is_found_and_mended(tmp_path: Path) -> None:
    from holdfast.store import sqlite_url

    site = Site("sqlite", sqlite_url(tmp_path / "holdfast.db"), tmp_path / "backups")

    async def story(store: AnyStore) -> None:
        await fill(store)
        before = await found(store, "importer fail")
        service = Reindexing(store, items_of(store), OWNER)
        add_query("test.damage", "DELETE FROM recall_words_data WHERE id > 10")
        await store.write(lambda tx: tx.run("test.damage"))
        assert not await service.is_whole()
        await service.mend({})
        assert await service.is_whole()
        assert await found(store, "importer fail") == before

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_after_an_upgrade_old_items_are_found_by_todays_words(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def number(row: Row) -> tuple[object, object]:
        return row["id"], row["seq"]

    async def story(store: AnyStore) -> None:
        add_query("test.numbers", "SELECT id, seq, words FROM recall_item ORDER BY id")
        with monkeypatch.context() as before:
            before.setattr(keep, "words", lambda item: words(item).replace("import", "zzimport"))
            ids = await fill(store)
        numbers = [number(row) for row in await store.read(lambda reader: reader.all("test.numbers"))]
        assert ids["c1.prompt"] not in await found(store, "importer")
        service = Reindexing(store, items_of(store), OWNER)
        assert await service.is_whole()
        await service.mend({})
        assert ids["c1.prompt"] in await found(store, "importer")
        assert await found(store, "zzimport") == [], "no trace of the old words"
        rows = await store.read(lambda reader: reader.all("test.numbers"))
        assert [number(row) for row in rows] == numbers, "in place: numbers and vectors stay"
        assert await recall.healthy(store)
        monkeypatch.setattr(recall, "outdated", None)  # nobody looks a second time
        await service.mend({})

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_renewed_words_never_undo_a_change_made_meanwhile(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        one = recall.Item(ItemId("one"), "memory", OWNER, "the old text", START)
        await store.write(lambda tx: recall.index(tx, [one]))
        newer = replace(one, text="the gardener's zebra")
        [entry] = await store.read(lambda reader: recall.outdated(reader, [replace(one, text="the stale text")]))
        await store.write(lambda tx: recall.index(tx, [newer]))
        assert await store.write(lambda tx: recall.renew(tx, [entry])) == 0
        assert await store.read(lambda reader: recall.outdated(reader, [newer])) == []
        assert await recall.healthy(store)

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_a_renewal_that_was_interrupted_goes_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: AnyStore) -> None:
        with monkeypatch.context() as before:
            before.setattr(keep, "words", lambda item: words(item).replace("import", "zzimport"))
            ids = await fill(store)
        whole = await store.read(items_of(store).count)
        looked: list[int] = []

        async def let_pass() -> None:
            looked.append(1)
            if len(looked) == 3:
                raise RuntimeError("the daemon dies")

        monkeypatch.setattr(service_of_items, "_AT_ONCE", 4)
        assert whole > 8
        service = Reindexing(store, items_of(store), OWNER, asks=AsksForSlices(lambda tx: None, let_pass))
        with pytest.raises(RuntimeError):
            await service.renew_words()
        await service.renew_words()
        assert ids["c1.prompt"] in await found(store, "importer")
        assert len(looked) < 3 + whole / 4 + 1, "what was looked at before is not looked at again"

    site.tell(story)


@pytest.mark.requirement("STO-5")
def test_reindexing_whose_job_failed_for_good_is_asked_for_again(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await fill(store)
        asked: list[int] = []

        async def let_pass() -> None: ...

        service = Reindexing(store, items_of(store), OWNER, asks=AsksForSlices(lambda tx: asked.append(1), let_pass))
        for call in (service.begin, service.begin, lambda: service.mend({})):  # no job runs
            await call()
            assert (await service.progress()).phase == "journal"
        assert len(asked) == 3
        await service.run({})
        assert (await service.progress()).phase == "done"
        await service.mend({})
        assert len(asked) == 3

    site.tell(story)
