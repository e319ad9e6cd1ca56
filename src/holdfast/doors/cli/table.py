"""The table of verbs: the house's, each with the module it lives in; and the rooms', as they were declared.

The rooms' verbs are read from `rooms.json`, which `make docs` writes from the rooms and a test compares with them. So
the command line starts, lists, completes and calls a room's verb without loading a room (HSE-9).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Verb(NamedTuple):
    """Where a verb lives, and the sentence `--help` shows without loading it."""

    module: str
    attribute: str
    summary: str


VERBS: dict[str, Verb] = {
    "up": Verb("up", "up", "Install the hooks, start the daemon, and prove that both work."),
    "status": Verb("status", "status", "Show the daemon, its store, and what became of every event."),
    "start": Verb("daemon", "start", "Start the daemon."),
    "stop": Verb("daemon", "stop", "Stop the daemon; events that arrive meanwhile are kept."),
    "restart": Verb("daemon", "restart", "Replace the daemon by a new one, without losing an event."),
    "logs": Verb("logs", "logs", "Show the daemon's log."),
    "doctor": Verb("doctor", "doctor", "Examine everything that can be wrong, each with its fix."),
    "journal": Verb("journal", "journal", "Show what arrived: every event, once, scrubbed."),
    "install": Verb("install", "install", "Put the hooks into Claude Code's settings."),
    "uninstall": Verb("uninstall", "uninstall", "Take the hooks out of the settings again."),
    "search": Verb("memory", "search", "Find earlier work: ids and titles."),
    "timeline": Verb("memory", "timeline", "Show what stands around an id or a time."),
    "show": Verb("memory", "show_items", "Show all that is kept under an id."),
    "why": Verb("memory", "why", "Explain a kept thing: its origin, its showings."),
    "edit": Verb("memory", "edit", "Correct a kept thing."),
    "supersede": Verb("memory", "supersede", "Mark a kept thing as no longer true."),
    "forget": Verb("forget", "forget", "Remove things everywhere, so that they never come back."),
    "export": Verb("export", "export", "Write what is kept as JSON Lines."),
    "call": Verb("call", "call", "Call any of the rooms' tools."),
    "mcp": Verb("mcp", "mcp", "Serve MCP by stdio, as a relay to the daemon."),
    "import": Verb("take", "take", "Take in an export, or take over what other tools have kept."),
    "model": Verb("model", "model", "Choose the optional sentence model of recall."),
    "reindex": Verb("reindex", "reindex", "Make the search index anew from what is kept."),
    "backup": Verb("backup", "backup", "Copy the whole store into one file."),
    "restore": Verb("restore", "restore", "Bring back a backup, after checking it."),
    "config": Verb("config", "config", "Show and check the settings."),
    "completion": Verb("completion", "completion", "Print the completion script for a shell."),
}
"""The verbs of the house, in the order of `--help`."""

ROOMS_FILE = Path(__file__).with_name("rooms.json")


@cache
def rooms_verbs(file: Path = ROOMS_FILE) -> dict[str, dict[str, Any]]:
    """The rooms' commands by their first word: a verb, or a group with its verbs."""
    try:
        found: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:  # before it is first written
        return {}
    return found
