"""Prompts: the line about the effort, and efforts that a skill's slash command starts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from holdfast.events.answer import Part
from holdfast.events.event import Event, PreToolUse, UserPromptExpansion, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.rooms.work import rules, tables
from holdfast.rooms.work.delivery import wording
from holdfast.rooms.work.delivery.delivering import Delivery
from holdfast.rooms.work.delivery.delivering import wording as given_text
from holdfast.rooms.work.efforts.live import LiveWindow
from holdfast.rooms.work.efforts.starting import Actor, EffortStarted, WantedEffort
from holdfast.rooms.work.hooks import common
from holdfast.rooms.work.model import Effort
from holdfast.rooms.work.service import WorkService
from holdfast.store.interface import Tx
from holdfast.times import clock_time

_GIVEN_TOKENS = 500


def say_effort(event: UserPromptSubmit, scene: Scene) -> Awaitable[Part | None] | None:
    """One line about the effort, and what waits. A conversation without an effort takes up one that nobody holds."""
    work = scene.services.get(WorkService)
    if work.is_idle or not scene.is_live or event.agent_id or event.is_notification:
        return None
    return _say_effort(event, scene, work)


async def _say_effort(event: UserPromptSubmit, scene: Scene, work: WorkService) -> Part | None:
    live = await work.ready(scene.read)
    found = live.window_of(event.session_id)
    effort = found[0] if found else common.effort_for(work, event, scene)
    if effort is None or not scene.place.window_id:
        return None
    window = found[1] if found else None
    before = None if window else common.before_of(work, effort, event.session_id)
    waiting = live.waiting(effort.id, scene.place.window_id)
    given = Delivery("")
    if waiting:
        live.giving(waiting)
        root, clean = scene.place.worktree_path, work.ground.clean
        given = await asyncio.to_thread(given_text, effort, waiting, root, _GIVEN_TOKENS, clean)
    says = work.settings.context_line and "work.context_line" not in scene.off
    line = _line(work, effort, window, scene) if says else ""
    said = common.context(
        line, "line", from_repository=effort.config.from_repository and bool(effort.mode or effort.phase)
    )
    head = "" if window else wording.begun(effort, common.how_to_log(work, scene), is_new=not before)
    if window is not None:
        window.seen_at = max(window.seen_at, scene.at_us)

    def record(tx: Tx) -> Part | None:
        if window is None:
            common.open_in(tx, work, effort, event, scene, before)
        return None if common.take(tx, work, effort.id, given.items, given.files) else Part(contexts=said)

    def after() -> None:
        common.settled(work, given, window or common.opened(work, effort, event, scene))

    text = "\n\n".join(part for part in (head, given.text) if part)
    joins = (*common.context(text, "effort"), *(common.course(effort) if head else ()))
    return Part(contexts=(*said, *joins, *common.context(given.repository, "preload")), record=record, after=after)


def _line(work: WorkService, effort: Effort, window: LiveWindow | None, scene: Scene) -> str:
    window_id = window.window_id if window else scene.place.window_id
    heartbeat = window.heartbeat if window else 0
    return rules.context_line(effort, clock=clock_time(scene.at_us), window_id=window_id, heartbeat=heartbeat)


def join(event: Event, scene: Scene) -> Awaitable[Part | None] | None:
    """An event by RPC of a conversation that nobody told of before: it works on the project's effort. The first call
    counts, too."""
    if scene.source != "rpc":
        return None
    work = scene.services.get(WorkService)
    if work.is_idle or event.agent_id or work.live.effort_of(event.session_id):
        return None
    return _join(event, scene, work)


async def _join(event: Event, scene: Scene, work: WorkService) -> Part | None:
    await work.ready(scene.read)
    effort = common.effort_for(work, event, scene)
    if effort is None or not event.session_id or not scene.place.window_id:
        return None
    before = common.before_of(work, effort, event.session_id)
    counts = isinstance(event, PreToolUse) and not rules.bypasses(event.tool_name, event.arguments)
    counted: list[tuple[int, int]] = []

    def record(tx: Tx) -> None:
        common.open_in(tx, work, effort, event, scene, before)
        if counts:
            heartbeat = tables.beat(tx, effort.id, scene.place.window_id, 0)
            counted[:] = [(work.live.next_order(), heartbeat)]

    def after() -> None:
        window = common.opened(work, effort, event, scene)
        for order, heartbeat in counted:
            window.settle("", order, heartbeat)
            work.outcomes.at(scene.entry_id).heartbeat = heartbeat

    return Part(record=record, after=after)


def start_from_skill(event: UserPromptExpansion, scene: Scene) -> Awaitable[Part | None] | None:
    """The user typed the slash command of a skill with phases: an effort begins. The same skill again goes on."""
    work = scene.services.get(WorkService)
    is_off = not work.settings.skills_start_efforts or "work.skills_start_efforts" in scene.off
    if is_off or scene.source in common.LONG_AGO or event.agent_id or not event.command_name:
        return None
    return _start_from_skill(event, scene, work, event.command_name)


async def _start_from_skill(event: UserPromptExpansion, scene: Scene, work: WorkService, skill: str) -> Part | None:
    root = scene.place.worktree_path
    config = await work.config(skill, event.cwd, root, event.transcript_path)
    if not config.starts_effort or not scene.place.window_id:
        return None
    live = await work.ready(scene.read)
    present = live.effort_of(event.session_id)
    if present is not None and present.skill == config.skill:
        return None
    title = (event.command_args or "").strip()[:500]
    mode = next((mode for mode in config.modes if mode in title.split()), "")
    wanted = WantedEffort(config.skill, config, root or event.cwd, mode=mode, title=title, replace=True)
    sender = scene.sender
    actor = Actor(
        event.session_id, "", sender.agent, scene.place.project_id, event.cwd, is_agent=False, process=sender.pid
    )
    made: list[EffortStarted] = []

    def record(tx: Tx) -> Part | None:
        made[:] = [work.starting.start_in(tx, wanted, actor, scene.at_us, scene.place.window_id)]
        text = wording.begun(made[0].effort, common.how_to_log(work, scene), is_new=True)
        return Part(contexts=(*common.context(text, "effort"), *common.course(made[0].effort)) if scene.is_live else ())

    def after() -> None:
        for each in made:
            work.starting.started(each)
            work.note(scene.services, event.session_id)

    return Part(record=record, after=after)
