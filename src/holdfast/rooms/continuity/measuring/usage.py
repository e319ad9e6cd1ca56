"""Reads new lines of a transcript: how many tokens the window holds, and what was said in it. Pure.

Context use is input + cache creation + cache read of the last line of the main agent after the last compaction (client
2.1.325). A message has one line per content block, all with the same id and usage: it counts once. The client writes
the user's refusals and interruptions nowhere else, so they are read here, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from holdfast.events.content import content_text
from holdfast.ids import NO_PROMPT, ClientPromptId
from holdfast.times import microseconds

PassageKind = Literal["said", "interrupted", "refused", "summary"]

_MARKS = (b'"usage"', b"compact_boundary", b"[Request interrupted", b"doesn't want to ", b"isCompactSummary")
"""A line without any of these tells nothing here and is not decoded: tool results are most of a transcript."""
_SYNTHETIC = "<synthetic>"
"""The model of messages that the client writes itself, about an error of the API."""
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use\. The tool use was rejected \(eg\. if it was a file edit, "
    r"the new_string was NOT written to the file\)\.|take this action right now\.)"
    r"(?: STOP what you are doing and wait for the user to tell you how to proceed\."
    r"| To tell you how to proceed, the user said:\s(?P<said>.*)"
    r"| The user provided the following reason for the rejection:\s(?P<reason>.*))?\s*",
    re.DOTALL,
)
"""The client's own words for a refusal (2.1.197 to 2.1.325), from the first to the last."""
_REJECTED = "User rejected tool use"
"""What the client notes as the result of a call that the user refused. The output of a tool is noted otherwise."""
_INTERRUPTED = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")


class _Line(msgspec.Struct):
    type: str = ""
    subtype: str = ""
    timestamp: str = ""
    promptId: ClientPromptId | None = None
    agentId: str | None = None
    isSidechain: bool = False
    isMeta: bool = False
    isCompactSummary: bool = False
    message: Any = None
    compactMetadata: Any = None
    toolUseResult: Any = None
    toolDenialKind: Any = None


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
    prompt_id: ClientPromptId = NO_PROMPT
    """The prompt whose turn was read last."""
    over_at: int = 0
    """When a compaction ended the window, until its boundary is read: what was said before that no longer counts."""

    def over(self, at: int) -> Usage:
        """A compaction ended the window now. The client writes its transcript late: the boundary, and even what was
        said before it, may be read after the next window began."""
        return replace(self, tokens=None, messages=0, last_message="", over_at=at) if self.messages else self


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was said, which no hook tells."""

    kind: PassageKind
    text: str
    at_us: int
    prompt_id: ClientPromptId


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


def _prompt_of(raw: bytes) -> ClientPromptId:
    """The prompt that a line names, without decoding the line. (Inside a string the quotes would be escaped.)"""
    _, found, rest = raw.partition(b'"promptId"')
    name = rest.lstrip(b" :")[1:65].partition(b'"')[0] if found else b""
    return ClientPromptId(name.decode("ascii", "ignore")) if name != b"ull" else NO_PROMPT


def _used(line: _Line, usage: Usage) -> Usage:
    if line.type == "system" and line.subtype == "compact_boundary":
        told = line.compactMetadata if isinstance(line.compactMetadata, dict) else {}
        after = told.get("postTokens")
        left = after if type(after) is int and after >= 0 else None
        return replace(usage, tokens=left, messages=0, compactions=usage.compactions + 1, last_message="", over_at=0)
    if line.type != "assistant" or not isinstance(line.message, dict):
        return usage
    counts, model = line.message.get("usage"), line.message.get("model")
    tokens = _total(counts) if isinstance(counts, dict) else 0
    if not tokens or model == _SYNTHETIC:
        return usage
    if usage.over_at and 0 < (microseconds(line.timestamp) or 0) <= usage.over_at:
        return usage
    message = str(line.message.get("id") or "")
    is_new = not message or message != usage.last_message
    return replace(
        usage,
        tokens=tokens,
        model=model if isinstance(model, str) else usage.model,
        messages=usage.messages + is_new,
        last_message=message,
        over_at=0,
    )


def _total(counts: dict[str, Any]) -> int:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(value for name in names if type(value := counts.get(name)) is int and value > 0)


def _passages(line: _Line, prompt_id: ClientPromptId) -> Iterator[Passage]:
    if not isinstance(line.message, dict) or line.isMeta:
        return
    content = line.message.get("content")
    at = microseconds(line.timestamp) or 0
    if line.isCompactSummary:
        yield Passage("summary", content_text(content), at, prompt_id)
    elif line.type == "assistant":
        if (text := content_text(content)) and line.message.get("model") != _SYNTHETIC:
            yield Passage("said", text, at, prompt_id)
    elif line.type == "user":
        yield from _refusals(line, content, at, prompt_id)


def _refusals(line: _Line, content: Any, at: int, prompt_id: ClientPromptId) -> Iterator[Passage]:
    """What the user refused or interrupted, in the client's own form only: a tool may print the same words."""
    for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and block.get("text") in _INTERRUPTED:
            yield Passage("interrupted", "", at, prompt_id)
        elif block.get("type") == "tool_result" and block.get("is_error") is True and _is_refused(line):
            found = _REFUSED.fullmatch(content_text(block.get("content")))
            if found:
                reason = (found["said"] or found["reason"] or "").partition("\n\nNote:")[0].strip()
                yield Passage("refused", reason, at, prompt_id)


def _is_refused(line: _Line) -> bool:
    """Does the client itself note that the user refused? No tool writes these fields."""
    return bool(line.toolUseResult == _REJECTED or line.toolDenialKind == "user-rejected")
