"""What this room contributes: it follows each conversation, saves before anything is lost, and gives back after it.

Following is work for later: it costs no hook any time. What is told to an agent lies ready in memory.
"""

from __future__ import annotations

from collections.abc import Awaitable

import msgspec

from holdfast.events.answer import Context, Part
from holdfast.events.endings import TOLD
from holdfast.events.event import (
    Event,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.compacting import events as compactions
from holdfast.rooms.continuity.compacting.events import HANDOVER_TOKENS, ORIGIN
from holdfast.rooms.continuity.compacting.restarting import after_handover
from holdfast.rooms.continuity.conversations import LiveConversation
from holdfast.rooms.continuity.model import Checkpoint, Handover, HandoverText
from holdfast.rooms.continuity.service import Continuity, read_stand
from holdfast.rooms.continuity.telling import wording
from holdfast.store.interface import Reader, Tx
from holdfast.times import DAY_US

_LONG_AGO = ("import", "journal")


# --- following


def follow(event: Event, scene: Scene) -> Awaitable[Part | None] | None:
    """Take in what happened; measure the window; save at a threshold that was crossed."""
    if scene.source in _LONG_AGO or not event.session_id:
        return None
    service = scene.services.get(Continuity)
    if not scene.is_live and service.conversations.known(event.session_id) is None:
        return None
    live = service.conversations.follow_at_once(event, scene.at_us, scene.entry_id, scene.place.worktree_path)
    return _follow(event, service, scene) if live is None else _followed(event, live, service, scene)


async def _follow(event: Event, service: Continuity, scene: Scene) -> Part | None:
    live = await service.conversations.follow(event, scene.at_us, scene.entry_id, scene.place.worktree_path)
    then = _followed(event, live, service, scene)
    return await then if then else None


def _followed(event: Event, live: LiveConversation, service: Continuity, scene: Scene) -> Awaitable[Part | None] | None:
    if event.agent_id:
        return None
    if not live.opens(scene.place.window_id, scene.place.window_number):
        return None  # its window was compacted meanwhile, and saved then
    if reached := service.note_use(live, scene.services.get(ProgressBoard)):
        return _at_threshold(reached, live, service, scene)
    if live.to_call != "told" or (isinstance(event, ToolEvent) and event.tool_use_id == live.told_with):
        return None
    return _unanswered(live, service, scene)


async def _at_threshold(reached: list[int], live: LiveConversation, service: Continuity, scene: Scene) -> Part | None:
    settings, percent = service.settings, live.measured.percent if live.measured else 0
    board = scene.services.get(ProgressBoard)
    saves = settings.checkpoint_threshold_percent in reached and settings.method != "mcp"
    window = live.window_id

    def after() -> None:
        """It is written: the threshold is done with, and the agent is told. A window begun meanwhile has its own."""
        if live.window_id != window:
            return
        new = [each for each in reached if each not in live.thresholds]
        live.thresholds.update(new)
        if settings.overflow_percent in new and not board.of(live.id).effort:
            # An agent with an effort is told by the room that keeps it: the hand-over is the effort's.
            live.to_tell.append(wording.overflow(percent, by_tool=scene.has_tools, by_command=scene.has_command))
        if settings.checkpoint_threshold_percent in new and settings.method != "http":
            live.to_tell.append(wording.call_threshold(percent, scene.place.project_name, live.id))
            live.to_call = "asked" if settings.method == "mcp" and settings.fallback else ""

    if not saves:
        return Part(after=after)
    checkpoint = await _threshold(live, service, scene)
    return Part(record=lambda tx: _write(tx, service, checkpoint), after=after)


async def _unanswered(live: LiveConversation, service: Continuity, scene: Scene) -> Part | None:
    """The agent was told to call, could have, and did something else: the daemon saves."""
    checkpoint = await _threshold(live, service, scene)

    def after() -> None:
        live.to_call = ""

    return Part(record=lambda tx: _write(tx, service, checkpoint), after=after)


async def _threshold(live: LiveConversation, service: Continuity, scene: Scene) -> Checkpoint:
    window = live.window_id  # a compaction may begin the next one while this is made
    live = await service.conversations.ready(live.id)
    made = await service.checkpoint(
        live,
        scene.services.get(ProgressBoard),
        "threshold",
        project_id=scene.place.project_id,
        at=scene.now(),
        entry_id=scene.entry_id,
        threshold=service.settings.checkpoint_threshold_percent,
    )
    return msgspec.structs.replace(made, window_id=window)


def _write(tx: Tx, service: Continuity, checkpoint: Checkpoint) -> None:
    service.checkpoints.write(tx, checkpoint)


def tell(event: PreToolUse | UserPromptSubmit, scene: Scene) -> Part | None:
    """Tell the agent what waits for it: that its window is nearly full, or that it is to call."""
    live = scene.services.get(Continuity).conversations.known(event.session_id)
    if live is None or not (live.to_tell or live.owed) or event.agent_id or not scene.is_live:
        return None
    told = tuple(filter(None, (live.owed, *live.to_tell)))
    live.owed = ""
    live.to_tell.clear()
    if live.to_call == "asked":
        live.to_call, live.told_with = "told", event.tool_use_id or "" if isinstance(event, PreToolUse) else ""
    return Part(contexts=(Context("\n".join(told), ORIGIN),))


# --- a window begins


async def begin(event: SessionStart, scene: Scene) -> Part | None:
    """Give back what a compaction lost; give a hand-over, once; offer a checkpoint."""
    if not scene.is_live:
        return None
    service = scene.services.get(Continuity)
    if event.source == "compact":
        return await compactions.give_back(event, scene, service)
    live = service.conversations.at(event.session_id)
    live.opens(scene.place.window_id, scene.place.window_number)
    live.folder = scene.place.worktree_path
    if event.source == "fork":
        return None
    project, owner, now = scene.place.project_id, scene.owner, scene.now()
    since = now - rules.OFFER_DAYS * DAY_US

    def look(reader: Reader) -> tuple[Handover | None, tuple[Checkpoint | None, dict[str, int]]]:
        return (
            tables.waiting_handover(reader, owner, project, since),
            service.left_behind(reader, project, event.session_id, since),
        )

    handover, (checkpoint, crashed) = await scene.read(look)
    if handover is not None:
        return await _give(handover, event, scene, service)
    made = await service.after_crash(crashed, scene.services.get(ProgressBoard), project)
    checkpoint = made or checkpoint
    if checkpoint is None or checkpoint.conversation == event.session_id:
        return None
    stand = read_stand(checkpoint)
    if stand is None or not rules.is_worth_offering(stand, checkpoint, now):
        return None
    if service.settings.auto_resume_on_start:
        text = wording.resumed(checkpoint, rules.told(stand, "context"), now)
    else:
        text = rules.offer(checkpoint, now, by_command=scene.has_command, by_tool=scene.has_tools)
    return Part(contexts=(Context(text, ORIGIN),), record=lambda tx: _write(tx, service, made) if made else None)


async def _give(handover: Handover, event: SessionStart, scene: Scene, service: Continuity) -> Part:
    text = msgspec.json.decode(handover.content, type=HandoverText)
    now = await service.files_now(text.required_files, scene.place.worktree_path)
    said = rules.handover_text(text, now, HANDOVER_TOKENS)

    def record(tx: Tx) -> Part | None:
        mine = tables.give_handover(tx, handover.id, event.session_id, scene.at_us)
        return None if mine else Part()

    return Part(contexts=(Context(said, ORIGIN),), record=record)


# --- a session ends


def restart(event: Stop, scene: Scene) -> Part | None:
    """The agent wrote its hand-over in this turn: start its client again, if the user wants that."""
    live = scene.services.get(Continuity).conversations.known(event.session_id)
    return after_handover(event, scene, live)


async def clear(event: SessionEnd, scene: Scene) -> Part | None:
    """Save a checkpoint before /clear, before the answer: the next session begins at once, and is offered it."""
    return await _last_checkpoint(event, scene) if event.reason == "clear" else None


async def end(event: SessionEnd, scene: Scene) -> Part | None:
    """Save a last checkpoint. Nobody waits for it."""
    return await _last_checkpoint(event, scene) if event.reason != "clear" else None


async def _last_checkpoint(event: SessionEnd, scene: Scene) -> Part | None:
    service = scene.services.get(Continuity)
    if known := service.conversations.known(event.session_id):
        known.saw(event, scene.at_us)
    if scene.source in _LONG_AGO or event.agent_id or event.reason == TOLD:
        return None  # who ends a session by a word has it saved already
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
