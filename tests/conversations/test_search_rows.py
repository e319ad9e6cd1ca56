"""What a search lists for people and agents: answers above questions, one row for a piece of work, the words shown."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast.doors.cli.listing import hit
from holdfast.items.service import Items
from holdfast.rooms.memory.corrections import settled, still_open
from tests.contract.site import Site
from tests.conversations.days import DaySession, chat, work
from tests.conversations.talk import Talk, converse
from tests.conversations.test_brief import use

CAUSE = "The cause: the retry queue re-sent invoices after a timeout because the idempotency key was regenerated."
SLOW = "The export issued one query per row (N+1). It reads in batches of 5,000 now: 95 seconds instead of 40 minutes."


@pytest.mark.requirement("MEM-9")
def test_a_search_lists_answers_and_no_row_without_a_word_of_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 0, "customers get every invoice twice, find out why", CAUSE, "src/billing.py")
        asked = DaySession(talk, 1)
        await asked.start()
        await asked.ask("why were invoices doubled last time?")
        await asked.stop("The retry queue re-sent them; see the fix in src/billing.py.")
        await asked.ask("thanks, what time is it?")
        await asked.stop("It is 10:42.")
        await asked.end()
        decided = DaySession(talk, 2)
        await decided.start()
        await decided.ask("use redis or postgres for the session cache?")
        await decided.stop("Decision: sessions live in the table web_session, Redis is not introduced.")
        await decided.ask("ok do that")
        await decided.edit("/p/src/sessions.py")
        await decided.stop("Sessions are stored in web_session now.")
        await decided.end()
        deploy = DaySession(talk, 3)
        await deploy.start()
        await deploy.ask("deploy to staging")
        await deploy.bash("make deploy", error="Exit code 1\nError: permission denied")
        await deploy.stop("The deploy to staging failed: the role lacks s3:PutObject on the artifacts bucket.")
        await deploy.end()
        await work(talk, 4, "the nightly export takes 40 minutes, make it faster", SLOW, "src/export.py")
        await chat(talk, 5, "write a haiku about ducks", "Ducks on silent ponds, 1 by 1.")

        async def rows(query: str) -> list[dict[str, Any]]:
            return [to_dict(each) for each in await use(talk, "search", query=query)]

        for query in ("invoices", "why invoices doubled"):
            found = await rows(query)
            assert found[0]["title"] == CAUSE.replace("The cause: t", "T"), f"{query}: what answers stands first"
            assert [each["title"] for each in found if "what time" in each["title"]] == [], query
            assert len({each["title"] for each in found}) == len(found)
        [redis] = await rows("redis")
        assert redis["title"] == "Decision: sessions live in the table web_session, Redis is not introduced."
        [export] = await rows("N+1")
        assert export["title"] == SLOW
        [denied] = await rows("permission denied")
        assert denied["title"].startswith("The deploy to staging failed"), "what came of it, not what was run"
        assert "permission denied" in denied["snippet"], "also where the words stand in what was run"
        assert [denied["snippet"][begin:end] for begin, end in denied["marks"]] == ["permission", "denied"]
        [staging] = await rows("staging bucket")
        assert "Answered:" not in staging["snippet"], "a snippet does not repeat the title"

    converse(site, story)


def to_dict(line: Any) -> dict[str, Any]:
    return {name: getattr(line, name) for name in line.__struct_fields__}


@pytest.mark.requirement("MEM-9")
def test_what_a_subagent_found_is_one_row(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("have somebody review the backoff code")
        helper = session.helper("a1")
        await helper.tell("SubagentStart")
        await helper.use("Read", {"file_path": "/p/queue/backoff.go"}, {})
        await helper.bash("grep -rn backoff queue", "queue/backoff.go:3:const Base = 100")
        found = "Backoff has no cap: attempt 12 waits 409 s. Suggest max 30 s."
        await helper.tell("SubagentStop", last_assistant_message=found)
        await talk.settle()
        await session.edit("/p/queue/backoff.go")
        await session.stop("The reviewer found that the backoff has no cap. It is capped at 30 s now.")
        await session.end()
        ids = [each.id for each in await use(talk, "search", query="backoff")]
        assert len(ids) == len(set(ids)), "no row is there twice"
        assert len(ids) == 2, "what the subagent found, and what came of it"

    converse(site, story)


@pytest.mark.requirement("MEM-9")
def test_a_word_that_nobody_said_finds_nothing_by_its_digits(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(
            talk, 0, "minimum TLS 2 please", "The minimum is TLS 2 now; step 2 of the plan is done.", "src/tls.py"
        )
        assert await use(talk, "search", query="hunter2-abc") == []
        assert await use(talk, "search", query="K8S-2") == []
        assert len(await use(talk, "search", query="TLS 2")) == 1
        assert len(await use(talk, "search", query="2")) == 1, "unless nothing else is asked for"

    converse(site, story)


@pytest.mark.requirement("MEM-23")
def test_rows_and_threads_of_another_branch_are_labelled(site: Site, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words), cwd=root, check=True)

    root, side = tmp_path / "repo", tmp_path / "side"
    root.mkdir()
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "start")
    git("worktree", "add", "-q", "-b", "hotfix-429", str(side))

    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0, str(side))
        await session.start()
        await session.ask("halve the burst limit, the partner gets 429s")
        await session.edit(f"{side}/relay/limit.go")
        await session.bash("make test", error="Exit code 2\n--- FAIL: TestHandshake\nFAIL\n1 failed")
        await session.stop("The burst limit is 10; the partner cuts us off above 12 requests per second.")
        await session.end()

        async def told(tool: str, folder: Path, **asked: Any) -> list[Any]:
            declared = talk.composed.declared.tools[tool]
            caller = talk.caller(folder=str(folder), project=await project_at(talk, folder))
            return list(await declared.run(declared.arguments(**asked), caller))

        [row] = await told("search", root, query="burst limit")
        assert "on branch hotfix-429" in "\n".join(hit(to_dict(row), 100, 0))
        assert {each.branch for each in await told("timeline", root) if each.kind in ("edit", "test", "summary")} == {
            "hotfix-429"
        }
        [row] = await told("search", side, query="burst limit")
        assert not row.branch, "it is the caller's own"
        [thread] = await told("threads", root)
        [_, line] = still_open([thread], 200)
        assert line.endswith("Still fails: make test: 1 failed (on branch hotfix-429)")
        [thread] = await told("threads", side)
        assert "branch" not in still_open([thread], 200)[1]
        done = await use(talk, "done", id=thread["id"], words="Still fails: make test")
        assert settled(done, 200)[0].startswith(f"{thread['id']} is done: Still fails: make test: 1 failed")

    converse(site, story)


async def project_at(talk: Talk, folder: Path) -> str:
    found: str = await talk.services.get(Items).project_at(str(folder))
    return found
