"""What is given unasked is the house's: a room that nobody knows is in the brief and recalled at a prompt, in a product
without the memory room, and the settings of the house switch it off. On both stores."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from holdfast.composition import Composition
from holdfast.config import load
from holdfast.daemon.compose import Parts, assemble
from holdfast.events.answer import client_body
from holdfast.events.steps import OnEvent, Program
from holdfast.items.assembling import AssemblyPlace, ContextAssembler
from holdfast.items.service import Items
from holdfast.paths import Home
from holdfast.program import PROGRAM, ROOMS
from holdfast.road.edge import read_payload
from holdfast.rooms.declaring import room_of
from holdfast.rooms.gather import catalog_of
from holdfast.rooms.room import Room
from holdfast.scrub import default_scrubber
from holdfast.store.interface import Store, Tx
from tests.contract.site import Site
from tests.rooms import notebook
from tests.rooms.daemon import numbered
from tests.rooms.notebook.model import NOTE as NOTE_FAMILY
from tests.support.patience import PATIENCE, patient

pytestmark = [pytest.mark.requirement("HSE-1"), pytest.mark.requirement("HSE-2")]
LEFT_OUT = "memory"
UNHURRIED = "[user_prompt_submit]\ntimeout = 5\n"
NOTE = "note: descale the espresso machine on Tuesdays"
QUESTION = "When must I descale the espresso machine?"


class NoJobs:
    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        pass


def without_memory() -> Program:
    """The product's program without the steps of one room, and with the notebook's."""

    def left(entry: OnEvent) -> OnEvent:
        return replace(entry, steps=tuple(step for step in entry.steps if room_of(step) != LEFT_OUT))

    lines = {name: left(entry) for name, entry in PROGRAM.items()}
    at_prompt = lines["UserPromptSubmit"]
    lines["UserPromptSubmit"] = replace(at_prompt, steps=(*at_prompt.steps, notebook.STEP))
    return patient(MappingProxyType(lines))


class Product:
    """Every room but one, and the notebook. (The store has the tables of all: migrations have one sequence.)"""

    def __init__(self, store: Store, room: Room, folder: Path, written: str = "") -> None:
        rooms = (*(each for each in ROOMS if each.name != LEFT_OUT), room)
        parts = Parts(
            rooms=rooms, program=without_memory(), owner="me", jobs=NoJobs(), follows=False, patience=PATIENCE
        )
        file = folder / "config.toml"
        file.write_text(written or UNHURRIED, "utf-8")
        chosen = load(file, environment={}, rooms=rooms)
        assert chosen.unknown == ()
        home = Home(folder / "home")
        self.made: Composition = assemble(home, chosen, default_scrubber(), store, parts)
        self.work = folder / "work"
        self.work.mkdir(exist_ok=True)

    async def tell(self, session: str, event: str, **own: Any) -> dict[str, Any]:
        payload = {"session_id": session, "cwd": str(self.work), "transcript_path": "", "hook_event_name": event} | own
        travelled = await self.made.road.travel(read_payload(json.dumps(payload).encode()), source="command")
        assert travelled.kept
        answer: dict[str, Any] = json.loads(client_body(travelled.event, travelled.answer))
        return answer

    async def start(self, session: str, source: str = "startup") -> tuple[str, str]:
        """What the agent is told at a window's start, and what the user is told of it."""
        answer = await self.tell(session, "SessionStart", source=source)
        return context(answer), str(answer.get("systemMessage", ""))

    async def ask(self, session: str, prompt: str) -> str:
        return context(await self.tell(session, "UserPromptSubmit", prompt=prompt))


def context(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def played(site: Site, story: Callable[[Store, Room], Awaitable[None]]) -> None:
    room = numbered(notebook.ROOM)
    site.tell(lambda store: story(store, room), catalog_of((*ROOMS, room)))


def test_an_item_is_in_the_brief_and_recalled_at_a_prompt(site: Site, tmp_path: Path) -> None:
    async def story(store: Store, room: Room) -> None:
        product = Product(store, room, tmp_path)
        assert (await product.start("s0"))[1].startswith("holdfast: no memory of this project yet")
        await product.ask("s1", NOTE)
        assert "[n" not in await product.ask("s1", QUESTION), "its own session knows it"

        given, sign = await product.start("s2")
        assert "Notes of the user:\n[n" in given
        assert "descale the espresso machine on Tuesdays" in given
        assert sign.startswith("holdfast: 1 line of memory")
        again, sign = await product.start("s2", "resume")
        assert "[n" not in again, "not twice"
        assert sign.startswith("holdfast: nothing new from memory")
        assert "[n" in (await product.start("s2", "compact"))[0], "a compaction lost it"

        recalled = await product.ask("s3", QUESTION)
        assert "descale the espresso machine on Tuesdays" in recalled
        assert "[n" not in await product.ask("s3", "And when must I descale the espresso machine again?")
        items = product.made.services.get(Items)
        [found] = await items.search("espresso", kinds=["note"])
        shown = (await items.why(found.listed.id)).shown
        assert {(each.conversation, each.occasion) for each in shown} == {("s2", "brief"), ("s3", "recall")}

    played(site, story)


def test_a_family_that_is_given_to_nobody_unasked_is_in_a_context_that_is_asked_for(site: Site, tmp_path: Path) -> None:
    async def story(store: Store, room: Room) -> None:
        kept_quiet = replace(room, families=(replace(NOTE_FAMILY, unasked=()),))
        product = Product(store, kept_quiet, tmp_path)
        await product.ask("s1", NOTE)
        assert "[n" not in await product.ask("s2", QUESTION)
        place = AssemblyPlace("me", await product.made.items.project_at(str(product.work)), "")
        assembler = product.made.services.get(ContextAssembler)
        told = await assembler.assemble(QUESTION, place, ("notes",), limit=5, max_tokens=500)
        assert "descale the espresso machine on Tuesdays" in told.markdown

    played(site, story)


@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize(
    ("key", "brief", "recall"),
    [
        ("inject.enabled", False, False),
        ("inject.brief", False, True),
        ("inject.brief_tokens", False, True),
        ("user_prompt_submit.enabled", True, False),
    ],
)
def test_the_settings_of_the_house_switch_it_off(
    site: Site, tmp_path: Path, key: str, brief: bool, recall: bool
) -> None:
    section, _, name = key.partition(".")
    line = f"{name} = {'0' if name == 'brief_tokens' else 'false'}"

    async def story(store: Store, room: Room) -> None:
        written = f"{UNHURRIED}{line}\n" if section == "user_prompt_submit" else f"{UNHURRIED}[{section}]\n{line}\n"
        by_user = Product(store, room, tmp_path, written)
        await by_user.ask("s1", NOTE)
        assert ("[n" in (await by_user.start("s2"))[0]) is brief
        assert ("[n" in await by_user.ask("s3", QUESTION)) is recall
        if name == "brief_tokens":
            return
        by_project = Product(store, room, tmp_path)
        assert "[n" in (await by_project.start("s4"))[0]
        (by_project.work / ".holdfast.toml").write_text(f"[{section}]\n{line}\n")
        assert ("[n" in (await by_project.start("s5"))[0]) is brief
        assert ("[n" in await by_project.ask("s6", QUESTION)) is recall

    played(site, story)
