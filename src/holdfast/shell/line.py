"""What a Bash call ran and its outcome, read once and asked for by every room.

The road's steps and the later ones ask for the same event; the answer is kept for a short while, so that a command is
parsed and its output read once. A run that goes on in the background has no outcome yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from holdfast.events.event import PostToolUse, PostToolUseFailure, ToolEvent
from holdfast.events.fence import without_fences
from holdfast.shell.outcome import Outcome, read_outcome
from holdfast.shell.parse import parse
from holdfast.shell.recognise import ToolRun, recognise
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import WorkKind

LONGEST_COMMAND = 20_000
LONGEST_OUTPUT = 10_000
"""Characters of an output, from its end, in which its result is looked for."""
MOST_RUNS = 40
"""Tests and builds of one line whose output is read: each reads all of it."""
_SMALL = 4 * 1024
"""Characters of an output up to which many lines are kept: later steps may be hundreds of events behind the road."""
CHECKED: tuple[WorkKind, ...] = ("test", "build", "lint", "types", "format", "deploy")


@dataclass(frozen=True, slots=True)
class Line:
    """One command line and the outcome of its parts."""

    script: Script
    output: str
    """Without what holdfast put in."""
    failed: bool
    exit_code: int | None
    runs: tuple[tuple[Command, ToolRun, Outcome], ...]
    """The tests, builds and checks of the line, in order."""
    pending: bool = False
    """It runs in the background, or was interrupted: nothing came of it yet."""

    @property
    def main(self) -> tuple[ToolRun, Outcome] | None:
        """The run that the line is about: its first test, else its first build or check."""
        for kinds in (("test",), ("build", "types", "lint", "format")):
            for _, run, outcome in self.runs:
                if run.kind in kinds:
                    return run, outcome
        return None


def line_of(event: ToolEvent) -> Line | None:
    """What a Bash call did, as its PostToolUse or PostToolUseFailure tells; None for other tools."""
    command = event.arguments.get("command") if event.tool_name == "Bash" else None
    if not isinstance(command, str) or not command.strip():
        return None
    failed = isinstance(event, PostToolUseFailure)
    output = without_fences(output_of(event))
    exit_code = event.exit_code if isinstance(event, PostToolUseFailure) else None
    read = _read if len(output) <= _SMALL else _read_large
    return read(command[:LONGEST_COMMAND], output, failed, exit_code, _is_pending(event), event.tool_use_id)


def output_of(event: ToolEvent) -> str:
    """What a Bash call printed."""
    if isinstance(event, PostToolUseFailure):
        return event.error
    response = event.tool_response if isinstance(event, PostToolUse) else None
    if isinstance(response, dict):
        parts = (response.get("stdout"), response.get("stderr"))
        return "\n".join(part for part in parts if isinstance(part, str) and part)
    return response if isinstance(response, str) else ""


def _is_pending(event: ToolEvent) -> bool:
    if isinstance(event, PostToolUseFailure):
        return event.is_interrupt
    response = event.tool_response if isinstance(event, PostToolUse) else None
    return isinstance(response, dict) and bool(response.get("backgroundTaskId") or response.get("interrupted"))


def _line(
    command: str, output: str, failed: bool, exit_code: int | None, pending: bool, tool_use_id: str | None
) -> Line:
    """`tool_use_id` keeps the lines of two events apart: what is kept is for those who ask for the same one."""
    script = parse(command)
    runs: list[tuple[Command, ToolRun, Outcome]] = []
    for each in script.top if not pending else ():
        run = recognise(each)
        if run and run.kind in CHECKED and not each.background:
            outcome = read_outcome(run, output[-LONGEST_OUTPUT:], failed=failed, exit_code=exit_code)
            runs.append((each, run, outcome))
        if len(runs) >= MOST_RUNS:
            break
    return Line(script, output, failed, exit_code, tuple(runs), pending)


_read = lru_cache(maxsize=512)(_line)
_read_large = lru_cache(maxsize=32)(_line)
