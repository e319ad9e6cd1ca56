"""Bad input: a clear sentence, nothing lost, and the session goes on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.errors import UsageError
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.rooms.continuity import tools
from holdfast.rooms.continuity.compacting.answering import Compacting, CompactionAsked
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.settings import Settings
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.test_continuity import ASKED, Written, saved, worked

PERCENTS: tuple[tuple[Any, str], ...] = (
    (0, "not 0."),
    (101, "not 101."),
    ("seventy", "not seventy."),
    ("70.5", "not 70.5."),
    (float("nan"), "not nan."),
    (True, "not True."),
    (None, "not None."),
    ([70], "not [70]."),
)


@pytest.mark.requirement("CON-3")
@pytest.mark.requirement("CON-4")
@pytest.mark.requirement("CON-5")
def test_each_bad_input_gets_a_clear_sentence_and_loses_nothing(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "before"
    folder.mkdir()

    async def percents(talk: Talk) -> None:
        for percent, shown in PERCENTS:
            with pytest.raises(UsageError) as raised:
                await tools.context_threshold(tools.Threshold(percent, str(folder), "s1"), talk.caller(is_agent=True))
            told = f"percent must be a whole number from 1 to 100, {shown} Nothing was saved."
            assert str(raised.value) == told
        assert await saved(talk) == []

    async def cut_transcript(talk: Talk, work: Written) -> None:
        whole = work.path.read_text()
        line = whole.splitlines()[-1].replace("300000", "720000").replace("299999", "719999")
        work.path.write_text(f"{whole}{line[:60]}")
        await work.run("echo cut")
        live = talk.services.get(Continuity).conversations.known(ConversationId("s1"))
        assert live is not None
        assert live.measured is not None
        assert live.measured.tokens == 300_000, "the last whole line counts"
        work.path.write_text(f"{whole}{line}\n")
        await work.run("echo whole")
        assert live.measured.tokens == 720_000, "nothing of the line is lost"
        assert [each.threshold for each in await saved(talk)] == [70]

    async def no_prompt(talk: Talk) -> None:
        silent = Written(talk, folder, "silent")
        await silent.session.start()
        line = await tools.save_checkpoint(tools.SaveCheckpoint("", str(folder), "silent"), talk.caller())
        assert line.title.startswith("Nothing was asked yet in ")
        asked, given = await silent.compact("<summary>Nothing happened.</summary>")
        assert (asked, given) == ("{}", ""), "there is nothing to keep and nothing to give back"
        service = talk.services.get(Continuity)
        service.settings = Settings(compaction="holdfast")
        mod = msgspec.convert({"session_id": "silent", "trigger": "manual"}, CompactionAsked)
        told = await Compacting(service.ground, service).answer(mod, talk.services.get(ProgressBoard))
        assert told == {"answer": "client", "why": "the window does not match the journal"}

    async def moved(talk: Talk) -> None:
        (checkpoint,) = [each for each in await saved(talk) if each.conversation == "s1"]
        after = tmp_path / "after"
        shutil.move(folder, after)
        there = talk.caller(folder=str(after))
        told = await tools.resume_checkpoint(tools.ResumeCheckpoint(checkpoint.id), there)
        assert told["moved"] == (
            f"The project stood in {folder} then, and that folder is gone. "
            f"Its files are compared with those in {after}. The checkpoint itself is whole."
        )
        assert (told["changed_since"], ASKED in told["text"]) == ([], True)
        nowhere = await tools.resume_checkpoint(tools.ResumeCheckpoint(checkpoint.id), talk.caller(folder=""))
        assert "Its files cannot be compared." in nowhere["moved"]
        assert nowhere["changed_since"] == []

    async def story(talk: Talk) -> None:
        work = await worked(talk, folder)
        await percents(talk)
        await cut_transcript(talk, work)
        await no_prompt(talk)
        await moved(talk)

    converse(site, story)
