"""The table of verbs: the house's, each with the module it lives in; and what rooms declare, read from `rooms.json`.

`make docs` writes that file from the rooms, and a test compares both. So the command line starts, lists, completes and
calls a room's verb without loading a room (HSE-9).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

Rooms = Mapping[str, Any]
"""What rooms declare, as `doors.rooms_table` writes it."""


class Verb(NamedTuple):
    """Where a verb lives, and the sentence `--help` shows without loading it."""

    module: str
    attribute: str
    """A command; or a function that makes it from what rooms declare."""
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
    "seen": Verb("seen", "seen", "Show what the model was given in a session, and what it cost."),
    "pause": Verb("pause", "pause", "Stop recording for a while; guards stay on."),
    "resume": Verb("pause", "resume", "Record again."),
    "install": Verb("install", "install", "Put the hooks into Claude Code's settings."),
    "plugin": Verb("plugin", "plugin", "Write the Claude Code plugin and a local marketplace to a folder."),
    "hook": Verb("hook", "hook", "Take one hook event from stdin, for the plugin."),
    "uninstall": Verb("uninstall", "uninstall", "Take the hooks out of the settings again."),
    "search": Verb("items", "search", "Find earlier work: ids and titles."),
    "timeline": Verb("items", "timeline", "Show what stands around an id or a time."),
    "show": Verb("items", "show_items", "Show all that is kept under an id."),
    "why": Verb("items", "why", "Explain a kept thing: its origin, its showings."),
    "edit": Verb("items", "edit", "Correct a kept thing."),
    "supersede": Verb("items", "supersede", "Mark a kept thing as no longer true."),
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


_NOTHING: Rooms = {
    **{name: {} for name in ("verbs", "imports", "on_request", "called")},
    **dict.fromkeys(("kinds", "items", "lasting", "exported"), ()),
}


@cache
def read_rooms(file: Path = ROOMS_FILE) -> Rooms:
    """What the rooms of this file declare. `verbs` are commands by their first word: a verb, or a group of verbs."""
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:  # before it is first written
        return _NOTHING
    return found
