"""The journal says which client an event came from: once per window, by its own word (EVT-16)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.errors import StoreAway
from tests.contract.site import Site
from tests.support.payloads import load
from tests.support.roads import House, Refusing, house, run

START = load("SessionStart-startup")
BASH = load("PreToolUse-Bash", session_id=START["session_id"])
SAID = "claude-code_2-1-325_harness"


async def clients(here: House) -> list[tuple[str, Any, Any]]:
    return [(entry["event"], entry["client"], entry["client_version"]) for entry in await here.journal()]


@pytest.mark.requirement("EVT-16")
def test_one_word_at_the_start_counts_for_the_window(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            await here.go(START, source="command", agent=SAID)
            await here.go(BASH)
            await here.go(BASH | {"agent_id": "a1", "agent_type": "helper", "tool_use_id": "toolu_h"})
            assert await clients(here) == [
                (event, "claude-code", "2.1.325") for event in ("SessionStart", "PreToolUse", "PreToolUse")
            ]

    run(story())


@pytest.mark.requirement("EVT-16")
def test_another_agent_is_named_and_its_events_keep_their_names(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            own = {"hook_event_name": "beforeShellExecution", "session_id": "theirs", "command": "ls"}
            await here.go(own, name="PreToolUse", agent="cursor_1-7")
            await here.go({"session_id": "nobodys", "hook_event_name": "Stop"})
            assert await clients(here) == [("beforeShellExecution", "cursor", "1.7"), ("Stop", None, None)]

    run(story())


@pytest.mark.requirement("EVT-16")
def test_what_was_spooled_still_says_it(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            store = Refusing(here, StoreAway("away"))
            await here.go(START, source="command", agent=SAID)
            store.error = None
            await here.reopen()
            assert await clients(here) == [("SessionStart", "claude-code", "2.1.325")]

    run(story())
