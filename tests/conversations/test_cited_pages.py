"""What is kept of a web page carries the page's version, and is marked when the page is found changed. Both stores."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.origin import Origin
from tests.conversations.talk import Talk, context, converse, denied


@pytest.mark.requirement("CIT-9")
def test_a_memory_is_marked_when_the_page_it_cites_changes(site: Site, origin: Origin) -> None:
    url = origin.add("/guide")
    other = origin.add("/other")

    async def story(talk: Talk) -> None:
        await talk.fetch(url, "how are retries configured", text="Retries are set by max_attempts, default five.")
        await talk.fetch(other, "unrelated", text="Nothing about it.")
        kept, _ = await talk.memory.remember(f"Retries default to five attempts, see {url}#retries.", project="")
        observed = (await talk.items.search("retries max_attempts", kinds=("web",)))[0]
        for item in (kept.id, observed.id):
            [page] = (await talk.items.why(item)).pages
            assert (page.url, page.changed_at) == (url, 0)
            assert page.version
        assert not [line for line in await talk.items.search("retries") if line.page_changed]

        assert denied(await talk.before(url, session="s2"))  # proven unchanged: still nothing to mark
        assert not [line for line in await talk.items.search("retries") if line.page_changed]

        origin.sheets["/guide"].turn()
        await talk.fetch(url, "how are retries configured", text="Retries are gone.", session="s3")
        marked = {line.id for line in await talk.items.search("retries default five attempts") if line.page_changed}
        assert {kept.id, observed.id} <= marked
        assert (await talk.items.why(kept.id)).pages[0].changed_at > 0
        [fresh] = [
            line
            for line in await talk.items.search("", kinds=("web",))
            if line.listed.window_id != observed.listed.window_id
        ]
        assert not fresh.page_changed

        asked = {"session_id": "s4", "cwd": "/p", "hook_event_name": "UserPromptSubmit", "prompt_id": "p1"}
        told = context(await talk.tell(asked | {"prompt": "What is the default number of retry attempts?"}))
        assert "the page it cites has changed since" in told

    converse(site, story)


@pytest.mark.requirement("CIT-9")
def test_a_page_that_nothing_is_known_of_carries_no_version(site: Site, origin: Origin) -> None:
    async def story(talk: Talk) -> None:
        kept, _ = await talk.memory.remember("See https://docs.example/never-read for more.", project="")
        assert (await talk.items.why(kept.id)).pages == ()

    converse(site, story)
