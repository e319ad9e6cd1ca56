"""Compactions as events: what is saved and said before one, what is kept of it, what is given back after it.

What the plugin's mod asks is in `answering`.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from holdfast.events.answer import Context, Part, refuse
from holdfast.events.event import PostCompact, PreCompact, SessionStart, SubagentStop
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import ItemId, new_id
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.compacting.restarting import Restarts
from holdfast.rooms.continuity.model import Compaction, HandoverText
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.telling import wording
from holdfast.store.interface import Tx
from holdfast.times import MINUTE_US

ORIGIN = "continuity"
BLOCKED = "continuity.on_auto_compact"
HANDOVER_TOKENS = 900
_JUST_US = MINUTE_US
"""A compaction that we answered and the SessionStart behind it are no further apart."""


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
    handover = (
        None
        if not run or board.of(event.session_id).handed_over
        else await service.built_handover(live, scene.place.project_id, board.of(event.session_id))
    )

    def record(tx: Tx) -> None:
        for each in saved:
            service.checkpoints.write(tx, each)
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


async def give_back(event: SessionStart, scene: Scene, service: Continuity) -> Part | None:
    """A window after a compaction: what the client's summary leaves out, and a hand-over of this session."""
    service.conversations.at(event.session_id).compacted(scene.at_us)  # at once: the rest may take longer than allowed
    live = await service.conversations.ready(event.session_id, event.transcript_path, scene.place.worktree_path)
    live.compacted(scene.at_us)  # the transcript may have been looked at for the first time
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
    scene.services.get(ProgressBoard).note(event.session_id, handed_over=False)
    owed = bool(given) and now - live.asked_beside_at < _JUST_US
    if owed:  # the mod puts it beside the summary; if it fails to, the next event tells it
        live.owed, live.owed_id = given, made.id
    contexts = (Context(given, ORIGIN),) if given and not owed else ()
    mine = handover if handover and handover.conversation == event.session_id else None
    if mine is not None:
        words = msgspec.json.decode(mine.content, type=HandoverText)
        states = await service.files_now(words.required_files, scene.place.worktree_path)
        contexts = (Context(rules.handover_text(words, states, HANDOVER_TOKENS), ORIGIN), *contexts)

    def record(tx: Tx) -> None:
        _note_compaction(tx, made, scene.owner)
        if mine is not None:
            tables.give_handover(tx, mine.id, event.session_id, scene.at_us)

    return Part(contexts=contexts, record=record)


def _note_compaction(tx: Tx, compaction: Compaction, owner: str) -> None:
    tables.put_compaction(tx, compaction, owner)
