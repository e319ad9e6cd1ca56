"""An event as facts: what was asked, corrected, changed, run, said. Pure.

Outcomes are read by `shell.outcome`, corrections by `events.correction`; this page only chooses what is kept. Texts of
events are clean; those of a transcript must be cleaned by the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.events.changes import EDITS, changed_files, file_named
from holdfast.events.correction import correction_in
from holdfast.events.event import (
    Event,
    PermissionDenied,
    PostToolUse,
    PostToolUseFailure,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.fence import without_fences
from holdfast.ids import NO_ENTRY, EntryId
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity.model import StoryFact
from holdfast.rooms.continuity.telling.identifiers import identifiers
from holdfast.rooms.continuity.telling.sentences import statements
from holdfast.shell.describe import describe, titled
from holdfast.shell.line import LONGEST_OUTPUT, line_of, output_of
from holdfast.shell.looking import only_tries
from holdfast.shell.outcome import Outcome, read_outcome
from holdfast.shell.parse import parse
from holdfast.shell.recognise import recognise
from holdfast.shell.scope import Scope, scope_of
from holdfast.shell.script import Script
from holdfast.worktree_paths import inside, relative

LONGEST_REQUEST = 12_000
_WHOLE_CORRECTION = 600
"""A correction is kept as the whole prompt up to here, else as its sentence."""
_LONGEST_COMMAND = 4_000
_LONGEST_OUTPUT = 60_000
_MOST_RUNS = 4
"""Runs of one line that are told apart."""
_CHECKS = frozenset({"test", "build", "lint", "types", "format", "deploy"})
_NOT_TYPED = ("<task-notification>", "<command-name>", "<command-message>", "<local-command", "<bash-", "Caveat:")
MARK = "holdfast-note"
"""Begins the line that marks a note of ours among the messages: nobody takes it for the user's words."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run, so that a later one that includes it can settle it."""

    scope: Scope
    outcome: str


def typed(prompt: str) -> str:
    """What a person typed; '' for notices, for the client's own tags, and for notes of ours."""
    text = without_fences(prompt).strip()
    return "" if text.startswith(_NOT_TYPED) or MARK in text[:200] else text[:LONGEST_REQUEST]


def facts_of(event: Event, at: int, entry_id: EntryId, root: str) -> Iterator[tuple[StoryFact, Ran | None]]:
    """The facts of one event. `root` is the worktree: paths inside it are told without it."""
    match event:
        case UserPromptSubmit():
            for fact in asked(event.prompt, at, entry_id):
                yield fact, None
        case PostToolUse(tool_name="Bash") | PostToolUseFailure(tool_name="Bash"):
            yield from _shell(event, at, entry_id, root)
        case PostToolUse() if event.tool_name in EDITS:
            yield from ((fact, None) for fact in _edit(event, at, entry_id, root))
        case PostToolUse(tool_name="TaskCreate" | "TaskUpdate" | "TodoWrite"):
            yield from ((fact, None) for fact in _tasks(event, at, entry_id))
        case PostToolUse(tool_name="WebFetch"):
            if isinstance(url := event.arguments.get("url"), str):
                yield StoryFact("identifier", url[:300], at, url, entry_id=entry_id, by="tool"), None
        case PermissionDenied():
            # The client's auto mode refused it; the user said nothing.
            yield StoryFact("dead_end", _denied(event), at, entry_id=entry_id, by="tool"), None
        case SubagentStop():
            return
        case Stop(last_assistant_message=str(text)):
            yield from ((fact, None) for fact in said(text, at, entry_id))
        case _:
            return


def asked(prompt: str, at: int, entry_id: EntryId = NO_ENTRY) -> Iterator[StoryFact]:
    """A prompt, and the correction in it."""
    text = typed(prompt)
    if not text:
        return
    if found := correction_in(text):
        whole = text if len(text) <= _WHOLE_CORRECTION else found.text
        yield StoryFact("correction", whole, at, entry_id=entry_id, by="user")
    yield StoryFact("request", text, at, entry_id=entry_id, by="user")
    for name in identifiers(text):
        yield StoryFact("identifier", name, at, name, entry_id=entry_id, by="user")


def said(text: str, at: int, entry_id: EntryId = NO_ENTRY) -> Iterator[StoryFact]:
    """What an agent said: decisions, dead ends, next steps, questions, findings, names."""
    text = without_fences(text)
    for kind, sentence in statements(text):
        yield StoryFact(kind, sentence, at, entry_id=entry_id)
    for name in identifiers(text):
        yield StoryFact("identifier", name, at, name, entry_id=entry_id)


def _denied(event: PermissionDenied) -> str:
    what = event.arguments.get("command") or event.arguments.get("file_path") or ""
    return f"Not allowed: {event.tool_name} {one_line(str(what), 200)}".strip() + (
        f" ({one_line(event.reason, 200)})" if event.reason else ""
    )


