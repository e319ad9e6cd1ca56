"""Is a call of a tool holdfast's own? A command line is read by its parsed parts, never by how it begins."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from holdfast.events.own_tools import own_tool
from holdfast.shell.parse import parse
from holdfast.shell.script import Command, Word

_NAME = "holdfast"
_OURS = re.compile(r"(HOLDFAST_[A-Z_]*|AGENT_ID)\Z")
_GLOB = frozenset("*?[{~")
_READS_MORE = re.compile(r"\b(import|include|env|ENV|input_filename)\b")
"""Words of a jq program by which it reads more than its input."""


@dataclass(frozen=True, slots=True)
class _Filter:
    """How a program is called that only passes on what it is piped: no option of these and no operand names a file."""

    flags: str
    valued: str = ""
    """Options that take a value."""
    long: frozenset[str] = frozenset()
    operands: int = 0


_PART = frozenset({"--lines", "--bytes", "--quiet", "--verbose"})
_FILTERS = {
    "head": _Filter("qvz0123456789", "nc", _PART),
    "tail": _Filter("qvz0123456789", "nc", _PART),
    "cat": _Filter("AbeEnstTuv"),
    "wc": _Filter("lwcmL", long=frozenset({"--lines", "--words", "--bytes", "--chars"})),
    "grep": _Filter(
        "abcEFGhHiIlLnoPqsTUvwxyzZ0123456789",
        "ABCme",
        frozenset({"--color", "--count", "--ignore-case", "--invert-match", "--line-number", "--only-matching"}),
        operands=1,
    ),
    "jq": _Filter(
        "acCejMnrRsS",
        long=frozenset({"--compact-output", "--exit-status", "--join-output", "--raw-output", "--slurp", "--tab"}),
        operands=1,
    ),
}
"""What an agent pipes an answer through; what comes out is still the answer."""


def is_own_call(tool: object, arguments: object, programs: Collection[str]) -> bool:
    """Is this a call of holdfast's tools, or a command line that runs nothing but holdfast?"""
    if not isinstance(tool, str):
        return False
    command = arguments.get("command") if tool == "Bash" and isinstance(arguments, Mapping) else None
    return runs_only_holdfast(command, programs) if isinstance(command, str) else bool(own_tool(tool))


def runs_only_holdfast(command: str, programs: Collection[str] = ()) -> bool:
    """Whatever is not plain (a substitution, a redirection, a group, a wrapper) makes a command not ours.

    `programs` are the absolute paths that lead to us."""
    if "holdfast" not in command:
        return False
    script = parse(command)
    if not script.complete or not all(_is_plain(each) for each in script.commands):
        return False
    others = [each for each in script.commands if each.path != _NAME and each.path not in programs]
    fitting = all(each.path == "cd" or (each.position and _only_filters(each)) for each in others)
    return fitting and len(others) < len(script.commands)


def _only_filters(command: Command) -> bool:
    """Does this program read nothing but what it is piped?"""
    how = _FILTERS.get(command.path)
    if how is None or not all(_is_literal(word) for word in command.arguments):
        return False
    operands: list[str] = []
    given = iter(command.texts)
    most = how.operands
    for text in given:
        if text == "--":
            operands += given
        elif text.startswith("--"):
            if text.partition("=")[0] not in how.long:
                return False
        elif not text.startswith("-") or text == "-":
            operands.append(text)
        else:
            letters = text[1:]
            plain = letters[: len(letters) - len(letters.lstrip(how.flags))]
            option, value = letters[len(plain) :][:1], letters[len(plain) + 1 :]
            if option and option not in how.valued:
                return False
            if option and not value:
                next(given, None)
            most = 0 if option == "e" else most  # the pattern: what else stands there is a file
    return len(operands) <= most and not (command.path == "jq" and any(map(_READS_MORE.search, operands)))


def _is_literal(word: Word) -> bool:
    """The program gets what is written: no expansion, no pattern that becomes names of files."""
    return word.known and not any(not part.quoted and _GLOB & set(part.text) for part in word.parts)


def _is_plain(command: Command) -> bool:
    """One program that is called as it stands, with no more than its errors redirected."""
    if command.nesting or command.wrappers or command.background or command.negated or not command.path:
        return False
    quiet = all(
        entry.descriptor == "2" and (entry.mode == "duplicate" or entry.target.text == "/dev/null")
        for entry in command.redirections
    )
    return quiet and all(_OURS.match(entry.name) for entry in command.assignments)
