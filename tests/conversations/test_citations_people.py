"""Web citations for people: projects and teams, the quota, the tools, and another tool's cache. On both stores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from holdfast.doors.tools import call
from holdfast.errors import HoldfastError, UsageError
from tests.contract.site import Site
from tests.conversations import origin as origins
from tests.conversations.origin import Origin
from tests.conversations.talk import LOOPBACK, Talk, converse, denied


@pytest.mark.requirement("CIT-8")
def test_a_page_belongs_to_its_project_unless_it_is_shared(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def alone(talk: Talk) -> None:
        await talk.fetch(url, cwd="/one", session="a")
        assert await talk.before(url, cwd="/two", session="b") == {}
        assert denied(await talk.before(url, cwd="/one", session="c"))

    async def shared(talk: Talk) -> None:
        assert denied(await talk.before(url, cwd="/one", session="d"))  # kept before it was shared
        other = origin.add("/other")
        await talk.fetch(other, cwd="/one", session="e")
        assert denied(await talk.before(other, cwd="/two", session="f"))

    converse(site, alone)
    converse(site, shared, replace(LOOPBACK, shared=True))


@pytest.mark.requirement("CIT-8")
@pytest.mark.parametrize(
    ("extra", "private", "team_sees"),
    [({}, False, True), ({"Vary": "Cookie"}, False, False), ({}, True, False)],
    ids=["public", "depends-on-login", "private-network"],
)
def test_a_team_shares_public_pages_only(
    site: Site,
    origin: Origin,
    extra: dict[str, str],
    private: bool,
    team_sees: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from holdfast.rooms.citations.web import address

    if not private:
        monkeypatch.setattr(address, "is_public", lambda found: True)  # as if loopback were the internet
    url = origin.add("/doc", origins.page(extra=extra))

    async def story(talk: Talk) -> None:
        colleague = Talk(talk.store, talk.service.settings, owner="colleague")
        await talk.fetch(url, text="what I read", session="mine", cwd="/one")
        reason = denied(await colleague.before(url, session="theirs", cwd="/two"))
        await colleague.service.close()
        assert ("what I read" in reason) is (team_sees and talk.store.kind == "postgresql")
        assert "what I read" in denied(await talk.before(url, session="mine again", cwd="/three"))

    converse(site, story, replace(LOOPBACK, shared=True))


@pytest.mark.requirement("CIT-8")
def test_the_least_recently_used_reading_goes_first(site: Site, origin: Origin) -> None:
    urls = [origin.add(f"/{name}") for name in ("a", "b", "c")]

    async def story(talk: Talk) -> None:
        for url in urls[:2]:
            await talk.fetch(url, text="x" * 400, session=url)
        assert denied(await talk.before(urls[0], session="use"))
        await talk.fetch(urls[2], text="x" * 400, session="third")
        assert {row["url"] for row in await talk.service.pages()} == {urls[0], urls[2]}

    converse(site, story, replace(LOOPBACK, max_bytes=1_000))


@pytest.mark.requirement("CIT-8")
def test_what_people_can_ask(site: Site, origin: Origin) -> None:
    url = origin.add("/doc")

    async def story(talk: Talk) -> None:
        async def ask(name: str, **arguments: object) -> Any:
            return await call(talk.composed.declared.tools[name], json.dumps(arguments).encode(), talk.caller())

        await talk.fetch(url, "why", text="because", session="a")
        assert denied(await talk.before(url, session="b"))
        (line,) = await ask("citations_list")
        assert (line.url, line.readings, line.hits, line.project) == (url, 1, 1, "p")
        assert await ask("citations_list", project="another") == []
        (shown,) = await ask("citations_show", url=url + "#x")
        assert [(each.prompt, each.text) for each in shown.readings] == [("why", "because")]
        stats = await ask("citations_stats")
        assert (stats.pages, stats.hits, stats.kept, stats.saved_bytes) == (1, 1, 1, 1000)
        assert 0 < stats.saved_ms <= 2500
        forgotten = await ask("citations_forget", url=url)
        assert (forgotten.pages, forgotten.readings) == (1, 1)
        assert await talk.before(url, session="c") == {}
        with pytest.raises(HoldfastError, match="Nothing is kept"):
            await ask("citations_show", url=url)
        with pytest.raises(HoldfastError, match="neither https nor http"):
            await ask("citations_forget", url="file:///etc/passwd")
        with pytest.raises(UsageError, match="It takes url"):
            await ask("citations_show", link=url)
        with pytest.raises(UsageError, match="limit"):
            await ask("citations_list", limit="all")

    converse(site, story)


@pytest.mark.requirement("CIT-8")
def test_the_cache_of_the_scripts_is_taken_over_and_marked(site: Site, origin: Origin, tmp_path: Path) -> None:
    url, moved = origin.add("/doc"), origin.add("/moved", origins.redirect("/doc"))
    cache = tmp_path / ".claude" / "sdd-cache"
    cache.mkdir(parents=True)
    good = {"url": url, "prompt": "why", "etag": '"v1"', "content": "because", "fetched_at": 1_700_000_000}
    files: dict[str, object] = {
        "good": good,
        "moved": good | {"url": moved},
        "injected": good | {"url": url + "/x", "etag": '"v1"\r\nX-Evil: 1'},
        "file": good | {"url": "file:///etc/passwd"},
        "bare": good | {"url": url + "/y", "etag": "", "last_modified": ""},
        "iso": good | {"url": origin.add("/iso"), "fetched_at": "2026-01-02T03:04:05Z"},
        "list": [1],
    }
    for name, value in files.items():
        (cache / f"{name}.json").write_text(json.dumps(value))
    (cache / "broken.json").write_text("{")

    async def story(talk: Talk) -> None:
        taken = await call(
            talk.composed.declared.tools["citations_import"],
            json.dumps({"directory": str(cache)}).encode(),
            talk.caller(),
        )
        assert taken.pages == 3
        assert sorted(each.split(".json")[0] for each in taken.left_out) == [
            "bare",
            "broken",
            "file",
            "injected",
            "list",
        ]
        reason = denied(await talk.before(url, cwd=str(cache), session="a"))
        assert "because" in reason
        assert "taken over from sdd-cache" in reason
        assert await talk.before(moved, cwd=str(cache), session="a") == {}
        with pytest.raises(HoldfastError, match="not a folder"):
            await talk.service.take_over(str(tmp_path / "nowhere"))

    converse(site, story)
