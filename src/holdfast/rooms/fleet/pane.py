"""This room's part of `status` and of the pane beside a conversation. From memory: both are asked often."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.caller import Caller
from holdfast.events.scene import Services
from holdfast.layout import many, span
from holdfast.rooms.fleet.model import STATUSES, Agent
from holdfast.rooms.fleet.service import Fleet
from holdfast.rooms.room import Pane, Status

_MOST = 4


def summary(fleet: Fleet) -> str:
    counts = fleet.counts()
    return ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])


def _called(agent: Agent, now: int) -> str:
    who = agent.name or agent.agent_type or agent.conversation[:8]
    return f"{who} ({span((now - agent.since) / 1_000_000).split()[0]}): {agent.needs}"


async def lines(caller: Caller) -> Sequence[str]:
    """Who needs a person, besides the conversation beside which the pane stands; then how many do what."""
    fleet = caller.services.get(Fleet)
    await fleet.roster.load()
    others = [agent for agent in fleet.needing() if agent.conversation != caller.conversation]
    said = [_called(agent, caller.now()) for agent in others[:_MOST]]
    if len(others) > _MOST:
        said.append(f"and {many(len(others) - _MOST, 'other')}")
    everyone = summary(fleet)
    return [*said, everyone] if everyone else said


PANE = Pane("fleet", lines)


async def status(services: Services) -> Status:
    fleet = services.get(Fleet)
    await fleet.roster.load()
    counts = fleet.counts()
    needing = [
        {"session_id": each.conversation, "agent_id": each.agent_id, "needs": each.needs} for each in fleet.needing()
    ]
    values = {"fleet": {"agents": {name: counts[name] for name in STATUSES}, "needing": needing}}
    everyone = summary(fleet)
    return Status(values, (("fleet", everyone),) if everyone else ())
