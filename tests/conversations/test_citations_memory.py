"""What web citations remember of origins, so that no probe is wasted and no 304 is believed blindly. On both stores."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations import origin as origins
from tests.conversations.origin import Origin
from tests.conversations.talk import Talk, converse, denied


@pytest.mark.requirement("CIT-4")
def test_an_origin_that_always_answers_304_is_found_out_and_remembered(site: Site, origin: Origin) -> None:
    url, other = origin.add("/doc"), origin.add("/other")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="old", session="a")
        origin.add("/doc", origins.always_304)
        origin.sheets["/doc"].turn()
        assert await talk.before(url, session="b") == {}
        assert origin.requests[-1].headers["if-none-match"].startswith('"holdfast-')
        asked = len(origin.requests)
        assert await talk.before(url, session="c") == {}
        assert await talk.fetch(other, session="d") == {}
        assert len(origin.requests) == asked

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_a_304_is_cross_examined_once_a_day_only(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        for session in ("b", "c", "d"):
            assert denied(await talk.before(url, session=session))
        impossible = [each for each in origin.requests if "holdfast-" in each.headers.get("if-none-match", "")]
        assert len(impossible) == 1

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_no_probe_is_wasted_on_what_does_not_validate(site: Site, origin: Origin) -> None:
    plain, other, good = origin.add("/plain", origins.page("")), origin.add("/other"), origin.add("/good")

    async def story(talk: Talk) -> None:
        await talk.fetch(plain, session="a")
        asked = len(origin.requests)
        await talk.fetch(plain, session="b")
        await talk.fetch(other, session="c")  # nothing of this origin ever validated
        assert len(origin.requests) == asked
        await talk.store.write(lambda tx: tx.run("citations.old_traits", owner="me", now=2**62))
        await talk.fetch(good, session="d")
        await talk.fetch(plain, session="e")
        asked = len(origin.requests)
        await talk.fetch(plain, session="f")
        assert len(origin.requests) == asked
        await talk.fetch(other, session="g")  # this origin is known to validate, so one bad page says nothing
        assert denied(await talk.before(other, session="h"))

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_an_origin_that_refuses_head_is_asked_by_get_at_once(site: Site, origin: Origin) -> None:
    url = origin.add("/doc", origins.without_head(405, origins.page()))

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        await talk.before(url, session="b")
        assert len(origin.asked(method="HEAD")) == 1

    converse(site, story)
