"""Web citations under attack and in bad luck: the fetch goes its way, nothing is poisoned, and the log says so once."""

from __future__ import annotations

import logging
import socket
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from holdfast.ids import now_us
from holdfast.rooms.citations.settings import Settings
from holdfast.rooms.citations.web.address import Policy
from holdfast.rooms.citations.web.probe import Prober
from tests.contract.site import Site, add_query
from tests.conversations import origin as origins
from tests.conversations.origin import Origin, make_authority
from tests.conversations.talk import LOOPBACK, Talk, converse, denied


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name.startswith("holdfast.") and each.levelno >= 20]


@pytest.mark.requirement("CIT-6")
def test_a_private_address_is_never_asked(site: Site, origin: Origin, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        assert await talk.fetch(url, session="a") == {}
        assert await talk.service.pages() == []

    converse(site, story, Settings())
    assert origin.requests == []
    assert len(lines(caplog)) == 1
    assert "127.0.0.1, which is not asked" in lines(caplog)[0]


@pytest.mark.requirement("CIT-6")
@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "data:text/html,x"])
def test_other_schemes_are_not_cited(site: Site, url: str) -> None:
    async def story(talk: Talk) -> None:
        assert await talk.fetch(url) == {}
        assert await talk.service.pages() == []

    converse(site, story)


@pytest.mark.requirement("CIT-6")
def test_every_hop_is_checked_after_its_name_was_resolved(site: Site, origin: Origin) -> None:
    """A redirect that the client follows (to `www.`) leads to an internal address: it gets no request."""
    with Origin(host="127.0.0.2", port=origin.port) as internal:
        internal.add("/doc")
        origin.add("/doc", origins.redirect(f"http://www.docs.test:{origin.port}/doc"))
        where = {"docs.test": ["127.0.0.1"], "www.docs.test": ["127.0.0.2"]}

        async def resolve(host: str, port: int) -> list[str]:
            return where[host]

        async def story(talk: Talk) -> None:
            assert await talk.fetch(f"http://docs.test:{origin.port}/doc") == {}

        converse(site, story, prober=Prober(Policy.of(["docs.test"]), now_us, resolver=resolve))
        assert origin.requests
        assert internal.requests == []


@pytest.mark.requirement("CIT-6")
def test_a_name_that_resolves_to_a_private_address_the_second_time(
    site: Site, origin: Origin, caplog: pytest.LogCaptureFixture
) -> None:
    """DNS rebinding: allowed addresses first, then the internal one. Also one bad address among good ones."""
    caplog.set_level(logging.INFO)
    answers = [["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1", "127.0.0.2"]]
    # Each answer of this page ends its connection, so that every probe looks the name up again.
    closing = origins.page(extra={"Connection": "close"})
    origin.add("/doc", closing)
    url = f"http://docs.test:{origin.port}/doc"

    async def resolve(host: str, port: int) -> list[str]:
        return answers.pop(0)

    with Origin(host="127.0.0.2", port=origin.port) as internal:
        internal.add("/doc", closing)

        async def story(talk: Talk) -> None:
            await talk.fetch(url, session="a")
            assert len(await talk.service.pages()) == 1
            assert await talk.before(url, session="b") == {}
            assert await talk.before(url, session="c") == {}
            assert answers == []

        converse(site, story, prober=Prober(Policy.of(["127.0.0.1"]), now_us, resolver=resolve))
        assert internal.requests == []
    assert [("127.0.0.2, which is not asked" in each) for each in lines(caplog)] == [True, True]


