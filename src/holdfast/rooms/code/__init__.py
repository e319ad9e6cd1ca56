"""Code: which functions and classes a project has, which tests and files use them, for whoever is about to edit.

The room keeps an index of each repository beside the store, follows edits, and says at a Read what grep does not show:
the tests of the file and the files that use it. Reading source files is `source`'s; commits and files that change
together are the room `commits`'; what failed here before is learning's.

Read it in this order: `source` (the library), `rules` (what is said and how it is ranked, pure), `service` (the
indexes), `hooks`, `tools`. It has no tables: the index is a picture of the disk, and can be made anew.
"""

from __future__ import annotations

from typing import Any

from holdfast.events.scene import Services
from holdfast.items.sources import ContextSource
from holdfast.rooms.code import hooks, tools
from holdfast.rooms.code.forget_hooks import UPKEEP, status
from holdfast.rooms.code.service import INDEX, Code
from holdfast.rooms.code.settings import Settings
from holdfast.rooms.room import Ground, Job, Room

__all__ = ["ROOM", "build", "hooks"]


def build(ground: Ground) -> tuple[Code]:
    """The service of this room."""
    return (Code(ground, ground.chosen(Settings)),)


async def index(arguments: dict[str, Any], services: Services) -> None:
    """The job: index a folder, in small steps. What is left is asked for again, so that other jobs have their turn."""
    service = services.get(Code)
    root = str(arguments["root"])
    if service.settings.index and not await service.build(root):
        await service.ask_again(root)


async def tidy(arguments: dict[str, Any], services: Services) -> None:
    """The job: remove indexes that nobody needs."""
    await services.get(Code).tidy()


ROOM = Room(
    "code",
    duty="Indexes functions and classes, and says at a Read which tests and files use them.",
    settings=Settings,
    build=build,
    jobs=(
        Job(INDEX, index, slow=True),
        Job("tidy", tidy, slow=True, every_seconds=86_400.0, after_start_seconds=600.0),
    ),
    tools=tuple(tools.TOOLS),
    context=ContextSource(("code",), tools.lines_for, at_prompt=True),
    symbols=lambda services: services.get(Code),
    names_tests=lambda services: services.get(Code).names_tests,
    commands="Index, search and outline the code of a project.",
    status=status,
    upkeep=UPKEEP,
)
