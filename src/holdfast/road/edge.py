"""The edge: turns the bytes of a body into a payload that is safe to handle, whatever was sent.

Bad UTF-8 and odd numbers are read as well as possible; `clean.py` cleans the texts later. From a body that cannot be
read (broken or too deep JSON, a body past the limit) the ids that can be found and the beginning of the text are saved.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from holdfast.events.event import JsonObject
from holdfast.road.cut import beginning
from holdfast.road.huge_json import MOST_VALUES, count_values, read_wide
from holdfast.road.mend import STRING_LIMIT, mend_text
from holdfast.scrub.private import has_escapes, may_hold_tags

BODY_LIMIT = 16 * 1024 * 1024
"""Bytes that are read into memory. Of a longer body the two ends are kept."""
SALVAGE_BYTES = 64 * 1024
_ODD_LIMIT = 256 * 1024
"""Bytes up to which JSON that only Python reads (NaN, 1e999) is read by Python: it takes a hundred times as long, and
every other session waits (SEC-7). Of a longer body the ids and the beginning are saved."""
_ODD_VALUES = 16_384
"""Values up to which the same holds: each takes a microsecond."""

_SALVAGED_FIELDS = (
    "session_id",
    "transcript_path",
    "cwd",
    "prompt_id",
    "agent_id",
    "tool_name",
    "tool_use_id",
)
# Two patterns, each with one first byte to look for: as one alternation they take seven times as long.
_ESCAPE_TO_MEND = re.compile(rb"\\u(?:0000|003c|d[89a-f])", re.IGNORECASE)
_TAG_TO_MEND = re.compile(rb"</?(?:holdfast|claude-mem)-context", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Payload:
    """What was read, as it came. `fault` says why it could not be read whole; the fields hold what was saved."""

    fields: JsonObject
    cut_bytes: int = 0
    fault: str | None = None
    malformed: bool = False
    """No client sends that, so its sender is told; a long or deep body is kept as far as it goes, in silence."""
    mended: bool = False
    """There is nothing to mend: its bytes were looked at, or it was mended before."""
    size: int = 0
    """Bytes it came as; 0 when it did not come as bytes."""


def read_payload(body: bytes) -> Payload:
    """The payload in `body`; never raises."""
    try:
        if len(body) > STRING_LIMIT and count_values(body) > MOST_VALUES:
            return _of_wide(body)
        value = _decode(body)
    except RecursionError:
        return salvage(body, body[-SALVAGE_BYTES:], len(body), "The JSON is nested too deeply to be read.")
    except ValueError as error:
        return _malformed(body, f"The body is not valid JSON ({error}).")
    if not isinstance(value, dict):
        return _malformed(body, "The body is JSON, but not an object.")
    return Payload(value, mended=not _is_odd(body), size=len(body))


def _is_odd(body: bytes) -> bool:
    """May there be something to mend?"""
    escapes = has_escapes(body)
    return (
        len(body) > STRING_LIMIT
        or (escapes and _ESCAPE_TO_MEND.search(body) is not None)
        or _TAG_TO_MEND.search(body) is not None
        or may_hold_tags(body, escapes=escapes)
    )


def _of_wide(body: bytes) -> Payload:
    """The event in a body that holds too many values: what an event needs is read, and steps judge it."""
    try:
        known, gone = read_wide(body)
    except msgspec.ValidationError:
        return _malformed(body, "The body is JSON, but not an object.")
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    known["holdfast_fault"] = f"{gone} bytes were left out: of a body {MOST_VALUES} values are read."
    return Payload(known, cut_bytes=gone, size=len(body))


def _malformed(body: bytes, fault: str) -> Payload:
    return replace(salvage(body, body[-SALVAGE_BYTES:], len(body), fault), malformed=True)


def salvage(head: bytes, tail: bytes, total: int, fault: str) -> Payload:
    """The ids and the beginning of a body that cannot be parsed."""
    start = mend_text(head[:SALVAGE_BYTES].decode("utf-8", "replace"))
    fields: JsonObject = {"holdfast_fault": fault}
    for text in (start, tail.decode("utf-8", "replace")):
        for name in _SALVAGED_FIELDS:
            found = re.search(rf'"{name}"\s*:\s*"([^"\\\x00-\x1f]{{1,1024}})"', text)
            if found and name not in fields:
                fields[name] = found[1]
    fields["holdfast_beginning"] = beginning(start, 2048)
    return Payload(fields, cut_bytes=max(0, total - 2048), fault=fault, mended=True)


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (UnicodeDecodeError, msgspec.MsgspecError):
        text = body.decode("utf-8", "replace")
    try:
        return msgspec.json.decode(text)  # bad UTF-8 and nothing else
    except msgspec.MsgspecError as error:
        if len(body) > _ODD_LIMIT or count_values(body, _ODD_VALUES) > _ODD_VALUES:
            raise ValueError(str(error)) from None
    return _finite(json.loads(text))


def _finite(value: Any) -> Any:
    """Replace what only Python reads as JSON (NaN, 1e999, lone surrogates) by plain JSON."""
    return json.loads(json.dumps(value), parse_constant=lambda name: name)
