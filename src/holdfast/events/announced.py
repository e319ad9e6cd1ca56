"""Which agent calls a tool. A server that a client starts knows its conversation, but not which subagent asks.

The client tells a call's PreToolUse before it makes the call, with the agent and the arguments. So what was said last
says who is meant. An HTTP connection names no session at all; it is known by the same notes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.events.event import PreToolUse
from holdfast.events.own_tools import own_tool
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId

_COMMAND = "holdfast"
_MOST = 256
_LONGEST_US = 120 * 1_000_000


@dataclass(frozen=True, slots=True)
class Note:
    """One call that is about to be made."""

    conversation: ConversationId
    agent_id: str
    project_id: str
    tool: str
    """The tool's name without its server; 'holdfast' for a command line of ours."""
    arguments: Mapping[str, Any]
    at: int


class Announced:
    """The calls of this daemon's tools that clients announced lately. One per daemon, a service; in memory only."""

    def __init__(self) -> None:
        self._notes: deque[Note] = deque(maxlen=_MOST)

    def note(self, note: Note) -> None:
        self._notes.append(note)

    def who(self, tool: str, arguments: Mapping[str, Any], conversation: ConversationId, now: int) -> Note | None:
        """The announced call that this one is: of the same conversation if that is known, with the same arguments if
        any has them, the oldest first; it is used up."""
        fitting = [
            note
            for note in self._notes
            if note.tool in (tool, _COMMAND)
            and now - note.at <= _LONGEST_US
            and conversation in ("", note.conversation)
        ]
        same = [note for note in fitting if note.tool == tool and _alike(note.arguments, arguments)]
        found = same[0] if same else fitting[-1] if fitting else None
        if found is not None and found.tool == tool:
            self._notes.remove(found)
        return found


def announce(event: PreToolUse, scene: Scene) -> None:
    """One of holdfast's own tools or commands is about to be called: note by which agent."""
    tool = own_tool(event.tool_name)
    arguments = event.arguments if tool else {}
    agent, project = event.agent_id or "", scene.place.project_id
    note = Note(event.session_id, agent, project, tool or _COMMAND, arguments, scene.now())
    scene.services.get(Announced).note(note)


def _alike(told: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:
    return all(arguments.get(name) == value for name, value in told.items() if isinstance(value, str))
