"""holdfast never captures itself: its tools, its command line, its injected text (EVT-10)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.steps import Step
from tests.contract.site import Site
from tests.support.contributions import GUARD, answered, effects, program, remembers
from tests.support.payloads import load
from tests.support.roads import house, run

BASH = load("PreToolUse-Bash")
OWN_CALLS = [
    load("PostToolUse-Bash", tool_input={"command": "holdfast search secrets"}, tool_response={"stdout": "old news"}),
    load("PostToolUse-Bash", tool_name="mcp__holdfast__search", tool_response="old news", tool_use_id="t2"),
    load("PostToolUseFailure-Bash-exit3", tool_input={"command": "holdfast get 1"}, error="Exit code 1\nold news"),
]


@pytest.mark.requirement("EVT-10")
@pytest.mark.parametrize("payload", OWN_CALLS)
def test_of_our_own_calls_only_that_they_happened_is_kept(site: Site, payload: dict[str, Any]) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers), event=payload["hook_event_name"])) as here:
            travelled = await here.go(payload)
            assert answered(travelled) == {}
            (entry,) = await here.journal()
            assert entry["tool_use_id"] == payload["tool_use_id"]
            assert "old news" not in str(entry)
            assert "tool_input" not in entry["payload"]
            assert await effects(here) == {}

    run(story())


@pytest.mark.requirement("EVT-10")
def test_what_looks_like_our_own_command_is_still_seen_by_a_guard(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers), GUARD)) as here:
            command = {"command": "holdfast log 'rm -rf is dangerous'"}
            said = answered(await here.go(BASH | {"tool_input": command}))
            assert said["permissionDecision"] == "deny"
            assert "additionalContext" not in said

    run(story())


@pytest.mark.requirement("EVT-10")
def test_what_we_injected_and_what_a_batch_repeats_of_us_is_not_kept(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            fenced = '<holdfast-context from="m" id="ab">old news</holdfast-context id="ab">'
            await here.go(load("UserPromptSubmit", prompt=f"do it {fenced}"))
            call = {"tool_name": "mcp__holdfast__get", "tool_input": {"id": "1"}, "tool_response": "old news"}
            await here.go(load("PostToolBatch", tool_calls=[call]))
            prompt, batch = await here.journal()
            assert prompt["payload"]["prompt"] == "do it "
            assert batch["payload"]["tool_calls"] == [{"tool_name": "mcp__holdfast__get"}]

    run(story())
