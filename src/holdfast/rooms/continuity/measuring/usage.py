"""Reads new lines of a transcript: how many tokens the window holds, and what was said in it. Pure.

Context use is input + cache creation + cache read of the last line of the main agent after the last compaction (client
2.1.325). A message has one line per content block, all with the same id and usage: it counts once. The client writes
the user's refusals and interruptions nowhere else, so they are read here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import msgspec

PassageKind = Literal["said", "interrupted", "refused", "summary"]

_MARKS = (b'"usage"', b"compact_boundary", b"[Request interrupted", b"doesn't want to ", b"isCompactSummary")
"""A line without any of these tells nothing here and is not decoded: tool results are most of a transcript."""
_SYNTHETIC = "<synthetic>"
"""The model of messages that the client writes itself, about an error of the API."""
_REFUSED = "The user doesn't want to "
_SAID_WHY = ("the user said:", "the user provided the following reason for the rejection:")


class _Line(msgspec.Struct):
    type: str = ""
    subtype: str = ""
    timestamp: str = ""
    promptId: str | None = None
    agentId: str | None = None
    isSidechain: bool = False
    isMeta: bool = False
    isCompactSummary: bool = False
    message: Any = None
    compactMetadata: Any = None


@dataclass(frozen=True, slots=True)
class Usage:
    """How full a window is."""

    tokens: int | None = None
    """None: nothing was said in it yet."""
    model: str = ""
    messages: int = 0
    """Messages of the model in this window."""
    compactions: int = 0
    last_message: str = ""
    prompt_id: str = ""
    """The prompt whose turn was read last."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was said, which no hook tells."""

    kind: PassageKind
    text: str
    at_us: int
    prompt_id: str


_decode = msgspec.json.Decoder(_Line).decode


def read(data: bytes, before: Usage) -> tuple[Usage, list[Passage]]:
    """What complete lines tell, after what was read before."""
    usage = before
    passages: list[Passage] = []
    for raw in data.split(b"\n"):
        if not any(mark in raw for mark in _MARKS):
            usage = replace(usage, prompt_id=found) if (found := _prompt_of(raw)) else usage
            continue
        try:
            line = _decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if line.isSidechain or line.agentId:
            continue
        if line.promptId:
            usage = replace(usage, prompt_id=line.promptId)
        usage = _used(line, usage)
        passages += _passages(line, usage.prompt_id)
    return usage, passages


def _prompt_of(raw: bytes) -> str:
    """The prompt that a line names, without decoding the line. (Inside a string the quotes would be escaped.)"""
    _, found, rest = raw.partition(b'"promptId"')
    name = rest.lstrip(b" :")[1:65].partition(b'"')[0] if found else b""
    return name.decode("ascii", "ignore") if name != b"ull" else ""


def _used(line: _Line, usage: Usage) -> Usage:
    if line.type == "system" and line.subtype == "compact_boundary":
        told = line.compactMetadata if isinstance(line.compactMetadata, dict) else {}
        after = told.get("postTokens")
        left = after if type(after) is int and after >= 0 else None
        return replace(usage, tokens=left, messages=0, compactions=usage.compactions + 1, last_message="")
    if line.type != "assistant" or not isinstance(line.message, dict):
        return usage
    counts, model = line.message.get("usage"), line.message.get("model")
    tokens = _total(counts) if isinstance(counts, dict) else 0
    if not tokens or model == _SYNTHETIC:
        return usage
    message = str(line.message.get("id") or "")
    is_new = not message or message != usage.last_message
    return replace(
        usage,
        tokens=tokens,
        model=model if isinstance(model, str) else usage.model,
        messages=usage.messages + is_new,
        last_message=message,
    )


def _total(counts: dict[str, Any]) -> int:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(value for name in names if type(value := counts.get(name)) is int and value > 0)


def _passages(line: _Line, prompt_id: str) -> Iterator[Passage]:
    if not isinstance(line.message, dict) or line.isMeta:
        return
    content = line.message.get("content")
    at = _microseconds(line.timestamp)
    if line.isCompactSummary:
        yield Passage("summary", _text(content), at, prompt_id)
    elif line.type == "assistant":
        if (text := _text(content)) and line.message.get("model") != _SYNTHETIC:
            yield Passage("said", text, at, prompt_id)
    elif line.type == "user":
        for text in _texts(content):
            if text.startswith("[Request interrupted"):
                yield Passage("interrupted", "", at, prompt_id)
            elif text.startswith(_REFUSED):
                yield Passage("refused", _reason(text), at, prompt_id)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            held = block.get("text") if block.get("type") == "text" else block.get("content")
            yield from _texts(held) if isinstance(held, list) else [held] if isinstance(held, str) else []


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text").strip()


def _reason(text: str) -> str:
    """What the user wrote beside the refusal; '' when nothing."""
    for mark in _SAID_WHY:
        _, found, said = text.partition(mark)
        if found:
            return said.partition("\n\nNote:")[0].strip()
    return ""


def _microseconds(timestamp: str) -> int:
    try:
        return int(datetime.fromisoformat(timestamp).timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        return 0
