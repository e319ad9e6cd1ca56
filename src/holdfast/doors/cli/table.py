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


class HouseVerb(NamedTuple):
    """Where a verb lives, and the sentence `--help` shows without loading it."""

    module: str
    attribute: str
    """A command; or a function that makes it from what rooms declare."""
    summary: str
    section: str
    """The heading that `--help` lists it under."""


VERBS: dict[str, HouseVerb] = {
    "up": HouseVerb("up", "up", "Install the hooks, start the daemon, and prove that both work.", "Begin and look"),
    "status": HouseVerb(
        "status", "status", "Show the daemon, its store, and how every event was handled.", "Begin and look"
    ),
    "doctor": HouseVerb("doctor", "doctor", "Check the installation and suggest fixes.", "Begin and look"),
    "journal": HouseVerb(
        "journal", "journal", "List the events that arrived: each one once, without secrets.", "Begin and look"
    ),
    "seen": HouseVerb(
        "seen", "seen", "Show the context that the model got in a session, and its tokens.", "Begin and look"
    ),
    "logs": HouseVerb("logs", "logs", "Show the daemon's log.", "Begin and look"),
    "search": HouseVerb("items", "search", "Find earlier work: ids and titles.", "What is kept"),
    "context": HouseVerb("context", "context", "Show the context that an agent gets for a task.", "What is kept"),
    "timeline": HouseVerb("items", "timeline", "List items before and after an id or a time.", "What is kept"),
    "show": HouseVerb("items", "show_items", "Show items in full, by their ids.", "What is kept"),
    "why": HouseVerb("items", "why", "Explain an item: its origin and when it was injected.", "What is kept"),
    "edit": HouseVerb("items", "edit", "Correct an item.", "What is kept"),
    "supersede": HouseVerb("items", "supersede", "Mark an item as no longer true.", "What is kept"),
    "forget": HouseVerb("forget", "forget", "Delete items everywhere, permanently.", "What is kept"),
    "start": HouseVerb("daemon", "start", "Start the daemon.", "The daemon"),
    "stop": HouseVerb("daemon", "stop", "Stop the daemon; events that arrive meanwhile are kept.", "The daemon"),
    "restart": HouseVerb(
        "daemon", "restart", "Replace the running daemon by a new one, without losing an event.", "The daemon"
    ),
    "service": HouseVerb("service", "service", "Run the daemon from login on, as a user service.", "The daemon"),
    "pause": HouseVerb("pause", "pause", "Stop recording for a while; guards stay on.", "The daemon"),
    "resume": HouseVerb("pause", "resume", "Record again.", "The daemon"),
    "project": HouseVerb("project", "project", "List projects, and link a project to its new folder.", "Keep and move"),
    "export": HouseVerb("export", "export", "Write the stored items as JSON Lines.", "Keep and move"),
    "import": HouseVerb("take", "take", "Import an export, or the records of other tools.", "Keep and move"),
    "backup": HouseVerb("backup", "backup", "Copy the whole store into one file.", "Keep and move"),
    "restore": HouseVerb("restore", "restore", "Bring back a backup, after checking it.", "Keep and move"),
    "reindex": HouseVerb("reindex", "reindex", "Rebuild the search index from the store.", "Keep and move"),
    "install": HouseVerb("install", "install", "Put the hooks into Claude Code's settings.", "Set up"),
    "plugin": HouseVerb(
        "plugin", "plugin", "Write the Claude Code plugin and a local marketplace to a folder.", "Set up"
    ),
    "uninstall": HouseVerb("uninstall", "uninstall", "Take the hooks out of the settings again.", "Set up"),
    "config": HouseVerb("config", "config", "Show and check the settings.", "Set up"),
    "model": HouseVerb("model", "model", "Choose the optional sentence model for search.", "Set up"),
    "completion": HouseVerb("completion", "completion", "Print the completion script for a shell.", "Set up"),
    "run": HouseVerb(
        "run", "run", "Run Claude Code, and start it again when its window is full.", "For agents and scripts"
    ),
    "call": HouseVerb("call", "call", "Call any of the rooms' tools.", "For agents and scripts"),
    "mcp": HouseVerb("mcp", "mcp", "Serve MCP by stdio, as a relay to the daemon.", "For agents and scripts"),
    "statusline": HouseVerb(
        "statusline", "statusline", "Print the line under Claude Code's prompt: context use.", "For agents and scripts"
    ),
    "hook": HouseVerb("hook", "hook", "Take one hook event from stdin, for the plugin.", "For agents and scripts"),
}
"""The verbs of the house, in the order of `--help`: what belongs together stands together."""

ROOMS_FILE = Path(__file__).with_name("rooms.json")


_NOTHING: Rooms = {
    "events": None,  # all of them
    **{name: {} for name in ("settings", "verbs", "imports", "on_request", "called", "away")},
    **dict.fromkeys(("rooms", "sql", "kinds", "items", "lasting", "exported"), ()),
}


@cache
def read_rooms(file: Path = ROOMS_FILE) -> Rooms:
    """What the rooms of this file declare. `verbs` are commands by their first word: a verb, or a group of verbs."""
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:  # before it is first written
        return _NOTHING
    return found
