"""Reads what a run of the client printed: the fields of a summary, and the cost. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from holdfast.prose.one_line import one_line

LONGEST = {"title": 120, "request": 400, "investigated": 600, "done": 1_200, "learned": 1_200, "left_open": 800}
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Called:
    """One run of the client: what it wrote, and what it cost."""

    content: dict[str, str]
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    error: str = ""


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0


class _Result(msgspec.Struct):
    """The fields that are read from the JSON of `claude -p --output-format json` (2.1.325)."""

    result: str = ""
    is_error: bool = False
    total_cost_usd: float = 0.0
    usage: _Usage = msgspec.field(default_factory=_Usage)
    modelUsage: dict[str, Any] = msgspec.field(default_factory=dict)


def read_result(output: bytes, clean: Callable[[object], object]) -> Called:
    """The summary's fields, each within its length, and the cost, which also counts when the text is useless."""
    try:
        told = msgspec.json.decode(output, type=_Result)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Called({}, error="the client printed no result")
    usage = told.usage
    cost = Called(
        {},
        model=next(iter(told.modelUsage), ""),
        input_tokens=usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
        output_tokens=usage.output_tokens,
        usd=told.total_cost_usd,
    )
    if told.is_error:
        said = clean(told.result)
        return replace(cost, error=one_line(str(said), 200) or "the client reported an error")
    found = _OBJECT.search(told.result)
    try:
        fields = clean(msgspec.json.decode(found[0])) if found else None
    except msgspec.MsgspecError:
        fields = None
    if not isinstance(fields, dict):
        return replace(cost, error="the answer is no JSON object")
    content = {name: _said(fields.get(name))[:longest] for name, longest in LONGEST.items()}
    content = {name: text for name, text in content.items() if text}
    if not content.get("title") and not content.get("done"):
        return replace(cost, error="the answer says nothing")
    if "title" in content:
        content["title"] = one_line(content["title"], LONGEST["title"])
    return replace(cost, content=content)


def _said(value: object) -> str:
    """A text; a list of texts becomes one line each."""
    if isinstance(value, list):
        return "\n".join(each for each in value if isinstance(each, str)).strip()
    return value.strip() if isinstance(value, str) else ""
