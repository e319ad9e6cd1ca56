"""Stores what happens in a session, and injects items that fit.

`Part.record` stores, in the transaction of the event. Items to inject are chosen on a read view and claimed in the
transaction: if another event of the same agent claimed some of them first, only the rest is injected. Nobody waits for
a late event, so it is stored, nothing is injected, and the summaries it belongs to are written again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, replace

from holdfast.events.answer import Context, Part
from holdfast.events.content import prompt_text
from holdfast.events.correction import corrections_in, only_corrects
from holdfast.events.event import (
    Event,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.scene import Scene
from holdfast.events.tokens import count_tokens
from holdfast.ids import EntryId, ItemId
from holdfast.items import tables as injections
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import Page, Start
from holdfast.items.model import Given, Listener, Occasion
from holdfast.items.selection import Asked
from holdfast.items.service import Items
from holdfast.items.sources import ContextQuery
from holdfast.items.typed import typed
from holdfast.recall import FLOOR
from holdfast.recall.intent import read_intent
from holdfast.rooms.memory import rules, tables
from holdfast.rooms.memory.capture import parsed
from holdfast.rooms.memory.capture.tool_use import observe as observed
from holdfast.rooms.memory.capture.tool_use import string
from holdfast.rooms.memory.capture.worktree import root_of
from holdfast.rooms.memory.injecting import selection, switches, wording
from holdfast.rooms.memory.model import LIGHT, Level, Observation, Prompt
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.summaries import refresh
from holdfast.rooms.memory.summaries.refresh import Subject
from holdfast.rooms.memory.takeover import auto_memory
from holdfast.store.interface import Reader, Tx

log = logging.getLogger(__name__)
ORIGIN = "memory"
LATE_SECONDS = 2.0
_LONG_AGO = ("import", "journal")
"""The worktree of now says nothing about what came by these."""
RECALL_TOKENS, LIGHT_TOKENS = 600, 200
"""The most that recalled items cost, with their quotations and without."""
AT_PROMPT = "user_prompt_submit"
HEADLINE_TOKENS = 40
"""What the line above recalled items and the fence around them may cost."""


# --- keeping


async def keep_prompt(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """Store what the user asked. A notification is not a prompt; a wholly private prompt is not stored."""
    text = prompt_text(event.prompt)
    if event.is_notification or not text:
        return None
    service = scene.services.get(MemoryService)
    prompt = Prompt(
        id=scene.entry_id,
        conversation=event.session_id,
        prompt_id=event.prompt_id or "",
        window_id=scene.place.window_id,
        project_id=scene.place.project_id,
        number=0,
        text=text,
        happened_at=scene.at_us,
    )

    if scene.is_rebuilding and await scene.read(lambda reader: tables.prompt(reader, prompt.id)):
        return None
    corrected = corrections_in(event.prompt)

    def record(tx: Tx) -> None:
        if scene.is_rebuilding and tables.prompt(tx, prompt.id):
            return
        kept = tables.keep_prompt(tx, prompt, scene.owner)
        tables.keep_corrections(tx, kept, corrected)
        # The turn before may have ended without a Stop (interrupted, killed).
        _ask_for_turn(service, tx, event, scene, tables.prompt_number_at(tx, event.session_id, scene.at_us - 1))
        if not scene.is_live:
            _ask_again(service, tx, event, scene, kept.number)

    return Part(record=record)


def observe(event: ToolEvent, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """Store what a tool did."""
    service = scene.services.get(MemoryService)
    if rules.is_skipped(event.tool_name, frozenset(service.settings.skip_tools)):
        return None
    if scene.is_rebuilding:
        return _observe_if_missing(service, event, scene)
    edited = parsed.edited_file(event) if scene.source not in _LONG_AGO else None
    return _observe_edit(service, event, scene, edited) if edited else _observe(service, event, scene)


async def _observe_edit(
    service: MemoryService, event: ToolEvent, scene: Scene, edited: parsed.EditedFile
) -> Part | None:
    """An edit of a file that a grammar reads. (Of thousands of old events none is parsed: patterns do.)"""
    return _observe(service, event, scene, await parsed.touched(edited, service.reads_text))


async def _observe_if_missing(service: MemoryService, event: ToolEvent, scene: Scene) -> Part | None:
    known = await scene.read(lambda reader: tables.is_observed(reader, scene.entry_id))
    return None if known else _observe(service, event, scene)


def _observe(
    service: MemoryService, event: ToolEvent, scene: Scene, touched: tuple[str, ...] | None = None
) -> Part | None:
    worktree = scene.place.worktree_path
    draft = observed(event, root_of(event.cwd, worktree), touched)
    if draft is None:
        return None
    if draft.files and all(auto_memory.is_in(path, event.transcript_path) for path in draft.files):
        # The client's own memory: read as such, and not told as an edit.
        folder, following = auto_memory.folder_of(event.transcript_path), scene.services.get(auto_memory.AutoMemory)
        return Part(record=lambda tx: following.ask(tx, folder, scene.place.project_id, event.cwd, event.session_id))
    observation = Observation(
        id=scene.entry_id,
        window_id=scene.place.window_id,
        project_id=scene.place.project_id,
        prompt_number=0,
        kind=draft.kind,
        tool=draft.tool[:120],
        title=draft.title,
        outcome=draft.outcome,
        trust=draft.trust,
        files=draft.files,
        command=draft.command,
        excerpt=draft.excerpt,
        commit_hash="" if draft.kind in LIGHT or scene.source in _LONG_AGO else service.heads.at(worktree),
        happened_at=scene.at_us,
        branch="" if draft.kind in LIGHT or scene.source in _LONG_AGO else service.heads.branch_at(worktree),
        runs=draft.runs,
    )
    who = Listener(event.session_id, event.agent_id or "")

    def record(tx: Tx) -> None:
        if scene.is_rebuilding and tables.is_observed(tx, EntryId(observation.id)):
            return
        kept = tables.keep_observation(tx, observation, who, scene.owner)
        if not scene.is_live:
            _ask_again(service, tx, event, scene, kept.prompt_number)

    return Part(record=record)


async def summarise(event: Stop | SessionEnd, scene: Scene) -> Part | None:
    """Ask for the summary of the turn, of the subagent's work or of the session, in the background."""
    if isinstance(event, SubagentStop) and not event.agent_type:
        return None  # a compaction's
    service = scene.services.get(MemoryService)

    def about(reader: Reader) -> Iterator[Subject]:
        if isinstance(event, SubagentStop):
            yield _subject(event, scene, "agent", agent_id=event.agent_id or "")
            return
        if number := _turn_of(reader, event, scene):
            yield _subject(event, scene, "turn", number=number)
        if isinstance(event, SessionEnd) or not scene.is_live:
            yield _subject(event, scene, "session")

    def subjects(reader: Reader) -> list[Subject]:
        found = about(reader)
        return [each for each in found if not (scene.is_rebuilding and refresh.is_settled(reader, each))]

    def record(tx: Tx) -> None:
        for subject in subjects(tx):
            _ask(service, tx, subject)

    if scene.is_rebuilding and not await scene.read(subjects):
        return None
    return Part(record=record)


