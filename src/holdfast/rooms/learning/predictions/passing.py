"""Predictions that an agent makes in passing, in its words before a run: "this should fix it", "the tests will pass".

Finds the words in the transcript; what a sentence predicts is `speech`'s.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from holdfast.prose.one_line import one_line
from holdfast.rooms.learning.predictions.speech import Expects, judged
from holdfast.times import read_time

IsRecorded = Callable[[int | None], bool]
"""Was something recorded at this moment? None: the moment is not known."""

_TAIL = 256 * 1024
"""Bytes of a transcript that are read, from its end."""
_LONGEST = 8_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=:)(?<!xpected:)(?<!xpect:)(?<!xpecting:)\s+|\n+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passing:
    """One prediction in passing."""

    words: str
    expects: Expects


def predictions_in(said: str) -> list[Passing]:
    """The predictions in an agent's words, the last first: it is the nearest to the run."""
    plain = _CODE.sub(" code ", said[-_LONGEST:])
    found: list[Passing] = []
    for sentence in _SENTENCE.split(plain):
        expects = judged(sentence)
        if expects:
            found.append(Passing(one_line(sentence, 200), expects))
    return found[::-1]


def said_before(transcript: str, tool_use_id: str, is_recorded: IsRecorded) -> str | None:
    """What the agent said before a call, since its last command or prompt, as the transcript has it; without what it
    said while recording was paused. '' when it cannot be read, None when the call is not there: the client writes its
    transcript up to some tenths of a second after the call has ended (seen with 2.1.325)."""
    if not transcript or not tool_use_id:
        return ""
    try:
        lines = _tail(transcript).splitlines()
    except (OSError, ValueError):
        return ""
    return words_before(lines, tool_use_id, is_recorded)


def _tail(path: str) -> bytes:
    """The end of a file. An event may name any path: a device or a pipe would never end, so only a file is read."""
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError(path)
        return os.pread(opened, _TAIL, max(0, found.st_size - _TAIL))
    finally:
        os.close(opened)


def words_before(lines: list[bytes], tool_use_id: str, is_recorded: IsRecorded) -> str | None:
    """The agent's words before a call in the lines of a transcript; None when the call is not among them."""
    said: list[str] = []
    seen = False
    for line in reversed(lines):
        if not seen and tool_use_id.encode() not in line:
            continue
        at, blocks = _blocks(line)
        for kind, text in reversed(blocks):
            if kind in ("use", "Bash") and text == tool_use_id:
                seen = True
            elif seen and kind == "said":
                if is_recorded(at):
                    said.append(text)
            elif seen and kind in ("Bash", "prompt"):
                return "\n".join(reversed(said))
    return "\n".join(reversed(said)) if seen else None


def _blocks(line: bytes) -> tuple[int | None, list[tuple[str, str]]]:
    """When a line was written, if it says so; and (kind, text) of its blocks: `said`, `use` (its id), `Bash` (another
    command), `prompt`, `client's` (its own notes to the model)."""
    try:
        entry: Any = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None, []
    message = entry.get("message") if isinstance(entry, dict) else None
    if not isinstance(message, dict):
        return None, []
    at = read_time(str(entry.get("timestamp") or ""), 0)
    content = message.get("content")
    speech = {"user": "prompt", "assistant": "said"}.get(str(message.get("role")), "client's")
    if isinstance(content, str):
        return at, [(speech, content)]
    found: list[tuple[str, str]] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            found.append((speech, block["text"]))
        elif block.get("type") == "tool_use":
            kind = "Bash" if block.get("name") == "Bash" else "use"
            found.append((kind, str(block.get("id") or "")))
    return at, found
