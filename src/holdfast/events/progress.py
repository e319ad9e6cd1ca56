"""How far a conversation is: context use, effort, phase, heartbeat, hand-over. One room knows it, others decide by it.

Whoever learns something notes it on the board; whoever decides reads it there. In memory only, and never the truth:
what nobody noted is unknown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from holdfast.ids import ConversationId

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known of one conversation, or of one agent in it, at this moment."""

    context_used: float | None = None
    """The part of the context window that is used, from 0 to 1; None: not known."""
    effort: str = ""
    """The name of the skill whose effort is active; '' without one."""
    phase: str = ""
    """The phase of that effort."""
    documents: tuple[str, ...] = ()
    """Names of that effort's documents, its log first."""
    heartbeat: int | None = None
    """Calls of tools since the last entry in the log; None: not counted."""
    handed_over: bool = False
    """Its agent has left a hand-over in this window: the window may end."""
    prediction: str = ""
    """The prediction that is open, in one line; '' without one."""


UNKNOWN = Progress()


class ProgressBoard:
    """The progress of every conversation. One per daemon; a service."""

    def __init__(self) -> None:
        self._noted: OrderedDict[tuple[ConversationId, str], Progress] = OrderedDict()
        self.calling: Callable[[ConversationId], int] = lambda beside: 0
        """How many agents call for a person, besides those of a conversation. Whoever knows it puts it here."""

    def note(self, conversation: ConversationId, agent_id: str = "", **changes: Any) -> None:
        """Some of it is known anew; the rest stays."""
        key = (conversation, agent_id)
        self._noted[key] = replace(self._noted.get(key, Progress()), **changes)
        self._noted.move_to_end(key)
        while len(self._noted) > _MOST:
            self._noted.popitem(last=False)

    def clear_predictions(self) -> None:
        """Predictions may have been forgotten: none is known any more."""
        for key, progress in self._noted.items():
            if progress.prediction:
                self._noted[key] = replace(progress, prediction="")

    def of(self, conversation: ConversationId, agent_id: str = "") -> Progress:
        """What is known. A subagent works on its parent's effort; its context and heartbeat are its own."""
        whole = self._noted.get((conversation, ""), Progress())
        if not agent_id:
            return whole
        own = self._noted.get((conversation, agent_id), Progress())
        return replace(
            own,
            effort=own.effort or whole.effort,
            phase=own.phase or whole.phase,
            documents=own.documents or whole.documents,
        )
