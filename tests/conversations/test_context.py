"""One assembly: hooks, the tool and its other doors give the same items; and what items say of files is true now."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.doors.mcp import called
from holdfast.doors.tools import call
from holdfast.errors import UsageError
from holdfast.events.tokens import count_tokens
from holdfast.ids import new_item_id
from holdfast.program import ROOMS
from holdfast.rooms.learning.model import LearnedValue
from holdfast.rooms.learning.service import Learning
from holdfast.store.interface import Tx
from tests.contract.site import Site
from tests.conversations.session import Session, fixed_a_loop
from tests.conversations.talk import Talk, converse
from tests.conversations.test_commits import settle
from tests.processes.road.test_identity import git
from tests.rooms import bells

FENCED = re.compile(
    r'<holdfast-context from="assemble_context" id="(\w+)">\n.*\n</holdfast-context id="\1">', re.DOTALL
)
PROMPT = "Why did the login page redirect for ever when the session cookie expired?"


async def assembled(talk: Talk, folder: str, **asked: Any) -> Any:
    tool = talk.composed.declared.tools["assemble_context"]
    project = await talk.items.project_at(folder)
    found = await call(tool, msgspec.json.encode(asked), talk.caller(project=project, folder=folder))
    return msgspec.to_builtins(found)


def later(root: Path, message: str) -> None:
    """A commit of tomorrow: git knows whole seconds, and the test is quicker."""
    own = {"GIT_COMMITTER_DATE": f"@{int(time.time()) + 86_400} +0000", "GIT_CONFIG_GLOBAL": os.devnull}
    named = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", *named, "commit", "-q", "-m", message], cwd=root, env={**os.environ, **own}, check=True)


def ids(text: str) -> list[str]:
    return re.findall(r"^(?:- )?\[(\w{9,10})\]", text, re.MULTILINE)


@pytest.mark.requirement("CTX-1")
@pytest.mark.requirement("CTX-5")
@pytest.mark.requirement("CTX-2")
def test_hook_and_tool_give_the_same_items_for_one_query(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        project = await talk.items.project_at("/p")
        await talk.memory.remember("Prefer the cookie helper over raw headers for login.", project=project)
        for n in range(12):
            other = Session(talk, f"o{n}")
            await other.ask(f"Rename the invoice column number {n} in the billing report")
            await other.edit(f"/p/src/billing_{n}.py", name=f"column_{n}", line=f"rename_column({n})")
            await other.stop(f"I renamed the invoice column {n} in the billing report.")

        second = Session(talk, "s2")
        brief = ids(await second.start())
        light = await assembled(talk, "/p", limit=50)
        assert brief
        assert set(brief) <= {each["id"] for each in light["items"]}
        recalled = ids(await Session(talk, "s3").ask(PROMPT))
        assert recalled
        rich = await assembled(talk, "/p", query=PROMPT)
        assert [each["id"] for each in rich["items"]][: len(recalled)] == recalled
        exact = await assembled(talk, "/p", query=PROMPT, limit=len(recalled))
        assert [each["id"] for each in exact["items"]] == recalled == ids(exact["markdown"])
        assert rich["token_count"] == count_tokens(rich["markdown"]) <= 2_000
        assert len(rich["items"]) <= 20
        assert all(each["type"] == "memories" and each["trust"] for each in rich["items"])

        # By MCP, from inside a session that was given them: the same, in their fence.
        caller = talk.caller(project=project, folder="/p", is_agent=True)
        text, failed = await called("assemble_context", {"query": PROMPT}, talk.composed.declared.tools, caller)
        told = json.loads(text)
        assert not failed
        assert told["items"] == rich["items"]
        assert FENCED.fullmatch(told["markdown"])

        small = await assembled(talk, "/p", query=PROMPT, max_tokens=150)
        assert 0 < small["token_count"] <= 150
        nothing = {"markdown": "", "token_count": 0, "items": []}
        assert await assembled(talk, "/p", query=PROMPT, max_tokens=1) == nothing
        assert not (await assembled(talk, "/p", query=PROMPT, context_types=["values"]))["items"]
        assert not (await assembled(talk, "/p", query="the weather on Mars"))["items"]
        with pytest.raises(UsageError, match=r"no context type 'dreams'\. Types are .*memories"):
            await assembled(talk, "/p", context_types=["dreams"])
        for wrong in ({"limit": 0}, {"max_tokens": -1}, {"limit": "many"}, {"other": 1}, {"query": 5}):
            with pytest.raises(UsageError):
                await assembled(talk, "/p", **wrong)

    converse(site, story)


@pytest.mark.requirement("CTX-1")
@pytest.mark.requirement("CTX-4")
def test_what_is_said_of_a_file_is_true_when_it_is_said(site: Site, tmp_path: Path) -> None:
    root = tmp_path.resolve() / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "auth.py").write_text("one\ntwo\nthree\nfour\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    where = str(root)

    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk, cwd=where)

        async def recalled(name: str) -> str:
            return await Session(talk, name, where).ask(PROMPT)

        async def found() -> list[dict[str, Any]]:
            tool = talk.composed.declared.tools["search"]
            project = await talk.items.project_at(where)
            lines = await call(tool, msgspec.json.encode({"query": PROMPT}), talk.caller(project=project, folder=where))
            told: list[dict[str, Any]] = msgspec.to_builtins(lines)
            return told

        assert "src/auth.py no longer exists" not in await recalled("s2")
        (root / "src" / "auth.py").rename(root / "login.py")
        assert "src/auth.py no longer exists" in await recalled("s3"), "at once, before any commit"
        before = (await found())[0]
        assert before["stale"] == ["src/auth.py no longer exists"]

        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Move the login")
        await Session(talk, "s4", where).start()
        await settle(talk)
        assert "src/auth.py is now login.py" in await recalled("s5")
        after = (await found())[0]
        assert after["score"] > before["score"], "what moved is not ranked down"
        for n in range(6):
            (root / "login.py").write_text("\n".join(f"line {n} {at}" for at in range(20)))
            git(root, "add", "-A")
            later(root, f"Work {n}")
        git(root, "mv", "login.py", "src/auth.py")
        later(root, "Back")
        await Session(talk, "s6", where).start()
        await settle(talk)
        assert re.search(r"src/auth\.py changed \d times since", await recalled("s7"))
        git(root, "checkout", "-q", "--detach", "HEAD~4")
        assert "src/auth.py is now" not in (text := await recalled("s8"))
        assert "src/auth.py no longer exists" in text, "another branch, another answer"

    converse(site, story)


@pytest.mark.requirement("CTX-1")
@pytest.mark.requirement("CTX-5")
@pytest.mark.requirement("HSE-2")
def test_lines_of_a_room_that_nobody_knows_are_in_the_context_and_at_the_prompt(site: Site, tmp_path: Path) -> None:
    where = str(tmp_path.resolve())
    (tmp_path / "ropes.txt").write_text("")

    async def story(talk: Talk) -> None:
        told = await assembled(talk, where, query="ring bell-great now", context_types=["chimes"])
        assert told["items"] == [{"id": "bell-great", "type": "chimes", "score": 1.0, "trust": "repository"}]
        assert "### Chimes\n- [bell-great] hangs in the tower" in told["markdown"]
        assert not (await assembled(talk, where, query="a cracked bell-great"))["items"], "and nothing else fails"

        session = Session(talk, "s1", where)
        assert "[bell-great] hangs in the tower" in await session.ask("Please ring bell-great now")
        assert not await session.ask("Please ring bell-great again"), "not twice"
        assert not await session.ask("Please repair the cracked bell-great")
        (tmp_path / ".holdfast.toml").write_text("[user_prompt_submit]\ninclude_code = false\n")
        assert not await session.ask("Please ring bell-small now")
        (tmp_path / ".holdfast.toml").unlink()
        talk.injecting.at_prompt = msgspec.structs.replace(talk.injecting.at_prompt, token_budget=45)
        assert not await session.ask("Please ring bell-small now"), "no tokens are left for it"

        await talk.memory.remember("The great rope of the tower must be oiled each week", files=["great.rope"])
        project = await talk.items.project_at(where)
        await talk.memory.remember("The small rope of the chapel tower frays", project=project, files=["small.rope"])
        talk.injecting.at_prompt = msgspec.structs.replace(talk.injecting.at_prompt, token_budget=2_000)
        given = await session.ask("Why does the small rope of the chapel fray?")
        assert "(just now, small.rope is now ropes.txt)" in given
        assert "small.rope is now ropes.txt" in await Session(talk, "s2", where).start()
        await talk.memory.remember("The muffled clapper hangs in old_bell", project=project)
        assert "old_bell no longer exists in tower.py" in await session.ask("Where does the muffled clapper hang?")

    converse(site, story, rooms=(*ROOMS, bells.ROOM))


@pytest.mark.requirement("CTX-5")
@pytest.mark.requirement("LRN-13")
def test_a_light_context_has_no_quotations_and_a_disabled_one_is_none(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        rich = await Session(talk, "s2").ask(PROMPT)
        chosen = talk.injecting.at_prompt
        talk.injecting.at_prompt = msgspec.structs.replace(chosen, context_depth="light")
        light = await Session(talk, "s3").ask(PROMPT)
        assert ids(light) == ids(rich)
        assert len(light) <= len(rich)
        talk.injecting.at_prompt = msgspec.structs.replace(chosen, token_budget=40)
        assert not await Session(talk, "s4").ask(PROMPT)
        talk.injecting.at_prompt = msgspec.structs.replace(chosen, enabled=False)
        assert not await Session(talk, "s5").ask(PROMPT)

    converse(site, story)


@pytest.mark.requirement("CTX-1")
@pytest.mark.requirement("CTX-5")
def test_without_a_query_the_top_values_are_given_as_many_as_are_asked_for(site: Site) -> None:
    async def story(talk: Talk) -> None:
        learning = talk.services.get(Learning)
        project = await talk.items.project_at("/p")
        texts = [
            "Check assumptions first",
            "Isolate each test",
            "Read the whole error",
            "Measure twice",
            "Ask the user",
        ]

        def write(tx: Tx) -> None:
            for number, text in enumerate(texts):
                at = talk.composed.now() + number
                value = LearnedValue(
                    new_item_id(at), project, text, "full", f"c{number}", 0.1, 0.5, 3 + number, "user", "user", at
                )
                learning.index.add(tx, value, talk.owner)

        await talk.store.write(write)
        told = await assembled(talk, "/p", context_types=["values"], limit=5, max_tokens=500)
        assert [each["type"] for each in told["items"]] == ["values"] * 5
        assert all(text in told["markdown"] for text in texts)
        assert told["token_count"] <= 500
        brief = ids(await Session(talk, "s1").start())
        assert len(brief) == 3, "unasked, as many as the setting says"
        assert set(brief) <= {each["id"] for each in told["items"]}
        for query in ("isolate each test run", "why must we isolate each test?"):
            found = await assembled(talk, "/p", query=query, context_types=["values"])
            assert "Isolate each test" in found["markdown"]

    converse(site, story)
