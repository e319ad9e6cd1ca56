"""Learns from what ran: keeps runs, makes a remedy of a failure that later passed, and knows flaky tests.

It runs after the answer went out. What happened between two runs is read from the journal.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from holdfast.events.answer import Part
from holdfast.events.event import PostToolUse, PostToolUseFailure, Stop
from holdfast.events.scene import Scene
from holdfast.ids import ItemId, new_item_id
from holdfast.items.ranks import outranks
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import tables
from holdfast.rooms.learning.model import REMEDY, KnownRun, Remedy
from holdfast.rooms.learning.predictions import settling
from holdfast.rooms.learning.remedies.changes import LABEL, Changes, changes_in, is_changing, note_command
from holdfast.rooms.learning.remedies.judging import JUDGED_WITHIN, judge, judge_shown
from holdfast.rooms.learning.remedies.sentences import cause_and_solution, quoted, said_of
from holdfast.rooms.learning.remedies.signature import keys_of, read_signature, signature_of
from holdfast.rooms.learning.service import Learning
from holdfast.shell.likely import may_run
from holdfast.shell.line import LONGEST_COMMAND, Line, line_of
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun
from holdfast.shell.scope import Scope, covers, scope_of
from holdfast.store.interface import Reader, Tx
from holdfast.worktree_paths import inside

_MOST_RUNS = 40
_LONGEST = 300
_CATEGORIES = {"test": "test", "build": "build", "lint": "check", "types": "check", "format": "check"}


@dataclass(frozen=True, slots=True)
class Between:
    """What happened between two runs that came out otherwise."""

    changes: Changes
    plain: bool
    """All of it is known, and nothing changed: the runs themselves differ."""


def learn(event: PostToolUse | PostToolUseFailure, scene: Scene) -> Any:
    """Keep what a Bash call ran, with all that follows from it."""
    service = scene.services.get(Learning)
    command = event.arguments.get("command")
    waits = isinstance(command, str) and service.waits_for(event.session_id, scene.place.project_id, command)
    is_quiet = isinstance(event, PostToolUse) and not waits
    if is_quiet and isinstance(command, str) and not may_run(command[:LONGEST_COMMAND]):
        return None  # it looked around, and nothing waits to be repaired: most commands
    line = line_of(event)
    if line is None or line.pending or (isinstance(event, PostToolUseFailure) and event.is_interrupt):
        return None
    found = _runs(line, event, scene)
    label = one_line(line.script.text, LABEL)
    if not found and not line.failed and not waits:
        return None
    if not found and not (is_changing(line.script) and line.failed) and line.failed:
        return None  # looking around
    if not found:
        found = [(_ran_command(line, label, event, scene), None)]
        if line.failed:  # at once: a later step of the same batch must know it
            service.note_command(event.session_id, label, failed=True)
    return _learned(service, event, scene, line, found)


async def _learned(
    service: Learning,
    event: PostToolUse | PostToolUseFailure,
    scene: Scene,
    line: Line,
    found: Sequence[tuple[KnownRun, ToolRun | None]],
) -> Part | None:
    told = await settling.settled(service, event, scene, *found[0])
    known: dict[str, Between] = {}

    def look(reader: Reader) -> list[tuple[KnownRun, KnownRun | None, Between]]:
        before = tables.runs_before(reader, scene.owner, event.session_id, scene.at_us, _MOST_RUNS)
        pairs = []
        for ran, _ in found:
            other = _opposite(ran, before)
            if other is not None and other.id not in known:
                known[other.id] = _between(reader, event, scene, other)
            pairs.append((ran, other, known[other.id] if other else Between(Changes(), plain=False)))
        return pairs

    await scene.read(look)  # the slow part before the transaction

    def record(tx: Tx) -> None:
        pairs = look(tx)  # again: steps of the same batch may have written runs since
        for ran, other, between in pairs:
            tables.add_run(tx, ran, scene.owner)
            if other is None:
                continue
            if between.changes and ran.verdict == "passed":
                _keep_remedy(tx, service, scene, ran, other, between.changes)
            elif between.plain and scene.at_us - other.happened_at <= JUDGED_WITHIN:
                for test in tables.texts(other.tests) or tables.texts(ran.tests):
                    tables.add_flaky(tx, scene.owner, scene.place.project_id, test, scene.at_us)
        judge_shown(
            tx,
            service,
            scene,
            event.session_id,
            [(ran, other is not None, between.changes) for ran, other, between in pairs],
        )
        if told:
            told(tx)

    def after() -> None:
        for ran, _ in found:
            service.note_run(ran)
        if not line.failed:
            service.note_command(event.session_id, one_line(line.script.text, LABEL), failed=False)

    return Part(record=record, after=after)


def _between(reader: Reader, event: PostToolUse | PostToolUseFailure, scene: Scene, other: KnownRun) -> Between:
    """What changed between two runs, by the line of the later one, too: it may repair something and then test."""
    root = scene.place.worktree_path
    rows = tables.tool_uses(reader, scene.owner, event.session_id, other.happened_at - 1, scene.at_us)
    is_first = [other.id.startswith(str(row["id"])) for row in rows]
    again = other.label if other.kind == "command" else ""
    changes = changes_in((row for row, first in zip(rows, is_first, strict=True) if not first), root, again)
    note_command(event, root, changes, again)
    first = changes_in((row for row, first in zip(rows, is_first, strict=True) if first), root)
    all_read = any(is_first) and len(rows) < tables.MOST_USES
    return Between(changes, plain=all_read and not (changes or changes.unknown or first))


def _runs(line: Line, event: PostToolUse | PostToolUseFailure, scene: Scene) -> list[tuple[KnownRun, ToolRun | None]]:
    found: list[tuple[KnownRun, ToolRun | None]] = []
    for _, run, came in line.runs:
        if came.verdict == "unknown" or run.kind in ("format", "deploy"):
            continue
        scope = scope_of(run, inside(event.cwd, scene.place.worktree_path))
        found.append((_ran(run.kind, scope, run.label, came, line, event, scene, len(found)), run))
    return found[:4]


def _ran_command(line: Line, label: str, event: PostToolUse | PostToolUseFailure, scene: Scene) -> KnownRun:
    """A command that is no known run: it passed or failed as its event says."""
    came = Outcome("failed" if line.failed else "passed")
    program = next((each.program for each in line.script.top if each.program), "command")
    return _ran("command", Scope("command", program, ("",), label), label, came, line, event, scene, 0)


def _ran(
    kind: str,
    scope: Scope,
    label: str,
    came: Outcome,
    line: Line,
    event: PostToolUse | PostToolUseFailure,
    scene: Scene,
    number: int,
) -> KnownRun:
    failed = came.verdict == "failed"
    error = signature_of(scope.tool, line.output, came.first_failures) if failed else None
    return KnownRun(
        id=f"{scene.entry_id}-{number}" if number else str(scene.entry_id),
        project_id=scene.place.project_id,
        conversation=event.session_id,
        agent_id=event.agent_id or "",
        kind=kind,
        tool=scope.tool[:80],
        label=one_line(label, LABEL),
        paths=msgspec.json.encode(scope.paths[:50]).decode(),
        narrowed=one_line(scope.narrowed, 400),
        verdict=came.verdict,
        error=msgspec.json.encode(error).decode() if error else "",
        tests=msgspec.json.encode(came.first_failures if failed else ()).decode(),
        happened_at=scene.at_us,
    )


def scope_in(ran: KnownRun) -> Scope:
    return Scope(ran.kind, ran.tool, tuple(tables.texts(ran.paths)), ran.narrowed)


def _opposite(ran: KnownRun, before: Sequence[KnownRun]) -> KnownRun | None:
    """The last earlier run of the same that came out otherwise, unless one between came out the same."""
    for each in before:  # the newest first
        later, earlier = scope_in(ran), scope_in(each)
        same = covers(later, earlier) if ran.verdict == "passed" else covers(earlier, later)
        if not same:
            continue
        return each if each.verdict != ran.verdict else None
    return None


def _keep_remedy(tx: Tx, service: Learning, scene: Scene, ran: KnownRun, failed: KnownRun, changes: Changes) -> None:
    """A failure passed after changes: keep what it was and what was done."""
    signature = read_signature(failed.error)
    keys = keys_of(signature) if signature else ()
    if signature is None or not keys:
        return
    known = {
        remedy.id: remedy
        for key in keys[:1]
        for remedy, _ in tables.by_key(tx, scene.owner, scene.place.project_id, key.text)
    }
    if same := next((each for each in known.values() if _is_same(each, changes, ran.project_id)), None):
        judge(tx, service, scene, ran.conversation, [same], "worked")  # the same again: no second remedy
        return
    tests = ", ".join(signature.tests[:2])
    error = one_line(signature.shown or signature.message or tests, 200)
    where = f" ({tests})" if tests and tests not in error else ""
    remedy = Remedy(
        id=new_item_id(scene.at_us),
        project_id=scene.place.project_id,
        conversation=ran.conversation,
        entry_id=scene.entry_id,
        problem=one_line(f"{failed.label} failed: {error}{where}", _LONGEST),
        symptoms=one_line(signature.message, _LONGEST),
        root_cause="",
        solution=one_line(changes.in_words(), _LONGEST),
        files=msgspec.json.encode(list(changes.files)[:20]).decode(),
        category=_CATEGORIES.get(failed.kind, "command"),
        command=failed.label,
        learned="seen",
        good=0.0,
        bad=0.0,
        shown=0,
        used=0,
        worked=0,
        outdated=0,
        judged_at=scene.at_us,
        trust="agent",
        happened_at=scene.at_us,
    )
    service.index.add(tx, remedy, scene.owner)
    tables.add_keys(tx, remedy.id, [(key.text, key.weight) for key in keys])
    service.note_remedy(ran.conversation, scene.place.project_id, remedy.id)


def _is_same(remedy: Remedy, changes: Changes, project_id: str) -> bool:
    """Is a remedy of this project just what was done now?"""
    files = set(tables.texts(remedy.files))
    done = one_line(changes.in_words(), _LONGEST)
    return (
        remedy.project_id == project_id
        and files == set(changes.files)
        and (not changes.commands or remedy.solution.startswith(done))
    )


def after_turn(event: Stop, scene: Scene) -> Any:
    """The agent's closing words tell cause and solution of what it repaired in this turn."""
    service = scene.services.get(Learning)
    said = event.last_assistant_message or ""

    def record(tx: Tx) -> None:  # what is fresh is asked here: a step of the same batch may have learned it
        found = [
            service.index.item(tx, REMEDY.name, ItemId(each), scene.owner) for each in service.fresh(event.session_id)
        ]
        fresh = [each for each in found if isinstance(each, Remedy)]
        for remedy, words_of_it in zip(fresh, said_of(said, [names_of(each) for each in fresh]), strict=True):
            told = cause_and_solution(words_of_it)
            if not any(told) or outranks(remedy.trust, "agent"):  # a person's words stay (SEC-8)
                continue
            cause, solution = service.ground.items.marked_in(tx, told, event.session_id)
            if solution and "ran `" in remedy.solution:  # the command that helped is the solution
                solution = one_line(f"{remedy.solution}. {solution}", _LONGEST)
            new = replace(remedy, root_cause=cause or remedy.root_cause, solution=solution or remedy.solution)
            service.index.rewrite(tx, new, scene.owner)

    return Part(record=record if said else None, after=lambda: service.turn_ended(event.session_id))


def names_of(remedy: Remedy) -> set[str]:
    """What a sentence about a remedy names: its files, its tests, and what its failure puts into quotes."""
    paths = tables.texts(remedy.files)
    told = f"{remedy.problem} {remedy.symptoms}"
    return {posixpath.basename(path) for path in paths} | quoted(told)
