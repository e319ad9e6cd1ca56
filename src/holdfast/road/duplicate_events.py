"""The same event by two ways: a hook of the client, and a script that passes the hook's input on by RPC.

Where an event names what it is about, its key says that both are one (`journal.py`). The others are recognised here:
the same event of the same agent about the same thing, once by each way, within a few seconds. In memory only.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from holdfast.events.event import (
    EVENTS,
    ConfigChange,
    Event,
    Notification,
    PermissionRequest,
    PreCompact,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    TaskEvent,
    TeammateIdle,
    UserPromptSubmit,
)

SECONDS = 20.0
_MOST = 512

_Key = tuple[str, str, str, int]


def _tool(event: PermissionRequest) -> str:
    return f"{event.tool_name}{event.tool_input!r}"


_ABOUT: Mapping[type[Event], Callable[[Any], str | None]] = {
    SessionStart: lambda event: event.source,
    SessionEnd: lambda event: event.reason,
    UserPromptSubmit: lambda event: event.prompt,
    Stop: lambda event: event.last_assistant_message,
    SubagentStart: lambda event: event.agent_id,
    PreCompact: lambda event: event.trigger,
    Notification: lambda event: event.message,
    PermissionRequest: _tool,
    TeammateIdle: lambda event: event.teammate_name,
    TaskEvent: lambda event: event.task_id,
    ConfigChange: lambda event: event.file_path,
}
"""What an event is about, beside its name and its agent; both ways tell it alike."""
_FINDS = {kind: find for kind in EVENTS.values() for base, find in _ABOUT.items() if issubclass(kind, base)}


class DuplicateEvents:
    """The events of the last seconds that have no key of their own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lately: OrderedDict[_Key, tuple[str, bool, float]] = OrderedDict()

    def key_for(self, event: Event, source: str, key: str) -> str:
        """The key of the same event that came by the other way just now; else `key`, and this one may be found so."""
        about = _FINDS.get(type(event))
        if about is None:
            return key
        is_rpc, now = source == "rpc", self._clock()
        same = (event.hook_event_name, event.session_id, event.agent_id or "", hash(about(event) or ""))
        known = self._lately.get(same)
        if known is not None and known[1] != is_rpc and now - known[2] <= SECONDS:
            del self._lately[same]  # the next one is another event
            return known[0]
        self._lately[same] = (key, is_rpc, now)
        self._lately.move_to_end(same)
        if len(self._lately) > _MOST:
            self._lately.popitem(last=False)
        return key
