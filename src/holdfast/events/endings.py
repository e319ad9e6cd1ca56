"""Ends a session because somebody says so: every room's steps of SessionEnd run, as when the client ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from holdfast.events.event import JsonObject
from holdfast.ids import ConversationId

TOLD = "told"
"""The reason of such an end. The client still runs, so the window stays open until it ends by itself."""


@dataclass(frozen=True, slots=True)
class Endings:
    """One per daemon; a service."""

    travel: Callable[[JsonObject], Awaitable[bool]]
    """Takes an event down the road; whether it was kept."""

    async def end(self, conversation: ConversationId, cwd: str, transcript_path: str) -> bool:
        """The session ends, by its agent's or its user's word."""
        return await self.travel(
            {
                "hook_event_name": "SessionEnd",
                "session_id": conversation,
                "cwd": cwd,
                "transcript_path": transcript_path,
                "reason": TOLD,
            }
        )
