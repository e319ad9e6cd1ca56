"""What hooks and tools ask of this room, in one place: entries, who calls, and what is learned of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.errors import UsageError
from holdfast.events.caller import Caller
from holdfast.ids import ConversationId
from holdfast.items.service import Items
from holdfast.rooms.learning import tables
from holdfast.rooms.learning.callers import Announced
from holdfast.rooms.learning.entries import Entries
from holdfast.rooms.learning.index import LearningIndex
from holdfast.rooms.learning.settings import Checkin, OutcomeCapture, SessionEnd, SessionStart, Settings
from holdfast.rooms.learning.tables import Who
from holdfast.rooms.room import Ground


def index_of(ground: Ground) -> LearningIndex:
    """The items of this room."""
    gives = ground.chosen(SessionStart).inject_light_context
    return LearningIndex(ground.chosen(Settings).values if gives else 0)


class Learning:
    """The learning loop of one owner."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.owner = ground.owner
        self.settings = ground.chosen(Settings)
        self.on_start = ground.chosen(SessionStart)
        self.checkin = ground.chosen(Checkin)
        self.capture = ground.chosen(OutcomeCapture)
        self.on_end = ground.chosen(SessionEnd)
        self.index = index_of(ground)
        self.entries = Entries(ground, self.index)
        self.announced = Announced()

    async def who(
        self, caller: Caller, tool: str, arguments: Mapping[str, Any], session_id: str = ""
    ) -> tuple[Who, str]:
        """The agent that a call is for, and its project. Named by the call, by its connection, by what the client
        announced, or the newest window of the project."""
        named = ConversationId(session_id) or caller.conversation
        note = self.announced.who(tool, arguments, named, caller.now()) if caller.is_agent else None
        if note is not None:
            return Who(note.conversation, note.agent_id), note.project_id
        project = "" if named else caller.project_id
        found = await self.ground.store.read(
            lambda reader: tables.newest_window(reader, self.owner, project_id=project, conversation=named)
        )
        if named:
            return Who(named), found[1] if found else await self.project(caller)
        if found is None or (caller.is_nowhere and not named):
            raise UsageError("No session is known here. Give `session_id`, or call it inside a session.")
        return Who(found[0]), found[1]

    async def project(self, caller: Caller) -> str:
        """The caller's project, made if nothing ever happened there."""
        if caller.is_nowhere:
            return str(await caller.services.get(Items).project_at(caller.folder))
        return caller.project_id
