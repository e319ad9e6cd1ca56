"""What a search lists for people and agents: answers above questions, one row for a piece of work, the words shown."""

from __future__ import annotations

from typing import Any

import pytest

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
