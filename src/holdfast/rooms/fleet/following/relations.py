"""What an event of one agent means for the others of its conversation: its helpers, its team, its lead.

Each function changes the roster and returns the keys of those that changed, and the tasks.
"""

from __future__ import annotations

from msgspec.structs import replace

from holdfast.events.event import (
    Event,
    PostToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    TaskCompleted,
    TaskCreated,
    TeammateIdle,
)
from holdfast.events.scene import Scene
from holdfast.rooms.fleet.following import rules, teams
from holdfast.rooms.fleet.following.roster import Roster
from holdfast.rooms.fleet.model import Agent, AgentKey, TeamTask

FleetChanges = tuple[list[AgentKey], list[TeamTask]]


def relate(roster: Roster, event: Event, before: Agent, agent: Agent, scene: Scene) -> FleetChanges:
    match event:
        case SessionEnd():
            return end_all(roster, agent, scene.at_us), []
        case SubagentStop():
            return count_team(roster, agent, scene.at_us), []
        case Stop() if not agent.agent_id:
            running = {str(each.get("id")) for each in event.background_tasks or () if isinstance(each, dict)}
            return end_helpers(roster, agent, running, scene.at_us), []
        case PostToolUse() if event.tool_name in teams.TOOLS:
            return _after_tool(roster, event, agent, scene)
        case TaskCreated() | TaskCompleted():
            return _after_task(roster, event, agent, scene)
        case TeammateIdle():
            return _after_idle(roster, event, agent, scene.at_us), []
    if agent.kind == "teammate" and agent.in_turn != before.in_turn:
        return count_team(roster, agent, scene.at_us), []
    return [], []


def end_all(roster: Roster, main: Agent, at: int) -> list[AgentKey]:
    """A session ended, and all its agents with it."""
    others = [each for each in roster.of(main.conversation) if each.agent_id and not each.ended_at]
    return [roster.put(rules.ended(each, at, "its session ended")) for each in others]


def end_helpers(roster: Roster, main: Agent, running: set[str] | None, at: int) -> list[AgentKey]:
    """The main agent's turn is over: so are the subagents that do not run in the background. `running` are the ids that
    the client names; None: it does not say."""
    gone = []
    for each in roster.of(main.conversation):
        goes_on = each.in_background if running is None else each.agent_id in running
        if each.kind == "subagent" and each.in_turn and not goes_on and each.last_at < at:
            gone.append(roster.put(rules.ended(each, at, "its turn is over")))
    return gone


def _after_tool(roster: Roster, event: PostToolUse, agent: Agent, scene: Scene) -> FleetChanges:
    conversation, at = agent.conversation, scene.at_us
    if found := teams.started(event):
        new = Agent(
            conversation=conversation, agent_id=found.agent_id, kind="subagent", project_id=agent.project_id, since=at
        )
        known = roster.agents.get((conversation, found.agent_id), new)
        told = replace(
            known,
            kind="teammate" if found.is_teammate else known.kind,
            agent_type=found.agent_type or known.agent_type,
            name=found.name or known.name,
            parent=agent.agent_id,
            owes=found.is_teammate,
            in_background=True,
            last_at=max(known.last_at, at),
        )
        return [roster.put(told)], []
    if receiver := teams.messaged(event):
        keys = [roster.put(rules.reported(agent, at))] if agent.kind == "teammate" else []
        return keys + [roster.put(replace(each, owes=True)) for each in teammates(roster, agent, receiver)], []
    told_task = teams.assigned(event)
    task = roster.tasks.get((conversation, told_task.task_id)) if told_task else None
    if told_task is None or task is None:
        return [], []
    done_at = at if told_task.is_done else task.done_at
    task = replace(task, assignee=told_task.assignee or task.assignee, done_at=done_at)
    roster.put_task(task)
    return [], [task]


def _after_task(roster: Roster, event: TaskCreated | TaskCompleted, agent: Agent, scene: Scene) -> FleetChanges:
    key, at = (agent.conversation, event.task_id), scene.at_us
    known = roster.tasks.get(key)
    own = agent.name if agent.kind == "teammate" else ""
    assignee = event.teammate_name or (known.assignee if known else "") or own
    subject = teams.subject(event) or (known.subject if known else "")
    is_done = isinstance(event, TaskCompleted)
    task = TeamTask(
        *key, scene.place.project_id, subject, assignee, known.made_at if known else at, at if is_done else 0
    )
    roster.put_task(task)
    theirs = teammates(roster, agent, assignee) if is_done else []
    return [roster.put(rules.reported(each, at)) for each in theirs], [task]


def _after_idle(roster: Roster, event: TeammateIdle, agent: Agent, at: int) -> list[AgentKey]:
    name = event.teammate_name or agent.name
    mine = [task for task in roster.tasks.values() if task.conversation == agent.conversation and not task.done_at]
    owed = next((task.subject or task.task_id for task in mine if name and task.assignee == name), "")
    if not agent.agent_id:  # a client that does not say whose it is
        return [roster.put(rules.idles(each, at, owed)) for each in teammates(roster, agent, name)]
    idle = rules.idles(replace(agent, kind="teammate", name=name), at, owed)
    return [roster.put(idle), *count_team(roster, idle, at)]


def teammates(roster: Roster, agent: Agent, name: str) -> list[Agent]:
    """Teammates of this name in an agent's conversation."""
    return [each for each in roster.of(agent.conversation) if each.kind == "teammate" and each.name == name]


def count_team(roster: Roster, agent: Agent, at: int) -> list[AgentKey]:
    """A lead waits for as many teammates as work."""
    lead = roster.agents.get((agent.conversation, agent.parent))
    if lead is None or agent.kind != "teammate" or lead.agent_id == agent.agent_id:
        return []
    working = sum(1 for each in roster.of(agent.conversation) if each.kind == "teammate" and each.in_turn)
    counted = rules.with_team(lead, working, at)
    return [] if counted is lead else [roster.put(counted)]
