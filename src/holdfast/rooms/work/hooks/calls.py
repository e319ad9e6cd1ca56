"""Tool calls in an effort: the heartbeat before them, directives and what waits after them.

The heartbeat decides in memory, before the store is touched, and is counted in the event's own transaction: a call that
comes by a hook and by RPC is one call.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable

import msgspec

from holdfast.events.answer import Part, refuse
from holdfast.events.event import PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import new_id
from holdfast.rooms.work import rules, tables
from holdfast.rooms.work.delivery import wording
from holdfast.rooms.work.delivery.delivering import Delivery, directive_files, directives_text
from holdfast.rooms.work.delivery.delivering import wording as given_text
from holdfast.rooms.work.efforts.live import LiveWindow
from holdfast.rooms.work.hooks.common import LONG_AGO, context, how_to_log, settled, take
from holdfast.rooms.work.model import TEXTS, Effort, Message, Pending
from holdfast.rooms.work.service import WorkService
from holdfast.store.interface import Tx

BLOCKED = "work.heartbeat"
_GIVEN_TOKENS = 800
"""What one tool call may bring of what waits and of directives."""
_LONGEST_ERROR = 2_000


# --- before


def beat(event: PreToolUse, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """Count the call; warn, and refuse where the effort asks for it. Warn of a window that is nearly full."""
    work = scene.services.get(WorkService)
    if work.live.is_loaded:
        return _beat(event, scene, work) if work.live.efforts else None
    return _load_and_beat(event, scene, work)


async def _load_and_beat(event: PreToolUse, scene: Scene, work: WorkService) -> Part | None:
    await work.ready(scene.read)
    return _beat(event, scene, work)


def _beat(event: PreToolUse, scene: Scene, work: WorkService) -> Part | None:
    if scene.source in LONG_AGO:
        return None
    found = work.live.window_of(event.session_id, event.agent_id or "")
    if found is None or rules.bypasses(event.tool_name, event.arguments):
        return None
    effort, window = found
    if not scene.is_live and scene.at_us <= window.logged_at:
        return None  # it came late, and was logged since
    if not work.ground.is_recorded(scene.place.worktree_path, scene.now(), event.session_id):
        return None  # nothing can be logged either
    use = event.tool_use_id or scene.entry_id
    window.seen_at = max(window.seen_at, scene.at_us)
    count = window.count(use)
    percent = percent_used(scene, event)
    state = _Counted(work, window, use, percent, scene)
    if scene.source == "rpc":
        outcome = work.outcomes.at(scene.entry_id)
        outcome.heartbeat, outcome.overflow = count, percent >= work.settings.overflow_percent
    if not scene.is_live:
        return Part(record=state.record, after=state.after)
    # A subagent may have no tool to log with: it is warned, and its parent is the one that is held.
    if window.agent_id and effort.heartbeat == "block":
        effort = msgspec.structs.replace(effort, heartbeat="warn")
    verdict = rules.verdict(count, effort.heartbeat, effort.config.block_after)
    how = how_to_log(work, scene) if verdict else ""
    if verdict == "block":
        reason = wording.blocked(effort, count, how)
        return Part(decision=refuse(BLOCKED, reason), record=state.record, after=state.after)
    said = [wording.warned(effort, count, how)] if verdict == "warn" else []
    if percent >= work.settings.overflow_percent and not window.warned_overflow:
        window.warned_overflow = True
        said.append(wording.overflow(effort, percent, work.command(scene), has_tools=scene.has_tools))
    return Part(contexts=context("\n".join(said), "heartbeat"), record=state.record, after=state.after)


def percent_used(scene: Scene, event: ToolEvent) -> int:
    """How full the agent's window is, as it was measured; 0 when that is not known."""
    used = scene.services.get(ProgressBoard).of(event.session_id, event.agent_id or "").context_used
    return min(100, round(100 * used)) if used else 0


class _Counted:
    """One call that the store counts. The transaction may run twice; the last run counts."""

    __slots__ = ("_heartbeat", "_order", "_percent", "_scene", "_use", "_window", "_work")

    def __init__(self, work: WorkService, window: LiveWindow, use: str, percent: int, scene: Scene) -> None:
        self._work, self._window, self._use, self._percent, self._scene = work, window, use, percent, scene
        self._order = self._heartbeat = 0

    def record(self, tx: Tx) -> None:
        self._heartbeat = tables.beat(tx, self._window.effort_id, self._window.window_id, self._percent)
        self._order = self._work.live.next_order()

    def after(self) -> None:
        if not self._heartbeat:
            self._work.forget()  # the store has no such window of an active effort: read what it has
        self._window.settle(self._use, self._order, self._heartbeat)
        if self._scene.source == "rpc":
            self._work.outcomes.at(self._scene.entry_id).heartbeat = self._heartbeat
        self._work.note(self._scene.services, self._window.conversation, self._window.agent_id)


