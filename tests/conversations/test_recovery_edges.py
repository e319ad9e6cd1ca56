"""Recovery under odd circumstances: when it is asked for, files that shrink or are none, a store that fails."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import StoreFull
from holdfast.events.steps import OnEvent
from holdfast.ids import now_us
from holdfast.road import recovery
from tests.contract.site import Site, add_query
from tests.support.roads import OWNER, House, Refusing, house, run
from tests.support.sessions import Session, story
from tests.support.transcripts import final, line, result, use

add_query(
    "test.waiting_jobs", "SELECT kind, subject, due_at, created_at FROM job WHERE state = 'waiting' ORDER BY subject"
)
RECOVERS = {name: OnEvent(recovers=True) for name in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")}


def start(path: Path) -> dict[str, Any]:
    return {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/w", "transcript_path": str(path)}


async def begun(here: House, path: Path) -> None:
    """A conversation that was heard of, long before its lines."""
    await here.go(start(path), happened_at=1)


async def told(here: House) -> list[str]:
    names = ("prompt", "last_assistant_message", "tool_use_id")
    entries = [entry for entry in await here.journal() if entry["event"] != "SessionStart"]
    return [f"{e['event']} {next(e['payload'][n] for n in names if n in e['payload'])}" for e in entries]


async def jobs(here: House) -> list[tuple[str, float]]:
    rows = await here.store.read(lambda view: view.all("test.waiting_jobs"))
    return [(str(row["subject"]), (int(row["due_at"] or 0) - int(row["created_at"] or 0)) / 1e6) for row in rows]


@pytest.mark.requirement("EVT-8")
def test_it_is_asked_for_in_the_events_own_transaction_once_and_a_little_later(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        async with house(site, RECOVERS) as here:
            path = tmp_path / "s.jsonl"
            path.write_bytes(line("user", "missed") + final("also missed"))
            await begun(here, path)
            stop = start(path) | {"hook_event_name": "Stop", "prompt_id": "other"}
            await here.go(stop, happened_at=2)
            await here.go(stop, happened_at=2)
            await here.go(start(path) | {"hook_event_name": "Notification"}, happened_at=3)
            await here.go(start(path) | {"hook_event_name": "Stop", "transcript_path": "", "prompt_id": "x"})
            assert await jobs(here) == [(str(path), 1.0)]
            await here.recovery.run({"path": str(path)})
            assert await jobs(here) == [(str(path), 1.0)], "what is recovered asks for nothing"

    run(tale())


@pytest.mark.requirement("EVT-8")
def test_when_the_daemon_starts_it_is_asked_for_all_open_sessions(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        async with house(site) as here:
            now = now_us()
            for session, at, event in (("a", now, "Stop"), ("b", now, "SessionEnd"), ("c", 5, "Stop")):
                payload = start(tmp_path / f"{session}.jsonl") | {"session_id": session, "hook_event_name": event}
                await here.go(payload, happened_at=at)
            agent = {"agent_id": "x", "agent_type": "t", "transcript_path": str(tmp_path / "agent.jsonl")}
            await here.go(start(tmp_path) | {"session_id": "a", "hook_event_name": "PreToolUse"} | agent)
            since = now - 1_000_000
            await here.store.write(lambda tx: recovery.ask_for_open_sessions(here.jobs, tx, OWNER, since))
            assert await jobs(here) == [(str(tmp_path / "a.jsonl"), 0.0)]

    run(tale())


@pytest.mark.requirement("EVT-8")
def test_a_prompt_and_its_answer_may_be_read_at_different_times(site: Site, tmp_path: Path) -> None:
    """The common turn: the prompt's own hook has the transcript read before there is an answer."""

    async def tale() -> None:
        async with house(site) as here:
            path = tmp_path / "s.jsonl"
            await begun(here, path)
            parts = [
                line("user", "why?"),
                final("because"),
                line("user", "and?", promptId="p2") + use(),
                result("x", promptId="p2"),
            ]
            for part in parts:
                with path.open("ab") as file:
                    file.write(part)
                for _ in range(2):
                    await here.recovery.run({"path": str(path)})
            assert await told(here) == [
                "UserPromptSubmit why?",
                "Stop because",
                "UserPromptSubmit and?",
                "PreToolUse t1",
                "PostToolUse t1",
            ]
            assert [entry["prompt_id"] for entry in await here.journal()][1:] == ["p1", "p1", "p2", "p2", "p2"]

    run(tale())


