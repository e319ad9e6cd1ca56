"""Stores what happens in a session, and injects a file's history. (The brief and recall are steps of `items`.)

`Part.record` stores, in the transaction of the event. A late event is stored, nothing is injected, and the summaries it
belongs to are written again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from dataclasses import asdict

from holdfast.events.answer import Part
from holdfast.events.changes import file_named
from holdfast.events.content import prompt_text
from holdfast.events.correction import corrections_in
from holdfast.events.event import (
    Event,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.scene import Scene
from holdfast.gitfiles import Heads
from holdfast.ids import NO_PROMPT, EntryId, ItemId
from holdfast.items import tables as injections
from holdfast.items.indexed import Start
from holdfast.items.injecting import Injecting, claimed
from holdfast.items.model import Given, Listener
from holdfast.rooms.memory import rules, tables
from holdfast.rooms.memory.capture import merges, parsed
from holdfast.rooms.memory.capture.tool_use import observe as observed
from holdfast.rooms.memory.capture.worktree import root_of
from holdfast.rooms.memory.injecting import selection, wording
from holdfast.rooms.memory.model import LIGHT, Observation, Prompt, SummaryLevel
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.summaries import refresh
from holdfast.rooms.memory.summaries.refresh import Subject
from holdfast.rooms.memory.takeover import auto_memory
from holdfast.store.interface import Reader, Tx

LATE_SECONDS = 2.0
_LONG_AGO = ("import", "journal")
"""The worktree of now says nothing about what came by these."""


# --- keeping


async def keep_prompt(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """Store what the user asked. A notification is not a prompt; a wholly private prompt is not stored."""
    text = prompt_text(event.prompt)
    if event.is_notification or not text:
        return None
    service = scene.services.get(MemoryService)
    prompt = Prompt(
        id=ItemId(scene.entry_id),
        conversation=event.session_id,
        prompt_id=event.prompt_id or NO_PROMPT,
        window_id=scene.place.window_id,
        project_id=scene.place.project_id,
        number=0,
        text=text,
        happened_at=scene.at_us,
    )

    if scene.is_rebuilding and await scene.read(lambda reader: tables.prompt(reader, prompt.id)):
        return None
    corrected = corrections_in(text)

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
    worktree, heads = scene.place.worktree_path, scene.services.get(Heads)
    draft = observed(event, root_of(event.cwd, worktree), touched)
    if draft is None:
        return None
    if draft.files and all(auto_memory.is_in(path, event.transcript_path) for path in draft.files):
        # The client's own memory: read as such, and not told as an edit.
        folder, following = auto_memory.folder_of(event.transcript_path), scene.services.get(auto_memory.AutoMemory)
        return Part(record=lambda tx: following.ask(tx, folder, scene.place.project_id, event.cwd, event.session_id))
    observation = Observation(
        id=ItemId(scene.entry_id),
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
        commit_hash="" if draft.kind in LIGHT or scene.source in _LONG_AGO else heads.at(worktree),
        happened_at=scene.at_us,
        branch="" if draft.kind in LIGHT or scene.source in _LONG_AGO else heads.branch_at(worktree),
        runs=draft.runs,
    )
    who = Listener(event.session_id, event.agent_id or "")

    def record(tx: Tx) -> None:
        if scene.is_rebuilding and tables.is_observed(tx, EntryId(observation.id)):
            return
        kept = tables.keep_observation(tx, observation, who, scene.owner)
        if merged := merges.merged(draft, observation.branch):
            tables.move_work(tx, kept.project_id, merged, kept.branch, kept.happened_at)
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


def _subject(event: Event, scene: Scene, level: SummaryLevel, *, agent_id: str = "", number: int = 0) -> Subject:
    place = scene.place
    return Subject(level, event.session_id, place.window_id, place.project_id, agent_id, number)


def _ask(service: MemoryService, tx: Tx, subject: Subject, in_seconds: float = 0) -> None:
    service.ask(tx, subject.name, asdict(subject), in_seconds)


# --- injecting


async def file_history(event: PreToolUse, scene: Scene) -> Part | None:
    """Inject what happened to a file before, once per file and agent."""
    service, injecting = scene.services.get(MemoryService), scene.services.get(Injecting)
    path = rules.stored_path(file_named(event), root_of(event.cwd, scene.place.worktree_path), event.cwd)
    if not path or not scene.is_live or not injecting.is_on(scene.off) or not service.gives_history(scene.off):
        return None

    def choose(reader: Reader) -> tuple[Listener, list[Given]]:
        who = injections.listener(reader, event.session_id, event.agent_id or "")
        branch = scene.services.get(Heads).branch_at(scene.place.worktree_path)
        here = Start(scene.owner, scene.place.project_id, scene.at_us, branch=branch)
        return who, selection.for_file(reader, who, path, here)

    who, given = await scene.read(choose)
    return claimed(scene, who, "file", path, given, lambda rest: wording.about_file(path, rest))
