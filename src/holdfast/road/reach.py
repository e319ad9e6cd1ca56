"""What an agent can reach in its session, so that no line tells it to use what is not there (MEM-28).

The command client says with every event whether `holdfast` is a command on its session's PATH; http hooks carry no
environment, so what was said last holds for the session. The relay of `holdfast mcp` names its session with every
request. An MCP connection by http names none, and is not counted. Known in memory only: what is not known is not there.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from holdfast.ids import ConversationId

_MOST_KNOWN = 4096


@dataclass(slots=True)
class Reach:
    """The sessions of one daemon, and what each can use."""

    is_default_home: bool = False
    """A command without HOLDFAST_HOME speaks to this daemon."""
    _commands: OrderedDict[str, bool] = field(default_factory=OrderedDict)
    _tools: OrderedDict[str, bool] = field(default_factory=OrderedDict)

    def note_command(self, conversation: ConversationId, said: str) -> None:
        """A command hook came: with `named` when its HOLDFAST_HOME is ours, `default` when it has none, '' else."""
        _note(self._commands, conversation, said == "named" or (said == "default" and self.is_default_home))

    def note_tools(self, conversation: ConversationId) -> None:
        """The MCP relay of this session asked something."""
        if conversation:
            _note(self._tools, conversation, True)

    def has_command(self, conversation: ConversationId) -> bool:
        return self._commands.get(conversation, False)

    def has_tools(self, conversation: ConversationId) -> bool:
        return self._tools.get(conversation, False)


def _note(known: OrderedDict[str, bool], conversation: ConversationId, value: bool) -> None:
    known[conversation] = value
    known.move_to_end(conversation)
    if len(known) > _MOST_KNOWN:
        known.popitem(last=False)
