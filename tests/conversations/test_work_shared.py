"""Two daemons on one store: what one of them does to an effort, the other one sees without a restart."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from holdfast.rooms.work import service
from holdfast.sender import Sender
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.worker import Worker, skill


@pytest.mark.requirement("WRK-3")
def test_a_second_daemon_sees_efforts_as_they_are(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(tmp_path)
    monkeypatch.setattr(service, "_LOOK_SECONDS", 0.0)

    async def story(here: Talk) -> None:
        there = Talk(here.store)
        for talk, name in ((here, "here"), (there, "there")):
            work = talk.services.get(service.WorkService)
            assert work.is_shared == (talk.store.kind == "postgresql")
            work.is_shared, work.live.home = True, name
        gone = Sender(pid=99_999_999)  # more than any system gives: a process of another machine
        first = Worker(here, "s1", str(tmp_path), sender=gone)
        other = Worker(there, "s2", str(tmp_path), sender=Sender(pid=os.getpid()))
        await other.start()
        assert await other.prompt("anything?") == ""
        await first.start()
        await first.slash("build", "the parser")
        assert "build" not in await other.prompt("and now?"), "it is held on another machine"
        [listed] = await other.tool("effort_list", project_id="all")
        assert listed["phase"] == "Setup"
        await first.tool("effort_phase", phase="Plan")
        await first.tool("effort_dehydrate", text="half done")
        await first.end()
        taken = Worker(there, "s3", str(tmp_path))
        given = await taken.start()
        assert "Effort build #1 goes on" in given
        assert "half done" in given
        assert "Phase: Plan." in given
        await taken.before()
        assert taken.heartbeat == 1
        await taken.tool("effort_finish", text="done there")
        assert await first.prompt("still there?") == "", "finished elsewhere"
        assert first.work.live.efforts == {}
        # What is started while the store is read is not lost by that.
        await other.tool("effort_start", skill="build")
        assert "Effort build #2 goes on" not in await first.start("clear")
        assert list(first.work.live.efforts) == list(other.work.live.efforts)

    converse(site, story)


@pytest.mark.requirement("WRK-3")
def test_efforts_that_two_daemons_start_at_once_have_their_own_ordinals(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(first: Talk) -> None:
        await Worker(first, "s1", str(tmp_path)).start()
        async with site.open() as store:
            daemons = [first, Talk(store if site.kind == "postgresql" else first.store)]
            workers = [Worker(talk, f"w{n}-{m}", str(tmp_path)) for n, talk in enumerate(daemons) for m in range(6)]
            await asyncio.gather(*(each.tool("effort_start", is_agent=False, skill="build") for each in workers))
        listed = await workers[0].tool("effort_list", project_id="all")
        assert sorted(each["ordinal"] for each in listed) == list(range(1, 13))

    converse(site, story)
