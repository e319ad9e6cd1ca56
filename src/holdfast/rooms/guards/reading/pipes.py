"""What goes through a pipe, as far as the words tell: lists of `find`, keys of a store, files that are read. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from holdfast.rooms.guards.reading import find_words
from holdfast.rooms.guards.reading.runners import EVERY_KEY
from holdfast.shell.script import Command, Redirection
from holdfast.shell.tools import listed


def read_files(command: Command) -> tuple[str, ...]:
    """The files that a command of a pipeline may read, by its words."""
    if command.program in _ONLY_SAY:
        return ()
    words = [word.text for word in command.arguments if not word.text.startswith("-")]
    words += [entry.target.text for entry in command.redirections if entry.mode == "read"]
    return tuple(words[1:] if command.program in _PATTERN_FIRST else words)[:50]


_ONLY_SAY = listed("echo printf ls find fd git ps stat du df which type man curl wget seq date")
_PATTERN_FIRST = listed("sed awk grep rg jq tr egrep fgrep")


def listing(command: Command) -> tuple[str, ...]:
    """The words of a `find` that only lists, for the one that reads its list."""
    if command.program in ("redis-cli", "valkey-cli"):
        return EVERY_KEY if _lists_all_keys(command.texts) else ()
    if command.program != "find" or not all(word.known for word in command.arguments):
        return ()
    words = find_words.without_actions(command.texts)
    return (words or (".",)) if find_words.lists_only(words) and "-delete" not in command.texts else ()


def _lists_all_keys(words: Sequence[str]) -> bool:
    """`redis-cli --scan`, `redis-cli keys '*'`: without a pattern, or with one that fits everything."""
    low = [word.lower() for word in words]
    if "--scan" in low:
        pattern = next((after for word, after in itertools.pairwise(low) if word == "--pattern"), "*")
    elif "keys" in low[:-1]:
        pattern = low[low.index("keys") + 1]
    else:
        return False
    return not pattern.strip("*?")


def stdin(redirections: Sequence[Redirection]) -> str | None:
    for entry in reversed(redirections):
        if entry.mode == "heredoc" and entry.heredoc:
            return entry.heredoc.body
        if entry.mode == "herestring" and entry.target.known:
            return entry.target.text
        if entry.mode == "read":
            return None
    return None
