"""Agents as people and programs see them: which are shown, as what, and in which order. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from holdfast.rooms.fleet.following import rules
from holdfast.rooms.fleet.model import STATUSES, Agent, AgentKey, AgentKind, AgentStatus, ClientSession
from holdfast.times import DAY_US, when

_OLD_US = DAY_US
"""An agent whose process is not known is shown no longer than this after its last event."""
_OF_CLIENT: dict[str, AgentStatus] = {"busy": "working", "waiting": "attention"}


class FleetRow(Struct, frozen=True, kw_only=True):
    """An agent as `holdfast fleet --json` shows it."""

    agent_id: str
    session_id: str
    project: str
    status: AgentStatus
    since: str
    seconds: int
    """How long it has this status."""
    stale: bool
    parent: str | None
    needs: str
    kind: AgentKind
    name: str
    agent_type: str
    message: str
    doing: str
    background: int
    tasks_open: int
    last_event: str
    ended: bool
    pane: str
    pid: int
    folder: str
    project_id: str = ""
    """'' when no event ever came: it is not known."""
    source: Literal["hooks", "client"] = "hooks"
    """`client`: known from the client's own list only, no event ever came."""


def is_shown(agent: Agent, now: int, since: int) -> bool:
    """Those that ended since a moment are shown, unless their terminal goes on with another session."""
    if agent.ended_at:
        return agent.kind == "main" and agent.ended_at >= since and not rules.goes_on_elsewhere(agent)
    return now - agent.last_at < _OLD_US or bool(agent.pid)


def line_of(
    agent: Agent, project: str, folder: str, *, now: int, tasks_open: int, known: Mapping[AgentKey, Agent]
) -> FleetRow:
    """One agent. A main agent without a name is known by its session."""
    parent = None
    if agent.agent_id:
        above = known.get((agent.conversation, agent.parent)) or known.get((agent.conversation, ""))
        parent = (above.agent_id or above.name if above else "") or agent.conversation
    return FleetRow(
        agent_id=agent.agent_id or agent.name or agent.conversation,
        session_id=agent.conversation,
        project=project,
        status=agent.status,
        since=when(agent.since),
        seconds=max(0, now - agent.since) // 1_000_000,
        stale=rules.is_stale(agent, now),
        parent=parent,
        needs=agent.needs,
        kind=agent.kind,
        name=agent.name,
        agent_type=agent.agent_type,
        message=agent.message,
        doing=agent.doing,
        background=agent.background + agent.team,
        tasks_open=tasks_open,
        last_event=when(agent.last_at),
        ended=bool(agent.ended_at),
        pane=agent.pane,
        pid=agent.pid,
        folder=folder,
        project_id=agent.project_id,
    )


def is_of(line: FleetRow, project_id: str, folder: str) -> bool:
    """Is this agent of a project? One that only the client knows: does it stand in the folder, or in one inside it?"""
    if line.project_id:
        return line.project_id == project_id
    return bool(folder) and f"{line.folder}/".startswith(f"{folder.rstrip('/')}/")


def stranger(told: ClientSession, now: int) -> FleetRow:
    """A session that only the client knows: it was started without holdfast's hooks."""
    since = when(told.started_at or now)
    return FleetRow(
        agent_id=told.conversation,
        session_id=told.conversation,
        project=told.cwd.rstrip("/").rpartition("/")[2],
        status=_OF_CLIENT.get(told.status, "done"),
        since=since,
        seconds=max(0, now - (told.started_at or now)) // 1_000_000,
        stale=False,
        parent=None,
        needs=told.waiting_for if told.status == "waiting" else "",
        kind="main",
        name="",
        agent_type="",
        message="no hooks: status from the client's own list",
        doing="",
        background=0,
        tasks_open=0,
        last_event=since,
        ended=False,
        pane="",
        pid=told.pid,
        folder=told.cwd,
        source="client",
    )


def in_order(lines: Sequence[FleetRow]) -> list[FleetRow]:
    """What needs a person first, then by rank, the longest waiting first. Helpers stand below their parent, and a
    family stands where its neediest member does."""
    families: dict[str, list[FleetRow]] = {}
    for line in lines:
        families.setdefault(line.session_id, []).append(line)
    ranked = sorted(families.values(), key=lambda family: min(map(_rank, family)))
    return [line for family in ranked for line in _below(family)]


def _rank(line: FleetRow) -> tuple[bool, bool, int, str]:
    return line.ended, not line.needs, STATUSES.index(line.status), line.since


def _below(family: Sequence[FleetRow]) -> list[FleetRow]:
    return sorted(family, key=lambda line: (line.parent is not None, _rank(line)))
