"""The windows of a conversation as its events come: compacted, resumed, cleared, forked, late, and with subagents."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.errors import StoreFull
from tests.contract.site import Site
from tests.support.payloads import load
from tests.support.roads import House, Refusing, house, run

S = 1_000_000
START = 1_790_000_000 * S
AGENT = {"agent_id": "a1", "agent_type": "general-purpose"}


def told(event: str, **changes: Any) -> dict[str, Any]:
    return {"hook_event_name": event, "session_id": "s", "cwd": "/w", "transcript_path": "/t/s.jsonl"} | changes


async def play(here: House, *events: tuple[int, dict[str, Any]]) -> None:
    for after, payload in events:
        assert (await here.go(payload, happened_at=START + after * S)).kept


async def shape(here: House, conversation: str = "s") -> list[tuple[str, int, int, int | None, str | None]]:
    """The windows: agent, number, seconds of beginning and end, why it ended."""
    return [
        (
            row["agent_id"],
            row["window_number"],
            (row["started_at"] - START) // S,
            None if row["ended_at"] is None else (row["ended_at"] - START) // S,
            row["end_reason"],
        )
        for row in await here.windows(conversation)
    ]


async def numbers(here: House) -> list[tuple[str, int]]:
    """Which window each entry is in."""
    windows = {row["id"]: row["window_number"] for row in await here.windows("s")}
    return [(entry["event"], windows[entry["session_id"]]) for entry in await here.journal()]


NEXT = "next window"
STORIES: dict[str, tuple[list[tuple[int, dict[str, Any]]], list[tuple[str, int, int, int | None, str | None]]]] = {
    "a plain session": (
        [(0, told("SessionStart", source="startup")), (1, told("Stop")), (9, told("SessionEnd", reason="other"))],
        [("", 1, 0, 9, "other")],
    ),
    "compacted twice": (
        [
            (0, told("SessionStart", source="startup")),
            (5, told("PreCompact", trigger="auto")),
            (6, told("SubagentStop", agent_id="c1", agent_type="")),
            (7, told("SessionStart", source="compact")),
            (8, told("PostCompact", trigger="auto")),
            (9, told("SessionStart", source="compact")),
        ],
        [("", 1, 0, 7, NEXT), ("", 2, 7, 9, NEXT), ("", 3, 9, None, None)],
    ),
    "ended and resumed": (
        [
            (0, told("SessionStart", source="startup")),
            (5, told("SessionEnd", reason="prompt_input_exit")),
            (50, told("SessionStart", source="resume")),
        ],
        [("", 1, 0, 5, "prompt_input_exit"), ("", 2, 50, None, None)],
    ),
    "killed and resumed": (
        [(0, told("SessionStart", source="startup")), (50, told("SessionStart", source="resume"))],
        [("", 1, 0, 50, NEXT), ("", 2, 50, None, None)],
    ),
    "an event that was faster than its start": (
        [(0, told("InstructionsLoaded")), (1, told("SessionStart", source="startup")), (2, told("Stop"))],
        [("", 1, 0, None, None)],
    ),
    "first seen in the middle, then compacted": (
        [(0, told("Stop")), (5, told("SessionStart", source="compact"))],
        [("", 1, 0, 5, NEXT), ("", 2, 5, None, None)],
    ),
    "first seen in the middle, resumed much later": (
        [(0, told("Stop")), (500, told("SessionStart", source="resume"))],
        [("", 1, 0, 500, NEXT), ("", 2, 500, None, None)],
    ),
    "what comes after the end stays ended": (
        [
            (0, told("SessionStart")),
            (5, told("SessionEnd", reason="clear")),
            (6, told("Stop", prompt_id="late")),
            (7, told("SessionEnd", reason="other")),
        ],
        [("", 1, 0, 5, "clear")],
    ),
    "a subagent ends its own window and not its parent's": (
        [
            (0, told("SessionStart")),
            (1, told("SubagentStart", **AGENT)),
            (2, told("PreToolUse", tool_use_id="t", **AGENT)),
            (3, told("SubagentStop", **AGENT)),
            (4, told("Stop")),
        ],
        [("", 1, 0, None, None), ("a1", 1, 1, 3, "done")],
    ),
    "a compaction's SubagentStop makes and ends nothing": (
        [(0, told("SessionStart")), (3, told("SubagentStop", agent_id="c1", agent_type=""))],
        [("", 1, 0, None, None)],
    ),
    "a SubagentStop of nobody ends nothing": (
        [(0, told("SessionStart")), (3, told("SubagentStop"))],
        [("", 1, 0, None, None)],
    ),
    "the end of a conversation ends its subagents": (
        [(0, told("SessionStart")), (1, told("SubagentStart", **AGENT)), (4, told("SessionEnd", reason="other"))],
        [("", 1, 0, 4, "other"), ("a1", 1, 1, 4, "other")],
    ),
    "an end that comes late ends the window it belongs to and not the next": (
        [
            (0, told("SessionStart", source="startup")),
            (50, told("SessionStart", source="resume")),
            (40, told("SessionEnd", reason="other")),
        ],
        [("", 1, 0, 50, NEXT), ("", 2, 50, None, None)],
    ),
    "an end from before the first window ends nothing": (
        [(9, told("SessionStart")), (5, told("SessionEnd", reason="other"))],
        [("", 1, 9, None, None)],
    ),
    "an end that comes late does not end a subagent that began after it": (
        [(0, told("SessionStart")), (9, told("SubagentStart", **AGENT)), (5, told("SessionEnd", reason="other"))],
        [("", 1, 0, 5, "other"), ("a1", 1, 9, None, None)],
    ),
    "a start that comes late opens nothing": (
        [(9, told("SessionStart", source="compact")), (0, told("SessionStart", source="startup"))],
        [("", 1, 9, None, None)],
    ),
}


@pytest.mark.requirement("WRK-11")
@pytest.mark.requirement("MEM-1")
@pytest.mark.parametrize("name", STORIES)
def test_windows(site: Site, name: str) -> None:
    events, windows = STORIES[name]

    async def story() -> None:
        async with house(site) as here:
            await play(here, *events)
            assert await shape(here) == windows
        async with house(site) as here:  # a daemon that starts anew knows no more than the store
            await here.go(told("Notification"), happened_at=START + 999 * S)
            assert await shape(here) == windows

    run(story())


@pytest.mark.requirement("EVT-7")
def test_late_events_are_in_the_window_in_which_they_happened(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            await play(
                here,
                (0, told("SessionStart", source="startup")),
                (10, told("SessionStart", source="compact")),
                (11, told("Stop")),
                (5, told("PreToolUse", tool_use_id="late")),
                (12, told("Notification")),
                (-5, told("Setup")),
            )
            assert await numbers(here) == [
                ("Setup", 2),  # older than all of them: the current one
                ("SessionStart", 1),
                ("PreToolUse", 1),
                ("SessionStart", 2),
                ("Stop", 2),
                ("Notification", 2),
            ]

    run(story())


@pytest.mark.requirement("MEM-1")
@pytest.mark.parametrize("kept", [True, False])
def test_the_same_start_again_opens_no_second_window(site: Site, kept: bool) -> None:
    """Retried by the command client, or put aside because its window could be written and its entry could not."""

    async def story() -> None:
        async with house(site) as here:
            store = Refusing(here, None if kept else StoreFull("full"))
            start, arrival = told("SessionStart", source="resume"), "01890000-0000-7000-8000-000000000001"
            await here.go(start, source="command", arrival_id=arrival, happened_at=START)
            store.error = None
            await here.go(start, source="command", arrival_id=arrival, happened_at=START + 2 * S)
            await here.drain.run()
            assert len(await here.windows("s")) == 1
            assert len(await here.journal("SessionStart")) == 1

    run(story())


@pytest.mark.requirement("EVT-7")
def test_a_clear_ends_one_conversation_and_begins_another(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            end, start = load("SessionEnd-clear"), load("SessionStart-clear")
            await play(here, (0, load("SessionStart-startup", session_id=end["session_id"])), (5, end), (6, start))
            assert await shape(here, end["session_id"]) == [("", 1, 0, 5, "clear")]
            assert await shape(here, start["session_id"]) == [("", 1, 6, None, None)]

    run(story())


@pytest.mark.requirement("EVT-7")
def test_two_conversations_in_one_folder_share_its_project_and_nothing_else(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            for session in ("s", "other"):
                await here.go(told("Stop", session_id=session))
            one, two = await here.journal()
            assert one["project_id"] == two["project_id"]
            assert one["worktree_id"] == two["worktree_id"]
            assert one["session_id"] != two["session_id"]

    run(story())
