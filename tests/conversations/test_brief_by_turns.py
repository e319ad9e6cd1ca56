"""The brief tells turns: what each of them came to, what is still open, and how the user wants things done."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession, lines
from tests.conversations.talk import Talk, converse


async def turn(session: DaySession, asked: str, said: str, *paths: str, output: str = "31 passed in 2s") -> None:
    await session.ask(asked)
    for path in paths:
        await session.edit(f"/p/{path}")
    if paths:
        await session.bash("pytest -q", output)
    await session.stop(said)


async def brief(talk: Talk, day: float) -> str:
    return "\n".join(lines(await DaySession(talk, day).start()))


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-19")
def test_two_matters_of_one_session_are_two_lines_and_trivia_is_none(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await turn(session, "the fare of transfers is wrong", "Transfers were billed twice, because `fare()` keyed by"
                   " leg. It keys by journey now.", "fare.py")  # fmt: skip
        await turn(session, "and children should ride free", "Children below six ride free: `fare()` asks for the age.",
                   "fare.py")  # fmt: skip
        await turn(session, "java: orElse vs orElseGet", "`orElse` always evaluates its argument, `orElseGet` only"
                   " when the Optional is empty.")  # fmt: skip
        await turn(session, "regex for an ipv4 address", "`^(\\d{1,3}\\.){3}\\d{1,3}$`, one group per octet.")
        await session.end()
        told = await brief(talk, 1)
        assert "keys by journey now" in told
        assert "ride free" in told
        assert "orElse" not in told
        assert "octet" not in told

    converse(site, story)


@pytest.mark.requirement("MEM-31")
@pytest.mark.requirement("MEM-19")
def test_three_rules_of_the_user_keep_their_place_beside_work_and_threads(site: Site) -> None:
    async def story(talk: Talk) -> None:
        rules = {
            "we never round a reading before it is stored": "The boiler must be restarted by the plant first.",
            "always send the raw frame along": "The certificate of the collector waits for the security team.",
            "we never retry a rejected reading": "Ops still have to open port 6661 on the gateway.",
        }
        for day, (rule, open_point) in enumerate(rules.items()):
            session = DaySession(talk, day)
            await session.start()
            await turn(session, f"no. {rule}", f"The reader of line {day} does so now.\n\n{open_point}", f"l{day}.py")
            await session.end()
        told = await brief(talk, 4)
        assert all(rule in told for rule in rules)
        assert sum(open_point in told for open_point in rules.values()) >= 2

    converse(site, story)


@pytest.mark.requirement("MEM-17")
@pytest.mark.requirement("MEM-18")
def test_a_refused_push_is_over_when_the_user_pushed(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("tag 2.1.0 and push")
        await session.bash(
            "git push origin main", error="Exit code 1\nremote: error: GH006: Protected branch update failed"
        )
        await session.stop("2.1.0 is tagged, but only here. The remote refused `main`: it takes pull requests only.")
        await session.end()
        assert "only here" in await brief(talk, 1)
        later = DaySession(talk, 2)
        await later.start()
        await turn(later, "i merged it and pushed the tag myself btw", "Good, then 2.1.0 is out.")
        await later.end()
        told = await brief(talk, 3)
        assert "refused" not in told
        assert "only here" not in told

    converse(site, story)


@pytest.mark.requirement("MEM-18")
def test_what_was_blocked_is_over_when_it_was_tried_again_and_went_well(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("get the march load through")
        await session.bash("./load.sh march", error="Exit code 1\nrelation stg_orders is locked")
        await session.stop("The load did not run: `stg_orders` is locked by the analysts' notebook, which is Priya's.")
        await session.end()
        assert "locked" in await brief(talk, 1)
        later = DaySession(talk, 2)
        await later.start()
        await later.ask("priya closed it, go again")
        await later.bash("./load.sh march", "loaded 41,220 rows")
        await later.stop("March is in: 41,220 rows, and the totals match the ledger.")
        await later.end()
        assert "locked" not in await brief(talk, 3)

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_who_asks_for_a_day_alone_is_told_what_was_done_then(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await turn(session, "the build is red", "`ReconnectTest` listened on a fixed port, and two jobs ran in"
                   " parallel. It takes a free port now.", "reconnect.py")  # fmt: skip
        await session.end()
        for day in (1, 2):
            other = DaySession(talk, day)
            await other.start()
            await turn(other, f"add column {day}", f"The report has a column {day} now.", f"report{day}.py")
            await other.end()
        asked = DaySession(talk, 5, name="asks")
        given = await asked.ask("what was on {}?".format("monday"))
        assert "fixed port" in given

    converse(site, story)
