"""What no hook delivered is read from the transcript: the journal ends as if nothing had been missed (EVT-8).

The sessions are the real client's: every hook call with its time, and the transcripts written meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.road.recovery import Recovery
from tests.contract.site import Site
from tests.support.roads import House, house, run
from tests.support.sessions import RECOVERABLE, VERSIONS, Hook, Session, Story, story

IsLost = Callable[[int, Hook], bool]

OUTAGES: dict[str, IsLost] = {
    "nothing": lambda n, hook: False,
    "everything": lambda n, hook: True,
    "every other event": lambda n, hook: n % 2 == 0,
    "the others": lambda n, hook: n % 2 == 1,
    "the beginning": lambda n, hook: n < 20,
    "the middle": lambda n, hook: 10 <= n < 50,
    "the end": lambda n, hook: n > 30,
    "all stops": lambda n, hook: hook.event in ("Stop", "SubagentStop"),
    "the stops that a hook had refused before": lambda n, hook: hook.payload.get("stop_hook_active") is True,
    "the first of three stops that say the same": lambda n, hook: (
        hook.payload.get("last_assistant_message") == "Done." and not hook.payload["stop_hook_active"]
    ),
    "all prompts": lambda n, hook: hook.event == "UserPromptSubmit",
    "all results": lambda n, hook: hook.event.startswith("PostToolUse"),
    "all of the subagent": lambda n, hook: "agent_id" in hook.payload,
}


def lost(name: str, n: int, hook: Hook) -> bool:
    return not hook.by_command and OUTAGES[name](n, hook)


async def deliver(here: House, hook: Hook) -> None:
    assert (await here.go(hook.payload, happened_at=hook.at)).kept


async def recover(here: House, delivered: list[Hook]) -> None:
    """Compare the transcripts of the conversations that were heard of, as the daemon is asked to."""
    for path in dict.fromkeys(hook.payload["transcript_path"] for hook in delivered):
        await here.recovery.run({"path": path})


async def deliver_starts(here: House, session: Session, since: int = 0) -> list[Hook]:
    starts = [hook for hook in session.hooks if hook.by_command and hook.at >= since]
    for hook in starts:
        await deliver(here, hook)
    return starts


async def kept(here: House) -> Story:
    return story(entry["payload"] for entry in await here.journal())


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("outage", OUTAGES)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_journal_ends_as_if_nothing_had_been_missed(site: Site, tmp_path: Path, version: str, outage: str) -> None:
    async def story_() -> None:
        session = Session(version, tmp_path / "projects")
        session.write()
        own = expected(session, version, outage)
        async with house(site) as here:
            delivered = [hook for n, hook in enumerate(session.hooks) if not lost(outage, n, hook)]
            for hook in delivered:
                await deliver(here, hook)
            await recover(here, delivered)
            assert await kept(here) == own
            entries = await here.journal()
            live = story(hook.payload for hook in delivered)
            assert story(entry["payload"] for entry in entries if entry["source"] == "http") == live
            assert all(entry["source"] in ("http", "transcript") for entry in entries)
            before = [entry["id"] for entry in entries]
            await recover(here, delivered)
            assert [entry["id"] for entry in await here.journal()] == before

    run(story_())


def expected(session: Session, version: str, outage: str) -> Story:
    """All that was told. (2.1.197 starts a fork under its parent's id: what was before it was heard of is lost.)"""
    whole = session.story()
    if version == "2.1.197":
        fork = session.hooks[-1].payload["session_id"]
        hooks = [(lost(outage, n, h), h) for n, h in enumerate(session.hooks) if h.payload["session_id"] == fork]
        heard = min((hook.at for is_lost, hook in hooks if not is_lost), default=hooks[-1][1].at)
        written = 50_000  # at most so long before its hook arrives
        whole -= story(hook.payload for is_lost, hook in hooks if is_lost and hook.at - written < heard)
    return whole


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("outage", OUTAGES)
def test_comparing_again_and_again_while_the_session_goes_on(site: Site, tmp_path: Path, outage: str) -> None:
    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        async with house(site) as here:
            delivered: list[Hook] = []
            for n, hook in enumerate(session.hooks):
                session.write(hook.at)
                if lost(outage, n, hook):
                    continue
                await deliver(here, hook)
                delivered.append(hook)
                if hook.event in ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"):
                    await recover(here, delivered)
            session.write()
            await recover(here, delivered)
            assert await kept(here) == session.story()

    run(story_())


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("chunk", [5_000, 9_999, 12_000, 12_345, 40_000])
def test_a_transcript_is_read_in_pieces_of_any_size(
    site: Site, tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Recovery.step.__kwdefaults__ or {}, "size", chunk)

    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        async with house(site) as here:
            starts = await deliver_starts(here, session)
            await recover(here, starts)
            assert await kept(here) == session.story()
            await recover(here, starts)
            assert await kept(here) == session.story()

    run(story_())


@pytest.mark.requirement("EVT-8")
def test_only_what_happened_since_the_conversation_was_heard_of(site: Site, tmp_path: Path) -> None:
    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        born = next(hook.at for hook in session.hooks if hook.payload.get("prompt") == "And now?  ") - 200_000
        async with house(site) as here:
            await recover(here, await deliver_starts(here, session, since=born - 400_000))
            later = [hook.payload for hook in session.hooks if hook.at >= born]
            assert await kept(here) == story(later)

    run(story_())


TWO_HOURS = 2 * 3600 * 1_000_000


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("outage", OUTAGES)
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_a_clock_that_is_set_back_hides_nothing(site: Site, tmp_path: Path, share: float, outage: str) -> None:
    """Two hours back, before the session or in the middle of it: hooks and transcript go on with smaller times."""

    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        written = [hook.at for hook in session.hooks]
        moment = written[int(share * (len(written) - 1))] - 1
        session.set_back(moment, TWO_HOURS)
        async with house(site) as here:
            delivered: list[Hook] = []
            for n, hook in enumerate(session.hooks):
                if lost(outage, n, hook):
                    continue
                await deliver(here, hook)
                delivered.append(hook)
                if hook.event == "SessionStart":
                    session.write(written[n])
                    await recover(here, delivered[-1:])
            session.write()
            await recover(here, delivered)
            assert await kept(here) == session.story()
            await recover(here, delivered)
            assert await kept(here) == session.story()

    run(story_())


@pytest.mark.requirement("WRK-11")
def test_a_subagent_that_was_missed_has_its_window_and_does_not_end_its_parents(site: Site, tmp_path: Path) -> None:
    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        async with house(site) as here:
            conversation = session.hooks[0].payload["session_id"]
            (agent,) = {str(hook.payload["agent_id"]) for hook in session.hooks if "agent_id" in hook.payload}
            await deliver(here, session.hooks[0])
            await recover(here, session.hooks[:1])
            windows = {row["agent_id"]: row for row in await here.windows(conversation)}
            assert windows.keys() == {"", agent}
            assert windows[""]["ended_at"] is None
            assert windows[agent]["end_reason"] == "done"
            inside = [entry for entry in await here.journal() if entry["agent_id"] == agent]
            assert {entry["session_id"] for entry in inside} == {windows[agent]["id"]}
            assert [entry["event"] for entry in inside] == [
                *("PreToolUse", "PostToolUse", "PreToolUse", "PostToolUseFailure", "SubagentStop")
            ]

    run(story_())


@pytest.mark.requirement("EVT-8")
def test_recovered_entries_have_the_times_and_the_order_of_what_happened(site: Site, tmp_path: Path) -> None:
    async def story_() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        async with house(site) as here:
            starts = await deliver_starts(here, session)
            await recover(here, starts)
            told = [e for e in await here.journal() if e["event"] in RECOVERABLE and not e["agent_id"]]
            hooks = [h for h in session.hooks if h.event in RECOVERABLE and "agent_id" not in h.payload]
            for entry in told:
                near = [h for h in hooks if story([h.payload]) == story([entry["payload"]])]
                assert any(abs(entry["happened_at"] - hook.at) < 2_000_000 for hook in near)
            assert told[0]["payload"]["prompt"] == "Do several things."
            assert told[-1]["payload"]["last_assistant_message"] == "e1"

    run(story_())
