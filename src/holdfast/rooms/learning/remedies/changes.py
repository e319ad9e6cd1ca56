"""What an agent changed between two moments, as the journal tells: edits of files, and commands that change something.

Pure: the journal's entries are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from holdfast.events.changes import EDITS, changed_files, file_named
from holdfast.events.event import PostToolUse, PostToolUseFailure
from holdfast.events.own_tools import own_tool
from holdfast.events.parse import parse as parse_event
from holdfast.prose.one_line import one_line
from holdfast.shell.files import files_touched
from holdfast.shell.looking import looks
from holdfast.shell.parse import parse
from holdfast.shell.recognise import recognise
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import listed
from holdfast.worktree_paths import relative

_LOOKING_TOOLS = listed(
    "Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite ToolSearch BashOutput TaskOutput AskUserQuestion"
    " EnterPlanMode ExitPlanMode TaskCreate TaskUpdate TaskList TaskGet ListMcpResources ReadMcpResource"
)
_CHECKS = frozenset({"test", "build", "lint", "types"})
LABEL = 200
"""Characters of a command by which it is known."""
COMMAND = 120
"""Characters of a command that a sentence shows."""


@dataclass(slots=True)
class Changes:
    """What changed, in order."""

    files: dict[str, None] = field(default_factory=dict)
    commands: dict[str, None] = field(default_factory=dict)
    """Commands that may have changed something besides the files."""
    by_command: set[str] = field(default_factory=set)
    """Those of the files that one of these commands changed, as its words tell."""
    unknown: bool = False
    """A tool of which nobody knows what it changes was used, too."""

    def __bool__(self) -> bool:
        return bool(self.files or self.commands)

    def in_words(self) -> str:
        """What was done, in a sentence without an end."""
        edited = [path for path in self.files if path not in self.by_command]
        parts = [f"edited {', '.join(edited[:4])}"] if edited else []
        parts += [f"ran `{one_line(command, COMMAND)}`" for command in list(self.commands)[:3]]
        return ", then ".join(parts)


def changes_in(entries: Iterable[Mapping[str, Any]], root: str, but: str = "") -> Changes:
    """The changes that these entries of the journal mention; paths inside `root` are relative. `but` is the command
    that is asked about: to run it again is no change."""
    found = Changes()
    for row in entries:
        try:
            event = parse_event(msgspec.json.decode(str(row["payload"])), str(row["event"]))
        except msgspec.MsgspecError:
            continue
        if not isinstance(event, (PostToolUse, PostToolUseFailure)):
            continue
        if event.tool_name == "Bash":  # one that failed may have changed something before it did
            note_command(event, root, found, but)
        elif event.tool_name in EDITS:
            if isinstance(event, PostToolUse) and (path := file_named(event)):
                found.files[relative(path, root)] = None
                found.by_command.discard(relative(path, root))
        elif event.tool_name not in _LOOKING_TOOLS and not own_tool(event.tool_name):
            found.unknown = True
    return found


def note_command(event: PostToolUse | PostToolUseFailure, root: str, found: Changes, but: str = "") -> None:
    """Note what a command changed."""
    command = event.arguments.get("command")
    if not isinstance(command, str) or (but and one_line(command, LABEL) == but):
        return
    for change in changed_files(event):
        found.files[relative(change.path, root)] = None
    script = parse(command[:20_000])
    touched = [touch.path for touch in files_touched(_without_logs(script)) if touch.use != "read"]
    paths = [relative(path, root, event.cwd) for path in touched if not path.startswith("/dev/")]
    if is_changing(script):
        found.commands[one_line(command, 300)] = None
        found.by_command |= set(paths) - set(found.files)
    found.files |= dict.fromkeys(paths)


def _without_logs(script: Script) -> Script:
    """A line without its tests and builds and what takes down their output: `pytest > log`, `make | tee log`."""
    runs = [command for command in script.commands if _is_check(command)]
    if not runs:
        return script
    kept = (each for each in script.commands if each not in runs and not (each.program == "tee" and each.position))
    return replace(script, commands=tuple(kept))


def _is_check(command: Command) -> bool:
    run = recognise(command)
    return run is not None and run.kind in _CHECKS


def is_changing(script: Script) -> bool:
    """May the line have changed something, besides what its redirections write? Tests, builds and looking do not."""
    return any(not looks(command) and not _is_check(command) for command in script.top)
