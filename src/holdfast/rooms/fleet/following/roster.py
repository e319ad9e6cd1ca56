"""All agents and tasks of this daemon in memory, and what of them is still to be written.

An event changes an agent here at once, because the next event may come before the commit. Its row is written in the
event's own transaction, and with the next change if that failed.
"""

from __future__ import annotations

import socket
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from holdfast.errors import StoreError
from holdfast.events.answer import Part
from holdfast.ids import ConversationId
from holdfast.rooms.fleet import tables
from holdfast.rooms.fleet.model import Agent, AgentKey, TeamTask
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx
from holdfast.times import DAY_US

_MOST = 4_096
_AT_ONCE = 64
_MOST_TASKS = 4_096
_TAKEN_UP_US = 7 * DAY_US
_UNSTORED: dict[str, Any] = {"last_at": 0, "calls": (), "doing": "", "in_background": False}

StoredFleet = tuple[list[tables.KnownAgent], list[TeamTask]]


def stored(agent: Agent) -> Agent:
    """The agent without what is not stored."""
    return replace(agent, **_UNSTORED)


class Roster:
    """One owner's agents."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.home = f"{socket.gethostname()}:{ground.folder.parent}"
        self.is_loaded = False
        self.agents: OrderedDict[AgentKey, Agent] = OrderedDict()
        self.tasks: dict[AgentKey, TeamTask] = {}
        self.transcripts: dict[ConversationId, str] = {}
        """Of conversations."""
        self._ids: defaultdict[ConversationId, set[str]] = defaultdict(set)
        self._written: dict[AgentKey, Agent] = {}
        self._same: dict[AgentKey, Agent] = {}
        """The agents of which all that is stored is written, as they were when that was seen."""

    # --- from the store

    def look(self, reader: Reader) -> StoredFleet:
        """What `take_up` needs."""
        since, owner = self.ground.now() - _TAKEN_UP_US, self.ground.owner
        return tables.agents(reader, owner, home=self.home, ended_since=since), tables.tasks(reader, owner, since)

    def take_up(self, found: StoredFleet) -> None:
        """Go on where an earlier daemon of this home stopped. What was heard meanwhile is newer."""
        agents, tasks = found
        for each in reversed(agents):
            key = (each.agent.conversation, each.agent.agent_id)
            if key not in self.agents:
                self.put(each.agent)
                self._written[key] = stored(each.agent)
                self.transcripts.setdefault(each.agent.conversation, each.transcript)
        for task in tasks:
            if (task.conversation, task.task_id) not in self.tasks:
                self.put_task(task)
        self.is_loaded = True

    async def load(self) -> None:
        if not self.is_loaded:
            self.take_up(await self.ground.store.read(self.look))

    def forget(self) -> None:
        """Something was forgotten: what is known is read anew."""
        for known in (self.agents, self.tasks, self.transcripts, self._ids, self._written, self._same):
            known.clear()
        self.is_loaded = False

    # --- memory

    def of(self, conversation: ConversationId) -> list[Agent]:
        """All agents of a conversation."""
        return [self.agents[conversation, each] for each in self._ids.get(conversation, ())]

    def put(self, agent: Agent) -> AgentKey:
        key = (agent.conversation, agent.agent_id)
        if key not in self.agents:
            self._ids[key[0]].add(key[1])
            if len(self.agents) >= _MOST:
                self._make_room()
        self.agents[key] = agent
        return key

    def hear(self, before: Agent, agent: Agent) -> bool:
        """Put an agent that differs only in what is not stored. False when something of it is still to be written."""
        key = self.put(agent)
        if self._same.get(key) is not before:
            return False
        self._same[key] = agent
        return True

    def put_task(self, task: TeamTask) -> None:
        """The task as it is now, behind those that changed before."""
        key = (task.conversation, task.task_id)
        self.tasks.pop(key, None)
        while len(self.tasks) >= _MOST_TASKS:
            del self.tasks[next((each for each, known in self.tasks.items() if known.done_at), next(iter(self.tasks)))]
        self.tasks[key] = task

    def _make_room(self) -> None:
        """Forget a few agents at once: those that ended, else the oldest."""
        ended = [key for key, agent in self.agents.items() if agent.ended_at][:_AT_ONCE]
        for key in ended or [next(iter(self.agents))]:
            self._drop(key)

    def _drop(self, key: AgentKey) -> None:
        del self.agents[key]
        self._written.pop(key, None)
        self._same.pop(key, None)
        self._ids[key[0]].discard(key[1])
        if not self._ids[key[0]]:
            del self._ids[key[0]]
            self.transcripts.pop(key[0], None)

    # --- to the store

    def saved(self, keys: Iterable[AgentKey], tasks: Sequence[TeamTask] = ()) -> Part | None:
        """What has changed since it was last written, to be written with an event."""
        changed = [key for key in keys if key in self.agents and not self._is_written(key)]
        if not changed and not tasks:
            return None
        done: dict[AgentKey, Agent] = {}

        def record(tx: Tx) -> None:
            at = self.ground.now()
            for key in changed:
                agent = self.agents.get(key)
                if agent is not None:
                    tables.put(tx, agent, self.ground.owner, self.home, at)
                    done[key] = stored(agent)
            for task in tasks:
                tables.put_task(tx, task, self.ground.owner)

        return Part(record=record, after=lambda: self._written.update(done))

    def _is_written(self, key: AgentKey) -> bool:
        agent = self.agents[key]
        if stored(agent) != self._written.get(key):
            return False
        self._same[key] = agent
        return True

    async def save(self, keys: Iterable[AgentKey]) -> None:
        """The same outside of an event."""
        part = self.saved(keys)
        if part and part.record and part.after:
            with suppress(StoreError):  # memory has it, and the next change writes it
                await self.ground.store.write(part.record)
                part.after()
