"""Web citations: what an agent's WebFetch meets, behaviour by behaviour of the origin. On both stores."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from holdfast.events.fence import new_nonce
from tests.contract.site import Site
from tests.conversations import origin as origins
from tests.conversations.origin import Behaviour, Origin
from tests.conversations.talk import Talk, converse, denied


@pytest.mark.requirement("CIT-1")
@pytest.mark.requirement("CIT-2")
def test_a_page_that_did_not_change_is_answered_from_its_reading(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        assert await talk.fetch(url, "what is the signature", text="f(a, b) returns c", session="first") == {}
        requests = len(origin.requests)
        reason = denied(await talk.before(url, "what is the signature", session="second"))
        assert "Cache hit, not an error" in reason
        assert "f(a, b) returns c" in reason
        assert "what is the signature" in reason
        assert "Read: 20" in reason
        assert "Verified: 20" in reason
        assert "304 Not Modified" in reason
        assert f"{url}#holdfast-fresh-" in reason
        assert "GET" not in [asked.method for asked in origin.requests[requests:]]

    converse(site, story)


@pytest.mark.requirement("CIT-4")
@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(origins.page("strong"), id="strong-etag"),
        pytest.param(origins.page("weak"), id="weak-etag"),
        pytest.param(origins.page("strong", dated=True), id="etag-and-date"),
        pytest.param(origins.page("", dated=True), id="date-only"),
        pytest.param(origins.without_head(405, origins.page()), id="head-405"),
        pytest.param(origins.without_head(501, origins.page("weak")), id="head-501"),
        pytest.param(origins.without_head(404, origins.page("", dated=True)), id="head-404-date-only"),
        pytest.param(origins.bare_head, id="validators-only-on-get"),
        pytest.param(origins.unconditional("strong"), id="conditions-ignored-strong-etag"),
        pytest.param(origins.head_unconditional, id="head-ignores-conditions-weak-etag"),
        pytest.param(origins.either, id="either-validator-counts"),
        pytest.param(origins.page(extra={"Vary": "Accept, Accept-Encoding, Cookie"}), id="vary-on-what-both-send"),
        pytest.param(origins.page(extra={"Cache-Control": "no-cache, max-age=0"}), id="no-cache-asks-to-revalidate"),
    ],
)
def test_hit_when_unchanged_miss_when_changed(site: Site, origin: Origin, behaviour: Behaviour) -> None:
    url = origin.add("/doc", behaviour)

    async def story(talk: Talk) -> None:
        assert await talk.fetch(url, text="the first text", session="a") == {}
        assert "the first text" in denied(await talk.before(url, session="b"))
        assert "the first text" in denied(await talk.before(url, session="b"))
        origin.sheets["/doc"].turn()
        assert await talk.fetch(url, text="the second text", session="c") == {}
        reason = denied(await talk.before(url, session="d"))
        assert "the second text" in reason
        assert "the first text" not in reason

    converse(site, story)


@pytest.mark.requirement("CIT-4")
@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(origins.page(""), id="no-validators"),
        pytest.param(origins.failing(404), id="404-with-etag"),
        pytest.param(origins.failing(500), id="500-with-etag"),
        pytest.param(origins.failing(403), id="403-for-unknown-agents"),
        pytest.param(origins.page(extra={"Cache-Control": "no-store"}), id="no-store"),
        pytest.param(origins.page(extra={"Cache-Control": 'max-age=1, private="x"'}), id="private"),
        pytest.param(origins.page(extra={"Set-Cookie": "id=1"}), id="set-cookie"),
        pytest.param(origins.page(extra={"Vary": "*"}), id="vary-anything"),
        pytest.param(origins.page(extra={"Vary": "accept, User-Agent"}), id="vary-user-agent"),
        pytest.param(origins.redirect("/doc"), id="redirect-loop"),
        pytest.param(origins.redirect("https://elsewhere.invalid/"), id="redirect-the-client-does-not-follow"),
        pytest.param(origins.redirect("ftp://127.0.0.1/x"), id="redirect-to-ftp"),
        pytest.param(lambda asked, sheet: origins.Reply(200, {"ETag": "not quoted"}), id="malformed-etag"),
        pytest.param(lambda asked, sheet: origins.Reply(200, {"ETag": '"' + "x" * 5000 + '"'}), id="huge-etag"),
    ],
)
def test_what_cannot_be_proven_is_never_kept(site: Site, origin: Origin, behaviour: Behaviour) -> None:
    url = origin.add("/doc", behaviour)

    async def story(talk: Talk) -> None:
        assert await talk.fetch(url, session="a") == {}
        assert await talk.before(url, session="b") == {}
        assert await talk.service.pages() == []

    converse(site, story)


@pytest.mark.requirement("CIT-2")
@pytest.mark.parametrize("code", [404, 500, 301, 302])
def test_only_what_the_client_read_with_200_is_kept(site: Site, origin: Origin, code: int) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.before(url, use="u1")
        await talk.after(url, use="u1", code=code, text="REDIRECT DETECTED or an error")
        assert await talk.service.pages() == []

    converse(site, story)


@pytest.mark.requirement("CIT-3")
def test_a_page_that_changes_during_the_fetch_is_not_kept(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.before(url, use="u1")
        origin.sheets["/doc"].turn()  # the client has read version 1 by now
        await talk.after(url, use="u1", text="version 1")
        assert await talk.before(url, session="later") == {}

    converse(site, story)


@pytest.mark.requirement("CIT-3")
def test_nothing_is_kept_without_a_look_before(site: Site, origin: Origin) -> None:
    url, other = origin.add("/doc"), origin.add("/other")

    async def story(talk: Talk) -> None:
        await talk.after(url, use="never-announced")
        await talk.before(other, use="u2")
        await talk.after(url, use="u2")
        assert await talk.service.pages() == []

    converse(site, story)


@pytest.mark.requirement("CIT-3")
def test_a_reading_from_the_clients_own_memory_is_not_kept(site: Site, origin: Origin) -> None:
    """The client keeps pages by their URL for 15 minutes: after a change it reads the old page to its model again."""
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="version 1", session="same client")
        origin.sheets["/doc"].turn()
        assert await talk.fetch(url, text="version 1, from memory", session="same client") == {}
        assert await talk.before(url, session="other client") == {}
        fresh = f"{url}#holdfast-fresh-{new_nonce()}"  # a URL that this client has never read
        assert await talk.fetch(fresh, text="version 2", session="same client") == {}
        assert "version 2" in denied(await talk.before(url, session="other client"))

    converse(site, story)


@pytest.mark.requirement("CIT-3")
def test_a_client_that_was_cleared_still_has_its_memory(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="version 1", session="before clear")
        await talk.tell({"hook_event_name": "SessionEnd", "session_id": "before clear", "cwd": "/p", "reason": "clear"})
        origin.sheets["/doc"].turn()
        await talk.fetch(url, text="version 1, from memory", session="after clear")
        assert await talk.before(url, session="other client") == {}

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_a_date_within_its_own_second_proves_nothing(site: Site, origin: Origin) -> None:
    sheet_date = lambda: origin.sheets["/doc"].date  # noqa: E731
    url = origin.add("/doc", origins.page("", dated=True, date=sheet_date))

    async def story(talk: Talk) -> None:
        assert await talk.fetch(url, session="a") == {}  # Date equals Last-Modified: the page may change unseen
        assert await talk.before(url, session="b") == {}
        one_later = lambda: formatdate(int(origin.sheets["/doc"].modified) + 1, usegmt=True)  # noqa: E731
        origin.add("/doc", origins.page("", dated=True, date=one_later))
        await talk.fetch(url, text="at rest", session="c")
        assert "at rest" in denied(await talk.before(url, session="d"))

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_both_validators_are_never_sent_together(site: Site, origin: Origin) -> None:
    url = origin.add("/doc", origins.either)

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="old", session="a")
        sheet = origin.sheets["/doc"]
        sheet.turn(now=sheet.modified)  # another ETag within the same second
        assert await talk.before(url, session="b") == {}
        assert not [asked for asked in origin.requests if "if-modified-since" in asked.headers]

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_a_redirect_is_bound_to_where_it_led(site: Site, origin: Origin) -> None:
    url = origin.add("/latest", origins.redirect("/v1"))
    origin.add("/v1")
    origin.add("/v2")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="of version one", session="a")
        reason = denied(await talk.before(url, session="b"))
        assert "of version one" in reason
        assert f"Final URL: {origin.url('/v1')}" in reason
        origin.add("/latest", origins.redirect("/v2"))  # both targets have the same ETag
        assert await talk.before(url, session="c") == {}

    converse(site, story)


@pytest.mark.requirement("CIT-4")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_login_page_does_not_vouch_for_the_document(site: Site, origin: Origin, status: int) -> None:
    url = origin.add("/doc")
    origin.add("/login")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        origin.add("/doc", origins.redirect("/login", status, {"Set-Cookie": "next=/doc"}))
        assert await talk.before(url, session="b") == {}

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_another_type_is_another_page(site: Site, origin: Origin) -> None:
    url = origin.add("/doc", origins.unconditional("strong"))

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        origin.add(
            "/doc", lambda asked, sheet: origins.page(kind="application/json")(origins.Asked("GET", "", {}), sheet)
        )
        assert await talk.before(url, session="b") == {}

    converse(site, story)


@pytest.mark.requirement("CIT-4")
def test_a_page_that_may_no_longer_be_stored_is_not_served(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        origin.add("/doc", origins.page(extra={"Cache-Control": "private"}))
        assert await talk.before(url, session="b") == {}

    converse(site, story)
