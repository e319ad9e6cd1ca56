"""Lines of a transcript as the client writes them, and what a reading of them tells, in short."""

from __future__ import annotations

import json
from typing import Any

from holdfast.road.transcript import TranscriptEvent, TranscriptReading, read_lines

AT = "2026-11-15T20:39:43.666Z"


def read(data: bytes, offset: int = 0, **options: Any) -> TranscriptReading:
    return read_lines(data, offset, "/t.jsonl", **options)


def story(told: tuple[TranscriptEvent, ...]) -> list[tuple[str, str]]:
    """The events and what each is about, in short."""
    return [(item.event, about(item.payload)) for item in told]


def about(payload: dict[str, Any]) -> str:
    for name in ("prompt", "last_assistant_message", "error"):
        if name in payload:
            return str(payload[name])
    tool_input = payload["tool_input"]
    return str(tool_input.get("command") or f"{payload['tool_name']} {tool_input.get('file_path', '')}".strip())


def both(command: str) -> list[tuple[str, str]]:
    return [("PreToolUse", command), ("PostToolUse", command)]


def line(kind: str, content: Any, **fields: Any) -> bytes:
    message = {"role": kind, "content": content} | fields.pop("message", {})
    common = {"type": kind, "sessionId": "s", "cwd": "/w", "timestamp": AT, "message": message}
    if kind == "user":
        common["promptId"] = "p1"
    return json.dumps(common | fields).encode() + b"\n"


def use(use_id: str = "t1", name: str = "Bash", **given: Any) -> bytes:
    block = {"type": "tool_use", "id": use_id, "name": name, "input": given or {"command": "ls"}}
    return line("assistant", [block], message={"stop_reason": "tool_use"})


def result(content: Any, use_id: str = "t1", is_error: bool = False, **fields: Any) -> bytes:
    return line(
        "user", [{"type": "tool_result", "tool_use_id": use_id, "content": content, "is_error": is_error}], **fields
    )


def final(*texts: str, message_id: str = "m1") -> bytes:
    ending = {"stop_reason": "end_turn", "id": message_id}
    return b"".join(line("assistant", [{"type": "text", "text": text}], message=ending) for text in texts)
