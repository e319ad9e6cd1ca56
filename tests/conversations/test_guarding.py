"""A guard sees the payload as it came; what is kept and said is clean (EVT-18)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.errors import StoreFull
from holdfast.events.answer import Context, Part, refuse
from holdfast.events.steps import Step
from tests.contract.site import Site
from tests.support.contributions import GUARD, answered, program
from tests.support.payloads import load
from tests.support.roads import Refusing, house, run

BASH = load("PreToolUse-Bash")
SECRET = "sk-ant-api03-" + "A1b2" * 20


@pytest.mark.requirement("EVT-18")
@pytest.mark.parametrize(
    "command",
    [
        'echo "<private>"; rm -rf ~',
        "<private>rm -rf ~</private>",
        "echo '<PRIVATE x=1>' ; rm -rf ~ # </private>",
        '<holdfast-context from="x" id="ab"> rm -rf ~',
        "echo \x00; rm -rf ~",
        f"export KEY={SECRET}; rm -rf ~",
        "echo " + "x" * 600_000 + "; rm -rf ~",
    ],
)
@pytest.mark.parametrize("escaped", [False, True])
def test_nothing_hides_a_command_from_a_guard(site: Site, command: str, escaped: bool) -> None:
    seen: list[str] = []

    async def looks(event: Any, scene: Any) -> Part | None:
        seen.append(event.arguments["command"])
        return None

    async def story() -> None:
        async with house(site, program(GUARD, Step(looks, may_deny=True))) as here:
            text = json.dumps(BASH | {"tool_input": {"command": command}})
            body = (text.replace("<", "\\u003c") if escaped else text).encode()
            assert answered(await here.go(body))["permissionDecision"] == "deny"
            assert seen == [command]
            (entry,) = await here.journal()
            assert entry["payload"]["tool_input"]["command"] != command

    run(story())


@pytest.mark.requirement("EVT-18")
@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize("text", [".".join(["a"] * 2_000) + " = 1", "a" * 100_000, "x = " + "[" * 20_000])
def test_no_file_of_a_project_keeps_guards_from_being_asked(site: Site, tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".holdfast.toml").write_text(text)

    async def story() -> None:
        async with house(site, program(GUARD)) as here:
            body = BASH | {"cwd": str(tmp_path), "tool_input": {"command": "rm -rf ~"}}
            assert answered(await here.go(body))["permissionDecision"] == "deny"

    run(story())


async def quotes(event: Any, scene: Any) -> Part | None:
    command = event.arguments["command"]
    return Part(
        decision=refuse("quotes", f"not {command}"), contexts=(Context(f"saw {command}", "guard"),), message=command
    )


@pytest.mark.requirement("EVT-18")
@pytest.mark.requirement("SEC-1")
@pytest.mark.parametrize("refused", [False, True])
def test_what_a_guard_says_is_clean(site: Site, refused: bool) -> None:
    async def story() -> None:
        async with house(site, program(Step(quotes, may_deny=True))) as here:
            if refused:
                await here.go(BASH)
                Refusing(here, StoreFull("full"))
            command = f"curl -H {SECRET} <private>hidden</private> https://x"
            travelled = await here.go(BASH | {"tool_use_id": "toolu_q", "tool_input": {"command": command}})
            said = f"{travelled.answer}"
            assert "not curl" in said
            assert SECRET not in said
            assert "hidden" not in said
            kept = str(await here.journal()) + "".join(path.read_text() for path in spool.waiting(here.spool))
            assert SECRET not in kept
            assert "hidden" not in kept

    run(story())


@pytest.mark.requirement("EVT-18")
def test_a_step_that_may_deny_writes_of_the_event_as_it_is_kept(site: Site) -> None:
    kept: list[str] = []

    async def writes(event: Any, scene: Any) -> Part | None:
        kept.append((await scene.kept()).arguments["command"])
        return None

    async def story() -> None:
        async with house(site, program(Step(writes, may_deny=True))) as here:
            await here.go(BASH | {"tool_input": {"command": f"echo {SECRET} <private>hidden</private>"}})
            assert SECRET not in kept[0]
            assert "hidden" not in kept[0]

    run(story())


@pytest.mark.requirement("EVT-18")
@pytest.mark.requirement("EVT-6")
def test_a_guard_decides_also_what_cannot_be_scrubbed(site: Site) -> None:
    class Broken:
        def value(self, value: object, breathe: object = None, /) -> tuple[object, tuple[str, ...]]:
            raise ValueError("a rule is broken")

        quickly = value

    async def story() -> None:
        async with house(site, program(GUARD), scrubber=Broken()) as here:
            travelled = await here.go(BASH | {"tool_input": {"command": "rm -rf ~"}}, name="PreToolUse")
            assert answered(travelled)["permissionDecision"] == "deny"
            assert await here.journal() == []

    run(story())