def _turn_of(reader: Reader, event: Event, scene: Scene) -> int:
    """The number of the prompt that an event belongs to. After a notice (EVT-11) it is the prompt before the notice."""
    if event.prompt_id and isinstance(event, Stop):
        prompt = tables.prompt_by_client_id(reader, event.session_id, event.prompt_id)
        if prompt:
            return prompt.number
    return tables.prompt_number_at(reader, event.session_id, scene.at_us)


def _ask_for_turn(service: MemoryService, tx: Tx, event: Event, scene: Scene, number: int) -> None:
    if number > 0:
        _ask(service, tx, _subject(event, scene, "turn", number=number))


def _ask_again(service: MemoryService, tx: Tx, event: Event, scene: Scene, number: int) -> None:
    """After a late event: ask again for the summaries that were written without it."""
    if event.agent_id:
        _ask(service, tx, _subject(event, scene, "agent", agent_id=event.agent_id), LATE_SECONDS)
    elif number > 0:
        _ask(service, tx, _subject(event, scene, "turn", number=number), LATE_SECONDS)
    if tables.session_has_summary(tx, event.session_id):
        _ask(service, tx, _subject(event, scene, "session"), LATE_SECONDS)


def _subject(event: Event, scene: Scene, level: Level, *, agent_id: str = "", number: int = 0) -> Subject:
    place = scene.place
    return Subject(level, event.session_id, place.window_id, place.project_id, agent_id, number)


