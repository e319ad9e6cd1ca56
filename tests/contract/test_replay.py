"""What the journal tells is made of it, whenever it was written: upgrade from the first tables, on both databases."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from holdfast.items.indexed import Page
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.reindex import Reindexing, ReindexProgress
from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.support.early_store import early_store, journal
from tests.support.sessions import VERSIONS
from tests.support.sessions import Session as Recorded
from tests.support.upkeep import forgetting

Line = tuple[str, str, str, str, str]


def told(version: str, root: Path) -> list[tuple[int, dict[str, Any]]]:
    """What the real client's hooks told in a whole session, all in one project."""
    return [(hook.at, hook.payload | {"cwd": "/p"}) for hook in Recorded(version, root).hooks]


async def lines(talk: Talk) -> list[Line]:
    """All items that are made from single entries, as people see them.

    A checkpoint is not: it holds how a conversation stood at its moment, and is not made again afterwards.
    """
    found = await talk.store.read(
        lambda reader: talk.items.catalogue.page(reader, Page(limit=10_000, oldest_first=True), talk.owner)
    )
    return [
        (each.family, each.kind, each.title, each.outcome, each.trust) for each in found if each.family != "checkpoint"
    ]


async def reindexed(talk: Talk, *, at_start: bool = False) -> ReindexProgress:
    """`holdfast reindex` in miniature; or what the daemon does by itself at its first start."""
    service = talk.services.get(Reindexing)
    await (service.mend({}) if at_start else service.begin())
    await talk.composed.slow_jobs.run_due()
    await talk.settle()
    return await service.progress()


async def captured_live(site: Site, story: list[tuple[int, dict[str, Any]]]) -> list[Line]:
    """What the same events come to when they are told to the daemon of today."""
    async with site.open() as store:
        talk = Talk(store)
        for at, payload in story:
            await talk.tell(payload, source="transcript", happened_at=at)
        await talk.settle()
        return await lines(talk)


@pytest.mark.requirement("STO-5")
@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_of_the_first_tables_is_made_whole_from_its_journal_once(
    site: Site, version: str, tmp_path: Path
) -> None:
    story = told(version, tmp_path)

    async def tell() -> None:
        async with early_store(site) as store:
            entries = await journal(store, story)
        async with site.open() as store:
            talk = Talk(store)
            assert await lines(talk) == []
            first = await reindexed(talk, at_start=True)
            made = await lines(talk)
            assert (first.phase, first.read) == ("done", entries)
            assert first.made > 0
            again = await reindexed(talk)
            assert (again.phase, again.made, await lines(talk)) == ("done", 0, made)
            assert again.items > 0
        beside = Site("sqlite", f"sqlite:///{tmp_path}/beside.db", tmp_path / "backups")
        live = await captured_live(beside, story)
        assert sorted(made) == sorted(live)
        assert {family for family, *_ in made} >= {"prompt", "observation", "summary"}

    asyncio.run(tell())


@pytest.mark.requirement("STO-5")
def test_what_is_there_is_kept_and_what_was_forgotten_stays_away(site: Site, tmp_path: Path) -> None:
    story = told(VERSIONS[0], tmp_path)

    async def tell() -> None:
        async with early_store(site) as store:
            await journal(store, story)
        async with site.open() as store:
            talk = Talk(store)
            await reindexed(talk)
            prompts = await talk.items.search(kinds=("prompt",))
            edits = await talk.items.search(kinds=("edit",))
            await talk.items.edit(prompts[0].id, text="What I meant was the lighthouse.")
            await forgetting(store, talk.owner, talk.items).forget(ForgetRequest(ids=(edits[0].id,)))
            memory, _ = await talk.memory.remember("The lighthouse is automatic.")
            # An item whose entry has aged out.
            await store.write(lambda tx: tx.run("upkeep.drop_entry", id=prompts[-1].id))
            before = await lines(talk)
            done = await reindexed(talk)
            assert (done.made, await lines(talk)) == (0, before)
            assert edits[0].id not in {each.id for each in await talk.items.search()}
            assert memory.id in {each.id for each in await talk.items.search("lighthouse")}
            assert "lighthouse" in (await talk.items.get([prompts[0].id]))[0].words()

    asyncio.run(tell())


