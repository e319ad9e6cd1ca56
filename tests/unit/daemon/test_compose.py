"""The parts that a composition is handed reach the rooms."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct

from holdfast.composition import Composition
from holdfast.config import Config, Loaded
from holdfast.daemon.compose import Parts, assemble
from holdfast.events.event import EVENTS
from holdfast.events.steps import OnEvent
from holdfast.items.service import Items
from holdfast.paths import Home
from holdfast.rooms.room import Ground, Room
from holdfast.scrub import default_scrubber
from holdfast.source.worker import Worker


class Settings(Struct, frozen=True):
    pass


@pytest.mark.requirement("HSE-5")
def test_every_room_stands_on_the_parts_that_were_handed_in(tmp_path: Path) -> None:
    made: list[Worker] = []
    grounds: dict[str, Ground] = {}

    def parser() -> Worker:
        made.append(Worker(("never-started",)))
        return made[-1]

    def room(name: str) -> Room:
        def build(ground: Ground) -> tuple[object, ...]:
            grounds[name] = ground
            return ()

        return Room(name, f"The {name}.", Settings, build)

    parts = Parts(
        rooms=(room("attic"), room("cellar")),
        house_tools=(),
        program=dict.fromkeys(EVENTS, OnEvent()),
        now=lambda: 7,
        owner="me",
        parser=parser,
    )
    store: Any = SimpleNamespace(catalog=SimpleNamespace(tables={}, room_of=str), kind="sqlite")

    async def compose() -> Composition:
        return assemble(Home(tmp_path), Loaded(Config()), default_scrubber(), store, parts)

    composed = asyncio.run(compose())
    assert len(made) == 1, "all rooms share one"
    assert [(each.owner, each.now(), each.parser) for each in grounds.values()] == [("me", 7, made[0])] * 2
    assert {each.folder for each in grounds.values()} == {tmp_path / "attic", tmp_path / "cellar"}
    assert composed.services.get(Items) is composed.items
    assert (composed.owner, composed.started_at, composed.store) == ("me", 7, store)
