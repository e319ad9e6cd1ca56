"""The values of this room: an agent with all that its status follows from, a task of a team, a session as the client
lists it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from holdfast.ids import ConversationId

AgentStatus = Literal["error", "attention", "working", "checked", "done"]
STATUSES: tuple[AgentStatus, ...] = ("error", "attention", "working", "checked", "done")
"""By rank: an agent of which several hold has the first of them."""

AgentKind = Literal["main", "subagent", "teammate"]
AskKind = Literal["permission", "question", "notice", "report"]
Failed = Literal["", "turn", "tool"]
AgentKey = tuple[ConversationId, str]
"""An agent: its conversation and its `agent_id`; '' is the main one."""


class CallUnderWay(Struct, frozen=True):
    """A call of a tool that is under way."""

    id: str
    tool: str
    about: str


class WaitsFor(Struct, frozen=True):
    """What an agent waits for."""

    kind: AskKind
    what: str
    at: int
    call: str = ""
    """The tool use that waits; '' when it is not known."""
    beside: tuple[str, ...] = ()
    """Tool uses that were under way already: their ends answer nothing."""


class Agent(Struct, frozen=True, kw_only=True):
    """One agent at one moment. Changes are new values."""

    conversation: ConversationId
    agent_id: str = ""
    kind: AgentKind = "main"
    agent_type: str = ""
    name: str = ""
    """`AGENT_ID` of the main agent, or a teammate's name; '' without one."""
    parent: str = ""
    """The `agent_id` of the agent that started it; '' is the main one."""
    project_id: str = ""
    pane: str = ""
    """`TMUX_PANE`, such as %3."""
    pid: int = 0
    """The client's process."""

    in_turn: bool = False
    background: int = 0
    """Background commands and agents that the last Stop named."""
    team: int = 0
    """Teammates that work at present."""
    asks: tuple[WaitsFor, ...] = ()
    failed: Failed = ""
    failure: str = ""
    failed_at: int = 0
    idle_at: int = 0
    """When its last turn ended."""
    seen_at: int = 0
    """When a person last looked."""
    owes: bool = False
    """It was given work and has not reported since."""
    ended_at: int = 0
    ended_by: str = ""

    status: AgentStatus = "done"
    since: int = 0
    needs: str = ""
    """What a person can do for it; '' when nothing is needed."""
    message: str = ""
    """What else is worth telling: that it was interrupted, that a tool failed."""

    # What follows is not stored.
    last_at: int = 0
    calls: tuple[CallUnderWay, ...] = ()
    doing: str = ""
    """The last tool it used, and for what."""
    in_background: bool = False
    """A subagent that goes on when its parent's turn ends."""


class TeamTask(Struct, frozen=True):
    """One entry of the client's own task list."""

    conversation: ConversationId
    task_id: str
    project_id: str
    subject: str
    assignee: str
    """The teammate whose it is; '' when it is nobody's."""
    made_at: int
    done_at: int = 0


class ClientSession(Struct, frozen=True):
    """A session as the client itself lists it (`claude agents --json`)."""

    conversation: ConversationId
    pid: int = 0
    cwd: str = ""
    status: str = ""
    """idle, busy or waiting (2.1.325); '' when an older client does not tell."""
    waiting_for: str = ""
    started_at: int = 0
