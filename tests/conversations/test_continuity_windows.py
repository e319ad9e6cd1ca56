"""A compaction while the window before it is still being followed, and before the client has written its transcript."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from holdfast.rooms.continuity import checkpointing
from holdfast.rooms.continuity.model import FileState, StoryFact
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.test_continuity import saved, worked
from tests.support.patience import PATIENCE

SUMMARY = "<summary>Uploads were worked on.</summary>"


@pytest.mark.requirement("CON-5")
def test_a_checkpoint_that_is_still_being_made_belongs_to_the_window_that_it_is_about(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    look = checkpointing.file_states

    def slow_at_first(files: Iterable[StoryFact], folder: str) -> list[FileState]:
        if not begun.is_set():
            begun.set()
            assert go_on.wait(PATIENCE)
        return look(files, folder)

    monkeypatch.setattr(checkpointing, "file_states", slow_at_first)

    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        work.say("Going on.", 720_000)
        following = asyncio.create_task(work.run("echo one"))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        await work.compact(SUMMARY)
        go_on.set()
        await following
        first = await saved(talk)
        assert [each.reason for each in first].count("threshold") == 1
        assert len({each.window_id for each in first}) == 1, "all of them are of the window that is gone"
        work.say("Nearly there.", 730_000)
        await work.run("echo three")
        last = (await saved(talk))[0]
        assert last.reason == "threshold", "the next window has its own"
        assert last.window_id != first[0].window_id

    converse(site, story)


@pytest.mark.requirement("CON-4")
@pytest.mark.requirement("CON-5")
def test_what_is_read_late_of_the_window_before_fills_no_new_one(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        work.say("Going on.", 720_000)
        await work.run("echo one")
        await work.tell("PreCompact", trigger="auto", custom_instructions=None)
        await work.start("compact")
        before = await saved(talk)
        work.write("user", message={"content": "<local-command-stdout></local-command-stdout>"})
        await work.tell("Stop", last_assistant_message="Done.")
        work.say("It was said before the compaction.", 730_000)
        await work.run("echo two")
        assert await saved(talk) == before, "the new window is nearly empty"
        work.write("system", subtype="compact_boundary", compactMetadata={"postTokens": 3_000})
        work.say("Nearly there.", 730_000)
        await work.run("echo three")
        assert [each.reason for each in await saved(talk)] == ["threshold", *[each.reason for each in before]]

    converse(site, story)
