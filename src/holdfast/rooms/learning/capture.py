"""The outcome of a test, build or command, beside the prediction of the agent: asked about, settled, or warned of."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable

from msgspec.structs import replace

from holdfast.events.answer import Context, Part
from holdfast.events.event import PostToolUse, PostToolUseFailure
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.items import tables as injections
from holdfast.items.model import Listener
from holdfast.rooms.learning import tables, words
from holdfast.rooms.learning.ghaps import AgentKnown
from holdfast.rooms.learning.hooks import ORIGIN, reach
from holdfast.rooms.learning.model import Compared, Ghap, Remedy
from holdfast.rooms.learning.predictions.checkable import compare, form_of, settle
from holdfast.rooms.learning.remedies import telling
from holdfast.rooms.learning.remedies.signature import signature_of
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.shell.likely import may_run
from holdfast.shell.line import LONGEST_COMMAND, LONGEST_OUTPUT, Line, line_of, output_of
from holdfast.shell.outcome import Outcome
from holdfast.shell.recognise import ToolRun
from holdfast.store.interface import Reader, Tx

log = logging.getLogger(__name__)
_MOST_BEFORE = 3
_TAIL = 4_000
_MISSING = re.compile(
    r"no such file or directory|file or directory not found|cannot find (?:module|path|package)|not found in path"
    r"|command not found|no (?:tests?|test files?|specs?)(?: were)? (?:found|ran|collected|match\w*|to run)"
    r"|did not match any|could not find (?:file|test)|no matching (?:test|package|target)s?|can't open file",
    re.IGNORECASE,
)
"""What a runner says whose file, module or test is not there."""
_LONGER_LINE = re.compile(r"[|;&\n]")
_OF_FAILURE = ("fail", "error", "err!", "not ok", "panic", "exception", "fatal", "abort", "broken", "✗", "✘", "×", "❌")


def outcome(event: PostToolUse | PostToolUseFailure, scene: Scene) -> Awaitable[Part | None] | None:
    """Compare the outcome of a command with the prediction of the active GHAP; without one, warn once per cycle."""
    service = scene.services.get(Learning)
    if not scene.is_live or not service.capture.enabled or "outcome_capture.enabled" in scene.off:
        return None
    who = Who(event.session_id, event.agent_id or "")
    known = service.ghaps.at_hand(who)
    if known is not None and known.ghap is None and not _may_have_failed(event):
        return None  # nothing is predicted and nothing failed: most events
    line = line_of(event)
    if line is None or line.pending:
        return None
    run, came = _main(line, service.capture.matchers)
    if known is not None and known.ghap is None and came.verdict != "failed":
        return None  # nothing is predicted and nothing failed: most events
    return _compare(service, scene, who, line, run, came)


def _may_have_failed(event: PostToolUse | PostToolUseFailure) -> bool:
    """A quick look: a command that ended well can hide the failure of a run only in a longer line, whose output
    mentions it."""
    if isinstance(event, PostToolUseFailure):
        return True
    command = event.arguments.get("command")
    if not isinstance(command, str) or not _LONGER_LINE.search(command) or not may_run(command[:LONGEST_COMMAND]):
        return False
    output = output_of(event)[-LONGEST_OUTPUT:].lower()
    return any(word in output for word in _OF_FAILURE)  # many times as quick as one expression of them


async def _compare(
    service: Learning, scene: Scene, who: Who, line: Line, run: ToolRun | None, came: Outcome
) -> Part | None:
    try:
        async with asyncio.timeout(service.capture.timeout):
            known = service.ghaps.at_hand(who) or await service.ghaps.known(who, scene)
            part = None
            if known.ghap is not None:
                part = _with_ghap(service, scene, who, known.ghap, line, run, came)
            elif (
                came.verdict == "failed" and run is not None and run.kind != "format" and not _found_nothing(line, came)
            ):
                part = await _without_entry(service, scene, who, known, run, came)
            if came.verdict != "failed":
                return part
            return _joined(part, await _known_failure(service, scene, who, line, run, came))
    except TimeoutError:
        log.warning("an outcome was not compared: it took longer than %.1f s", service.capture.timeout)
        return None


def _found_nothing(line: Line, came: Outcome) -> bool:
    """Was what should run not there? Then nothing was tried that could go wrong."""
    return not came.first_failures and _MISSING.search(line.output[-_TAIL:]) is not None


async def _known_failure(
    service: Learning, scene: Scene, who: Who, line: Line, run: ToolRun | None, came: Outcome
) -> Part | None:
    """What solved this failure before, and which of its tests are known to be flaky."""
    if not telling.is_on(service, scene):
        return None
    tool = run.tool if run else next((each.program for each in line.script.top if each.program), "")
    signature = signature_of(tool, line.output, came.first_failures)

    def look(reader: Reader) -> tuple[Listener, list[Remedy], dict[str, int]]:
        listener = injections.listener(reader, who.conversation, who.agent_id)
        unsteady = tables.flaky(reader, scene.owner, scene.place.project_id) if came.first_failures else {}
        return listener, telling.fitting(reader, service, scene, signature)[:1], unsteady

    listener, remedies, unsteady = await scene.read(look)
    flaky = [(test, unsteady[test]) for test in came.first_failures if test in unsteady]
    note = words.flaky(flaky) if flaky else ""
    if not remedies and not note:
        return None
    remedy = remedies[0] if remedies else None
    line_of_it = f"This failed before:\n{telling.given(service, scene, remedy).text}" if remedy else ""
    marks = (("type", "remedy" if remedy else "flaky"),)

    def record(tx: Tx) -> Part | None:
        if remedy is None or telling.claim(tx, service, scene, listener, remedy, "failure", ""):
            return None
        return Part(contexts=(Context(note, ORIGIN, (("type", "flaky"),)),)) if note else Part()

    return Part(contexts=(Context("\n".join(filter(None, (line_of_it, note))), ORIGIN, marks),), record=record)


def _joined(first: Part | None, second: Part | None) -> Part | None:
    """Two parts as one; each records what it gives."""
    if first is None or second is None:
        return first or second

    def record(tx: Tx) -> Part | None:
        settled = [(part.record(tx) or part) if part.record else part for part in (first, second)]
        return Part(contexts=tuple(context for part in settled for context in part.contexts))

    def after() -> None:
        for part in (first, second):
            if part.after:
                part.after()

    return Part(contexts=(*first.contexts, *second.contexts), record=record, after=after)


def _main(line: Line, matchers: tuple[str, ...]) -> tuple[ToolRun | None, Outcome]:
    """The run that a line is about and its outcome; of a line without a known run, that of the line."""
    if found := line.main:
        return found
    whole = Outcome("failed" if line.failed else "passed", summary=f"exit {line.exit_code}" if line.exit_code else "")
    for command in line.script.top:
        typed = " ".join((command.path, *command.texts))
        if any(typed == each or typed.startswith(f"{each} ") for each in matchers) and not command.background:
            hidden = command.masked or (line.failed and command.shared)
            return ToolRun("test", typed[:200], command), Outcome("unknown") if hidden else whole
    return None, whole


def _compared(ghap: Ghap, line: Line, run: ToolRun | None, came: Outcome) -> tuple[Compared, bool]:
    """What a run says of a prediction, and whether that settles it."""
    form = form_of(ghap.prediction)
    if form is not None:
        return settle(form, line.script, run, came, line.exit_code), True
    return (compare(ghap.prediction, run, came), False) if run is not None else ("", False)


def _with_ghap(
    service: Learning, scene: Scene, who: Who, ghap: Ghap, line: Line, run: ToolRun | None, came: Outcome
) -> Part | None:
    compared, settles = _compared(ghap, line, run, came)
    if not compared:
        return None
    said = words.run_in_words(run, came, line.script.text)
    way = reach(scene, started=True)
    if settles and service.capture.auto_capture:
        text = words.settled(ghap, said, compared, way)
        action = "" if compared == "match" else "explain_falsified"
        marks: tuple[tuple[str, str | bool], ...] = (("type", "outcome"), ("auto_captured", True))

        def record(tx: Tx) -> None:
            service.ghaps.settle(tx, ghap, compared, said, scene.at_us)

        def after() -> None:
            service.ghaps.changed(who)
            scene.services.get(ProgressBoard).note(who.conversation, who.agent_id, prediction="")
    else:
        text = words.outcome(ghap, said, compared, way)
        action = "resolve_confirmed" if compared == "match" else "resolve_falsified"
        marks = (("type", "outcome"), ("auto_captured", service.capture.auto_capture))

        def record(tx: Tx) -> None:
            service.ghaps.capture(tx, ghap, compared, said)

        def after() -> None:
            service.ghaps.changed(who)

    marks += (("suggested_action", action),) if action else ()
    return Part(contexts=(Context(text, ORIGIN, marks),), record=record, after=after)


async def _without_entry(
    service: Learning, scene: Scene, who: Who, known: AgentKnown, run: ToolRun, came: Outcome
) -> Part | None:
    """One premortem per cycle: what went wrong before, and the offer to start a GHAP."""
    if known.state.warned:
        return None
    domain = words.domain_of(run.kind)

    def look(reader: Reader) -> list[Ghap]:
        found: list[Ghap] = []
        for project in (scene.place.project_id, ""):
            for each in dict.fromkeys((domain, "debugging")):
                found += tables.falsified(reader, scene.owner, project, each, _MOST_BEFORE)
        return list({ghap.id: ghap for ghap in found}.values())[:_MOST_BEFORE]

    before = await scene.read(look)
    way = reach(scene)
    if known.state.warned or not (before or way.is_any):  # another call of the same agent was quicker
        return None
    state = known.state = replace(known.state, warned=1)
    told = [words.went_wrong(ghap, scene.at_us) for ghap in before]
    text = words.premortem(words.run_in_words(run, came), domain, told, way)
    marks: tuple[tuple[str, str], ...] = (("type", "premortem"),)
    marks += (("suggested_action", "start_ghap"),) if way.is_any else ()
    return Part(
        contexts=(Context(text, ORIGIN, marks),),
        record=lambda tx: service.ghaps.set_state(tx, who, state, scene.at_us),
    )
