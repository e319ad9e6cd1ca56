"""Recording is paused: nothing is written, whatever the way, and guards stay on (MEM-30). On both stores."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.pauses import Pause, PauseFile, ended
from holdfast.store.interface import Reader
from tests.contract.site import Site
from tests.conversations.session import Session, fixed_a_loop
from tests.conversations.talk import Talk, denied
from tests.support.daemon import DaemonHome

SECRET_WORK = "The takeover of Tulip Ltd is planned for May."


async def written(talk: Talk) -> str:
    """All rows of all tables, as text."""
    tables = [*talk.store.catalog.tables]

    def read(reader: Reader) -> str:
        found = reader.all("journal.list", conversation="", event="", since=0, owner="me", limit=500)
        return "\n".join(json.dumps(row, default=str) for row in found)

    rows = (await talk.store.size()).rows
    assert set(rows) & set(tables)
    return await talk.store.read(read) + json.dumps(dict(sorted(rows.items())))


def told(site: Site, home: Path, story: Callable[[Talk, PauseFile], Awaitable[None]]) -> None:
    async def run() -> None:
        async with site.open() as store:
            talk = Talk(store, home=home)
            try:
                await story(talk, PauseFile(home / "pauses.json"))
            finally:
                await talk.service.close()

    asyncio.run(run())


async def secret_session(session: Session) -> list[str]:
    given = [await session.start(), await session.ask(SECRET_WORK)]
    given.append(await session.edit(f"{session.cwd}/takeover.md", line=SECRET_WORK))
    await session.bash("pytest -q", f"1 passed {SECRET_WORK}")
    await session.stop(SECRET_WORK)
    await session.end()
    return given


@pytest.mark.requirement("MEM-30")
@pytest.mark.parametrize("scope", ["all", "project", "session"])
def test_nothing_of_a_paused_session_is_written_or_given(site: Site, tmp_path: Path, scope: str) -> None:
    async def story(talk: Talk, pauses: PauseFile) -> None:
        await fixed_a_loop(talk)
        before = await written(talk)
        pauses.add({"all": Pause("all"), "project": Pause("project", "/p"), "session": Pause("session", "s2")}[scope])
        given = await secret_session(Session(talk, "s2"))
        assert not any(given)
        after = await written(talk)
        marks = ("tombstone",) if scope == "session" else ()  # hashes of ids, because a fork repeats a session's lines
        assert _without(after, marks) == _without(before, marks)
        assert talk.meter.counts()["UserPromptSubmit"]["paused"] == 1
        if scope != "all":
            await secret_session(Session(talk, "s3", "/other"))
            assert SECRET_WORK in await written(talk)

    told(site, tmp_path, story)


def _without(text: str, tables: tuple[str, ...]) -> str:
    head, _, counts = text.rpartition("{")
    numbers = {name: count for name, count in json.loads("{" + counts).items() if name not in tables}
    return head + json.dumps(numbers)


@pytest.mark.requirement("MEM-30")
def test_guards_stay_on_and_the_user_is_told(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, pauses: PauseFile) -> None:
        pauses.add(Pause("project", "/p"))
        common = {"session_id": "s2", "cwd": "/p", "transcript_path": "/t/s2.jsonl"}
        start = {"hook_event_name": "SessionStart", "source": "startup"}
        said = (await talk.tell(common | start, source="command"))["systemMessage"]
        assert said == "holdfast: recording paused in this project, guards on"
        command = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}
        answer = await talk.tell(common | {"hook_event_name": "PreToolUse", "tool_use_id": "t9"} | command)
        assert denied(answer) or answer["hookSpecificOutput"]["permissionDecision"] == "ask"

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-30")
@pytest.mark.parametrize("source", ["spool", "transcript", "import"])
def test_what_happened_in_a_pause_is_not_taken_when_it_is_over(site: Site, tmp_path: Path, source: Any) -> None:
    async def story(talk: Talk, pauses: PauseFile) -> None:
        session = Session(talk, "s2")
        await session.start()
        begin = now_us()
        pauses.add(Pause("session", "s2", begin))
        await session.ask(SECRET_WORK)
        pauses.change(lambda all_: ended(all_, now_us(), lambda each: True))
        at = begin + 1
        common = {"session_id": "s2", "cwd": "/p", "transcript_path": "/t/s2.jsonl"}
        late = {"hook_event_name": "Stop", "last_assistant_message": SECRET_WORK, "prompt_id": "p-late"}
        await talk.tell(common | late, source=source, happened_at=at)
        # A fork repeats the lines of its parent under its own id.
        fork = {"hook_event_name": "UserPromptSubmit", "prompt": SECRET_WORK, "prompt_id": session.prompt_id}
        await talk.tell(common | fork | {"session_id": "fork"}, source=source, happened_at=at)
        await session.ask("And now something else.")
        text = await written(talk)
        assert SECRET_WORK not in text
        assert "something else" in text

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-30")
def test_a_project_may_say_that_nothing_is_captured(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk, pauses: PauseFile) -> None:
        project = tmp_path / "quiet"
        project.mkdir()
        (project / ".holdfast.toml").write_text("capture = false\n")
        await secret_session(Session(talk, "s2", str(project)))
        assert SECRET_WORK not in await written(talk)
        (project / ".holdfast.toml").unlink()
        await Session(talk, "s2", str(project)).ask("And now something else.")
        common = {"session_id": "s2", "cwd": str(project), "transcript_path": "/t/s2.jsonl"}
        late = {"hook_event_name": "Stop", "last_assistant_message": SECRET_WORK, "prompt_id": "p-late"}
        since = pauses.read()[0].since
        await talk.tell(common | late, source="transcript", happened_at=since)
        text = await written(talk)
        assert SECRET_WORK not in text
        assert "something else" in text

    told(site, tmp_path, story)


@pytest.mark.requirement("MEM-30")
def test_an_agent_keeps_nothing_in_a_pause_and_a_person_may(daemon: DaemonHome) -> None:
    PauseFile(daemon.home.pauses).add(Pause("session", "s-1"))
    body = json.dumps({"text": SECRET_WORK}).encode()
    agent = {"X-Holdfast-Agent": "1", "X-Holdfast-Session": "s-1"}
    status, answer = daemon.request("POST", "/api/tools/remember", body, agent)
    assert status == 400
    assert "paused" in answer["error"]
    assert daemon.request("POST", "/api/tools/remember", body, agent | {"X-Holdfast-Session": "s-2"})[0] == 200
    assert daemon.request("POST", "/api/tools/remember", body)[0] == 200
