"""What the scripted model answers: steps, and their encoding as the Messages API puts them on the wire.

A step answers one request. It leaves choosing the step for a request to api.py.
"""

import itertools
import json
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_RUN = secrets.token_hex(4)
_NUMBERS = itertools.count(1)


def unique(prefix: str) -> str:
    """An id that no other answer of any test in any process carries."""
    return f"{prefix}_{_RUN}{next(_NUMBERS):08d}"


@dataclass(frozen=True)
class Usage:
    """The token counts an answer reports; the client takes its context percentage from them."""

    input_tokens: int = 1000
    output_tokens: int = 10
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    def as_json(self) -> dict[str, int]:
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class Say:
    """The model says a text; alone in a turn it ends the turn."""

    text: str


@dataclass(frozen=True, eq=False)
class Use:
    """The model calls a tool. Each time it is served the call gets a new id."""

    tool: str
    input: Mapping[str, Any] = field(default_factory=dict)


Block = Say | Use


@dataclass(frozen=True, eq=False)
class Turn:
    """One answer of several blocks (a parallel batch), or one that is slow, held back or costly.

    `hold` keeps the answer back until the test sets the event; `delay` is in seconds.
    """

    blocks: Sequence[Block]
    usage: Usage = Usage()
    delay: float = 0.0
    hold: threading.Event | None = None
    stop_reason: str | None = None


@dataclass(frozen=True, eq=False)
class Fail:
    """The API answers with an error. The client asks again unless `retry` is False.

    A 400 is asked again all the same, several times and with fewer betas (2.1.325): script as many.
    """

    status: int
    type: str = "api_error"
    message: str = "scripted failure"
    retry: bool = False

    def body(self) -> bytes:
        error = {"type": "error", "error": {"type": self.type, "message": self.message}}
        return json.dumps(error).encode()


Answer = Say | Use | Turn | Fail


def as_turn(step: Say | Use | Turn) -> Turn:
    return step if isinstance(step, Turn) else Turn([step])


def message(turn: Turn, model: str) -> tuple[dict[str, Any], list[tuple[str, Use]]]:
    """The whole message object of a turn, and the ids given to its tool calls."""
    content: list[dict[str, Any]] = []
    calls: list[tuple[str, Use]] = []
    for block in turn.blocks:
        if isinstance(block, Say):
            content.append({"type": "text", "text": block.text})
        else:
            calls.append((unique("toolu"), block))
            content.append({"type": "tool_use", "id": calls[-1][0], "name": block.tool, "input": dict(block.input)})
    whole = {
        "id": unique("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": turn.stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
        "usage": turn.usage.as_json(),
    }
    return whole, calls


def stream(whole: Mapping[str, Any]) -> bytes:
    """A message as the server-sent events of a streaming answer."""
    return b"".join(f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode() for data in _stream_events(whole))


def _stream_events(whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty: dict[str, Any] = {**block, "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": whole["usage"]}
    yield {"type": "message_stop"}
