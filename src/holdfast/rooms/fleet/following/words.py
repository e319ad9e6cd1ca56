"""What a status says in words. Pure. The texts of events are clean already; here they are made short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.visible import visible

LONGEST = 160
QUESTIONS = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools that are a question to the user."""
_ABOUT = (
    *("command", "file_path", "notebook_path", "url", "query", "pattern", "path", "skill", "to"),
    *("description", "prompt", "subject", "taskId"),
)
_REASONS = {
    "rate_limit": "rate limit reached",
    "authentication_failed": "not logged in",
    "billing_error": "billing problem",
    "server_error": "the API failed",
    "overloaded": "the API is overloaded",
    "model_not_found": "the model is not available",
    "invalid_request": "the API refused the request",
    "max_output_tokens": "the answer was cut off",
    "unknown": "the turn ended with an error",
}
"""The client's words for why a turn failed (2.1.325)."""


def short(text: str, most: int = LONGEST) -> str:
    """One line, of a bounded length."""
    line = visible(text[: 4 * most]).strip()
    return line if len(line) <= most else f"{line[: most - 1]}…"


def about(tool: str, arguments: Mapping[str, Any]) -> str:
    """What a call of a tool is about: its most telling argument."""
    for name in _ABOUT:
        found = arguments.get(name)
        if isinstance(found, str) and found:
            return short(found)
    return ""


def permission(tool: str, about: str) -> str:
    return short(f"permission for {tool}: {about}" if about else f"permission for {tool}")


def question(tool: str, arguments: Mapping[str, Any]) -> str:
    if tool == "ExitPlanMode":
        return "a plan to approve"
    questions = arguments.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    asked = first.get("question") if isinstance(first, dict) else None
    return short(f"question: {asked}") if isinstance(asked, str) and asked else "a question"


def turn_failure(error: str, details: str) -> str:
    """Why a turn ended with an error."""
    reason = _REASONS.get(error) or short(error.replace("_", " ")) or _REASONS["unknown"]
    return short(f"{reason}: {details}" if details else reason)


def tool_failure(tool: str, error: str) -> str:
    first = error.lstrip().partition("\n")[0]
    return short(f"{tool} failed: {first}" if first else f"{tool} failed")