def note_progress(event: PreToolUse, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """One of holdfast's own tools is about to be called: put its agent's effort on the board, for the tool."""
    work = scene.services.get(WorkService)
    if not work.live.is_loaded:
        return _load_and_note(event, scene, work)
    if work.live.efforts and work.live.window_of(event.session_id, event.agent_id or ""):
        work.note(scene.services, event.session_id, event.agent_id or "")
    return None


async def _load_and_note(event: PreToolUse, scene: Scene, work: WorkService) -> None:
    await work.ready(scene.read)
    work.note(scene.services, event.session_id, event.agent_id or "")


def preload(event: PreToolUse, scene: Scene) -> Awaitable[Part | None] | None:
    """Give the files that wait to be read, once."""
    work = scene.services.get(WorkService)
    if not work.live.efforts or not scene.is_live or event.agent_id:
        return None
    found = work.live.window_of(event.session_id)
    if found is None or not any(item.kind == "preload" for item in _waiting(work, *found)):
        return None
    return _preload(scene, work, *found)


def _waiting(work: WorkService, effort: Effort, window: LiveWindow) -> list[Pending]:
    return work.live.waiting(effort.id, window.window_id)


async def _preload(scene: Scene, work: WorkService, effort: Effort, window: LiveWindow) -> Part | None:
    items = [item for item in _waiting(work, effort, window) if item.kind == "preload"]
    work.live.giving(items)
    root, clean = scene.place.worktree_path, work.ground.clean
    given = await asyncio.to_thread(given_text, effort, items, root, work.settings.preload_tokens, clean)
    if scene.source == "rpc":
        work.outcomes.at(scene.entry_id).preloads = tuple(item.path for item in given.items)
    return Part(
        contexts=context(given.repository, "preload"),
        record=lambda tx: None if take(tx, work, effort.id, given.items, given.files) else Part(),
        after=lambda: settled(work, given, window),
    )


# --- after


def deliver(event: PostToolUse | PostToolUseFailure, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """Give what waits, once, and the directives of folders that were touched for the first time."""
    work = scene.services.get(WorkService)
    if not work.live.efforts or scene.source in LONG_AGO:
        return None
    found = work.live.window_of(event.session_id, event.agent_id or "")
    if found is None:
        return None
    effort, window = found
    path = rules.touched(event.tool_name, event.arguments)
    folder = os.path.dirname(path)
    is_off = not work.settings.directives or "work.directives" in scene.off
    looks = bool(folder) and not is_off and scene.is_live and folder not in window.looked_in
    waits = not window.agent_id and any(item.kind in TEXTS for item in _waiting(work, effort, window))
    is_new = bool(path) and path not in window.loaded and isinstance(event, PostToolUse)
    failed = isinstance(event, PostToolUseFailure)
    if not (looks or waits or is_new or failed):
        return None
    return _deliver(event, scene, work, effort, window, path if is_new else "", folder if looks else "")


async def _deliver(
    event: PostToolUse | PostToolUseFailure,
    scene: Scene,
    work: WorkService,
    effort: Effort,
    window: LiveWindow,
    path: str,
    folder: str,
) -> Part | None:
    waits = scene.is_live and not window.agent_id
    waiting = [item for item in _waiting(work, effort, window) if item.kind in TEXTS] if waits else []
    work.live.giving(waiting)
    root, clean = scene.place.worktree_path, work.ground.clean

    def read() -> tuple[Delivery, str, list[str], list[str]]:
        given = given_text(effort, waiting, root, _GIVEN_TOKENS, clean) if waiting else Delivery("")
        left = 0 if given.items else work.settings.directive_tokens
        if not folder or not left or not root:
            return given, "", [], []
        known = window.loaded | set(given.files)
        found, folders = directive_files(os.path.realpath(folder), os.path.realpath(root), known, window.looked_in)
        mine = [path for path in found if work.live.begins(f"{window.window_id} {path}")]
        looked = [folder, *folders] if mine == found else []
        return given, directives_text(mine, left, clean), mine, looked

    given, directives, whole, looked = await asyncio.to_thread(read)
    if not directives:
        window.looked_in.update(looked)
    files = [*([path] if path else []), *given.files]
    message = _failure(event, scene, effort) if isinstance(event, PostToolUseFailure) else None
    if not (given.items or directives or files or message):
        return None
    if scene.source == "rpc":
        outcome = work.outcomes.at(scene.entry_id)
        outcome.injections = tuple(text for text in (given.text, given.repository, directives) if text)
    changed: list[Effort] = []

    def record(tx: Tx) -> Part | None:
        if message is not None:
            tables.put_message(tx, message, scene.owner)
        is_ours = tables.take_pending(tx, given.items)
        tables.add_window_files(tx, effort.id, window.window_id, [*files, *whole])
        merges = files if not window.agent_id else []
        now = tables.note_files(tx, work.owner, effort.id, directives=whole, loaded=merges)
        changed[:] = [now] if now else []
        return None if is_ours else Part(contexts=context(directives, "directives"))

    def after() -> None:
        window.loaded.update(files, whole)
        window.looked_in.update(looked)
        settled(work, given)
        for each in changed:
            work.live.renew(each)

    waited = (*context(given.text, "pending"), *context(given.repository, "pending", from_repository=True))
    contexts = (*waited, *context(directives, "directives")) if scene.is_live else ()
    return Part(contexts=contexts, record=record, after=after)


def _failure(event: PostToolUseFailure, scene: Scene, effort: Effort) -> Message:
    text = f"{event.tool_name} failed: {event.error[:_LONGEST_ERROR]}"
    sender = scene.sender.agent or event.agent_id or ""
    place = scene.place
    return Message(
        new_id(scene.at_us), place.project_id, effort.id, event.session_id, "failure", sender, "", text, scene.at_us
    )


def log_dialogue(event: PostToolUse, scene: Scene) -> Part | None:
    """A question to the user and the answer are dialogue, with or without an effort."""
    if scene.source in ("import", "journal"):
        return None
    text = rules.dialogue(event.arguments, event.tool_response)
    if not text:
        return None
    work = scene.services.get(WorkService)
    effort = work.live.effort_of(event.session_id)
    if scene.source == "rpc":
        work.outcomes.at(scene.entry_id).dialogue = text
    message = Message(
        new_id(scene.at_us),
        scene.place.project_id,
        effort.id if effort else "",
        event.session_id,
        "dialogue",
        scene.sender.agent or event.agent_id or "",
        "user",
        text,
        scene.at_us,
    )
    return Part(record=lambda tx: tables.put_message(tx, message, scene.owner))
