"""Predictions that an agent makes in passing, in its words before a run: "this should fix it", "the tests will pass".

Only plain statements about what a run will show count: no questions, no conditions, no plans, no reports of what ran.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from holdfast.items.words import one_line
from holdfast.times import read_time

IsRecorded = Callable[[int | None], bool]
"""Was something recorded at this moment? None: the moment is not known."""

_TAIL = 256 * 1024
"""Bytes of a transcript that are read, from its end."""
_LONGEST = 8_000
_SENTENCE = re.compile(r"(?<=[.!:])\s+|\n+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`", re.DOTALL)
_SUBJECT = (
    r"(?:this|that|it|these|those|they|the (?:fix|change|edit|patch|tests?|suite|build|import|code|error|issue|bug)\w*|"
    r"everything|all(?: \w+){0,2} tests?|(?:all )?tests?|\w+ tests?|we)"
)
_MODAL = (
    r"(?:should|will|'ll|ought to|is going to|are going to|must)"
    r"(?: now| also| all| then| definitely| probably| likely| finally)*"
)
_PASS = re.compile(
    rf"\b{_SUBJECT} {_MODAL} (?:now )?"
    r"(?:be (?:fixed|green|resolved|enough|ok|fine|solved|passing|gone)|pass|succeed|work|fix|resolve|solve|compile|"
    r"build|do it|do the trick|make (?:it|them|the tests?|everything) (?:pass|work|green)|go away|disappear|turn green|"
    r"address|take care|get rid|no longer (?:fail|crash|raise|error|break|time out))\b"
    r"|\b(?:should|will|'ll) (?:now )?(?:fix|resolve|solve) (?:it|this|that|the)\b"
    r"|\bI(?:'m| am)? (?:now )?expect(?:ing)? (?:\w+ ){0,4}(?:to )?(?:pass|succeed|work|be green|be fixed)\b"
    r"|\b(?:now|this time),? (?:\w+ ){0,3}(?:tests?|it|everything|build) (?:should|will) "
    r"(?:pass|work|succeed|be green)\b",
    re.IGNORECASE,
)
_FAIL = re.compile(
    rf"\b{_SUBJECT} {_MODAL} (?:still )?(?:fail|crash|break|error|be red|raise|time out|blow up|reproduce the)\b"
    r"|\bI(?:'m| am)? (?:now )?expect(?:ing)? (?:\w+ ){0,4}(?:to )?fail\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\?|\b(?:if|unless|whether|once|until|when|let's see|see if|check (?:if|that|whether)|make sure|so that|"
    r"in order to|would|could|might|may|should have|supposed to|not sure|hopefully not|you should|users? should|"
    r"the spec|according to)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:should|will) not (?:pass|work|fix|be enough)|\bwon't (?:pass|work|fix|be enough)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Passing:
    """One prediction in passing."""

    words: str
    expects: Literal["passed", "failed"]


def predictions_in(said: str) -> list[Passing]:
    """The predictions in an agent's words, the last first: it is the nearest to the run."""
    plain = _CODE.sub(" code ", said[-_LONGEST:])
    found: list[Passing] = []
    for sentence in _SENTENCE.split(plain):
        expects = judged(sentence)
        if expects:
            found.append(Passing(one_line(sentence, 200), expects))
    return found[::-1]


def judged(sentence: str) -> Literal["passed", "failed"] | None:
    """What a sentence predicts of the run that follows; None when it predicts nothing."""
    if len(sentence) > 600 or _NOT.search(sentence):
        return None
    if _NEGATED.search(sentence) or (_FAIL.search(sentence) and not _PASS.search(sentence)):
        return "failed"
    return "passed" if _PASS.search(sentence) else None


def said_before(transcript: str, tool_use_id: str, is_recorded: IsRecorded) -> str:
    """What the agent said before a call, since its last command or prompt, as the transcript has it; without what it
    said while recording was paused. '' when it cannot be read."""
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
        return os.pread(opened, _TAIL, max(0, found.st_size - _TAIL)) if stat.S_ISREG(found.st_mode) else b""
    finally:
        os.close(opened)


def words_before(lines: list[bytes], tool_use_id: str, is_recorded: IsRecorded) -> str:
    """The agent's words before a call in the lines of a transcript."""
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
    return "\n".join(reversed(said)) if seen else ""


def _blocks(line: bytes) -> tuple[int | None, list[tuple[str, str]]]:
    """When a line was written, if it says so; and (kind, text) of its blocks: `said`, `use` (its id), `Bash` (another
    command), `prompt`."""
    try:
        entry: Any = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None, []
    message = entry.get("message") if isinstance(entry, dict) else None
    if not isinstance(message, dict):
        return None, []
    at = read_time(str(entry.get("timestamp") or ""), 0)
    content = message.get("content")
    if isinstance(content, str):
        return at, [("prompt" if message.get("role") == "user" else "said", content)]
    found: list[tuple[str, str]] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            found.append(("prompt" if message.get("role") == "user" else "said", block["text"]))
        elif block.get("type") == "tool_use":
            kind = "Bash" if block.get("name") == "Bash" else "use"
            found.append((kind, str(block.get("id") or "")))
    return at, found
