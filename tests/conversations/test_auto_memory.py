"""The client's own memory is followed as it changes, and never told as an edit (MEM-26). On both stores."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.pauses import Pause, PauseFile, ended
from holdfast.rooms.memory.takeover import auto_memory
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk, context
from tests.support.upkeep import forgetting

FACT = "---\nname: deploy\ndescription: Deploys go out on Fridays only\n---\n\nBecause the warehouse closes. {}\n"
ASK = "When may deploys go out, and what does the warehouse have to do with it?"


class Client:
    """A session of a client that keeps a memory."""

    def __init__(self, talk: Talk, root: Path, slug: str = "-p") -> None:
        self.talk = talk
        self.folder = root / "projects" / slug / "memory"
        self.folder.mkdir(parents=True, exist_ok=True)

    async def tell(self, session: str, event: str, **own: Any) -> str:
        transcript = str(self.folder.parent / f"{session}.jsonl")
        common = {"session_id": session, "cwd": "/p", "transcript_path": transcript, "hook_event_name": event}
        answer = context(await self.talk.tell(common | own, source="command"))
        await self.talk.settle()
        return answer

    async def memories(self) -> list[str]:
        found = await self.talk.items.search(kinds=["memory"], limit=50)
        return sorted(each.title for each in found)


def told(site: Site, root: Path, story: Callable[[Talk, Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with site.open() as store:
            talk = Talk(store, home=root)
            try:
                await story(talk, Client(talk, root))
            finally:
                await talk.service.close()

    asyncio.run(run())


@pytest.mark.requirement("MEM-26")
def test_the_clients_memory_is_followed_as_it_changes(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, client: Client) -> None:
        file = client.folder / "deploy.md"
        file.write_text(FACT.format("One."))
        (client.folder / "MEMORY.md").write_text("- [Deploy](deploy.md) — when\n")
        (client.folder / "link.md").symlink_to("/etc/hostname")
        await client.tell("s1", "SessionStart", source="startup")
        assert await client.memories() == ["Deploys go out on Fridays only"]
        [found] = await talk.items.get([(await talk.items.search(kinds=["memory"]))[0].id])
        assert found.listed.trust == "agent"
        assert "One." in found.words()
        file.write_text(FACT.format("Two."))
        await client.tell("s1", "SessionEnd", reason="other")
        [again] = await talk.items.get([found.id])
        assert "Two." in again.words()
        assert [each.id for each in await talk.items.search("warehouse", kinds=["memory"])] == [found.id]
        before = file.read_bytes()
        await client.tell("s2", "SessionStart", source="startup")
        assert file.read_bytes() == before
        file.unlink()
        await client.tell("s3", "SessionStart", source="startup")
        assert await client.memories() == []

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-26")
def test_it_is_recalled_but_not_repeated_where_the_client_gives_its_index(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, client: Client) -> None:
        (client.folder / "deploy.md").write_text(FACT.format(""))
        await client.tell("s1", "SessionStart", source="startup")
        assert "Fridays" not in await client.tell("s2", "SessionStart", source="startup")
        other = Client(talk, tmp_path, "-p-sub")  # the same project, but another folder to the client
        assert "Fridays" in await other.tell("s3", "SessionStart", source="startup")
        assert "warehouse" in await client.tell("s2", "UserPromptSubmit", prompt=ASK, prompt_id="p1")

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-26")
def test_an_edit_of_it_is_not_told_as_an_edit(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, client: Client) -> None:
        path = client.folder / "deploy.md"
        path.write_text(FACT.format(""))
        for tool, arguments in (
            ("Write", {"file_path": str(path), "content": "x"}),
            ("Edit", {"file_path": str(path), "old_string": "a", "new_string": "b"}),
            ("Read", {"file_path": str(path)}),
        ):
            used = {"tool_name": tool, "tool_input": arguments, "tool_use_id": f"t-{tool}", "tool_response": {}}
            await client.tell("s1", "PostToolUse", **used)
        assert await client.memories() == ["Deploys go out on Fridays only"]
        assert {each.kind for each in await talk.items.search(limit=50)} == {"memory"}
        await Session(talk, "s9").edit("/p/memory/notes.md")
        assert "edit" in {each.kind for each in await talk.items.search(limit=50)}

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-26")
@pytest.mark.requirement("MEM-30")
def test_what_was_forgotten_or_written_in_a_pause_does_not_come(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, client: Client) -> None:
        path = client.folder / "deploy.md"
        path.write_text(FACT.format(""))
        await client.tell("s1", "SessionStart", source="startup")
        [found] = await talk.items.search(kinds=["memory"])
        await forgetting(talk.store, talk.owner, talk.items).forget(ForgetRequest(ids=(found.id,)))
        await client.tell("s2", "SessionStart", source="startup")
        assert await client.memories() == []
        pauses = PauseFile(tmp_path / "pauses.json")
        pauses.add(Pause("session", "s3", now_us()))
        secret = client.folder / "secret.md"
        secret.write_text("The takeover of Tulip Ltd.")
        pauses.change(lambda all_: ended(all_, now_us() + 1_000_000, lambda each: True))
        await client.tell("s4", "SessionStart", source="startup")
        assert await client.memories() == []
        later = now_us() + 2_000_000
        os.utime(secret, ns=(later * 1_000, later * 1_000))
        await client.tell("s5", "SessionStart", source="startup")
        assert await client.memories() == ["The takeover of Tulip Ltd."]

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-26")
@pytest.mark.requirement("SEC-8")
def test_what_a_person_corrected_stays_theirs(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, client: Client) -> None:
        file = client.folder / "deploy.md"
        file.write_text(FACT.format("One."))
        await client.tell("s1", "SessionStart", source="startup")
        [found] = await talk.items.search(kinds=["memory"])
        await talk.items.edit(found.id, text="Because the harbour closes.", by="user")
        for change in (lambda: None, lambda: file.write_text(FACT.format("Two.")), file.unlink):
            change()
            await client.tell("s2", "SessionStart", source="startup")
            [kept] = await talk.items.get([found.id])
            assert "harbour" in kept.words()
            assert kept.listed.trust == "user"

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-26")
def test_a_file_that_cannot_be_read_now_or_is_one_too_many_is_not_a_file_that_is_gone(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(talk: Talk, client: Client) -> None:
        file = client.folder / "deploy.md"
        file.write_text(FACT.format("One."))
        await client.tell("s1", "SessionStart", source="startup")
        whole = ["Deploys go out on Fridays only"]

        def fails(*_: object) -> object:
            raise PermissionError(13, "Permission denied")

        for name in ("listdir", "open"):
            with monkeypatch.context() as now:
                now.setattr(auto_memory, "os", Without(name, fails))
                await client.tell("s2", "SessionStart", source="startup")
            assert await client.memories() == whole
        for number in range(2):
            (client.folder / f"a{number}.md").write_text(f"Fact {number}.")
        monkeypatch.setattr(auto_memory, "_MOST_FILES", 2)
        await client.tell("s3", "SessionStart", source="startup")
        assert await client.memories() == sorted([*whole, "Fact 0.", "Fact 1."])

    told(site, tmp_path, story)


class Without:
    """The module `os`, with one function that fails."""

    def __init__(self, name: str, fails: Callable[..., object]) -> None:
        self._name, self._fails = name, fails

    def __getattr__(self, name: str) -> Any:
        return self._fails if name == self._name else getattr(os, name)
