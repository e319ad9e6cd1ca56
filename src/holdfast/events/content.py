"""The text of a message's content, as the client writes it into transcripts and payloads. Pure."""

from __future__ import annotations

from typing import Any


def content_text(content: Any) -> str:
    """A text itself, or the texts of its blocks, a line each. Pictures and other blocks have none."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if block.get("type", "text") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()