def _ask(service: MemoryService, tx: Tx, subject: Subject, in_seconds: float = 0) -> None:
    service.ask(tx, subject.name, asdict(subject), in_seconds)


# --- injecting


async def brief(event: SessionStart, scene: Scene) -> Part | None:
    """At the start of a window: inject recent work, open threads and memories."""
    service, items = scene.services.get(MemoryService), scene.services.get(Items)
    lost, lost_at = event.source == "compact", scene.at_us - 1  # what this very event gives is not lost

    def lose(tx: Tx) -> None:
        injections.lose_context(tx, event.session_id, lost_at)

    if not scene.is_live or not switches.gives(service.settings, scene.off, "brief"):
        sign = wording.SIGN_OFF if scene.is_live else ""
        return Part(sign=sign, record=lose if lost else None) if lost or sign else None

    files = scene.services.get(ContextAssembler).files(scene.place.project_id, scene.place.worktree_path)

    def choose(reader: Reader) -> tuple[Listener, str, list[Given], str]:
        who = injections.listener(reader, event.session_id, "")
        who = replace(who, lost_at=lost_at) if lost else who
        said = injections.said_to(reader, who)
        given, marks = frozenset(said), frozenset(mark for shown in said.values() for mark in shown)
        given |= auto_memory.given_by_client(reader, scene.owner, event.transcript_path)
        branch = service.heads.branch_at(scene.place.worktree_path)
        known_since = 0 if lost else who.lost_at  # of its own conversation it is told by the continuity room
        start = Start(
            scene.owner, scene.place.project_id, scene.at_us, who.conversation, known_since, given, branch, marks, files
        )
        start = replace(start, has_command=scene.has_command)
        text, chosen = items.brief(reader, start, service.settings.brief_tokens)
        known = Page(limit=1, project_id=scene.place.project_id)
        sign = wording.sign(text, is_known=not text and bool(tables.page(reader, known, scene.owner)))
        return who, text, chosen, sign

    who, text, given, sign = await scene.read(choose)

    def record(tx: Tx) -> None:
        if lost:
            lose(tx)
        injections.inject(tx, scene.entry_id, scene.at_us, who, "brief", "", given)

    return Part(contexts=(Context(text, ORIGIN),) if text else (), sign=sign, record=record if text or lost else None)


