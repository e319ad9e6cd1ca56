"""Learning: what an agent predicted, what came true, what solved a failure, and what to do next time.

The room keeps entries of the loop, GHAPs (goal, hypothesis, action, prediction), compares them with the outcomes of
tests and builds, and gives lessons where they count. Reading commands and outcomes is `shell`'s; search, show, edit and
forget are `items`'; what happened in a session is the memory room's.

Read it in this order: `model` (values), `rules` (the life of a GHAP), `predictions/`, `ghaps` (in the store),
`hooks` and `capture` (the contributions to events), `remedies/`, `values/`, `tools/`. `tables` is the only speaker of
`learning.sql`.
"""

from __future__ import annotations

from typing import Any

from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Services
from holdfast.rooms.learning import capture, hooks, schema, tools
from holdfast.rooms.learning.model import FAMILIES
from holdfast.rooms.learning.predictions import settling
from holdfast.rooms.learning.remedies import learn, telling
from holdfast.rooms.learning.service import Learning, index_of
from holdfast.rooms.learning.settings import SECTIONS, Settings
from holdfast.rooms.room import Ground, Job, Room, Upkeep

__all__ = ["ROOM", "capture", "hooks", "learn", "telling"]


def build(ground: Ground) -> tuple[Learning]:
    """The service of this room."""
    return (Learning(ground),)


async def expire(arguments: dict[str, Any], services: Services) -> None:
    """The job: abandon GHAPs that nobody adopted in a week."""
    await services.get(Learning).ghaps.expire()


async def cluster(arguments: dict[str, Any], services: Services) -> None:
    """The job: group experiences anew."""
    await services.get(Learning).regroup()


def forgotten(services: Services) -> None:
    """Something was forgotten: what is held in memory may mention it."""
    services.get(Learning).forget_memory()
    services.get(ProgressBoard).clear_predictions()


ROOM = Room(
    "learning",
    duty="Keeps what was predicted and what came true, and gives lessons where they count.",
    settings=Settings,
    more_settings=SECTIONS,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    upkeep=Upkeep(forgotten=forgotten),
    families=FAMILIES,
    index=index_of,
    jobs=(
        Job("expire", expire, slow=True, every_seconds=6 * 3600.0),
        Job("cluster", cluster, slow=True),
        Job(settling.JOB, settling.read_again),
    ),
    tools=tools.TOOLS,
    commands="Attempts, predictions and lessons.",
)
