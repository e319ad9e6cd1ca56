"""Learns from what ran: keeps runs, makes a remedy of a failure that later passed, and knows flaky tests.

It runs after the answer went out. What happened between two runs is read from the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from holdfast.events.answer import Part
from holdfast.events.event import PostToolUse, PostToolUseFailure, Stop
from holdfast.events.scene import Scene
from holdfast.ids import ItemId, new_id
from holdfast.items.words import one_line
from holdfast.rooms.learning import confidence, tables, words
from holdfast.rooms.learning.model import REMEDY, Ran, Remedy
from holdfast.rooms.learning.predictions import passing
from holdfast.rooms.learning.remedies.changes import Changes, changes_in, is_changing
from holdfast.rooms.learning.remedies.sentences import cause_and_solution
from holdfast.rooms.learning.remedies.signature import keys_of, read_signature, signature_of
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.shell.line import Line, line_of
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import Run
from holdfast.shell.scope import Scope, covers, scope_of
from holdfast.store.interface import Reader, Tx
from holdfast.times import HOUR_US

_MOST_RUNS = 40
_FLAKY_WITHIN = 6 * HOUR_US
_CATEGORIES = {"test": "test", "build": "build", "lint": "check", "types": "check", "format": "check"}


def learn(event: PostToolUse | PostToolUseFailure, scene: Scene) -> Any:
    """Keep what a Bash call ran, with all that follows from it."""
    service = scene.services.get(Learning)
    line = line_of(event)
    if line is None or line.pending or (isinstance(event, PostToolUseFailure) and event.is_interrupt):
        return None
    found = _runs(line, event, scene)
    label = one_line(line.script.text, 200)
    if not found and not line.failed and label not in service.failed_commands(event.session_id):
        return None
    if not found and not (is_changing(line.script) and line.failed) and line.failed:
        return None  # looking around
    if not found:
        found = [(_ran_command(line, label, event, scene), None)]
        service.note_command(event.session_id, label, failed=line.failed)
    return _learned(service, event, scene, line, found)


async def _learned(
    service: Learning,
    event: PostToolUse | PostToolUseFailure,
    scene: Scene,
    line: Line,
    found: Sequence[tuple[Ran, Run | None]],
) -> Part | None:
    root = scene.place.worktree_path
    said = ""
    if service.settings.implied and scene.is_live:
        said = await asyncio.to_thread(passing.said_before, event.transcript_path, event.tool_use_id or "")

    def look(reader: Reader) -> list[tuple[Ran, Ran | None, Changes]]:
        before = tables.runs_before(reader, scene.owner, event.session_id, scene.at_us, _MOST_RUNS)
        pairs = []
        for ran, _ in found:
            other = _opposite(ran, before)
            between = tables.tool_uses(reader, event.session_id, other.happened_at, scene.at_us) if other else ()
            pairs.append((ran, other, changes_in(between, root)))
        return pairs

    pairs = await scene.read(look)
    implied = passing.predictions_in(said) if said and found[0][1] is not None else []

    def record(tx: Tx) -> None:
        for ran, other, changes in pairs:
            tables.add_run(tx, ran, scene.owner)
            if other is None:
                continue
            if changes and ran.verdict == "passed":
                _keep_remedy(tx, service, scene, ran, other, changes)
            elif not changes and scene.at_us - other.happened_at <= _FLAKY_WITHIN:
                for test in tables.texts(other.tests) or tables.texts(ran.tests):
                    tables.add_flaky(tx, scene.owner, scene.place.project_id, test, scene.at_us)
        _judge_shown(tx, service, scene, event.session_id, pairs)
        ran = found[0][0]
        for number, each in enumerate(implied[:1]):
            kept = tables.Implied(
                f"{scene.entry_id}-{number}" if number else str(scene.entry_id),
                scene.place.project_id,
                service.ground.clean(each.words),
                each.expects,
                words.domain_of(ran.kind),
                int(each.expects == ran.verdict),
                scene.at_us,
            )
            tables.add_implied(tx, kept, Who(event.session_id, event.agent_id or ""), scene.owner)

    return Part(record=record)


def _runs(line: Line, event: PostToolUse | PostToolUseFailure, scene: Scene) -> list[tuple[Ran, Run | None]]:
    found: list[tuple[Ran, Run | None]] = []
    for _, run, came in line.runs:
        if came.verdict == "unknown" or run.kind in ("format", "deploy"):
            continue
        scope = scope_of(run, _folder(event.cwd, scene.place.worktree_path))
        found.append((_ran(run.kind, scope, run.label, came, line, event, scene, len(found)), run))
    return found[:4]


def _ran_command(line: Line, label: str, event: PostToolUse | PostToolUseFailure, scene: Scene) -> Ran:
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
) -> Ran:
    failed = came.verdict == "failed"
    error = signature_of(scope.tool, line.output, came.first_failures) if failed else None
    return Ran(
        id=f"{scene.entry_id}-{number}" if number else str(scene.entry_id),
        project_id=scene.place.project_id,
        conversation=event.session_id,
        agent_id=event.agent_id or "",
        kind=kind,
        tool=scope.tool[:80],
        label=one_line(label, 200),
        paths=msgspec.json.encode(scope.paths[:50]).decode(),
        narrowed=one_line(scope.narrowed, 400),
        verdict=came.verdict,
        error=msgspec.json.encode(error).decode() if error else "",
        tests=msgspec.json.encode(came.first_failures if failed else ()).decode(),
        happened_at=scene.at_us,
    )


def _folder(cwd: str, worktree: str) -> str:
    root = worktree.rstrip("/")
    return cwd[len(root) + 1 :].rstrip("/") if root and cwd.startswith(f"{root}/") else ""


def scope_in(ran: Ran) -> Scope:
    return Scope(ran.kind, ran.tool, tuple(tables.texts(ran.paths)), ran.narrowed)


def _opposite(ran: Ran, before: Sequence[Ran]) -> Ran | None:
    """The last earlier run of the same that came out otherwise, unless one between came out the same."""
    for each in before:  # the newest first
        later, earlier = scope_in(ran), scope_in(each)
        same = covers(later, earlier) if ran.verdict == "passed" else covers(earlier, later)
        if not same:
            continue
        return each if each.verdict != ran.verdict else None
    return None


def _keep_remedy(tx: Tx, service: Learning, scene: Scene, ran: Ran, failed: Ran, changes: Changes) -> None:
    """A failure passed after changes: keep what it was and what was done."""
    signature = read_signature(failed.error)
    keys = keys_of(signature) if signature else ()
    if signature is None or not keys:
        return
    tests = ", ".join(signature.tests[:2])
    error = one_line(signature.shown or signature.message or tests, 200)
    where = f" ({tests})" if tests and tests not in error else ""
    remedy = Remedy(
        id=ItemId(new_id(scene.at_us)),
        project_id=scene.place.project_id,
        conversation=ran.conversation,
        entry_id=scene.entry_id,
        problem=one_line(f"{failed.label} failed: {error}{where}", 300),
        symptoms=one_line(signature.message, 300),
        root_cause="",
        solution=one_line(changes.in_words(), 300),
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


def _judge_shown(
    tx: Tx, service: Learning, scene: Scene, conversation: str, pairs: Sequence[tuple[Ran, Ran | None, Changes]]
) -> None:
    """Remedies that were shown and whose files were then changed: did the failure pass?"""
    for ran, other, changes in pairs:
        if other is None or not changes or ran.verdict != "passed":
            continue
        for each in tables.shown_in(tx, conversation, scene.at_us - _FLAKY_WITHIN, scene.at_us):
            remedy = service.index.item(tx, REMEDY.name, each, scene.owner)
            if isinstance(remedy, Remedy) and set(tables.texts(remedy.files)) & set(changes.files):
                tables.judge(tx, confidence.with_evidence(remedy, "worked", scene.at_us), scene.owner)


def after_turn(event: Stop, scene: Scene) -> Any:
    """The agent's closing words tell cause and solution of what it repaired in this turn."""
    service = scene.services.get(Learning)
    said = event.last_assistant_message or ""
    fresh = service.take_fresh(event.session_id)
    if not said or not fresh:
        return None
    cause, solution = cause_and_solution(said)

    def record(tx: Tx) -> None:
        for each in fresh:
            remedy = service.index.item(tx, REMEDY.name, each, scene.owner)
            if isinstance(remedy, Remedy):
                told = replace(remedy, root_cause=cause, solution=solution or remedy.solution)
                service.index.rewrite(tx, told, scene.owner)

    return Part(record=record) if cause or solution else None
