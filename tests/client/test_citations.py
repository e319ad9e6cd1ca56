"""Web citations under the real client: what the model receives, and what the client itself asked the origin for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Use
from tests.client.held import install
from tests.conversations.origin import Asked, Origin, make_authority
from tests.support.daemon import DaemonHome


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[Origin]:
    make_authority(tmp_path / "ca")
    with Origin(tls=tmp_path / "ca") as served:
        yield served


@pytest.fixture
def held(claude: Claude, home: DaemonHome, tmp_path: Path) -> DaemonHome:
    """holdfast for this client; both trust the origin's certificate."""
    home.home.config.write_text(
        f'[citations]\nallow_private = ["127.0.0.1"]\nca_file = "{tmp_path / "ca" / "ca.pem"}"\n'
    )
    home.start()
    claude.env["NODE_EXTRA_CA_CERTS"] = str(tmp_path / "ca" / "ca.pem")
    claude.settings({"skipWebFetchPreflight": True})
    install(claude, home)
    return home


def by_client(origin: Origin) -> list[Asked]:
    return [asked for asked in origin.requests if asked.headers["user-agent"].startswith("Claude-User")]


def fetch(url: str, prompt: str = "What does it say?") -> Use:
    return Use("WebFetch", {"url": url, "prompt": prompt})


def session(claude: Claude, api: Api, *uses: Use) -> None:
    api.script(*uses, Say("Done."))
    assert claude.run("Read it.").text == "Done."


def stats(held: DaemonHome) -> dict[str, Any]:
    return dict(held.request("POST", "/api/tools/citations_stats", b"{}")[1])


@pytest.mark.requirement("CIT-1")
@pytest.mark.requirement("CIT-2")
def test_a_page_read_in_one_session_answers_the_next(
    claude: Claude, api: Api, held: DaemonHome, origin: Origin
) -> None:
    url = origin.add("/doc")
    api.side("version 1", Say("THE READING: it is version one."))
    first, second = fetch(url), fetch(url)
    session(claude, api, first)
    assert api.result(first) == ("THE READING: it is version one.", False)
    assert len(by_client(origin)) == 1
    session(claude, api, second)
    told = api.result(second)
    assert told.is_error
    assert "Cache hit, not an error" in told.text
    assert "THE READING: it is version one." in told.text
    assert "What does it say?" in told.text
    assert len(by_client(origin)) == 1, "the client itself never fetched the page again"
    assert len(api.where("version 1", Kind.SIDE)) == 1, "nor was a model asked to read it again"
    assert stats(held)["hits"] == 1


@pytest.mark.requirement("CIT-1")
def test_a_page_that_changed_is_fetched_again(claude: Claude, api: Api, held: DaemonHome, origin: Origin) -> None:
    url = origin.add("/doc")
    api.side("version 1", Say("READING ONE"))
    api.side("version 2", Say("READING TWO"))
    session(claude, api, fetch(url))
    origin.sheets["/doc"].turn()
    changed, after = fetch(url), fetch(url)
    session(claude, api, changed)
    assert api.result(changed) == ("READING TWO", False)
    session(claude, api, after)
    assert "READING TWO" in api.result(after).text
    assert "READING ONE" not in api.result(after).text
    assert len(by_client(origin)) == 2


@pytest.mark.requirement("CIT-3")
def test_the_client_answers_from_its_own_memory_and_that_is_not_kept(
    claude: Claude, api: Api, held: DaemonHome, origin: Origin
) -> None:
    """In one session: the page changes, the client reads its old copy to the model, and holdfast keeps none of it."""
    url = origin.add("/doc")
    api.side("version 1", Say("READING ONE"))
    api.side("version 2", Say("READING TWO"))
    first, again, way_out, later = fetch(url), fetch(url), fetch(f"{url}#holdfast-fresh-1"), fetch(url)

    def turned(asked: object) -> Use:
        origin.sheets["/doc"].turn()
        return again

    api.script(first, turned, way_out, Say("Done."))
    claude.run("Read it.")
    assert api.result(again) == ("READING ONE", False), "the client's own memory: an old page for a new question"
    assert api.result(way_out) == ("READING TWO", False)
    session(claude, api, later)
    assert "READING TWO" in api.result(later).text
    assert "READING ONE" not in api.result(later).text


@pytest.mark.requirement("CIT-5")
def test_the_way_out_works(claude: Claude, api: Api, held: DaemonHome, origin: Origin) -> None:
    url = origin.add("/doc")
    api.side("version 1", Say("A READING"))
    session(claude, api, fetch(url, "One question?"))
    out = fetch(f"{url}#holdfast-fresh-1", "Quite another question?")
    session(claude, api, out)
    assert api.result(out) == ("A READING", False)
    assert [asked.path for asked in by_client(origin)] == ["/doc", "/doc"]
    assert stats(held)["readings"] == 2


@pytest.mark.requirement("CIT-1")
def test_offline_the_reading_is_offered_as_not_verified(
    claude: Claude, api: Api, held: DaemonHome, tmp_path: Path
) -> None:
    make_authority(tmp_path / "ca")
    with Origin(tls=tmp_path / "ca") as origin:
        url = origin.add("/doc")
        api.side("version 1", Say("WHAT IT SAID"))
        session(claude, api, fetch(url))
    offline = fetch(url)
    session(claude, api, offline)
    assert api.result(offline).is_error
    assert "ECONNREFUSED" in api.result(offline).text
    assert api.reached("NOT VERIFIED")
    assert api.reached("WHAT IT SAID")
