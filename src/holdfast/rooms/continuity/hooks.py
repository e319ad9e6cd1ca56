"""What this room contributes: it follows each conversation, saves before anything is lost, and gives back after it.

Following is work for later: it costs no hook any time. What is told to an agent lies ready in memory.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from holdfast.events.answer import Context, Part, refuse
from holdfast.events.endings import TOLD
from holdfast.events.event import (
    Event,
    PostCompact,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import ItemId, new_id
from holdfast.rooms.continuity import rules, tables, wording
from holdfast.rooms.continuity.conversations import Live
from holdfast.rooms.continuity.model import Checkpoint, Compaction, Handover, HandoverText
from holdfast.rooms.continuity.restarting import Restarts, after_handover
from holdfast.rooms.continuity.service import Continuity, read_stand
from holdfast.store.interface import Reader, Tx

ORIGIN = "continuity"
BLOCKED = "continuity.on_auto_compact"
_LONG_AGO = ("import", "journal")
_HANDOVER_TOKENS = 900
_JUST_US = 60_000_000
"""A compaction that we answered and the SessionStart behind it are no further apart."""


# --- following


async def follow(event: Event, scene: Scene) -> Part | None:
    """Take in what happened; measure the window; save at a threshold that was crossed."""
    if scene.source in _LONG_AGO or not event.session_id:
        return None
    service, board = scene.services.get(Continuity), scene.services.get(ProgressBoard)
    if not scene.is_live and service.conversations.known(event.session_id) is None:
        return None
    live = await service.conversations.follow(event, scene.at_us, scene.entry_id, scene.place.worktree_path)
    if event.agent_id:
        return None
    if not live.opens(scene.place.window_id, scene.place.window_number):
        return None  # its window was compacted meanwhile, and saved then
    if reached := service.note_use(live, board):
        return await _at_threshold(reached, live, service, scene)
    return await _unanswered(event, live, service, scene)


async def _at_threshold(reached: list[int], live: Live, service: Continuity, scene: Scene) -> Part | None:
    settings, percent = service.settings, live.measured.percent if live.measured else 0
    saves = settings.checkpoint_threshold_percent in reached and settings.method != "mcp"

    def after() -> None:
        """It is written: the threshold is done with, and the agent is told."""
        new = [each for each in reached if each not in live.thresholds]
        live.thresholds.update(new)
        if settings.overflow_percent in new:
            live.to_tell.append(wording.overflow(percent, by_tool=scene.has_tools))
        if settings.checkpoint_threshold_percent in new and settings.method != "http":
            live.to_tell.append(wording.call_threshold(percent, scene.place.project_name, live.id))
            live.to_call = "asked" if settings.method == "mcp" and settings.fallback else ""

    if not saves:
        return Part(after=after)
    checkpoint = await _threshold(live, service, scene)
    return Part(record=lambda tx: _write(tx, service, checkpoint), after=after)


async def _unanswered(event: Event, live: Live, service: Continuity, scene: Scene) -> Part | None:
    """The agent was told to call, could have, and did something else: the daemon saves."""
    if live.to_call != "told" or (isinstance(event, ToolEvent) and event.tool_use_id == live.told_with):
        return None
    checkpoint = await _threshold(live, service, scene)

    def after() -> None:
        live.to_call = ""

    return Part(record=lambda tx: _write(tx, service, checkpoint), after=after)


async def _threshold(live: Live, service: Continuity, scene: Scene) -> Checkpoint:
    live = await service.conversations.ready(live.id)
    return await service.checkpoint(
        live,
        scene.services.get(ProgressBoard),
        "threshold",
        project_id=scene.place.project_id,
        at=scene.now(),
        entry_id=scene.entry_id,
        threshold=service.settings.checkpoint_threshold_percent,
    )


def _write(tx: Tx, service: Continuity, checkpoint: Checkpoint) -> None:
    service.checkpoints.write(tx, checkpoint)


def tell(event: PreToolUse | UserPromptSubmit, scene: Scene) -> Part | None:
    """Tell the agent what waits for it: that its window is nearly full, or that it is to call."""
    live = scene.services.get(Continuity).conversations.known(event.session_id)
    if live is None or not live.to_tell or event.agent_id or not scene.is_live:
        return None
    told = tuple(live.to_tell)
    live.to_tell.clear()
    if live.to_call == "asked":
        live.to_call, live.told_with = "told", event.tool_use_id or "" if isinstance(event, PreToolUse) else ""
    return Part(contexts=(Context("\n".join(told), ORIGIN),))


# --- compactions


async def before_compaction(event: PreCompact, scene: Scene) -> Part | None:
    """Save, and tell the one who sums up what must survive."""
    service, board = scene.services.get(Continuity), scene.services.get(ProgressBoard)
    if not scene.is_live:
        return None
    live = await service.conversations.ready(event.session_id, event.transcript_path, scene.place.worktree_path)
    live.opens(scene.place.window_id, scene.place.window_number)
    live.summary = ""
    if live.story.is_empty and live.measured is None:
        return None
    checkpoint = await service.checkpoint(
        live,
        board,
        "compact",
        project_id=scene.place.project_id,
        at=scene.now(),
        entry_id=scene.entry_id,
    )
    saved = [checkpoint]
    if service.settings.checkpoint_threshold_percent in service.note_use(live, board):
        # Following is later work: it would see the threshold only when the window is gone.
        saved.insert(0, replace(checkpoint, id=ItemId(new_id(scene.now())), reason="threshold", threshold=_at(service)))
    run = _restarting(event, scene)
    handover = None if not run or live.is_handed_over else await service.built_handover(live, scene.place.project_id)

    def record(tx: Tx) -> None:
        for each in saved:
            _write(tx, service, each)
        if handover is not None:
            tables.put_handover(tx, handover, scene.owner)

    stand = rules.stand_of(checkpoint)
    if run:
        restarts = scene.services.get(Restarts)
        return Part(record=record, after=restarts.asking(run, stand.request, event.session_id, scene.services))
    text = wording.instructions(stand, event.trigger)
    return Part(contexts=(Context(text, ORIGIN),) if text else (), record=record)


def _at(service: Continuity) -> int:
    return service.settings.checkpoint_threshold_percent


def _restarting(event: PreCompact, scene: Scene) -> str:
    """The run that starts the client again instead of this compaction; '' when it happens. A manual one always does."""
    if event.trigger != "auto":
        return ""
    return scene.services.get(Restarts).run_of(event.session_id, scene.services)


def refuse_compaction(event: PreCompact, scene: Scene) -> Part | None:
    """Refuse an automatic compaction, if the user wants that. A manual one never is."""
    if event.trigger != "auto":
        return None
    if _restarting(event, scene):
        return Part(decision=refuse(BLOCKED, wording.RESTARTED))
    if scene.services.get(Continuity).settings.on_auto_compact != "block":
        return None
    return Part(decision=refuse(BLOCKED, wording.BLOCKED))


def hear_summary(event: SubagentStop, scene: Scene) -> None:
    """A compaction fires one with an empty type: its words are the summary, before anyone else has them."""
    if event.agent_type == "" and scene.is_live:
        live = scene.services.get(Continuity).conversations.known(event.session_id)
        if live is not None:
            live.summary = event.last_assistant_message or ""


def after_compaction(event: PostCompact, scene: Scene) -> Part | None:
    """What the client made of it is kept beside what was given back, for `holdfast lost`."""
    service = scene.services.get(Continuity)
    live = service.conversations.known(event.session_id)
    if live is None or not live.compaction_id:
        return None
    told, live.compaction_id = live.compaction_id, ""
    summary = event.compact_summary or ""
    return Part(record=lambda tx: tables.tell_compaction(tx, told, scene.owner, summary, event.trigger))


# --- a window begins


async def begin(event: SessionStart, scene: Scene) -> Part | None:
    """Give back what a compaction lost; give a hand-over, once; offer a checkpoint."""
    if not scene.is_live:
        return None
    service = scene.services.get(Continuity)
    if event.source == "compact":
        return await _after_compact(event, scene, service)
    live = service.conversations.at(event.session_id)
    live.opens(scene.place.window_id, scene.place.window_number)
    live.folder = scene.place.worktree_path
    if event.source == "fork":
        return None
    project, owner, now = scene.place.project_id, scene.owner, scene.now()
    since = now - rules.OFFER_DAYS * 86_400_000_000

    def look(reader: Reader) -> tuple[Handover | None, Checkpoint | None]:
        return (
            tables.waiting_handover(reader, owner, project, since),
            service.left_checkpoint(reader, project, event.session_id, since),
        )

    handover, checkpoint = await scene.read(look)
    if handover is not None:
        return await _give(handover, event, scene, service)
    if checkpoint is None or checkpoint.conversation == event.session_id:
        return None
    stand = read_stand(checkpoint)
    if stand is None or not rules.is_worth_offering(stand, checkpoint, now):
        return None
    if service.settings.auto_resume_on_start:
        text = wording.resumed(checkpoint, rules.told(stand, "context"), now)
    else:
        text = rules.offer(checkpoint, now, by_command=scene.has_command, by_tool=scene.has_tools)
    return Part(contexts=(Context(text, ORIGIN),))


async def _give(handover: Handover, event: SessionStart, scene: Scene, service: Continuity) -> Part:
    text = msgspec.json.decode(handover.content, type=HandoverText)
    now = await service.files_now(text.required_files, scene.place.worktree_path)
    said = rules.handover_text(text, now, _HANDOVER_TOKENS)

    def record(tx: Tx) -> Part | None:
        mine = tables.give_handover(tx, handover.id, event.session_id, scene.at_us)
        return None if mine else Part()

    return Part(contexts=(Context(said, ORIGIN),), record=record)


async def _after_compact(event: SessionStart, scene: Scene, service: Continuity) -> Part | None:
    live = await service.conversations.ready(event.session_id, event.transcript_path, scene.place.worktree_path)
    now = scene.now()
    if live.compacted_by_us_at and now - live.compacted_by_us_at < _JUST_US:
        live.compacted_by_us_at = 0  # what stands in the window was written by us: nothing is said twice
        live.opens(scene.place.window_id, scene.place.window_number)
        return None
    text, lost = await service.what_is_lost(live, live.summary, service.settings.give_back_tokens)
    handover = await scene.read(
        lambda reader: tables.waiting_handover(reader, scene.owner, scene.place.project_id, now - _JUST_US * 60 * 24)
    )
    given = wording.given_back(text, lost, by_command=scene.has_command) if text else ""
    made = service.compaction(
        live,
        "client",
        "",
        scene.place.project_id,
        scene.at_us,
        summary=live.summary,
        lost=msgspec.json.encode(lost).decode(),
        given=given,
    )
    live.compaction_id = made.id
    live.opens(scene.place.window_id, scene.place.window_number)
    live.measured = None
    contexts = (Context(given, ORIGIN),) if given else ()
    mine = handover if handover and handover.conversation == event.session_id else None
    if mine is not None:
        words = msgspec.json.decode(mine.content, type=HandoverText)
        states = await service.files_now(words.required_files, scene.place.worktree_path)
        contexts = (Context(rules.handover_text(words, states, _HANDOVER_TOKENS), ORIGIN), *contexts)

    def record(tx: Tx) -> None:
        _note_compaction(tx, made, scene.owner)
        if mine is not None:
            tables.give_handover(tx, mine.id, event.session_id, scene.at_us)

    return Part(contexts=contexts, record=record)


def _note_compaction(tx: Tx, compaction: Compaction, owner: str) -> None:
    tables.put_compaction(tx, compaction, owner)


# --- a session ends


def restart(event: Stop, scene: Scene) -> Part | None:
    """The agent wrote its hand-over in this turn: start its client again, if the user wants that."""
    live = scene.services.get(Continuity).conversations.known(event.session_id)
    return after_handover(event, scene, live)


async def end(event: SessionEnd, scene: Scene) -> Part | None:
    """Save a last checkpoint."""
    if scene.source in _LONG_AGO or event.agent_id or event.reason == TOLD:
        return None  # who ends a session by a word has it saved already
    service = scene.services.get(Continuity)
    cleared = event.reason == "clear"
    if cleared and not service.settings.auto_checkpoint_on_clear:
        return None
    live = await service.conversations.ready(event.session_id, event.transcript_path, scene.place.worktree_path)
    live.opens(scene.place.window_id, scene.place.window_number)
    if live.story.is_empty:
        return None
    checkpoint = await service.checkpoint(
        live,
        scene.services.get(ProgressBoard),
        "clear" if cleared else "end",
        project_id=scene.place.project_id,
        at=scene.now(),
        entry_id=scene.entry_id,
    )
    return Part(record=lambda tx: _write(tx, service, checkpoint))
