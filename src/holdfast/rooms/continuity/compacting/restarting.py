"""Starts a client again whose window is full, where the user wants that and `holdfast run` started it (CON-9).

The daemon leaves a wish; ending and starting the client is the business of `holdfast run`. The
hand-over waits for the next session as any other does.
"""

from __future__ import annotations

from collections.abc import Callable

from holdfast.events.answer import Part
from holdfast.events.event import Stop
from holdfast.events.fence import fence, new_nonce
from holdfast.events.progress import ProgressBoard
from holdfast.events.running import RunningClients
from holdfast.events.scene import Scene, Services
from holdfast.ids import ConversationId
from holdfast.rooms.continuity.conversations import LiveConversation
from holdfast.rooms.continuity.settings import Settings
from holdfast.rooms.continuity.telling import wording


class Restarts:
    """Knows which clients can be started again, and asks for it."""

    def __init__(self, settings: Settings) -> None:
        self._is_chosen = settings.on_auto_compact == "restart"

    def run_of(self, conversation: ConversationId, services: Services) -> str:
        """The run that can start this session's client again; '' when none can, or the user wants it otherwise."""
        return services.get(RunningClients).run_of(conversation) if self._is_chosen else ""

    def asking(self, run: str, request: str, conversation: ConversationId, services: Services) -> Callable[[], None]:
        """What asks for the start, once the hand-over is written."""
        progress = services.get(ProgressBoard).of(conversation)
        text = wording.restart_prompt(request, progress.effort, progress.phase)
        # In a fence of ours nobody takes it for the user's words, neither memory nor the next checkpoint.
        prompt = fence(text, origin="continuity", nonce=new_nonce())
        return lambda: services.get(RunningClients).start_again(run, prompt)


def after_handover(event: Stop, scene: Scene, live: LiveConversation | None) -> Part | None:
    """The turn in which an agent wrote its hand-over is over: the client is started again."""
    if event.agent_id or not scene.is_live or not scene.services.get(ProgressBoard).of(event.session_id).handed_over:
        return None
    service = scene.services.get(Restarts)
    run = service.run_of(event.session_id, scene.services)
    if not run:
        return None
    request = live.story.stand().request if live is not None else ""
    return Part(after=service.asking(run, request, event.session_id, scene.services))
