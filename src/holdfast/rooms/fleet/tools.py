"""What people and scripts can ask of this room, as data. Agents are not offered it: a look is a person's."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import Refused
from holdfast.events.caller import Caller
from holdfast.events.tool import NoArguments, Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.rooms.fleet import verbs
from holdfast.rooms.fleet.listing import FleetRow, is_of
from holdfast.rooms.fleet.model import STATUSES
from holdfast.rooms.fleet.service import Fleet


class ShowFleet(Struct, frozen=True, forbid_unknown_fields=True):
    all: Annotated[bool, Meta(description="Also sessions that ended, and subagents that are done.")] = False
    here: Annotated[bool, Meta(description="Only those of this project.")] = False


class MarkSeen(Struct, frozen=True, forbid_unknown_fields=True):
    agents: Annotated[
        tuple[str, ...],
        Meta(description="Sessions or agents, by id, its beginning, or name. Without any: all that need you."),
    ] = ()
    pane: Annotated[str, Meta(description="The agent in this pane of tmux, such as %3.")] = ""


class PaneLine(Struct, frozen=True):
    """A session as a terminal shows it: the first status among its agents, and the style of that."""

    session_id: str
    pane: str
    pid: int
    status: str
    style: str
    since: str


async def show_fleet(asked: ShowFleet, caller: Caller) -> list[FleetRow]:
    lines = await caller.services.get(Fleet).lines(everything=asked.all)
    if not asked.here:
        return lines
    return [line for line in lines if is_of(line, caller.project_id, caller.folder)]


async def mark_seen(asked: MarkSeen, caller: Caller) -> dict[str, Any]:
    if caller.is_agent:
        raise Refused("Only a person can have looked; an agent cannot say it for them.")
    keys = await caller.services.get(Fleet).seen(asked.agents, asked.pane)
    return {"seen": [agent_id or conversation for conversation, agent_id in keys]}


async def show_panes(asked: NoArguments, caller: Caller) -> list[PaneLine]:
    fleet = caller.services.get(Fleet)
    styles = fleet.settings.styles()
    families: dict[str, list[FleetRow]] = {}
    for line in await fleet.lines():
        if line.source == "hooks" and not line.ended:
            families.setdefault(line.session_id, []).append(line)
    shown = []
    for session_id, family in families.items():
        first = min(family, key=lambda line: STATUSES.index(line.status))
        main = next((line for line in family if line.parent is None), first)
        shown.append(PaneLine(session_id, main.pane, main.pid, first.status, styles.get(first.status, ""), first.since))
    return shown


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "fleet",
        "Every agent and its status, those that need you first.",
        ShowFleet,
        show_fleet,
        for_agents=False,
        verb=Verb(
            "fleet",
            "fleet --watch",
            help="error and attention need you; checked means that you have looked; stale means that nothing happened "
            "for five minutes. With --tmux the panes of tmux take the colour of their agent until Ctrl-C, and a pane "
            "that you work in counts as looked at.",
            lines=verbs.fleet,
            empty=none_found("agent", "A session of Claude Code is listed when it starts."),
            every_seconds=1.0,
            at_terminal={
                "tmux": ("holdfast.rooms.fleet.programs.panes:show", "Colour the panes of tmux, until Ctrl-C.")
            },
        ),
    ),
    Tool(
        "fleet_seen",
        "Mark agents as seen: they no longer call for you.",
        MarkSeen,
        mark_seen,
        changes=True,
        in_pause=True,
        for_agents=False,
        verb=Verb("fleet seen", "fleet seen 2f1c9c0e", lines=verbs.seen, places=("agents",)),
    ),
    Tool("fleet_panes", "Which session runs in which pane, and its style.", NoArguments, show_panes, for_agents=False),
)
