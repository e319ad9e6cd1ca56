"""The test's hands inside a daemon: what takes a day, a fault or a sentence model happens when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.items.service import Items
from holdfast.recall import health
from holdfast.recall.vectors import embed_missing
from holdfast.rooms.room import Ground, Room
from holdfast.upkeep.retention import Retention


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """None."""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class Probe:
    def __init__(self, ground: Ground) -> None:
        self.ground = ground


class Reads:
    """A sentence model that notes what it was shown."""

    id = "reads"
    dimensions = 4
    scale: tuple[float, float] | None = None

    def __init__(self) -> None:
        self.shown: list[str] = []

    def embed_queries(self, texts: Sequence[str], /) -> Any:
        import numpy as np

        return np.full((len(texts), self.dimensions), 0.5, dtype=np.float32)

    def embed_items(self, texts: Sequence[str], /) -> Any:
        self.shown += texts
        return self.embed_queries(texts)


async def age_now(asked: Nothing, caller: Caller) -> dict[str, int]:
    """Retention, which is due ten minutes after the start."""
    return (await caller.services.get(Retention).run()).rows


async def lose_index(asked: Nothing, caller: Caller) -> None:
    """A fault: the search index is empty."""
    ground = caller.services.get(Probe).ground
    await ground.store.write(lambda tx: health.drop_own(tx, ground.owner))


async def embed_now(asked: Nothing, caller: Caller) -> list[str]:
    """Vectors for all that has none, as with a sentence model; the words that it was shown."""
    ground, model = caller.services.get(Probe).ground, Reads()
    while await embed_missing(ground.store, model, caller.services.get(Items).texts):
        pass
    return model.shown


ROOM = Room(
    "probe",
    duty="Does at once what tests cannot wait for.",
    settings=Settings,
    build=lambda ground: (Probe(ground),),
    tools=tuple(
        Tool(run.__name__, str(run.__doc__), Nothing, run, for_agents=False) for run in (age_now, lose_index, embed_now)
    ),
)
