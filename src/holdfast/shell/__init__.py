"""Reading shell command lines: what they run, where, on which files, and with which outcome. Pure functions on values.

    parse(command) -> Script                        every simple command of a line, nested ones included (parse.py)
    what(script) -> tuple[ToolRun, ...]             tests, builds, linters, installs, git, servers in it (recognise.py)
    main_run(script) -> ToolRun | None              the one whose outcome the line is about (recognise.py)
    read_outcome(run, output, failed=…) -> Outcome  passed, failed or unknown, with counts (outcome.py)
    describe(script, outcome=None) -> str           a title a person would write, at most 100 characters (describe.py)
    files_touched(script) -> tuple[Touch, ...]      paths read, written and deleted, as far as the line tells (files.py)

tree-sitter is imported at the first `parse`. What is dangerous is left to the guards, what is kept to the memory.
"""

from holdfast.shell.describe import describe
from holdfast.shell.files import Touch, files_touched
from holdfast.shell.outcome import Outcome, read_outcome
from holdfast.shell.parse import parse
from holdfast.shell.recognise import ToolRun, main_run, what
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import WorkKind

__all__ = [
    "Command",
    "Outcome",
    "Script",
    "ToolRun",
    "Touch",
    "WorkKind",
    "describe",
    "files_touched",
    "main_run",
    "parse",
    "read_outcome",
    "what",
]
