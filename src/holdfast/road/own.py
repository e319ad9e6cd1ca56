"""holdfast never captures itself (EVT-10): which tool calls are its own, and what is kept of them.

The journal notes that such a call happened; what it asked and what it was answered came from the store already.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from msgspec.structs import replace

from holdfast.events.event import Event, JsonObject, PostToolBatch, ToolEvent

_OWN_TOOL = re.compile(r"^mcp__(plugin_holdfast_)?holdfast__")
_ASSIGNMENT = re.compile(r"^(HOLDFAST_[A-Z_]*|AGENT_ID)=")
_US = re.compile(r"(/.*/bin/)?holdfast\Z")
_CONTINUED = re.compile(r"(?<!\\)\\\n")
_QUIET = re.compile(r"(?<=\s)2> ?(&1|/dev/null)(?=[\s;|&]|\Z)")
_PUNCTUATION = frozenset("();<>|&")
_SEPARATORS = frozenset({"&&", "||", ";", "|"})
_FILTERS = frozenset({"head", "tail", "grep", "jq", "wc", "cat"})
"""What an agent pipes an answer through; what comes out is still the answer."""
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
    return tool == "Bash" and isinstance(command, str) and _runs_only_holdfast(command)


def _runs_only_holdfast(command: str) -> bool:
    """Whatever is not plain (a substitution, a redirection, a group, a comment) makes a command not ours."""
    if "holdfast" not in command or "$(" in command or "`" in command:
        return False
    plain = _CONTINUED.sub(" ", _QUIET.sub("", command)).replace("\n", " ; ")
    lexer = shlex.shlex(plain, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    ours = False
    before: str | None = ";"
    try:
        for word in lexer:
            if word and _PUNCTUATION.issuperset(word):
                if word not in _SEPARATORS:
                    return False
                before = word
            elif word.startswith("#"):
                return False
            elif before is not None and not _ASSIGNMENT.match(word):
                if not (_US.match(word) or word == "cd" or (before == "|" and word in _FILTERS)):
                    return False
                ours = ours or bool(_US.match(word))
                before = None
    except ValueError:
        return False
    return ours


def without_own_calls(event: Event, payload: JsonObject) -> tuple[Event, JsonObject]:
    """A PostToolBatch repeats its calls: those of ours without what was asked and answered."""
    if not isinstance(event, PostToolBatch) or not event.tool_calls:
        return event, payload
    calls = [_less(call) for call in event.tool_calls]
    return replace(event, tool_calls=calls), payload | {"tool_calls": calls}


def _less(call: JsonObject) -> JsonObject:
    return reduced(call) if _is_own_call(call.get("tool_name"), call.get("tool_input")) else call


def reduced(payload: dict[str, Any]) -> JsonObject:
    """The payload without what was asked and answered."""
    return {key: value for key, value in payload.items() if key not in _TOLD}
