"""What users correct, in any of four languages: kept, offered, and of no force until it is confirmed."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.corrections import decided
from tests.contract.site import Site
from tests.conversations.days import DaySession
from tests.conversations.talk import Talk, converse
from tests.conversations.test_brief import use

RULES = "Bitte nie direkt auf main pushen. Ab jetzt immer erst die Tests schreiben."
FIRST, SECOND = "Bitte nie direkt auf main pushen.", "Ab jetzt immer erst die Tests schreiben."


@pytest.mark.requirement("MEM-31")
def test_two_rules_of_one_german_prompt_are_two_and_decided_one_by_one(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("Repariere den Login und schreib einen Test, der nie das Netz benutzt.")
        await session.stop("Der Login ist repariert.")
        assert await use(talk, "corrections") == [], "a request is no correction"
        await session.ask(RULES)
        await session.stop("Verstanden.")
        first, second = await use(talk, "corrections")
        assert (first["you_said"], second["you_said"]) == (FIRST, SECOND)
        assert second["id"] == f"{first['id']}.2"
        brief = await DaySession(talk, 1).start()
        head, _, line = brief.partition("no rule until the user confirms it")
        assert FIRST not in head
        assert f"“{FIRST}”, “{SECOND}”" in line
        await use(talk, "confirm", id=second["id"])
        await use(talk, "dismiss", id=first["id"])
        assert await use(talk, "corrections") == []
        confirmed = await DaySession(talk, 2).start()
        assert SECOND in confirmed
        assert FIRST not in confirmed

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_a_confirmed_correction_can_be_dismissed_again(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("commit what you have")
        await session.stop("Committed as 'wip'.")
        rule = "We never use 'wip' as a message here. Use the imperative and name the component."
        await session.ask(rule)
        await session.stop("Understood.")
        [kept] = await use(talk, "corrections")
        assert kept["you_said"] == rule, "what is forbidden, and what to do instead"
        first = await use(talk, "confirm", id=kept["id"])
        assert decided(first, 120)[1] == f"It holds in every session of p, as the memory {first['memory']}."
        again = await use(talk, "confirm", id=kept["id"])
        assert again["memory"] == first["memory"], "confirmed twice, it is still one memory"
        assert rule in await DaySession(talk, 1).start()
        dismissed = await use(talk, "dismiss", id=kept["id"])
        said, held = decided(dismissed, 120)
        assert said == f"{kept['id']} is dismissed: you said “{rule}”"
        assert held == f"It held in its own session only. The memory {first['memory']} no longer holds."
        assert "wip" not in await DaySession(talk, 2).start(), "what was dismissed is told to nobody"
        assert [each["state"] for each in await use(talk, "corrections", every=True)] == ["dismissed"]

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_a_rule_of_a_few_words_is_told_with_the_sentence_before_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("a rule for saves: every save since 0.3 has to load, forever. never break a run")
        await session.stop("Saves are migrated.")
        brief = await DaySession(talk, 1).start()
        assert "“a rule for saves: every save since 0.3 has to load, forever. never break a run”" in brief

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_an_order_beside_a_rule_is_told_to_nobody_else(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask(
            "No. We never ask for location in this app. Take it out and compare with the planned tour instead"
        )
        await session.stop("Taken out.")
        brief = await DaySession(talk, 1).start()
        assert "“We never ask for location in this app.”" in brief
        assert "Take it out" not in brief

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_an_order_that_ends_is_told_as_what_waits_and_not_as_a_rule(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("REAL_TO_INT rounds down, valmora expects it to round up. who is right?")
        await session.stop("Neither: the standard rounds half to even.")
        await session.ask("i ask jukka at valmora on the call. dont touch it till then")
        await session.stop("`REAL_TO_INT` stays as it is until Jukka has answered.")
        brief = await DaySession(talk, 1).start()
        assert "stays as it is until Jukka has answered" in brief
        assert "dont touch it till then” (about" not in brief

    converse(site, story)
