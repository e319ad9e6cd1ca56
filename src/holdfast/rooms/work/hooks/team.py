"""Teammates and the client's task list: recorded, and the one who coordinates is told. Configuration that changed."""

from __future__ import annotations

from collections.abc import Awaitable

from holdfast.events.answer import Part
from holdfast.events.event import ConfigChange, TaskCreated, TaskEvent, TeammateIdle
from holdfast.events.scene import Scene
from holdfast.ids import new_id
from holdfast.rooms.work import tables
from holdfast.rooms.work.model import Effort, Message, MessageKind, Pending
from holdfast.rooms.work.service import WorkService
from holdfast.store.interface import Tx
from holdfast.visible import visible

_LONGEST = 500


def hear_team(event: TeammateIdle | TaskEvent, scene: Scene) -> Awaitable[Part | None] | None:
    """Record what a teammate or the task list tells; a coordinator gets it as a message and with its next event."""
    if scene.source in ("import", "journal"):
        return None
    return _hear_team(event, scene, scene.services.get(WorkService))


async def _hear_team(event: TeammateIdle | TaskEvent, scene: Scene, work: WorkService) -> Part | None:
    live = await work.ready(scene.read)
    who = visible(event.teammate_name or event.agent_id or scene.sender.agent)[:_LONGEST]
    kind, text = _said(event, who or "the main agent")
    agents = {}
    if scene.sender.agent:
        known = await scene.read(lambda reader: tables.agents(reader, scene.owner))
        agents = {agent.name: agent.parent for agent in known}
    parent = agents.get(scene.sender.agent, "")
    effort = live.of_agent(parent, scene.place.project_id) if parent else None
    if effort is None and (event.teammate_name or event.agent_id):
        effort = live.effort_of(event.session_id)  # the main agent of the conversation leads its teammates
    recipient = parent or (effort.agent or "the main agent" if effort else "")
    message = Message(
        new_id(scene.at_us),
        scene.place.project_id,
        effort.id if effort else "",
        event.session_id,
        kind,
        who or "",
        recipient,
        text,
        scene.at_us,
    )
    signal = _signal(effort, text, scene) if effort else None

    def record(tx: Tx) -> None:
        tables.put_message(tx, message, scene.owner)
        if signal:
            tables.put_pending(tx, [signal])

    def after() -> None:
        live.wait([signal] if signal else [])

    return Part(record=record, after=after)


def _signal(effort: Effort, text: str, scene: Scene) -> Pending:
    return Pending(new_id(scene.at_us), effort.id, "", "injection", "", text, scene.at_us)


def _said(event: TeammateIdle | TaskEvent, who: str) -> tuple[MessageKind, str]:
    if isinstance(event, TeammateIdle):
        team = f" of {visible(event.team_name)[:_LONGEST]}" if event.team_name else ""
        return "teammate_idle", f"Teammate {who}{team} is idle."
    number, subject = (visible(each[:_LONGEST]) for each in (event.task_id, event.task_subject or ""))
    about = f"Task {number} ({subject})" if subject else f"Task {number}"
    if isinstance(event, TaskCreated):
        return "task_created", f"{about} was created by {who}."
    return "task_completed", f"{about} was completed by {who}."


def hear_configuration(event: ConfigChange, scene: Scene) -> Part | None:
    """Settings or skills changed: what was read of skills is read again."""
    scene.services.get(WorkService).skills.drop()
    return None
