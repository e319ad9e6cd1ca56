"""Who calls a tool, from where, and what it may stand on: the twin of `Scene`, which is what a hook sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from holdfast.events.scene import Services
from holdfast.ids import NO_CONVERSATION, ConversationId

PAUSED = "Recording is paused here; nothing was kept."


@dataclass(frozen=True, slots=True)
class Caller:
    """One call's circumstances, made by its door from what the request says."""

    services: Services
    owner: str
    now: Callable[[], int]
    is_agent: bool = False
    """Came by MCP, or from a process inside an agent: whatever it says of itself, its words are an agent's."""
    folder: str = ""
    """Where the caller stands; '' when it does not say."""
    project_id: str = ""
    """The project of that folder; '' when nothing ever happened in it."""
    conversation: ConversationId = NO_CONVERSATION
    """The client's session, where the caller is inside one and says so."""
    agent_id: str = ""
    agent_name: str = ""
    """`AGENT_ID` of the caller's environment, where it tells."""
    is_paused: bool = False
    """Recording is paused in its session or project: an agent's words are not kept then, a person's are."""
    peer: int = 0
    """The process that calls, as the system says: by the Unix socket only. 0: not known."""

    @property
    def is_nowhere(self) -> bool:
        """Does it stand in a folder where nothing ever happened? It is of no project, not of all."""
        return bool(self.folder) and not self.project_id

    def speaker(self, claimed: str = "user") -> Literal["user", "agent"]:
        """Whose words these are: an agent cannot pass its own off as a user's."""
        return "user" if claimed == "user" and not self.is_agent else "agent"
