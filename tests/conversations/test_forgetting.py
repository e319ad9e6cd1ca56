"""Forgetting a file or a text in work that has summaries: what was said of it goes too, and nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.doors import tools
from holdfast.errors import UsageError
from holdfast.times import DAY_US
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.settings import RetentionSettings
from tests.contract.site import Site, add_query
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.support.upkeep import forgetting, retention

TABLES = ("journal", "prompt", "observation", "summary", "memory", "touched_file", "injection", "recall_item")


def forgets(talk: Talk) -> Forgetting:
    return forgetting(talk.store, talk.owner, talk.items)


async def kept(talk: Talk, table: str) -> list[dict[str, Any]]:
    add_query(f"test.{table}", f"SELECT * FROM {table}")
    return await talk.store.read(lambda reader: reader.all(f"test.{table}"))


async def project(talk: Talk, place: str) -> str:
    return next(str(row["id"]) for row in await kept(talk, "project") if row["place"] == place)


async def where(talk: Talk, words: str) -> set[str]:
    """The tables in which these words stand."""
    held = {table: json.dumps(await kept(talk, table), default=str).lower() for table in TABLES}
    return {table for table, text in held.items() if words.lower() in text}


async def turn(session: Session, prompt: str, *paths: str, said: str) -> None:
    await session.ask(prompt)
    for path in paths:
        await session.edit(path)
    await session.stop(said)


# --- a file


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("MEM-8")
def test_a_file_is_forgotten_in_its_own_project(site: Site) -> None:
    """Each project has a README.md; forgetting one of them leaves the other's history, and what was shown of it."""

    async def story(talk: Talk) -> None:
        for place in ("/p", "/q"):
            first = Session(talk, f"first{place}", place)
            await turn(
                first,
                "Please describe the pump.",
                f"{place}/README.md",
                said="The pump in the README was wrong because it has no motor.",
            )
            await first.end()
            again = Session(talk, f"again{place}", place)
            await again.ask("Please look once more.")
            assert "no motor" in await again.use("Read", {"file_path": f"{place}/README.md"}, {})
        abroad = Session(talk, "abroad", "/q")
        await turn(abroad, "Please copy it.", "/p/README.md", said="Copied.")
        p, q = await project(talk, "/p"), await project(talk, "/q")

        request = ForgetRequest(file=("README.md",), project=p)
        shown = await forgets(talk).preview(request)
        assert {line.project_id for line in shown.lines if line.kind == "edit"} == {p, q}
        await forgets(talk).forget(request)
        edits = [row for row in await kept(talk, "observation") if row["kind"] == "edit"]
        assert [(row["project_id"], row["files"]) for row in edits] == [(q, '["README.md"]')]
        assert {(row["project_id"], row["path"]) for row in await kept(talk, "touched_file")} == {(q, "README.md")}
        assert {row["conversation"] for row in await kept(talk, "injection")} == {"again/q"}
        for place, shown_again in (("/p", False), ("/q", True)):
            third = Session(talk, f"third{place}", place)
            await third.ask("Please look again.")
            assert ("README.md" in await third.use("Read", {"file_path": f"{place}/README.md"}, {})) is shown_again

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_which_project_a_path_is_of_must_be_known(site: Site) -> None:
    async def story(talk: Talk) -> None:
        talk.services.add(forgets(talk))
        for place in ("/p", "/q"):
            work = Session(talk, f"work{place}", place)
            await turn(work, "Please describe the pump.", f"{place}/README.md", said="The pump is described.")
        p = await project(talk, "/p")

        async def asked(caller: str = "", **arguments: Any) -> Any:
            body = json.dumps(arguments | {"preview": True}).encode()
            tool = tools.find(talk.composed.declared.tools, "forget")
            return await tools.call(tool, body, talk.caller(project=caller))

        with pytest.raises(UsageError, match="Which project"):
            await asked(file=["README.md"])
        with pytest.raises(UsageError, match="goes with a file"):
            await asked(text="pump", project="all")
        assert (await asked(file=["README.md"], project="all")).counts["observation"] == 2
        for arguments in ({"file": ["README.md"], "project": "/p"}, {"file": ["README.md", "/p/README.md"]}):
            plan = await asked(**arguments)
            assert plan.counts["observation"] == 1, arguments
            assert {line.project for line in plan.lines} == {"p"}
        assert (await asked(caller=p, file=["README.md"])).counts["observation"] == 1

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_what_was_said_of_a_forgotten_file_goes_too(site: Site) -> None:
    """In the turn that edited it, and in one that only spoke of it; the rest of both stays."""

    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await turn(
            session,
            "Please repair the pump.",
            "/p/src/zanzibar.py",
            "/p/src/pump.py",
            said="I changed src/zanzibar.py because the pump leaked. The gasket was replaced.",
        )
        await turn(
            session,
            "Now paint the shed please.",
            "/p/src/shed.py",
            said="The shed is like src/zanzibar.py because of rust.",
        )
        await turn(session, "Please look at src/zanzibar.py once more.", said="It is fine.")
        await turn(session, "Please test src/zanzibar.pyc now.", said="It is stale because of age.")
        await session.end()
        assert await where(talk, "src/zanzibar.py") >= {"journal", "prompt", "observation", "summary", "recall_item"}

        receipt = await forgets(talk).forget(
            ForgetRequest(file=("src/zanzibar.py",), project=await project(talk, "/p"))
        )
        assert receipt.counts["prompt"] == 1
        assert receipt.counts["observation"] == 1
        left = json.dumps([await kept(talk, table) for table in TABLES], default=str)
        assert "src/zanzibar.py" not in left.replace("src/zanzibar.pyc", "")
        turns = {row["request"]: row for row in await kept(talk, "summary") if row["level"] == "turn"}
        assert set(turns) == {
            "Please repair the pump.",
            "Now paint the shed please.",
            "Please test src/zanzibar.pyc now.",
        }
        assert turns["Please repair the pump."]["done"].startswith("Edited src/pump.py")
        assert turns["Now paint the shed please."]["done"].startswith("Edited src/shed.py")
        assert turns["Please test src/zanzibar.pyc now."]["learned"] == "It is stale because of age."

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_where_an_event_happened_is_not_what_it_is_about(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1", "/p/src.d")
        await turn(session, "Please repair the pump.", "/p/src.d/pump.py", said="It is repaired.")
        before = await kept(talk, "journal")
        await forgets(talk).forget(ForgetRequest(file=("/p/src.d",)))
        assert await kept(talk, "journal") == before

    converse(site, story)


# --- a text


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("The client is Zanzibar. Their budget is known. The gasket was dry.", "zanzibar. Their BUDGET"),
        ("The client is **Zanzibar** of old. The gasket was dry.", "is **Zanzibar** of"),
        ("The client is Zanzibar\nof old.\n\nThe gasket was dry.", "zanzibar of OLD"),
    ],
)
def test_a_text_is_found_across_sentences_lines_and_marks(site: Site, said: str, text: str) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await turn(session, "Please repair the pump.", "/p/src/pump.py", said=said)
        await turn(session, "Now paint the shed please.", "/p/src/shed.py", said="It is painted because of rust.")
        await session.end()
        assert await where(talk, "zanzibar") == {"journal", "summary", "recall_item"}
        await forgets(talk).forget(ForgetRequest(text=text))
        assert await where(talk, "zanzibar") == set()
        [painted] = [row for row in await kept(talk, "summary") if row["request"] == "Now paint the shed please."]
        assert painted["said"] == "It is painted because of rust."
        assert len(await kept(talk, "observation")) == 2

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_a_space_stands_for_no_other_character(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await turn(session, "Please repair the pump-house.", "/p/a.py", said="Done with the pump_house at last.")
        assert (await forgets(talk).preview(ForgetRequest(text="pump house"))).counts == {}
        await forgets(talk).forget(ForgetRequest(text="pump house"))
        assert len(await kept(talk, "prompt")) == 1

    converse(site, story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("MEM-15")
def test_what_was_done_stays_when_old_words_are_forgotten(site: Site) -> None:
    """The journal has grown light: of a turn whose words are forgotten the rest is not made anew from too little."""

    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        said = "The client is Zanzibar because they pay."
        await turn(session, "Please repair the pump.", "/p/src/pump.py", "/p/src/valve.py", said=said)
        await turn(session, "Now paint the shed please.", "/p/src/shed.py", said="It was rusty because of rain.")
        await session.end()
        at = max(int(row["happened_at"]) for row in await kept(talk, "journal"))
        await retention(talk.store, talk.owner, RetentionSettings(detail_days=30)).run(at + 40 * DAY_US)
        assert not await kept(talk, "observation")
        assert await where(talk, "zanzibar") == {"journal", "summary", "recall_item"}
        await forgets(talk).forget(ForgetRequest(text="Zanzibar"))
        assert await where(talk, "zanzibar") == set()
        repaired = next(row for row in await kept(talk, "summary") if row["request"] == "Please repair the pump.")
        assert "src/valve.py" in str(repaired["done"])
        whole = next(row for row in await kept(talk, "summary") if row["level"] == "session")
        assert "src/valve.py" in str(whole["done"])
        assert whole["learned"] == "It was rusty because of rain."

    converse(site, story)
