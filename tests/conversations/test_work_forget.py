"""Forgetting in the middle of an effort: what was named goes, and the effort with its log stays whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.rooms.work import schema
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import Site, add_query
from tests.conversations.talk import Talk, converse
from tests.conversations.worker import Worker, skill
from tests.support.upkeep import forgetting


async def kept(talk: Talk) -> dict[str, list[dict[str, Any]]]:
    """Every row of this room, by table."""
    found = {}
    for table in schema.TABLES:
        add_query(f"test.all_{table.name}", f"SELECT * FROM {table.name}")
        found[table.name] = await talk.store.read(lambda reader, name=table.name: reader.all(f"test.all_{name}"))  # type: ignore[misc]
    return found


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("WRK-3")
def test_a_forgotten_file_or_word_leaves_the_effort_and_its_log(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        service = forgetting(talk.store, talk.owner, talk.items)
        secret, other, late = (str(tmp_path / name) for name in ("zanzibar.py", "other.py", "late.py"))

        await agent.start()
        await agent.slash("build", "the parser")
        for path in (secret, other):
            await agent.after("Read", file_path=path)
        await agent.tool("effort_log", text="read both")
        request = ForgetRequest(file=(secret,))
        assert (await service.preview(request)).counts["efforts_mended"] == 1
        receipt = await service.forget(request)
        assert receipt.counts["efforts_mended"] == 1, "the receipt tells of it"
        agent.work.forget()  # as the daemon does
        await agent.before()
        await agent.after("Read", file_path=late)
        shown = await agent.tool("effort_show")
        assert shown["loaded_files"] == [other, late]
        assert [each["kind"] for each in shown["entries"]] == ["log", "phase"]
        assert "zanzibar" not in json.dumps(await kept(talk)), "nor in what its windows have read"
        # A word of the skill: the phases stay, and so does the log.
        receipt = await service.forget(ForgetRequest(text="ask before you decide"))
        assert receipt.counts["efforts_mended"] == 1
        agent.work.forget()
        await agent.before()
        shown = await agent.tool("effort_show")
        assert (shown["phase"], shown["phases"][:2], len(shown["entries"])) == ("Setup", ["Setup", "Plan"], 2)
        assert "Ask before" not in json.dumps(await kept(talk))
        # Names of the configuration's own fields and its fixed words are nobody's words.
        for text in ("phases", "heartbeat", "block"):
            request = ForgetRequest(text=text)
            preview = await service.preview(request)
            receipt = await service.forget(request)
            assert "efforts_mended" not in preview.counts | receipt.counts, text
        agent.work.forget()
        await agent.before()
        shown = await agent.tool("effort_show")
        assert (shown["phases"][:2], shown["heartbeat_mode"]) == (["Setup", "Plan"], "block")

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_what_is_forgotten_by_time_leaves_no_entry_without_its_effort(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        service = forgetting(talk.store, talk.owner, talk.items)
        await agent.start()
        await agent.slash("build", "the parser")
        begun = now_us()
        await agent.tool("effort_log", text="what came later")
        await service.forget(ForgetRequest(before=begun))
        agent.work.forget()
        shown = (await agent.tool("effort_list", project_id="all"))[0]
        found = await agent.tool("effort_show", id=shown["id"])
        assert [each["text"] for each in found["entries"]] == ["what came later"], (
            "an effort is as old as its last word"
        )
        logged = now_us()
        await agent.start("compact")
        preview = (await service.preview(ForgetRequest(before=logged))).counts
        receipt = await service.forget(ForgetRequest(before=logged))
        assert (receipt.counts["efforts"], receipt.counts["effort_entries"]) == (1, 1)
        assert (preview["efforts"], preview["effort_entries"]) == (1, 1), "the preview counts as the receipt does"
        left = {name: len(rows) for name, rows in (await kept(talk)).items() if rows}
        assert left == {"work_task": 1}, "nor a window that began since"

    converse(site, story)
