"""Windows of an effort: a session's start and end, subagents. A subagent never ends its parent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

from holdfast.events.answer import Part
from holdfast.events.endings import TOLD
from holdfast.events.event import SessionEnd, SessionStart, SubagentStart, SubagentStop, agent_of
from holdfast.events.scene import Scene
from holdfast.events.tokens import count_tokens
from holdfast.ids import new_id
from holdfast.rooms.work import tables
from holdfast.rooms.work.delivery import wording
from holdfast.rooms.work.delivery.delivering import Delivery
from holdfast.rooms.work.delivery.delivering import wording as given_text
from holdfast.rooms.work.hooks import common
from holdfast.rooms.work.model import TEXTS, Effort, Pending
from holdfast.rooms.work.service import WorkService
from holdfast.store.interface import Tx

_TOKENS, _COMPACT_TOKENS = 1_100, 600
"""What a window is told of its effort, all in all; less where a compaction's losses are given back beside it."""


def start_window(event: SessionStart, scene: Scene) -> Awaitable[Part | None] | None:
    """A window begins: take up the effort, and give what the window before left."""
    work = scene.services.get(WorkService)
    if scene.source in common.LONG_AGO or work.is_idle or event.agent_id:
        return None
    return _start_window(event, scene, work)


async def _start_window(event: SessionStart, scene: Scene, work: WorkService) -> Part | None:
    live = await work.ready(scene.read)
    effort = common.effort_for(work, event, scene, begins=True)
    if effort is None or not scene.place.window_id:
        return None
    before = common.before_of(work, effort, event.session_id)
    text, given = await _told(event, scene, work, effort)
    if scene.source == "rpc":
        outcome = work.outcomes.at(scene.entry_id)
        outcome.handover = "\n".join(item.text for item in given.items if item.kind == "handover")
        outcome.preloads = tuple(item.path for item in given.items if item.kind == "preload")
    live.giving(given.items)

    def record(tx: Tx) -> Part | None:
        common.open_in(tx, work, effort, event, scene, before)
        if common.take(tx, work, effort.id, _queued(given), given.files):
            return None
        head = wording.begun(effort, common.how_to_log(work, scene), is_new=False)
        return Part(contexts=(*common.context(head, "effort"), *common.course(effort)))

    def after() -> None:
        common.settled(work, given, common.opened(work, effort, event, scene))

    contexts = (*common.context(text, "effort"), *common.course(effort), *common.context(given.repository, "preload"))
    return Part(contexts=contexts if scene.is_live else (), record=record, after=after)


async def _told(event: SessionStart, scene: Scene, work: WorkService, effort: Effort) -> tuple[str, Delivery]:
    """What the new window is told: the effort, the hand-over, and files to read first."""
    budget = _COMPACT_TOKENS if event.source == "compact" else _TOKENS
    head = wording.begun(effort, common.how_to_log(work, scene), is_new=False)
    documents = wording.documents(effort, work.documents(effort), work.command(scene))
    head = "\n".join(filter(None, (head, documents)))
    if not scene.is_live:
        return head, Delivery("")  # it came late: what waits, waits for a window that hears it
    waiting = work.live.waiting(effort.id, scene.place.window_id)
    each_time = [Pending(new_id(), effort.id, "", "preload", path, "", 0) for path in effort.config.preload]
    wanted = [item for item in waiting if item.kind == "handover"]
    listed = {item.path for item in each_time}
    wanted += [*each_time, *(item for item in waiting if item.kind == "preload" and item.path not in listed)]
    wanted += [item for item in waiting if item.kind in TEXTS]
    left = min(budget - count_tokens(head) - count_tokens(wording.course(effort)), work.settings.preload_tokens + 300)
    root, clean = scene.place.worktree_path, work.ground.clean
    given = await asyncio.to_thread(given_text, effort, wanted, root, left, clean) if wanted else Delivery("")
    if any(item.kind == "handover" for item in given.items):
        given = replace(given, text=wording.handover(given.text))
    offer = wording.offered([path for path in effort.loaded_files if path not in given.files])
    given = replace(given, repository="\n\n".join(part for part in (given.repository, offer) if part))
    return "\n\n".join(part for part in (head, given.text) if part), given


def _queued(given: Delivery) -> tuple[Pending, ...]:
    """Those that stand in the store: what the skill gives each window does not."""
    return tuple(item for item in given.items if item.made_at)


def end_window(event: SessionEnd, scene: Scene) -> Part | None:
    """The session ended: so do its windows. The effort waits for the next one. One that was told to end runs on."""
    work = scene.services.get(WorkService)
    runs_on = event.reason == TOLD and work.ground.is_running(event.session_id) is not False
    if scene.source in common.LONG_AGO or work.live.is_idle or runs_on:
        return None
    windows = [window for window in work.live.windows.values() if window.conversation == event.session_id]
    if not windows:
        return None
    if scene.source == "rpc":
        work.outcomes.at(scene.entry_id).ended = True

    def record(tx: Tx) -> None:
        for window in windows:
            tables.end_window(tx, window.effort_id, window.window_id, scene.at_us)

    def after() -> None:
        for window in windows:
            window.ended, window.seen_at = True, max(window.seen_at, scene.at_us)
            if window.agent_id:
                work.live.windows.pop((window.conversation, window.agent_id), None)

    return Part(record=record, after=after)


def start_subagent(event: SubagentStart, scene: Scene) -> Part | None:
    """A subagent works for its parent's effort, in a window of its own."""
    work = scene.services.get(WorkService)
    agent = event.agent_id or ""
    if scene.source in common.LONG_AGO or work.live.is_idle or not agent or not scene.place.window_id:
        return None
    parent = work.live.window_of(event.session_id)
    if parent is None:
        return None
    effort, window = parent
    text = wording.for_subagent(effort, window.window_id, common.how_to_log(work, scene))
    said = wording.skill_says(effort)
    if scene.source == "rpc":
        work.outcomes.at(scene.entry_id).injections = ("\n".join(filter(None, (text, wording.course(effort), said))),)
    return Part(
        contexts=(*common.context(text, "subagent"), *common.course(effort), *common.context(said, "directives"))
        if scene.is_live
        else (),
        record=lambda tx: common.open_in(tx, work, effort, event, scene, window),
        after=lambda: _opened(work, effort, event, scene),
    )


def _opened(work: WorkService, effort: Effort, event: SubagentStart, scene: Scene) -> None:
    common.opened(work, effort, event, scene)


def end_subagent(event: SubagentStop, scene: Scene) -> Part | None:
    """A subagent is done: its window ends, and what it read counts for the effort."""
    work = scene.services.get(WorkService)
    agent = agent_of(event)
    if scene.source in common.LONG_AGO or work.live.is_idle or not agent:
        return None
    found = work.live.window_of(event.session_id, agent)
    if found is None:
        return None
    effort, window = found
    read = sorted(window.loaded)
    changed: list[Effort] = []
    if scene.source == "rpc":
        outcome = work.outcomes.at(scene.entry_id)
        outcome.ended, outcome.loaded_files = True, tuple(read)

    def record(tx: Tx) -> None:
        tables.end_window(tx, effort.id, window.window_id, scene.at_us)
        now = tables.note_files(tx, work.owner, effort.id, loaded=read)
        changed[:] = [now] if now else []

    def after() -> None:
        work.live.windows.pop((event.session_id, agent), None)
        for each in changed:
            work.live.renew(each)

    return Part(record=record, after=after)