async def recall(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """Inject items that fit this prompt and that this conversation was not given before."""
    service, items = scene.services.get(MemoryService), scene.services.get(Items)
    text = prompt_text(event.prompt)
    if (
        event.is_notification
        or not text
        or not scene.is_live
        or not switches.gives(service.settings, scene.off, "recall")
        or not service.at_prompt.enabled
        or f"{AT_PROMPT}.enabled" in scene.off
        or (only_corrects(text) and read_intent(text, 0).strength != "asks")
    ):
        return None
    place, chosen = scene.place, service.at_prompt
    is_light = chosen.context_depth == "light"
    tokens = min(chosen.token_budget, LIGHT_TOKENS if is_light else RECALL_TOKENS) - HEADLINE_TOKENS
    files = scene.services.get(ContextAssembler).files(place.project_id, place.worktree_path)

    async def find() -> tuple[Listener, list[Given]]:
        near, direction = await items.direction(typed(text) or text)

        def choose(reader: Reader) -> tuple[Listener, list[Given]]:
            who = injections.listener(reader, event.session_id, event.agent_id or "")
            branch = service.heads.branch_at(place.worktree_path)
            asked = Asked(text, scene.owner, place.project_id, who, scene.at_us, files, near=near, direction=direction)
            asked = replace(asked, branch=branch, short=is_light)
            return who, items.for_prompt(reader, asked, tokens=tokens, most=wording.MOST_RECALLED)

        found: tuple[Listener, list[Given]] = await scene.read(choose)
        return found

    try:
        async with asyncio.timeout(chosen.timeout):
            who, given = await find()
            lines = await _code_lines(event, scene, text, given, tokens)
    except TimeoutError:
        log.warning("a prompt was given nothing: it took more than %g s", chosen.timeout)
        return None
    way = wording.way_to_the_whole(has_tools=scene.has_tools, has_command=scene.has_command)
    if not given and lines:
        return Part(contexts=(Context(wording.recalled(lines, way), ORIGIN),))
    return _claimed(scene, who, "recall", "", given, lambda rest: wording.recalled([*rest, *lines], way))


async def _code_lines(
    event: UserPromptSubmit, scene: Scene, text: str, given: Sequence[Given], tokens: int
) -> list[Given]:
    """Lines of other rooms that are no items, where places and tokens are left, and only those that surely fit."""
    service = scene.services.get(MemoryService)
    left = wording.MOST_RECALLED - len(given)
    if not left or not service.at_prompt.include_code or f"{AT_PROMPT}.include_code" in scene.off:
        return []
    place = scene.place
    query = ContextQuery(text, scene.owner, place.project_id, place.worktree_path, scene.at_us, left, unasked=True)
    found = await scene.services.get(ContextAssembler).lines(query, at_prompt=True)
    told = service.lines_told(event.session_id, event.agent_id or "")
    spent = sum(each.tokens for each in given)
    chosen: list[Given] = []
    for line in found:
        cost = count_tokens(line.text) + 1
        if line.fit >= FLOOR and line.id not in told and spent + cost <= tokens and len(chosen) < left:
            spent += cost
            told.add(line.id)
            chosen.append(Given(ItemId(line.id), line.text, cost, line.score))
    return chosen


async def file_history(event: PreToolUse, scene: Scene) -> Part | None:
    """Inject what happened to a file before, once per file and agent."""
    service = scene.services.get(MemoryService)
    named = string(event.arguments.get("file_path")) or string(event.arguments.get("notebook_path"))
    path = rules.inside(named, root_of(event.cwd, scene.place.worktree_path), event.cwd)
    if not path or not scene.is_live or not switches.gives(service.settings, scene.off, "file_history"):
        return None

    def choose(reader: Reader) -> tuple[Listener, list[Given]]:
        who = injections.listener(reader, event.session_id, event.agent_id or "")
        branch = service.heads.branch_at(scene.place.worktree_path)
        here = Start(scene.owner, scene.place.project_id, scene.at_us, branch=branch)
        return who, selection.for_file(reader, who, path, here)

    who, given = await scene.read(choose)
    return _claimed(scene, who, "file", path, given, lambda rest: wording.about_file(path, rest))


def _claimed(
    scene: Scene,
    who: Listener,
    occasion: Occasion,
    about: str,
    given: Sequence[Given],
    text: Callable[[Sequence[Given]], str],
) -> Part | None:
    """A part that injects these items, except those that this agent was given in the meantime."""
    if not given:
        return None

    def record(tx: Tx) -> Part | None:
        if about and injections.file_was_given(tx, who, about):
            return Part()
        rest = [each for each in given if not injections.was_given(tx, who, each)]
        injections.inject(tx, scene.entry_id, scene.at_us, who, occasion, about, rest)
        if len(rest) == len(given):
            return None
        return Part(contexts=(Context(text(rest), ORIGIN),)) if rest else Part()

    return Part(contexts=(Context(text(given), ORIGIN),), record=record)
