"""What a failure is known by: tool, type and message of its error, and the tests that failed. Pure.

A message is compared without what changes from run to run: numbers, addresses, paths, times, kinds of quotes. An error
that names its matter (a module, a command, a symbol) is known by its message alone; one that only compares values (an
assertion) is the same failure only in the same test or file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from holdfast.patterns import lazy_pattern

_LONGEST_LINE = 400
_MOST_LINES = 400
"""Lines of an output, from its end, in which errors are looked for."""
MESSAGE = 240
_ANSI = lazy_pattern(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_TYPED = lazy_pattern(
    r"^(?:E\s{1,40}|>\s{1,4}|thread '[^']{0,80}' panicked at [^:]{0,200}:?\s?|Caused by: |\s{0,8})"
    r"(?P<type>(?:[A-Za-z_][\w.]{0,80}\.)?[A-Z]\w{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Failure|Timeout))"
    r"(?: \[[\w-]{1,40}\])?(?::[ ]?(?P<message>.*))?$"
)
_CODED = lazy_pattern(
    r"(?:^|\s|:)(?P<type>error(?:\[E\d{4}\])|error TS\d{1,6}|fatal error|error C\d{4}|SyntaxError|E\d{3,4}|"
    r"[A-Z]{1,4}\d{3,4}):? (?P<message>\S.*)$"
)
_SAID = lazy_pattern(
    r"^(?:\S{1,200}:\d+(?::\d+)?:? )?"
    r"(?P<type>error|fatal|panic|ERROR|FATAL|Error|npm (?:ERR!|error)|FAILURE|✘ \[ERROR\])"
    r"(?::| code| \w{1,20}:) ?(?P<message>\S.*)$"
)
_MISSING = lazy_pattern(
    r"^(?:\S{0,80}: )?(?:line \d+: )?(?P<message>.{0,120}(?:command not found|No such file or directory|"
    r"Permission denied|not recognized as|Connection refused|Address already in use|is not installed|cannot find|"
    r"Could not find|undefined: |No module named).{0,120})$"
)
_EXPECTED = lazy_pattern(
    r"^\s{0,8}(?:expect\(.{0,120}|Expected.{0,10}: .{0,160}|[+-] expected.{0,40}|assertion .{0,160}|"
    r"E\s{1,40}assert .{1,300})$"
)
_GO = lazy_pattern(r"^\s{2,8}\w[\w./-]{0,80}_test\.go:\d+: (?P<message>.*)$")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (lazy_pattern(r"\b0x[0-9a-fA-F]+\b"), "ADDR"),
    (lazy_pattern(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "ID"),
    (lazy_pattern(r"\b[0-9a-f]{12,64}\b"), "HASH"),
    (lazy_pattern(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?"), "TIME"),
    (
        lazy_pattern(
            r"(?:(?<=[\s'\"(=<\[,])|^)(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@+-]{1,80}[/\\])*(?P<name>[\w.@+-]{0,80})"
        ),
        "PATH",
    ),
    (lazy_pattern(r"(?<![A-Za-z_])\d+(?:\.\d+)?(?:e[+-]?\d+)?"), "N"),
)  # fmt: skip
_QUOTES = str.maketrans({"“": "'", "”": "'", "‘": "'", "’": "'", "`": "'", '"': "'", "«": "'", "»": "'"})
_VALUES = frozenset(
    {"AssertionError", "AssertionFailedError", "ComparisonFailure", "Failure", "TestFailure", "expected"}
)
"""Types whose message compares values, and says nothing of the matter."""
_VAGUE = lazy_pattern(
    r"^(?:assert\b.*|exit (?:code|status) N.*|process (?:exited|completed).*|failed\.?|test failed.*|N\b.*|)$",
    re.IGNORECASE,
)
_PARAMETERS = lazy_pattern(r"\[.*\]\Z")


class Signature(Struct, frozen=True):
    """What a failure is known by."""

    tool: str
    type: str = ""
    message: str = ""
    """Normalised."""
    tests: tuple[str, ...] = ()
    shown: str = ""
    """The error as it was printed, in one line."""


@dataclass(frozen=True, slots=True)
class Key:
    """One way to know a failure again. A heavier one is surer; from 3 on it holds in every project."""

    text: str
    weight: int


def signature_of(tool: str, output: str, tests: Sequence[str]) -> Signature:
    """The signature of a failing run. `tests` are the names of what failed."""
    lines = [line[:_LONGEST_LINE].rstrip() for line in _ANSI.sub("", output).splitlines()[-_MOST_LINES:]]
    kind, message, shown = _error(lines)
    names = tuple(dict.fromkeys(_PARAMETERS.sub("", name.strip()) for name in tests if name.strip()))[:5]
    return Signature(tool.split()[0] if tool else "", kind, normalised(message)[:MESSAGE], names, shown)


def _error(lines: Sequence[str]) -> tuple[str, str, str]:
    """(type, message, the line) of the first error that says most: typed, coded, said, missing."""
    for pattern, last in ((_TYPED, False), (_CODED, False), (_MISSING, False), (_GO, False), (_SAID, False)):
        found = [match for line in lines if (match := pattern.match(line) or _searched(pattern, line))]
        if found:
            match = found[-1] if last else _telling(found)
            groups = match.groupdict()
            kind = (groups.get("type") or "").rsplit(".", 1)[-1]
            return kind, groups.get("message") or "", match.group().strip()
    for line in lines:
        if _EXPECTED.match(line):
            return "expected", line.strip(), line.strip()
    return "", "", ""


def _searched(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    return pattern.search(line) if pattern is _CODED else None


def _telling(found: Sequence[re.Match[str]]) -> re.Match[str]:
    """The first error with a message; the first at all when none has one."""
    return next((each for each in found if (each.groupdict().get("message") or "").strip()), found[0])


def normalised(message: str) -> str:
    """A message without what changes from run to run."""
    text = " ".join(message.translate(_QUOTES).split())
    for pattern, mark in _RULES:
        text = pattern.sub(r"PATH/\g<name>" if mark == "PATH" else mark, text)
    return text.strip(" .:")


def is_specific(signature: Signature) -> bool:
    """Does its message alone tell what it is about?"""
    if not signature.message or signature.type in _VALUES or _VAGUE.match(signature.message):
        return False
    words = re.findall(r"[A-Za-z_]{3,}", signature.message.replace("ADDR", "").replace("HASH", "").replace("TIME", ""))
    return len(words) >= 2 or bool(re.search(r"'[\w.-]{2,}'", signature.message))


def keys_of(signature: Signature) -> tuple[Key, ...]:
    """The ways to know this failure again, the surest first."""
    keys: list[Key] = []
    about = (signature.type, signature.message)
    for test in signature.tests:
        if signature.type or signature.message:
            keys.append(Key(_hash("test", test, *about), 4))
    if is_specific(signature):
        keys.append(Key(_hash("message", *about), 3))
    else:  # a message that names its matter is another failure when it names another
        for test in signature.tests:
            if signature.type and signature.type not in _VALUES and "::" in test:
                keys.append(Key(_hash("type", test, signature.type), 2))
    if not keys and signature.message and not signature.tests:
        keys.append(Key(_hash("tool", signature.tool, *about), 2))
    return tuple(keys)


def read_signature(held: str) -> Signature | None:
    """A signature as it is kept; None when there is none, or it is damaged."""
    try:
        return msgspec.json.decode(held, type=Signature) if held else None
    except msgspec.MsgspecError:
        return None


def _hash(*parts: str) -> str:
    return hashlib.blake2s("\0".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
