"""holdfast never captures itself (EVT-10): which tool calls are its own, and what the journal keeps of them.

The journal notes that such a call happened. Its question and answer are not stored: they came from the store.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from holdfast.events.event import Event, JsonObject, PostToolBatch, ToolEvent
from holdfast.events.own_tools import own_tool
from holdfast.paths import own_programs
from holdfast.shell.own import is_own_call

_TOLD = ("tool_input", "tool_response", "error")


def is_own(event: Event) -> bool:
    """Is this a call of holdfast's tools, or a command line that runs nothing but holdfast?"""
    return isinstance(event, ToolEvent) and is_own_call(event.tool_name, event.tool_input, own_programs())


def is_own_tool(event: Event) -> bool:
    """Is this a call of holdfast's MCP tools? (A command line is for guards to judge, whatever we make of it.)"""
    return isinstance(event, ToolEvent) and bool(own_tool(event.tool_name))


def without_own_calls(event: Event, payload: JsonObject) -> tuple[Event, JsonObject]:
    """A PostToolBatch repeats its calls: ours lose their question and answer."""
    if not isinstance(event, PostToolBatch) or not event.tool_calls:
        return event, payload
    calls = [_less(call) for call in event.tool_calls]
    return replace(event, tool_calls=calls), payload | {"tool_calls": calls}


def _less(call: JsonObject) -> JsonObject:
    is_ours = is_own_call(call.get("tool_name"), call.get("tool_input"), own_programs())
    return reduced(call) if is_ours else call


def reduced(payload: dict[str, Any]) -> JsonObject:
    """The payload without question and answer."""
    return {key: value for key, value in payload.items() if key not in _TOLD}
