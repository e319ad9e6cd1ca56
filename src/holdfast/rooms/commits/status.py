"""What `holdfast status` says of this room."""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.rooms.commits import tables
from holdfast.rooms.commits.service import Commits
from holdfast.rooms.room import Status


async def status(services: Services) -> Status:
    ground = services.get(Commits).ground
    known = await ground.store.read(lambda reader: tables.states(reader, ground.owner))
    read = [each for each in known if each.found == "commits"]
    values = {"projects": len(read), "commits": sum(each.commits for each in read)}
    told = f"{values['commits']} of {len(read)} project{'s' if len(read) != 1 else ''}"
    return Status({"commits": values}, (("commits", told),) if read else ())
