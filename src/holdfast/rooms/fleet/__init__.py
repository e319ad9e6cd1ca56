"""Fleet: which agent needs a person, which works, which is done; in a table, in the panes of tmux, by a notification.

The room follows every agent, subagent and teammate by its events, and asks the client's own list of sessions where
events leave something open. It leaves what agents work on (efforts, tasks, messages) to the work room.

Read it in this order: `model` (values), `following/` (`rules`, the status, pure; `teams` and `words`, what events say,
pure; `roster`, memory and store; `relations`, what one agent's event means for others), `listing` (the table, pure),
`service`, `hooks`, `tools`, `verbs`. `programs/` runs others: the client's own list, notifications, and tmux at the
user's terminal.
"""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.rooms.fleet import endpoints, hooks, pane, schema, tools
from holdfast.rooms.fleet.service import Fleet
from holdfast.rooms.fleet.settings import Settings
from holdfast.rooms.room import Ground, Room, Upkeep

__all__ = ["ROOM", "hooks"]


def build(ground: Ground) -> tuple[Fleet]:
    """The service of this room."""
    return (Fleet(ground, ground.chosen(Settings)),)


def _forgotten(services: Services) -> None:
    services.get(Fleet).roster.forget()


ROOM = Room(
    "fleet",
    duty="Shows which agent needs you: the status of every agent, subagent and teammate.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    upkeep=Upkeep(forgotten=_forgotten),
    tools=tools.TOOLS,
    commands="Which agent needs you.",
    endpoints=endpoints.ENDPOINTS,
    status=pane.status,
    pane=pane.PANE,
)
