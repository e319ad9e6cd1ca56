"""How far forgetting reaches, on both databases: into every copy of ours, and into nothing of other people."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from holdfast.daemon.logs import forget_lines
from holdfast.ids import ItemId, new_id
from holdfast.items import tables as injections
from holdfast.items.model import Superseded
from holdfast.paths import Home
from holdfast.program import CATALOG
from holdfast.store import sqlite_url
from holdfast.store.interface import Store, Tx
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.sweep import sweep
from tests.contract.kept import OWNER, START, fill, fill_more, forgetting
from tests.contract.site import AnyStore, Site, add_query
from tests.support.upkeep import forgetting as forgetting_of

PLACES = {
    "reading.text": "five attempts",
    "model_summary.by_model": "worn gasket",
    "prompt.text": "importer of C1 fail",
    "observation.excerpt": "- old\n+ new",
    "summary.learned": "stale lock",
    "memory.tags": '["lock"]',
    "supersession.reason": "newer",
    "cited_page.url": "docs.example/faq",
}
"""Where a text stands in a filled store, and what is asked for. (Its journal is empty.)"""


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("SEC-1")
@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES.keys())
def test_a_copy_that_holds_the_text_anywhere_is_removed(site: Site, tmp_path: Path, text: str) -> None:
    home = Home(tmp_path / "home")
    home.backups.mkdir(parents=True)
    ending = "db" if site.kind == "sqlite" else "jsonl"

    async def story(store: AnyStore) -> None:
        service = forgetting_of(store, OWNER, sweep=partial(sweep, home, store, CATALOG.tables, forget_lines))
        await store.backup(home.backups / f"empty.{ending}")
        await fill_more(store, await fill(store))
        await store.backup(home.backups / f"full.{ending}")
        swept = (await service.forget(ForgetRequest(text=text))).swept
        assert swept.backups == (f"full.{ending}",)
        assert {path.name for path in home.backups.iterdir()} == {f"empty.{ending}", swept.made}

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_what_others_keep_in_the_same_database_stays(site: Site) -> None:
    """Two people, one database: reasons, words of a model, shown files and file histories are each one's own."""
    names = ("supersession", "model_summary", "injection", "touched_file", "observation")
    add_query("test.left", "SELECT " + ", ".join(f"(SELECT COUNT(*) FROM {name}) AS {name}" for name in names))
    add_query("test.reasons", "SELECT reason FROM supersession")
    add_query("test.job_error", "UPDATE job SET error = :error WHERE id = :id")
    add_query("test.job_errors", "SELECT error FROM job WHERE error IS NOT NULL ORDER BY error")

    async def story(store: AnyStore) -> None:
        ours, theirs = await fill(store), await fill(store, ("d1", "d2"), owner="you")
        quoted: dict[str, Any] = {
            "facts": "f",
            "by_model": '{"done": "a brass gasket"}',
            "by_rules": "{}",
            "written_at": START,
        }

        def write(tx: Tx) -> None:
            for ids, conversation, owner in ((ours, "c1", OWNER), (theirs, "d1", "you")):
                for name in ("prompt", "test", "turn", "memory"):
                    item = ids[f"{conversation}.{name}"]
                    injections.supersede(
                        tx, Superseded(ItemId(item), ItemId(""), "it named the Brass Gasket", "user", START), owner
                    )
                tx.run(
                    "memory.model_summary_put",
                    subject=f"turn:{ids[f'{conversation}.prompt']}",
                    owner=owner,
                    **quoted,
                )
                given: dict[str, Any] = {"item_id": ids[f"{conversation}.old"], "entry_id": new_id(), "parts": None}
                given |= {
                    "place": "file",
                    "about": "src/importer.py",
                    "conversation": conversation,
                    "agent_id": "",
                    "score": 1.0,
                    "said": "",
                }
                tx.run("items.inject", tokens=1, happened_at=START, **given)
            for error in ("it broke on a brass Gasket", "it broke"):
                job = {"id": new_id(), "kind": "k", "subject": error, "arguments": "{}", "home": "h"}
                tx.run("job.add", due_at=START, created_at=START, **job)
                tx.run("test.job_error", id=job["id"], error=error)

        await store.write(write)
        before = await left(store)
        await forgetting(store).forget(ForgetRequest(text="brass gasket"))
        after = await left(store)
        assert before["supersession"] == after["supersession"]  # that it holds no longer stays; why it does not goes
        reasons = [str(row["reason"]) for row in await store.read(lambda reader: reader.all("test.reasons"))]
        assert (reasons.count("forgotten"), reasons.count("it named the Brass Gasket")) == (4, 4)
        assert before["model_summary"] - after["model_summary"] == 1
        assert await store.read(lambda reader: reader.all("test.job_errors")) == [
            {"error": "forgotten"},
            {"error": "it broke"},
        ]
        await forgetting(store).forget(ForgetRequest(file=("src/importer.py",)))
        last = await left(store)
        assert {name: after[name] - last[name] for name in ("injection", "observation")} == {
            "injection": 1,
            "observation": 2,
        }
        assert after["touched_file"] - last["touched_file"] == 2

    site.tell(story)


async def left(store: Store) -> dict[str, Any]:
    found = await store.read(lambda reader: reader.one("test.left"))
    assert found
    return found


@pytest.mark.requirement("MEM-8")
def test_a_files_history_is_looked_up_by_its_project(tmp_path: Path) -> None:
    """Twenty thousand edits of another project's src/index.ts are not walked through at every Read of this one's."""
    site = Site("sqlite", sqlite_url(tmp_path / "holdfast.db"), tmp_path / "backups")
    asked: dict[str, Any] = {
        "path": "a.ts",
        "project_id": "p",
        "conversation": "c",
        "agent_id": "",
        "lost_at": 0,
        "limit": 30,
    }
    add_query("test.plan", "EXPLAIN QUERY PLAN " + CATALOG.queries("sqlite")["memory.file_summaries"].text)

    async def story(store: AnyStore) -> None:
        plan = await store.read(lambda reader: reader.all("test.plan", **asked))
        told = [str(row["detail"]) for row in plan if "touched_file" in str(row["detail"])]
        assert told == ["SEARCH touched_file USING PRIMARY KEY (project_id=? AND path=?)"]

    site.tell(story)
