"""Lessons where they can still help, on both databases: at the prompt that names a command or quotes an error."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.pauses import Pause, PauseFile
from tests.contract.site import Site
from tests.conversations.learner import Learner
from tests.conversations.talk import Talk, converse
from tests.conversations.test_lessons import asked

DOWN = "Exit code 1\nError: connect ECONNREFUSED: the stock service is not running"
MISSING = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"


async def repaired_by_command(talk: Talk, name: str, failure: str, command: str, repair: str) -> Learner:
    agent = Learner(talk, name)
    await agent.start()
    await agent.run(command, error=failure)
    await agent.run(repair, "ok")
    await agent.run(command, "done")
    await agent.stop("It failed because the service was down. I fixed it by starting the service.")
    await agent.end()
    return agent


@pytest.mark.requirement("LRN-16")
@pytest.mark.requirement("CON-11")
def test_a_command_that_fails_is_foreseen_at_the_prompt_and_what_helped_is_judged_by_what_came_of_it(
    site: Site,
) -> None:
    async def story(talk: Talk) -> None:
        await repaired_by_command(talk, "s1", DOWN, "bin/sync-stock", "bin/services start")
        [remedy] = await asked(talk, "list_remedies", project_id="all")
        assert remedy["solution"].startswith("ran `bin/services start`. "), "the command that helped is kept"

        settled = Learner(talk, "s2")
        await settled.start()
        assert remedy["id"] not in await settled.ask("Run bin/sync-stock for me"), "it passed the last time"
        again = await settled.run("bin/sync-stock", error=DOWN)
        assert f"This failed before:\n[{remedy['id']}]" in again, "else with its result"
        await settled.end()

        warned = Learner(talk, "s3")
        await warned.start()
        assert remedy["id"] not in await warned.ask("What does bin/sync do?")
        told = await warned.ask("Please run `bin/sync-stock` now.")
        assert f"`bin/sync-stock` failed here the last time. What helped before:\n[{remedy['id']}]" in told
        assert "bin/services start" in told
        assert remedy["id"] not in await warned.ask("And bin/sync-stock again"), "once per session"
        await warned.run("bin/services start", "ok")
        assert remedy["id"] not in await warned.run("bin/sync-stock", "done")

        async def judged() -> tuple[int, int, int, float]:
            each = next(e for e in await asked(talk, "list_remedies", project_id="all") if e["id"] == remedy["id"])
            return each["shown"], each["used"], each["worked"], each["confidence"]

        shown, used, worked, sure = await judged()
        assert (shown, used, worked) == (2, 1, 1)
        proven = Learner(talk, "s4")
        await proven.start()
        told = await proven.ask("run bin/sync-stock")
        assert f"`bin/sync-stock` failed here before:\n[{remedy['id']}]" in told, "it helped again: it comes again"
        await proven.run("bin/services start", "ok")
        for _ in range(2):
            await proven.run("bin/sync-stock", error=DOWN)
        assert (await judged())[:3] == (3, 2, 1), "it was followed and did not help; two runs are one attempt"
        assert (await judged())[3] < sure
        await asked(talk, "rate_remedy", id=remedy["id"], feedback="outdated")
        assert remedy["id"] not in await Learner(talk, "s5").ask("run bin/sync-stock")

    converse(site, story)


@pytest.mark.requirement("LRN-16")
def test_an_error_that_a_prompt_quotes_finds_its_remedy_in_every_project(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await repaired_by_command(talk, "s1", MISSING, "python scripts/load.py", "pip install pyyaml")
        [remedy] = await asked(talk, "list_remedies", project_id="all")
        other = Learner(talk, "s2", cwd="/q")
        await other.start()
        quoted = "I get\n\n    ModuleNotFoundError: No module named 'yaml'\n\nwhen I start it."
        assert "pip install pyyaml" not in await other.ask(quoted.replace("yaml", "toml"))
        told = await other.ask(quoted)
        assert f"This failed before:\n[{remedy['id']}]" in told
        assert "pip install pyyaml" in told
        off = Learner(talk, "s3", cwd="/q")
        await off.tell("UserPromptSubmit", prompt=f"<task-notification>{quoted}")
        [kept] = await asked(talk, "list_remedies", project_id="all")
        assert kept["shown"] == 1

    converse(site, story)


@pytest.mark.requirement("LRN-14")
@pytest.mark.requirement("MEM-30")
def test_another_sessions_pause_hides_nothing_of_this_one(site: Site, tmp_path: Path) -> None:
    """A pause is of one session: what another one says is kept, and what the paused one says is not."""

    def transcript(name: str) -> Path:
        path = tmp_path / f"{name}.jsonl"
        use = {"type": "tool_use", "name": "Bash", "id": f"use-{name}", "input": {"command": "pytest"}}
        said = {"role": "assistant", "content": [{"type": "text", "text": f"This should fix it, says {name}."}, use]}
        path.write_text(json.dumps({"type": "assistant", "message": said}))
        return path

    async def story(talk: Talk) -> None:
        PauseFile(tmp_path / "pauses.json").add(Pause("session", "s2"))
        for name in ("s1", "s2"):
            agent = Learner(talk, name)
            await agent.start()
            common: dict[str, Any] = {"tool_name": "Bash", "tool_use_id": f"use-{name}"}
            common |= {"transcript_path": str(transcript(name)), "tool_input": {"command": "pytest"}}
            await agent.tell("PostToolUse", **common, tool_response={"stdout": "42 passed in 1s"})
        figures = await asked(talk, "calibration")
        assert (figures["implied"]["came_true"], figures["implied"]["total"]) == (1, 1)

    async def run() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path)
            try:
                await story(talk)
            finally:
                await talk.service.close()

    asyncio.run(run())


@pytest.mark.requirement("LRN-17")
def test_running_it_again_is_no_remedy_and_the_log_of_a_run_is_no_change(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        for command in ("git push origin main", "python scripts/report.py > report.txt"):
            await agent.run(command, error=DOWN)
            await agent.run(command, error=DOWN)
            await agent.run(command, "done")
        failed = "Exit code 1\nE   KeyError: 'sid'\nFAILED tests/test_a.py::test_b - KeyError: 'sid'\n1 failed in 1s"
        for command in ("pytest > log.txt; tail log.txt", "pytest 2>&1 | tee log.txt"):
            await agent.run(command, error=failed)
            await agent.run(command, "3 passed in 1s")
        assert await asked(talk, "list_remedies", project_id="all") == []
        assert "flaky" in await agent.run("pytest", error=failed), "nothing changed between, and it came out otherwise"
        await agent.edit("/p/src/auth.py")
        await agent.run("pytest 2>&1 | tee log.txt", "3 passed in 1s")
        [remedy] = await asked(talk, "list_remedies", project_id="all")
        assert remedy["files"] == ["src/auth.py"]

    converse(site, story)
