"""The material of one summary. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.rooms.memory.capture.questions import UserAnswer
from holdfast.rooms.memory.model import Observation


@dataclass(frozen=True, slots=True)
class Work:
    """The material of one summary, in the order of time."""

    requests: tuple[str, ...]
    observations: tuple[Observation, ...]
    last_message: str = ""
    context: str = ""
    """The last request before these that named a subject; '' for none."""
    pages: tuple[str, ...] = ()
    """What the web told during the conversation."""
    question: str = ""
    """What the user had asked last before these; '' for nothing."""
    answered: str = ""
    """What the agent had said before the request: the user may choose from it."""
    has_helpers: bool = False
    """Subagents worked for it."""
    answers: tuple[UserAnswer, ...] = ()
    """What the user answered to the client's own questions."""