def _edit(event: ToolEvent, at: int, entry_id: EntryId, root: str) -> Iterator[StoryFact]:
    if path := file_named(event):
        response = event.tool_response if isinstance(event, PostToolUse) else None
        created = event.tool_name == "Write" and isinstance(response, dict) and response.get("type") == "create"
        named = relative(path, root, event.cwd)
        yield StoryFact("file", named, at, named, "created" if created else "edited", entry_id, "tool")


def _tasks(event: PostToolUse, at: int, entry_id: EntryId) -> Iterator[StoryFact]:
    """The agent's own list: what is done settles what was open."""
    arguments = event.arguments
    todos = arguments.get("todos")
    for todo in todos if isinstance(todos, list) else ():
        if isinstance(todo, dict) and isinstance(text := todo.get("content"), str):
            state = "done" if todo.get("status") == "completed" else "open"
            yield StoryFact("next_step", one_line(text, 300), at, f"todo:{one_line(text, 80)}", state, entry_id)
    if event.tool_name == "TaskCreate" and isinstance(text := arguments.get("subject"), str):
        yield StoryFact("next_step", one_line(text, 300), at, f"task:{_task_number(event)}", "open", entry_id)
    if event.tool_name == "TaskUpdate" and arguments.get("status") in ("completed", "deleted"):
        yield StoryFact("next_step", "", at, f"task:{arguments.get('taskId')}", "done", entry_id)


def _task_number(event: PostToolUse) -> str:
    response: Any = event.tool_response
    task = response.get("task") if isinstance(response, dict) else None
    return str(task.get("id")) if isinstance(task, dict) else one_line(str(event.arguments.get("subject")), 80)


def _shell(
    event: PostToolUse | PostToolUseFailure, at: int, entry_id: EntryId, root: str
) -> Iterator[tuple[StoryFact, Ran | None]]:
    command = event.arguments.get("command")
    if not isinstance(command, str) or not command.strip():
        return
    failed = isinstance(event, PostToolUseFailure)
    if isinstance(event, PostToolUseFailure) and event.is_interrupt:
        return
    line = line_of(event) if len(command) <= _LONGEST_COMMAND else None
    output = (line.output if line else without_fences(output_of(event)))[-_LONGEST_OUTPUT:]
    script = line.script if line else parse(command[:_LONGEST_COMMAND])
    # What other rooms read of the same line is what would be read here, unless there is more of the output.
    known = line.runs if line and not line.pending and len(output) <= LONGEST_OUTPUT else ()
    outcomes = {id(each): outcome for each, _, outcome in known}
    runs = list(_runs(script, output, outcomes, event, at, entry_id, root))
    yield from runs
    if failed and not runs and not only_tries(script):
        reason = _first_line(output)
        title = f"{one_line(command, 160)} — failed{f': {reason}' if reason else ''}"
        yield StoryFact("run", title, at, f"command:{one_line(command, 160)}", "failed", entry_id, "tool"), None
    elif not failed and not runs:
        yield (
            StoryFact("run", one_line(command, 160), at, f"command:{one_line(command, 160)}", "", entry_id, "tool"),
            None,
        )
    for change in changed_files(event):
        named = relative(change.path, root, event.cwd)
        yield StoryFact("file", named, at, named, "created" if change.created else "edited", entry_id, "tool"), None
    for name in identifiers(f"{command}\n{output[:2_000]}")[:8]:
        yield StoryFact("identifier", name, at, name, entry_id=entry_id, by="tool"), None


def _runs(
    script: Script,
    output: str,
    outcomes: Mapping[int, Outcome],
    event: PostToolUse | PostToolUseFailure,
    at: int,
    entry_id: EntryId,
    root: str,
) -> Iterator[tuple[StoryFact, Ran | None]]:
    failed = isinstance(event, PostToolUseFailure)
    code = event.exit_code if isinstance(event, PostToolUseFailure) else None
    told = 0
    for command in script.top:
        run = recognise(command)
        if run is None or command.background:
            continue
        if run.kind in _CHECKS:
            outcome = outcomes.get(id(command)) or read_outcome(run, output, failed=failed, exit_code=code)
            scope = scope_of(run, inside(event.cwd, root))
            names = f" ({', '.join(outcome.first_failures[:3])})" if outcome.first_failures else ""
            verdict = "" if outcome.verdict == "unknown" else outcome.verdict
            subject = f"{scope.kind}:{scope.tool}:{','.join(scope.paths)}:{scope.narrowed}"
            fact = StoryFact("run", titled(run, outcome) + names, at, subject, verdict, entry_id, "tool")
            yield fact, Ran(scope, verdict)
            told += 1
            if told == _MOST_RUNS:
                return
        elif run.tool in ("git commit", "git push") and not failed:
            yield StoryFact("run", describe(script), at, f"git:{entry_id or at}", "passed", entry_id, "tool"), None
            return


def _first_line(output: str) -> str:
    lines = (line.strip() for line in output.splitlines()[:50])
    return one_line(next((line for line in lines if line and not line.startswith("Exit code ")), ""), 120)