@pytest.mark.requirement("STO-5")
def test_a_new_store_is_not_read_again_while_its_first_prompts_come(site: Site) -> None:
    """The index would be empty for a moment, and a prompt at that moment be given nothing."""

    async def tell() -> None:
        async with site.open() as store:
            talk = Talk(store)
            service = talk.services.get(Reindexing)
            await store.write(service.spare_new_store)
            assert await service.is_settled()
            await talk.memory.remember("The lighthouse keeps the cookie.")
            await service.mend({})
            assert (await service.progress()).phase == "done"
            assert not await talk.composed.slow_jobs.waiting(), "no slice was asked for"

    asyncio.run(tell())


@pytest.mark.requirement("STO-5")
def test_nothing_of_the_journal_ages_before_it_was_read(site: Site, tmp_path: Path) -> None:
    async def tell() -> None:
        async with early_store(site) as store:
            await journal(store, told(VERSIONS[0], tmp_path))
        async with site.open() as store:
            service = Talk(store).services.get(Reindexing)
            await store.write(service.spare_new_store)  # it has a past
            assert not await service.is_settled()
            await service.mend({})
            assert not await service.is_settled()
            await service.run({})
            assert await service.is_settled()

    asyncio.run(tell())


@pytest.mark.requirement("STO-5")
def test_entries_that_were_not_meant_to_be_captured_stay_uncaptured(site: Site) -> None:
    """Our own calls, bodies that could not be read, a private prompt, a notice, a tool use that has grown light."""
    at = 1_790_000_000_000_000
    common: dict[str, Any] = {"session_id": "c", "cwd": "/p", "prompt_id": "one"}
    prompt = common | {"hook_event_name": "UserPromptSubmit"}
    use = common | {"hook_event_name": "PostToolUse", "tool_use_id": "toolu_1"}
    uses = [
        use | {"tool_name": "mcp__holdfast__search"},
        use | {"tool_name": "Bash", "tool_use_id": "toolu_2"},
        use | {"tool_name": "Bash", "tool_use_id": "toolu_3", "tool_input": {"command": "holdfast status"}},
        {"holdfast_light": 1, "tool_name": "Bash", "tool_use_id": "toolu_4", "tool_input": {"command": "pytest"}} | use,
    ]
    prompts = [
        prompt | {"prompt": "", "prompt_id": "two"},
        prompt | {"prompt": "<task-notification>done</task-notification>", "prompt_id": "three"},
        prompt | {"holdfast_fault": "The body is not valid JSON.", "prompt": "half", "prompt_id": "four"},
    ]
    story = [(at + number, payload) for number, payload in enumerate([*uses, *prompts])]

    async def tell() -> None:
        async with early_store(site) as store:
            await journal(store, story)
        async with site.open() as store:
            talk = Talk(store)
            done = await reindexed(talk)
            assert (done.read, done.made, await lines(talk)) == (len(story), 0, [])

    asyncio.run(tell())


@pytest.mark.requirement("STO-5")
def test_a_step_that_breaks_costs_only_its_entry(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfast.rooms.memory import tables

    story = told(VERSIONS[0], tmp_path)
    keep = tables.keep_prompt
    broken: list[str] = []

    def breaks_once(tx: Any, prompt: Any, owner: str) -> Any:
        if not broken or prompt.id in broken:
            broken.append(prompt.id)
            raise RuntimeError("made up")
        return keep(tx, prompt, owner)

    async def tell() -> None:
        async with early_store(site) as store:
            await journal(store, story)
        async with site.open() as store:
            talk = Talk(store)
            monkeypatch.setattr(tables, "keep_prompt", breaks_once)
            done = await reindexed(talk)
            monkeypatch.undo()
            less = await lines(talk)
            assert (done.phase, len(set(broken))) == ("done", 1)
            assert (await reindexed(talk)).made >= 1
            assert len(await lines(talk)) > len(less)

    asyncio.run(tell())
