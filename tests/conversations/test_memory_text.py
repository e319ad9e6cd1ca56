"""Finding what stands somewhere word for word; whose words may be changed; what comes from another tool's folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.rooms.memory.model import Summary
from tests.contract.site import Site, add_query
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse

SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"


@pytest.mark.requirement("MEM-9")
@pytest.mark.parametrize("text", ["->", "it is", "100%", "a_b", "wow!", "ÄPFEL", "設定"])
def test_a_text_is_found_whatever_the_index_knows_of_it(site: Site, text: str) -> None:
    async def story(talk: Talk) -> None:
        there, _ = await talk.memory.remember(f"Here {text.swapcase()} stands.", title="One")
        await talk.memory.remember("Nothing of the kind: 100 axb, wow, Apfel, - >, it was.", title="Two")
        assert [each.id for each in await talk.items.search(text=text)] == [there.id]
        assert [each.id for each in await talk.items.search("stands", text=text)] == [there.id]
        assert await talk.items.search("axb", text=text) == []

    converse(site, story)


@pytest.mark.requirement("MEM-9")
def test_a_text_is_found_behind_much_that_has_its_words(site: Site) -> None:
    async def story(talk: Talk) -> None:
        there, _ = await talk.memory.remember("The gasket valve sticks.", title="The oldest")
        for number in range(30):
            await talk.memory.remember(
                f"The valve of gasket {number} and the gasket of valve {number}.", title=f"{number}"
            )
        found = await talk.items.search("gasket valve", text="gasket valve sticks", limit=1)
        assert [each.id for each in found] == [there.id]
        assert [each.title for each in await talk.items.search(text="gasket", limit=2)] == ["29", "28"]

    converse(site, story)


@pytest.mark.requirement("MEM-9")
def test_a_text_goes_with_every_filter(site: Site) -> None:
    async def story(talk: Talk) -> None:
        one, other = Session(talk, "s1"), Session(talk, "s2", "/q")
        await one.ask("Make a -> b in both files")
        await one.edit("/p/src/one.py", "one", "a -> b")
        await one.edit("/p/src/two.py", "two", "a -> b")
        await Session(talk, "s1", agent="a1").bash("echo 'a -> b'", "a -> b")
        await other.ask("Here a -> b, too")
        search = talk.items.search
        assert len(await search(text="->")) == 5
        assert {each.kind for each in await search(text="->", session="s1")} == {"prompt", "edit", "command"}
        assert [each.kind for each in await search(text="->", session="s2")] == ["prompt"]
        assert len(await search(text="->", kinds=["edit"])) == 2
        for file in ("src/one.py", "one.py"):
            assert [each.title for each in await search(text="->", file=file)] == ["Edited src/one.py: one()"]
        [here] = await search(text="->", file="one.py")
        assert {each.project_id for each in await search(text="->", project=here.project_id)} == {here.project_id}
        assert await search(text="->", until=1) == []

    converse(site, story)


@pytest.mark.requirement("SEC-6")
def test_an_agent_does_not_change_what_a_user_wrote_of_a_turn(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.ask("Please mend the gasket")
        await session.edit("/p/gasket.py", "mend")
        await session.stop("Mended, because it was dry.")
        [summary] = await talk.items.search(kinds=["summary"])
        told, error = await talk.call("edit", id=summary.id, text="An agent's view.")
        assert not error, told
        [item] = await talk.items.get([summary.id])
        assert isinstance(item.value, Summary)
        assert item.value.written_by == "agent"
        await talk.items.edit(summary.id, text="A user's view.")
        told, error = await talk.call("edit", id=summary.id, text="An agent's view.")
        assert error
        assert "user's words" in told
        [prompt] = await talk.items.search(kinds=["prompt"])
        assert (await talk.call("edit", id=prompt.id, text="I never said that"))[1]

    converse(site, story)


async def _summaries(talk: Talk) -> list[str]:
    found = await talk.items.search(session="s1", kinds=["summary"])
    return [item.words() for item in await talk.items.get([each.id for each in found])]


@pytest.mark.requirement("MEM-11")
def test_a_corrected_prompt_is_corrected_in_every_summary(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        for name in ("valve", "gasket"):
            await session.ask(f"Please mend the {name} of the boiler")
            await session.edit(f"/p/{name}.py", "mend")
            await session.stop(f"Done: the {name} was dry because nobody had oiled it.")
        await session.end()
        # What the summaries were made from may have aged out long before someone corrects the prompt.
        add_query("test.drop_entries", "DELETE FROM journal WHERE conversation = :conversation")
        await talk.store.write(lambda tx: tx.run("test.drop_entries", conversation="s1"))
        before = await _summaries(talk)
        [prompt] = await talk.items.search(text="gasket of the boiler", kinds=["prompt"])
        await talk.items.edit(prompt.id, text="Why does the kettle whistle?")
        told = await _summaries(talk)
        assert len(told) == 3
        named = [words for words in before if "gasket of the boiler" in words]
        assert len(named) == 2, "the turn's, and the session's, which tells what came last"
        assert not [words for words in told if "gasket of the boiler" in words]
        assert [words for words in told if "kettle" in words]
        assert len([words for words in told if "gasket was dry" in words]) == 2

    converse(site, story)


@pytest.mark.requirement("SEC-1")
@pytest.mark.requirement("MEM-2")
def test_what_another_tool_kept_of_pages_is_scrubbed(site: Site, tmp_path: Path) -> None:
    words = {"prompt": f"with {SECRET}", "content": "The page says so. <private>My salary is 5.</private>"}
    good = {"url": "https://e.example/doc", "etag": '"v1"', "fetched_at": 1_700_000_000} | words
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "said.json").write_text(
        json.dumps(good | {"url": "https://e.example/a", "content": f"It is {SECRET}."})
    )
    (tmp_path / "url.json").write_text(json.dumps(good | {"url": f"https://e.example/{SECRET}"}))

    async def story(talk: Talk) -> None:
        assert await talk.service.take_over(str(tmp_path)) == (
            1,
            ["said.json: the reading is not whole", "url.json: a secret was removed from the URL"],
        )
        [(_, [reading])] = await talk.service.readings("https://e.example/doc")
        assert reading.text.strip() == "The page says so."
        assert reading.prompt.startswith("with [scrubbed:")

    converse(site, story)