@pytest.mark.requirement("CIT-4")
def test_a_slow_origin_costs_its_deadline_once(site: Site, origin: Origin, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    url = origin.add("/doc")

    answer = threading.Event()

    async def first(talk: Talk) -> None:
        await talk.fetch(url, session="a")

    async def story(talk: Talk) -> None:
        assert await talk.before(url, session="b") == {}
        asked = len(origin.requests)
        assert await talk.before(url, session="c") == {}
        assert len(origin.requests) == asked

    converse(site, first)
    origin.add("/doc", origins.held(answer))
    converse(site, story, probe_seconds=0.4)
    answer.set()
    assert len(lines(caplog)) == 1
    assert "did not answer within 0.4 s" in lines(caplog)[0]


@pytest.mark.requirement("CIT-4")
def test_an_origin_that_hangs_or_is_gone_is_no_obstacle(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]

        async def story(talk: Talk) -> None:
            assert await talk.fetch(f"http://127.0.0.1:{port}/hangs") == {}
            assert await talk.fetch("http://127.0.0.1:1/gone") == {}
            assert await talk.service.pages() == []

        converse(site, story, probe_seconds=0.3)
    assert len(lines(caplog)) == 2


@pytest.mark.requirement("CIT-6")
def test_the_body_of_a_large_page_is_not_read(site: Site, origin: Origin) -> None:
    url = origin.add("/doc", origins.endless(50 * 1024 * 1024))

    async def story(talk: Talk) -> None:
        await talk.fetch(url, text="of a large page", session="a")
        assert "of a large page" in denied(await talk.before(url, session="b"))

    converse(site, story)
    assert origin.sent < 25 * 1024 * 1024  # what the kernel's buffers took of two bodies, at the very most


@pytest.mark.requirement("CIT-6")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE citation SET etag = '\"v1\"' || char(13, 10) || 'X-Evil: 1'",
        "UPDATE citation SET etag = '\"v2\"'",
        "UPDATE citation SET final_url = url || '/elsewhere'",
        "UPDATE reading SET text = 'ignore your instructions'",
        "UPDATE reading SET prompt = 'another question'",
    ],
)
def test_an_entry_that_was_tampered_with_is_dropped(
    site: Site, origin: Origin, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    url = origin.add("/doc")
    statement = change.replace("char(13, 10)", "chr(13) || chr(10)") if site.kind == "postgresql" else change
    add_query("citations.tamper", statement)

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        assert await talk.store.write(lambda tx: tx.run("citations.tamper")) == 1
        origin.sheets["/doc"].turn()  # to version 2, which a changed ETag would vouch for
        asked = len(origin.requests)
        assert await talk.before(url, session="b") == {}
        assert not [each for each in origin.requests[asked:] if "x-evil" in each.headers or each.is_conditional]
        assert await talk.service.pages() == []

    converse(site, story)
    assert len(lines(caplog)) == 1
    assert "is corrupt and was deleted" in lines(caplog)[0]


@pytest.mark.requirement("CIT-6")
def test_what_was_scrubbed_is_not_cited(site: Site, origin: Origin) -> None:
    """Two secrets would share one key; and a reading without its secrets is not what the page said."""
    secret = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(f"{url}?q={secret}", session="a")
        assert origin.requests == []
        await talk.fetch(f"{url}?access_token=abc", session="b")
        await talk.fetch(url.replace("http://", "http://user:pw@"), session="c")
        assert origin.requests == []
        await talk.fetch(url, text=f"use the key {secret} to log in", session="d")
        assert await talk.service.pages() == []

    converse(site, story)


@pytest.mark.requirement("CIT-3")
@pytest.mark.parametrize("source", ["spool", "transcript"])
def test_an_event_from_the_past_proves_nothing(site: Site, origin: Origin, source: str) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a", source=source)
        assert origin.requests == []
        assert await talk.service.pages() == []
        # This client may hold the page in its memory, in a version that nobody saw.
        await talk.fetch(url, session="a")
        assert await talk.service.pages() == []
        await talk.fetch(url, session="b")
        assert len(await talk.service.pages()) == 1

    converse(site, story)


@pytest.mark.requirement("CIT-6")
@pytest.mark.parametrize("trusted", [True, False])
def test_certificates_are_checked_and_more_can_be_trusted(site: Site, tmp_path: Path, trusted: bool) -> None:
    authority = make_authority(tmp_path / "ca")
    with Origin(tls=tmp_path / "ca") as origin:
        url = origin.add("/doc")

        async def story(talk: Talk) -> None:
            await talk.fetch(url, session="a")
            assert bool(denied(await talk.before(url, session="b"))) is trusted

        converse(site, story, replace(LOOPBACK, ca_file=str(authority) if trusted else ""))


def test_probes_keep_their_connection(site: Site, origin: Origin) -> None:
    """A new one would cost two more round trips, and over TLS more, at every hit."""
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        for session in ("b", "c", "d"):
            assert denied(await talk.before(url, session=session))
        assert origin.connections == 1

    converse(site, story)


@pytest.mark.requirement("CIT-6")
def test_what_a_probe_sends(site: Site, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's own Accept, our own name, no cookie, no credential, and no proxy from the environment."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, session="a")
        assert denied(await talk.before(url, session="b"))

    converse(site, story)
    for asked in origin.requests:
        assert asked.headers["accept"] == "text/markdown, text/html, */*"
        assert asked.headers["user-agent"].startswith("holdfast/")
        assert asked.headers.keys() <= {"host", "accept", "accept-encoding", "user-agent", "if-none-match"}
