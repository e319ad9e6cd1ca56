"""What goes through a pipe, as far as the words tell: lists of `find`, keys of a store, files that are read. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from holdfast.rooms.guards.reading import find_words
from holdfast.rooms.guards.reading.runners import EVERY_KEY, EVERY_PROCESS
from holdfast.shell.script import Command, Redirection
from holdfast.shell.tools import listed


def read_files(command: Command) -> tuple[str, ...]:
    """The files that a command of a pipeline may read, by its words."""
    if command.program in _ONLY_SAY:
        return ()
    words = [command.program, *(word.text for word in command.arguments if not word.text.startswith("-"))]
    words += [entry.target.text for entry in command.redirections if entry.mode == "read"]
    return tuple([words[0], *words[2:]] if command.program in _PATTERN_FIRST else words)[:50]


_ONLY_SAY = listed("echo printf ls find fd git ps stat du df which type man curl wget seq date")
_PATTERN_FIRST = listed("sed awk grep rg jq tr egrep fgrep")


def passed_on(listed: tuple[str, ...], command: Command) -> tuple[str, ...]:
    """A list of processes behind a filter that chooses none of them: `ps ax | awk '{print $1}'`."""
    if listed != EVERY_PROCESS or command.program not in ("tail", "head", "awk", "sed", "cut", "tr", "sort", "uniq"):
        return ()
    return () if any("/" in text or "==" in text or "~" in text for text in command.texts) else EVERY_PROCESS


def _lists_all_processes(command: Command) -> bool:
    words = command.texts
    if command.program == "ps":
        return not any(word.startswith(("-p", "-C", "--pid", "--ppid", "-t", "--tty")) for word in words)
    if command.program == "pgrep":
        patterns = [word for word in words if not word.startswith("-")]
        by_user = any(word.startswith(("-u", "-U", "--euid", "--uid")) for word in words)
        return (by_user and len(patterns) < 2) or (bool(patterns) and not patterns[-1].strip(".*^$"))
    return command.program == "ls" and any(word.startswith("/proc") for word in words)


def listing(command: Command) -> tuple[str, ...]:
    """The words of a `find` that only lists, for the one that reads its list."""
    if command.program in ("redis-cli", "valkey-cli"):
        return EVERY_KEY if _lists_all_keys(command.texts) else ()
    if command.program in ("ps", "pgrep", "ls"):
        return EVERY_PROCESS if _lists_all_processes(command) else ()
    if command.program != "find" or not all(word.known for word in command.arguments):
        return ()
    return find_words.listing(command.texts) if "-delete" not in command.texts else ()


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
