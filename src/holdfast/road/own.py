"""holdfast never captures itself (EVT-10): which tool calls are its own, and what is kept of them.

The journal notes that such a call happened; what it asked and what it was answered came from the store already.
"""

from __future__ import annotations

import re
import shlex

from holdfast.events.event import Event, JsonObject, ToolEvent

_OWN_TOOL = re.compile(r"^mcp__(plugin_holdfast_)?holdfast__")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
_SEPARATORS = frozenset({"&&", "||", ";", "|", "&", "\n"})


def is_own(event: Event) -> bool:
    """Is this a call of holdfast's tools, or a command line that runs nothing but holdfast?"""
    if not isinstance(event, ToolEvent):
        return False
    if _OWN_TOOL.match(event.tool_name):
        return True
    command = event.arguments.get("command")
    return event.tool_name == "Bash" and isinstance(command, str) and _runs_only_holdfast(command)


def _runs_only_holdfast(command: str) -> bool:
    if "holdfast" not in command or "$(" in command or "`" in command:
        return False
    lexer = shlex.shlex(command.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return False
    programs: list[str] = []
    at_start = True
    for word in words:
        if word in _SEPARATORS:
            at_start = True
        elif at_start and not _ASSIGNMENT.match(word):
            programs.append(word.rsplit("/", 1)[-1])
            at_start = False
    return "holdfast" in programs and all(name in ("holdfast", "cd") for name in programs)


def reduced(payload: JsonObject) -> JsonObject:
    """The payload without what was asked and answered."""
    return {key: value for key, value in payload.items() if key not in ("tool_input", "tool_response", "error")}
