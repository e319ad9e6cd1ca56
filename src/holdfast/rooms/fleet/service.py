"""The fleet: takes events in, tells a person, and makes the table."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from holdfast.errors import NothingFound
from holdfast.events.answer import Part
from holdfast.events.event import Event, Notification, agent_of
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId
from holdfast.processes import is_running
from holdfast.rooms.fleet import listing, tables
from holdfast.rooms.fleet.following import relations, rules
from holdfast.rooms.fleet.following.roster import Roster
from holdfast.rooms.fleet.listing import FleetRow
from holdfast.rooms.fleet.model import Agent, AgentKey, ClientSession
from holdfast.rooms.fleet.programs.client_list import ClientList, config_folder
from holdfast.rooms.fleet.programs.notifying import Notifier
from holdfast.rooms.fleet.settings import Settings
from holdfast.rooms.room import Ground
from holdfast.sender import NOBODY, Sender
from holdfast.times import MINUTE_US

_GONE = "its process is gone"


def _is_known(sender: Sender, agent: Agent) -> bool:
    """Does the sender tell nothing new of an agent?"""
    if sender is NOBODY or agent.agent_id:
        return True
    told = (sender.pane or agent.pane, sender.pid or agent.pid, sender.agent or agent.name)
    return told == (agent.pane, agent.pid, agent.name)


class Fleet:
    """One owner's agents, on this daemon and on others that share its store."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.ground = ground
        self.settings = settings
        self.roster = Roster(ground)
        self._client = ClientList(settings.client, ground.now)
        self._notifier = Notifier(settings)
        self._telling: set[asyncio.Task[None]] = set()

    # --- events

    def take(self, event: Event, scene: Scene) -> Part | None:
        """Take in one event that is happening now."""
        roster, key = self.roster, (event.session_id, agent_of(event))
        also: tuple[AgentKey, ...] = ()
        before = roster.agents.get(key)
        sender = scene.sender
        if before and _is_known(sender, before) and (heard := rules.only_heard(before, event, scene.at_us)):
            return None if roster.hear(before, heard) else roster.saved([key])
        if before is None:
            before, also = self._new(event, key, scene), ((key[0], ""),)
        other = isinstance(event, Notification) and any(each.asks for each in roster.of(key[0]) if each.agent_id)
        agent = rules.after(before, event, scene.at_us, other_asks=other, is_live=scene.is_live)
        if (sender.pane or sender.pid or sender.agent) and not key[1]:
            told = (sender.pane or agent.pane, sender.pid or agent.pid, sender.agent or agent.name)
            if told != (agent.pane, agent.pid, agent.name):
                agent = replace(agent, pane=told[0], pid=told[1], name=told[2])
        roster.put(agent)
        keys, tasks = relations.relate(roster, event, before, agent, scene)
        if scene.is_live and agent.since != before.since and self._notifier.is_on and rules.calls_for_person(agent):
            self._call(agent, scene.place.project_name)
        return roster.saved({key: None, **dict.fromkeys((*keys, *also))}, tasks)

    def _new(self, event: Event, key: AgentKey, scene: Scene) -> Agent:
        """An agent of which nothing was known: started just now, or before holdfast was there."""
        scene.services.get(ProgressBoard).calling = self.calling
        if event.transcript_path:
            self.roster.transcripts[key[0]] = event.transcript_path
        if key[1] and (key[0], "") not in self.roster.agents:
            main = Agent(conversation=key[0], project_id=scene.place.project_id, in_turn=True, last_at=scene.at_us)
            self.roster.put(rules.settled(main, scene.at_us))
        return Agent(
            conversation=key[0],
            agent_id=key[1],
            kind="subagent" if key[1] else "main",
            agent_type=event.agent_type or "",
            project_id=scene.place.project_id,
            since=scene.at_us,
        )

    async def turn_ended(self, conversation: ConversationId, reason: str) -> None:
        """The plugin's mod says that a turn of the main agent is over."""
        await self.roster.load()
        agent, at = self.roster.agents.get((conversation, "")), self.ground.now()
        after = rules.after_turn(agent, reason, at) if agent else None
        if after is not None and after is not agent:
            key = self.roster.put(after)
            await self.roster.save([key, *relations.end_helpers(self.roster, after, None, at)])

    # --- a person

    def _call(self, agent: Agent, project: str) -> None:
        """Tell a person in a while, if the agent still needs one then."""
        task = asyncio.get_running_loop().create_task(self._tell_later(agent, project))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell_later(self, agent: Agent, project: str) -> None:
        await asyncio.sleep(self.settings.notify_after_seconds)
        if self._still_needs(agent):
            await self._ask_client()  # it may have been answered, which no event tells
        now = self.ground.now()
        if self._still_needs(agent) and self._notifier.may_tell(agent, now):
            await self._notifier.tell(agent, project, now)

    def _still_needs(self, agent: Agent) -> bool:
        present = self.roster.agents.get((agent.conversation, agent.agent_id))
        return present is not None and present.since == agent.since and rules.calls_for_person(present)

    async def seen(self, names: Sequence[str], pane: str = "") -> list[AgentKey]:
        """A person looked at these agents, at the one of a pane, or (when none is named) at all that call."""
        await self.roster.load()
        now = self.ground.now()
        chosen = [
            agent for agent in self.roster.agents.values() if not agent.ended_at and _is_meant(agent, names, pane)
        ]
        if (names or pane) and not chosen:
            raise NothingFound(f"No agent is known as {', '.join(names) or pane}. `holdfast fleet` lists them.")
        if not names and not pane:
            chosen = [agent for agent in chosen if agent.status in ("error", "attention")]
        keys = [self.roster.put(rules.seen(agent, now)) for agent in chosen]
        await self.roster.save(keys)
        return keys

    # --- the table

    async def _ask_client(self) -> list[ClientSession]:
        """Correct agents by the client's own list; what it lists. Only while a client of this machine is known to run,
        and something is open that events did not settle."""
        now = self.ground.now()
        mine = [
            agent for agent in self.roster.agents.values() if agent.pid and not agent.ended_at and not agent.agent_id
        ]
        doubtful = [agent for agent in mine if now - agent.last_at >= rules.JUST_US and is_running(agent.pid)]
        folders = {config_folder(self.roster.transcripts.get(agent.conversation, "")) for agent in doubtful} - {""}
        if not folders:
            return []
        at, listed = await self._client.sessions(folders)
        by_id = {each.conversation: each for each in listed}
        changed = []
        for key, agent in list(self.roster.agents.items()):
            told = by_id.get(key[0])
            main = self.roster.agents.get((key[0], ""))
            if key[1] and main is not None and main.background:
                continue  # the list mentions the main agent, which is idle while its helpers work in the background
            after = rules.after_client(agent, told, at) if told else agent
            if after is not agent:
                changed.append(self.roster.put(after))
        await self.roster.save(changed)
        return listed

    async def lines(self, *, everything: bool = False, ask: bool = True) -> list[FleetRow]:
        """Every agent, those that need a person first. `ask`: the client's own list is asked, too."""
        await self.roster.load()
        listed = await self._ask_client() if ask else []
        now, owner = self.ground.now(), self.ground.owner
        since = 0 if everything else now - self.settings.ended_minutes * MINUTE_US
        found = await self.ground.store.read(lambda reader: tables.agents(reader, owner, ended_since=since))
        agents = {(each.agent.conversation, each.agent.agent_id): self._present(each) for each in found}
        tasks = Counter(task.conversation for task in self.roster.tasks.values() if not task.done_at)
        lines = []
        for each, agent in zip(found, agents.values(), strict=True):
            if everything or listing.is_shown(agent, now, since):
                count = 0 if agent.agent_id else tasks[agent.conversation]
                lines.append(listing.line_of(agent, each.project, each.folder, now=now, tasks_open=count, known=agents))
        known = {key[0] for key in agents}
        lines += [listing.stranger(each, now) for each in listed if each.conversation not in known]
        return listing.in_order(lines)

    def _present(self, found: tables.KnownAgent) -> Agent:
        """An agent as it is now: of this daemon as memory knows it, of another one as the store does."""
        if found.home != self.roster.home:
            return found.agent
        return as_it_is(self.roster.agents.get((found.agent.conversation, found.agent.agent_id), found.agent))

    def needing(self) -> list[Agent]:
        """The agents that call for a person, the longest waiting first. From memory."""
        calling = filter(rules.calls_for_person, self.roster.agents.values())
        return sorted((agent for agent in calling if not as_it_is(agent).ended_at), key=lambda agent: agent.since)

    def calling(self, beside: ConversationId) -> int:
        """How many agents call for a person, besides those of a conversation."""
        return sum(1 for agent in self.needing() if agent.conversation != beside)

    def counts(self) -> Counter[str]:
        """How many agents have which status; those that ended are not counted."""
        return Counter(agent.status for agent in map(as_it_is, self.roster.agents.values()) if not agent.ended_at)


def as_it_is(agent: Agent) -> Agent:
    """The agent; one whose process is gone ended with its last event, for no other moment is known."""
    if agent.pid and not agent.ended_at and not is_running(agent.pid):
        return replace(rules.ended(agent, agent.last_at, _GONE), message=_GONE)
    return agent


def _is_meant(agent: Agent, names: Sequence[str], pane: str) -> bool:
    if pane:
        return agent.pane == pane
    own = (agent.agent_id or agent.conversation, agent.name)
    return not names or any(name in own or (len(name) >= 4 and own[0].startswith(name)) for name in names)
