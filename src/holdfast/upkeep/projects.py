"""Projects: which there are, and how one is tied to another folder when it moved.

A project is known by its place (its git directory, its folder, or the name that its own file gives it). Nothing that is
kept changes when it moves: what was recorded belongs to the project's id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import NothingFound, Refused, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.items import tables as item_tables
from holdfast.store.interface import Reader, Store, Tx
from holdfast.times import when
from holdfast.upkeep import tables

_ASIDE = "moved:"
"""Before the id, the place of a project that had to give its place to another one."""


class Project(Struct, frozen=True):
    """One project, as people know it."""

    id: str
    name: str
    place: str
    sessions: int
    last: str | None = None


class Moved(Struct, frozen=True):
    """What happened to a project that moved."""

    id: str
    name: str
    before: str
    place: str
    set_aside: str | None = None
    """The name of the project that had this place; what it holds is kept under that name."""


class Projects:
    """One owner's projects. `locate` gives place and name of a folder; `forget_places` makes the road look again."""

    def __init__(
        self, store: Store, owner: str, locate: Callable[[str], tuple[str, str]], forget_places: Callable[[], None]
    ) -> None:
        self._store = store
        self._owner = owner
        self._locate = locate
        self._forget_places = forget_places

    async def all(self) -> list[Project]:
        return await self._store.read(self._list)

    def _list(self, reader: Reader) -> list[Project]:
        return [
            Project(
                str(row["id"]),
                str(row["name"]),
                str(row["place"]),
                int(row["sessions"] or 0),
                when(int(row["last_at"])) if row["last_at"] else None,
            )
            for row in tables.projects(reader, self._owner)
        ]

    async def move(self, named: str, folder: str) -> Moved:
        """Tie a project (by its id, name or old place) to a folder."""
        place, name = self._locate(folder)

        def work(tx: Tx) -> Moved:
            known = self._list(tx)
            project = _meant(known, named, self._locate)
            if project.place == place:
                raise UsageError(f"{project.name} is at {folder} already; nothing was changed.")
            there = next((each for each in known if each.place == place), None)
            aside = None
            if there is not None:
                aside = f"{there.name} ({there.id[-8:]})"
                item_tables.move_project(tx, there.id, f"{_ASIDE}{there.id}", aside, self._owner)
            item_tables.move_project(tx, project.id, place, name, self._owner)
            return Moved(project.id, name, project.place, place, aside)

        moved = await self._store.write(work)
        self._forget_places()
        return moved


def _meant(known: list[Project], named: str, locate: Callable[[str], tuple[str, str]]) -> Project:
    places = {named, named.rstrip("/"), f"{named.rstrip('/')}/.git"}
    if named.startswith("/"):
        places.add(locate(named)[0])
    found = [each for each in known if named in (each.id, each.name) or each.place in places]
    if not found:
        raise NothingFound(f"There is no project {named}; nothing was changed. `holdfast project list` names them.")
    if len(found) > 1:
        listed = ", ".join(each.place for each in found)
        raise UsageError(f"{len(found)} projects are named {named}: {listed}. Give the place of the one you mean.")
    return found[0]


class List(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Move(Struct, frozen=True, forbid_unknown_fields=True):
    project: Annotated[str, Meta(min_length=1, description="Its name, its old folder, or its id.")]
    to: Annotated[str, Meta(min_length=1, description="The folder where it is now, as a whole path.")]


async def list_projects(asked: List, caller: Caller) -> list[Project]:
    return await caller.services.get(Projects).all()


async def move_project(asked: Move, caller: Caller) -> Moved:
    if caller.is_agent:
        raise Refused("Only a person may move a project: run `holdfast project move` in a terminal of your own.")
    if not asked.to.startswith("/"):
        raise UsageError("The new folder must be a whole path, such as /home/me/website.")
    return await caller.services.get(Projects).move(asked.project, asked.to)


TOOLS: tuple[Tool[Any], ...] = (
    Tool("project_list", "List the projects that have records.", List, list_projects, for_agents=False),
    Tool(
        "project_move",
        "Link a project to another folder.",
        Move,
        move_project,
        changes=True,
        for_agents=False,
    ),
)
