"""The text of a message's content, as the client writes it into transcripts and payloads. Pure."""

from __future__ import annotations

import re
from typing import Any

LONGEST_PROMPT = 4_000
_REMINDER = re.compile(r"<system-reminder>.*?(</system-reminder>|\Z)", re.DOTALL)


def content_text(content: Any) -> str:
    """A text itself, or the texts of its blocks, a line each. Pictures and other blocks have none."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if block.get("type", "text") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def prompt_text(prompt: str) -> str:
    """A prompt as its user wrote it, no longer than is kept; '' when all of it was private."""
    return without_reminders(prompt).strip()[:LONGEST_PROMPT]


def without_reminders(text: str) -> str:
    """`text` without what the client added to it."""
    return _REMINDER.sub("", text) if "<system-reminder>" in text else text
