"""holdfast never captures itself (EVT-10): which tool calls are its own, and what the journal keeps of them.

The journal notes that such a call happened. Its question and answer are not stored: they came from the store.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from holdfast.events.event import Event, JsonObject, PostToolBatch, ToolEvent
from holdfast.paths import own_programs
from holdfast.shell.own import runs_only_holdfast

_OWN_TOOL = re.compile(r"^mcp__(plugin_holdfast_)?holdfast__")
_TOLD = ("tool_input", "tool_response", "error")


def is_own(event: Event) -> bool:
    """Is this a call of holdfast's tools, or a command line that runs nothing but holdfast?"""
    return isinstance(event, ToolEvent) and _is_own_call(event.tool_name, event.tool_input)


def is_own_tool(event: Event) -> bool:
    """Is this a call of holdfast's MCP tools? (A command line is for guards to judge, whatever we make of it.)"""
    return isinstance(event, ToolEvent) and bool(_OWN_TOOL.match(event.tool_name))


def _is_own_call(tool: object, arguments: object) -> bool:
    if not isinstance(tool, str):
        return False
    if _OWN_TOOL.match(tool):
        return True
    command = arguments.get("command") if isinstance(arguments, dict) else None
    return tool == "Bash" and isinstance(command, str) and runs_only_holdfast(command, own_programs())


def without_own_calls(event: Event, payload: JsonObject) -> tuple[Event, JsonObject]:
    """A PostToolBatch repeats its calls: ours lose their question and answer."""
    if not isinstance(event, PostToolBatch) or not event.tool_calls:
        return event, payload
    calls = [_less(call) for call in event.tool_calls]
    return replace(event, tool_calls=calls), payload | {"tool_calls": calls}


def _less(call: JsonObject) -> JsonObject:
    return reduced(call) if _is_own_call(call.get("tool_name"), call.get("tool_input")) else call


def reduced(payload: dict[str, Any]) -> JsonObject:
    """The payload without question and answer."""
    return {key: value for key, value in payload.items() if key not in _TOLD}
