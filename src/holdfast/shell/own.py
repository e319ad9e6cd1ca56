"""Does a command line run nothing but holdfast? Read by its parsed parts, never by how it begins."""

from __future__ import annotations

import re

from holdfast.shell.parse import parse
from holdfast.shell.script import Command

_OURS = re.compile(r"(HOLDFAST_[A-Z_]*|AGENT_ID)\Z")
_US = re.compile(r"(/.*/bin/)?holdfast\Z")
_FILTERS = frozenset({"head", "tail", "grep", "jq", "wc", "cat"})
"""What an agent pipes an answer through; what comes out is still the answer."""


def runs_only_holdfast(command: str) -> bool:
    """Whatever is not plain (a substitution, a redirection, a group, a wrapper) makes a command not ours."""
    if "holdfast" not in command:
        return False
    script = parse(command)
    if not script.complete or not all(_is_plain(each) for each in script.commands):
        return False
    others = [each for each in script.commands if not _US.match(each.path)]
    fitting = all(each.path == "cd" or (each.position and each.path in _FILTERS) for each in others)
    return fitting and len(others) < len(script.commands)


def _is_plain(command: Command) -> bool:
    """One program that is called as it stands, with no more than its errors redirected."""
    if command.nesting or command.wrappers or command.background or command.negated or not command.path:
        return False
    quiet = all(
        entry.descriptor == "2" and (entry.mode == "duplicate" or entry.target.text == "/dev/null")
        for entry in command.redirections
    )
    return quiet and all(_OURS.match(entry.name) for entry in command.assignments)
