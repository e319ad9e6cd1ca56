"""Days pass by the clock that the composition is handed: jobs fall due, rows age, and forgetting is dated by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.config import Config, Loaded
from holdfast.daemon import upkeep_services
from holdfast.daemon.compose import Parts, assemble
from holdfast.paths import Home
from holdfast.scrub import default_scrubber
from holdfast.times import DAY_US
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.reindex import Reindexing
from tests.contract.kept import OWNER, START, fill
from tests.contract.site import AnyStore, Site


@pytest.mark.requirement("HSE-5")
def test_retention_falls_due_and_what_is_forgotten_is_dated_by_the_clock(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        at = [START + DAY_US]
        parts = Parts(owner=OWNER, now=lambda: at[0], follows=False, patience=None)
        made = assemble(Home(tmp_path), Loaded(Config()), default_scrubber(), store, parts)
        await fill(store)
        await store.write(lambda tx: upkeep_services.begin(made.slow_jobs, made.services.get(Reindexing), tx))
        await made.slow_jobs.run_due()
        rows = (await store.size()).rows
        assert rows["observation"] > 0
        assert await made.slow_jobs.run_due() == 0

        at[0] += 400 * DAY_US
        assert await made.slow_jobs.run_due() == 1
        aged = (await store.size()).rows
        assert (aged.get("observation", 0), aged["memory"]) == (0, rows["memory"])
        at[0] += DAY_US - 1
        assert await made.slow_jobs.run_due() == 0
        at[0] += 1
        assert await made.slow_jobs.run_due() == 1

        await made.services.get(Forgetting).forget(ForgetRequest(text="retr"))
        await made.services.get(Forgetting).forget(ForgetRequest(session="c1"))
        marks = await store.read(lambda reader: reader.all("upkeep.marks"))
        assert {row["forgotten_at"] for row in marks} == {at[0]}

    site.tell(story)