@pytest.mark.requirement("EVT-7")
def test_a_stop_whose_hook_may_still_come_is_left_for_the_next_time(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def tale() -> None:
        async with house(site) as here:
            path = tmp_path / "s.jsonl"
            await begun(here, path)
            monkeypatch.setattr(recovery, "_FRESH_US", 3600 * 1_000_000)
            just_now = datetime.now(UTC).isoformat()
            fresh = final("just now").replace(b"2026-11-15T20:39:43.666Z", just_now.encode())
            path.write_bytes(line("user", "why?") + fresh + line("user", "next", promptId="p2"))
            await here.recovery.run({"path": str(path)})
            assert await told(here) == ["UserPromptSubmit why?"]
            stop = {"hook_event_name": "Stop", "last_assistant_message": "just now", "prompt_id": "p1"}
            await here.go(start(path) | stop)
            monkeypatch.setattr(recovery, "_FRESH_US", 0)
            await here.recovery.run({"path": str(path)})
            assert sorted(await told(here)) == ["Stop just now", "UserPromptSubmit next", "UserPromptSubmit why?"]

    run(tale())


@pytest.mark.requirement("EVT-8")
def test_of_stops_that_say_the_same_an_entry_accounts_for_one_only(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        async with house(site) as here:
            path = tmp_path / "s.jsonl"
            await begun(here, path)
            stops = [final("Done.", message_id=f"m{n}").replace(b"43.666Z", b"%d.000Z" % (44 + n)) for n in range(3)]
            refused = line("user", "Stop hook feedback:\nno", isMeta=True)
            path.write_bytes(line("user", "do it") + refused + refused.join(stops))
            third = {"hook_event_name": "Stop", "last_assistant_message": "Done.", "prompt_id": "p1"}
            await here.go(start(path) | third | {"stop_hook_active": True})
            for _ in range(2):
                await here.recovery.run({"path": str(path)})
            assert [entry["source"] for entry in await here.journal("Stop")] == ["transcript", "transcript", "http"]

    run(tale())


@pytest.mark.requirement("EVT-8")
def test_a_transcript_that_became_shorter_is_read_anew(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        async with house(site) as here:
            path = tmp_path / "s.jsonl"
            await begun(here, path)
            path.write_bytes(line("user", "one") + b" " * 5000 + b"\n")
            await here.recovery.run({"path": str(path)})
            path.write_bytes(line("user", "two", promptId="p2"))
            await here.recovery.run({"path": str(path)})
            with path.open("ab") as file:
                file.write(line("user", "three", promptId="p3"))
            await here.recovery.run({"path": str(path)})
            assert await told(here) == ["UserPromptSubmit one", "UserPromptSubmit two", "UserPromptSubmit three"]

    run(tale())


@pytest.mark.requirement("SEC-5")
def test_what_is_no_file_is_not_read(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        async with house(site) as here:
            for odd in (pipe, Path("/dev/zero"), tmp_path, tmp_path / "nowhere.jsonl"):
                await here.recovery.run({"path": str(odd)})
            assert await here.journal() == []

    run(tale())


@pytest.mark.requirement("EVT-8")
def test_what_the_store_refuses_while_it_is_recovered_is_not_lost(site: Site, tmp_path: Path) -> None:
    async def tale() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        async with house(site) as here:
            first = session.hooks[0]
            await here.go(first.payload, happened_at=first.at)
            store = Refusing(here, StoreFull("full"))
            for _ in range(2):
                await here.recovery.run({"path": first.payload["transcript_path"]})
            store.error = None
            await here.recovery.run({"path": first.payload["transcript_path"]})
            own = [hook.payload for hook in session.hooks if hook.payload["session_id"] == first.payload["session_id"]]
            kept = story(entry["payload"] for entry in await here.journal())
            assert kept == story(own)

    run(tale())
