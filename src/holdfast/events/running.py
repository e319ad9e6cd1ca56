"""Which sessions have a client that still runs, and under which `holdfast run`: as their command hooks tell.

A command hook names the client's process and the run it was started by; http hooks carry no environment. In memory
only, but for who a run belongs to, and never the truth: of a session that told nothing, nothing is known.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from holdfast import processes
from holdfast.ids import ConversationId
from holdfast.sender import Sender

_MOST = 1_000


@dataclass(frozen=True, slots=True)
class ClientProcess:
    """One session's client."""

    pid: int
    run: str = ""
    """The id of the start by `holdfast run`; '' without one."""


class RunningClients:
    """The clients of one daemon's sessions. One per daemon; a service."""

    def __init__(
        self,
        start_again: Callable[[str, str], None] = lambda run, text: None,
        owner: Callable[[str, int], int] = lambda run, pid: pid,
    ) -> None:
        self.start_again = start_again
        """(run, text): ends the client of a run and starts it again with a text as its prompt."""
        self._owner = owner
        """(run, process): the process that came first with a run's id, also to a daemon before this one."""
        self._clients: OrderedDict[str, ClientProcess] = OrderedDict()
        self._owners: OrderedDict[str, int] = OrderedDict()
        """The process that came first with a run's id. What it starts inherits the id, and is no part of the run."""

    def note(self, conversation: ConversationId, sender: Sender) -> None:
        """A command hook told of its client: its process, and the id of its run."""
        pid, run = sender.pid, sender.run
        if not pid or not conversation:
            return
        if run and run not in self._owners:
            self._owners[run] = self._owner(run, pid)
        if run and self._owners[run] != pid:
            run = ""
        self._clients[conversation] = ClientProcess(pid, run)
        self._clients.move_to_end(conversation)
        for known in (self._clients, self._owners):
            if len(known) > _MOST:
                known.popitem(last=False)

    def is_running(self, conversation: ConversationId) -> bool | None:
        """Does the session's client run? None: nobody told which one it is."""
        client = self._clients.get(conversation)
        return None if client is None else processes.is_running(client.pid)

    def run_of(self, conversation: ConversationId) -> str:
        """The id of the run that the session's client was started by; '' when it was started without one."""
        client = self._clients.get(conversation)
        return client.run if client else ""
