"""Turns a Bash call into an observation: a test, a build or another command, as `shell` reads it. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from holdfast.events.changes import ChangedFile, changed_files
from holdfast.events.event import PostToolUseFailure, ToolEvent
from holdfast.items.indexed import Trust
from holdfast.prose.one_line import one_line
from holdfast.rooms.memory.capture import excerpts
from holdfast.rooms.memory.capture.runs import ended, runs_of, title_of
from holdfast.rooms.memory.model import Draft, ObservationKind
from holdfast.rooms.memory.rules import MOST_FILES, stored_path
from holdfast.shell.describe import describe
from holdfast.shell.files import Touch, files_touched
from holdfast.shell.line import line_of
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun, what
from holdfast.shell.script import Script
from holdfast.shell.tools import listed
from holdfast.worktree_paths import inside

LONGEST_COMMAND = 500
_READS = listed(
    "cat head tail less more bat sed awk nl wc stat file ls tree pwd du df readlink realpath basename dirname diff cmp"
    " md5sum sha256sum jq yq cut sort uniq column xxd od strings"
)
_SEARCHES = listed("grep egrep fgrep rg ag ack find fd fdfind locate which whereis type")
_QUIET = listed("cd echo printf true test [ export set source . sleep date")
_NOTHING = listed("cd pushd popd exit true false : sleep wait return clear set shopt") | {""}
"""Commands that do nothing that anybody would ask for later."""
_WEB = listed("curl wget http https xh lynx w3m gh")
_BUILDS = frozenset({"build", "lint", "types"})


def observe(event: ToolEvent, worktree: str) -> Draft | None:
    command = event.arguments.get("command")
    if not isinstance(command, str) or not command.strip():
        return None
    line = line_of(event)
    if line is None:
        return None
    failed, output, script = line.failed, line.output, line.script
    known = what(script)
    runs, result = runs_of(line, folder=inside(event.cwd, worktree))
    kind = kind_of(script, known)
    named = tuple(run for run in known if not run.by_words)
    programs = {each.program for each in script.commands}
    trust: Trust = "web" if programs & _WEB else "repository" if kind in ("read", "search") else "tool"
    told = event.arguments.get("description")
    told = told if isinstance(told, str) and len(told.split()) > 1 else ""
    changes = changed_files(event)
    touched = files_touched(script)
    files = _files(touched, changes, worktree, event.cwd, light=False)
    if not (told or known or files) and programs <= _NOTHING and kind == "command":
        return None  # `exit 1`, `cd src`: nothing was done
    title = title_of(runs) if len(runs) > 1 else _title(script, named, result, told, event)
    outcome = ended(runs, failed=failed) or ("failed" if failed and not runs else "")
    light = kind in ("read", "search") and outcome != "failed" and not changes
    return Draft(
        kind=kind,
        tool="Bash",
        title=one_line(title),
        outcome=outcome,
        trust=trust,
        files=_files(touched, changes, worktree, event.cwd, light) if light else files,
        command=one_line(command, LONGEST_COMMAND),
        excerpt="" if light else _excerpt(output, result, failed) or _patch(changes),
        runs=runs,
    )


def kind_of(script: Script, runs: tuple[ToolRun, ...]) -> ObservationKind:
    """The kind of a command line. The most important command of the line decides."""
    kinds = {run.kind for run in runs}
    if "test" in kinds:
        return "test"
    if kinds & _BUILDS:
        return "build"
    programs = {each.program for each in script.top if each.program} - _QUIET
    writes = any(redirection.mode in ("write", "append") and not redirection.target.text.startswith(("/dev/", "&"))
                 for each in script.top for redirection in each.redirections)  # fmt: skip
    if kinds or writes or not programs:
        return "command"
    in_place = any(each.program in ("sed", "awk", "find") and _changes(each.texts) for each in script.top)
    if programs <= _READS | _SEARCHES and not in_place:
        return "search" if programs & _SEARCHES else "read"
    return "command"


def _changes(arguments: tuple[str, ...]) -> bool:
    return any(text.startswith(("-i", "--in-place", "-delete", "-exec", "-ok")) for text in arguments)


def _title(script: Script, runs: tuple[ToolRun, ...], result: Outcome | None, told: str, event: ToolEvent) -> str:
    """The name and result of a recognised run; else the agent's own description; else the command."""
    failed = isinstance(event, PostToolUseFailure)
    if runs or not told:
        title, code = describe(script, result), _exit_code(event)
        return f"{title} — failed{f' (exit {code})' if code else ''}" if failed and result is None else title
    title = one_line(told.rstrip("."), 100)
    if not isinstance(event, PostToolUseFailure):
        return title
    said, code = excerpts.message_of(event.error), _exit_code(event)
    reason = f": “{one_line(said, 80)}”" if said else f" (exit {code})" if code else ""
    return f"{title} — failed{reason}"


def _exit_code(event: ToolEvent) -> int | None:
    return event.exit_code if isinstance(event, PostToolUseFailure) else None


def _excerpt(output: str, result: Outcome | None, failed: bool) -> str:
    bad = failed or (result is not None and result.verdict == "failed")
    text = excerpts.of_error(output) if bad else excerpts.of_output(output, failed=False)
    names = [name for name in result.first_failures if name not in text] if result else []
    return "\n".join([*names, text]).strip()[: excerpts.LONGEST]


def _patch(changes: tuple[ChangedFile, ...]) -> str:
    """The changed lines, for a command that printed nothing."""
    return excerpts.of_patch([hunk for change in changes for hunk in change.hunks])[: excerpts.LONGEST]


def _files(
    touched: Iterable[Touch], changes: tuple[ChangedFile, ...], worktree: str, cwd: str, light: bool
) -> tuple[str, ...]:
    """The files that the command line changed, writes or deletes; for a command that only reads, the files it reads."""
    named = [touch.path for touch in touched if (touch.use == "read") == light]
    found: dict[str, None] = {}
    for each in (*(change.path for change in changes), *named):
        path = stored_path(each, worktree, cwd)
        if path and not path.startswith("/dev/") and posixpath.basename(path):
            found[path] = None
    return tuple(found)[:MOST_FILES]
