"""What the steps of this room share."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.answer import Context
from holdfast.events.event import Event, SessionStart
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId, WindowId
from holdfast.rooms.work import tables
from holdfast.rooms.work.delivery import wording
from holdfast.rooms.work.delivery.delivering import Delivery
from holdfast.rooms.work.efforts.live import LiveWindow
from holdfast.rooms.work.model import Effort, Pending
from holdfast.rooms.work.service import WorkService
from holdfast.store.interface import Tx

ORIGIN = "work"
_FROM_FILES = ("directives", "preload")
LONG_AGO = ("transcript", "import", "journal")
"""Ways of events that open no window and count nothing: they happened before."""


def how_to_log(work: WorkService, scene: Scene) -> str:
    return wording.log_call(work.command(scene), has_tools=scene.has_tools)


def effort_for(work: WorkService, event: Event, scene: Scene, *, begins: bool = False) -> Effort | None:
    """The effort that a conversation works on, or may take up: its agent's, else one that nobody holds. A conversation
    that runs already (`begins` is False) only takes up one that is new: what another left is not its business."""
    live = work.live
    own = live.effort_of(event.session_id)
    if own is not None:
        return own
    agent = scene.sender.agent
    if agent:
        return live.of_agent(agent, scene.place.project_id)
    is_rpc = scene.source == "rpc"
    if not begins and not is_rpc:
        return live.new_in(scene.place.project_id)
    cleared = scene.sender.pid if isinstance(event, SessionStart) and event.source == "clear" else 0
    return live.free_in(scene.place.project_id, scene.now(), even_held=is_rpc, cleared=cleared)


def before_of(work: WorkService, effort: Effort, conversation: ConversationId) -> LiveWindow | None:
    """The window that the next one follows: of the same conversation, else the effort's newest."""
    same = work.live.windows.get((conversation, ""))
    if same is not None and same.effort_id == effort.id:
        return same
    windows = [window for window in work.live.of_effort(effort.id) if not window.agent_id]
    return max(windows, key=lambda window: window.seen_at, default=None)


def open_in(tx: Tx, work: WorkService, effort: Effort, event: Event, scene: Scene, before: LiveWindow | None) -> None:
    """Write a window of an effort. The same agent's window before it ends; a parent's does not."""
    window_id, at, agent_id = scene.place.window_id, scene.at_us, event.agent_id or ""
    same = before is not None and (before.conversation, before.agent_id) == (event.session_id, agent_id)
    if before is not None and same and before.window_id != window_id:
        tables.end_window(tx, effort.id, before.window_id, at)
    tables.open_window(
        tx,
        effort.id,
        window_id,
        event.session_id,
        agent_id,
        before=before.window_id if before else "",
        process=scene.sender.pid,
        home=work.live.home,
        at=at,
    )
    if scene.sender.agent:
        tables.put_agent(tx, work.owner, scene.sender.agent, scene.place.project_id, at)


def opened(work: WorkService, effort: Effort, event: Event, scene: Scene) -> LiveWindow:
    """Take a window that was written into memory."""
    key = (event.session_id, event.agent_id or "")
    known = work.live.windows.get(key)
    if known is not None and known.window_id == scene.place.window_id and known.effort_id == effort.id:
        known.ended, known.seen_at, known.is_here = False, scene.at_us, True
        known.process = scene.sender.pid or known.process
    else:
        known = work.live.open(
            LiveWindow(
                effort.id,
                WindowId(scene.place.window_id),
                event.session_id,
                event.agent_id or "",
                process=scene.sender.pid,
                seen_at=scene.at_us,
            )
        )
    work.note(scene.services, *key)
    return known


def take(tx: Tx, work: WorkService, effort_id: str, items: Sequence[Pending], files: Sequence[str]) -> bool:
    """Take what is given out of the store; False when somebody else was faster."""
    if not tables.take_pending(tx, items):
        return False
    if files:
        tables.note_files(tx, work.owner, effort_id, loaded=files)
    return True


def settled(work: WorkService, given: Delivery, window: LiveWindow | None = None) -> None:
    work.live.given(given.items)
    if window is not None:
        window.loaded.update(given.files)


def context(text: str, kind: str, *, from_repository: bool = False) -> tuple[Context, ...]:
    """A text for the agent. What files of the repository say is marked as the repository's."""
    if not text:
        return ()
    marks: tuple[tuple[str, str | bool], ...] = (("type", kind),)
    is_theirs = from_repository or kind in _FROM_FILES
    return (Context(text, ORIGIN, (*marks, ("trust", "repository")) if is_theirs else marks),)


def course(effort: Effort) -> tuple[Context, ...]:
    """Mode and phases, apart from what holdfast says: the skill's file names them."""
    return context(wording.course(effort), "phases", from_repository=effort.config.from_repository)
