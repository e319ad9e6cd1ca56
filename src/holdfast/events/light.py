"""The light form of a journal entry: an old payload, shortened to what was asked and said. Pure."""

from __future__ import annotations

from typing import Any

import msgspec

LIGHT_MARK = '{"holdfast_light":'

_MADE_OF = frozenset({"UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"})
_FRAME = frozenset({"SessionStart", "SessionEnd", "PreCompact", "PostCompact", "SubagentStart"})
_LONGEST = {"prompt": 1_000, "last_assistant_message": 1_000, "error": 300, "reason": 100, "source": 40, "trigger": 40}
_LONGEST_INPUT = 160
_MOST_INPUTS = 4


def is_light(payload: str) -> bool:
    return payload.startswith(LIGHT_MARK)


def stays_light(event: str) -> bool:
    """Does an entry stay, in its light form, when the whole ones have gone? The others repeat what these tell."""
    return event in _MADE_OF or event in _FRAME


def light(payload: str) -> str:
    """The light form of a payload: what was asked and said, shortened; whose it was stands in the entry's columns."""
    try:
        whole = msgspec.json.decode(payload)
    except msgspec.MsgspecError:
        whole = {}
    kept: dict[str, Any] = {"holdfast_light": 1}
    if isinstance(whole, dict):
        for name, longest in _LONGEST.items():
            if isinstance(value := whole.get(name), str) and value:
                kept[name] = value[:longest]
        given = whole.get("tool_input")
        if isinstance(given, dict):
            texts = {name: value for name, value in given.items() if isinstance(value, str)}
            kept["tool_input"] = {name: texts[name][:_LONGEST_INPUT] for name in list(texts)[:_MOST_INPUTS]}
    return msgspec.json.encode(kept).decode()
