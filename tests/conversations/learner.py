"""An agent that uses the learning loop's tools as the client lets it: announced by PreToolUse, then called by MCP."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from holdfast.doors.mcp import called
from holdfast.ids import ConversationId
from tests.conversations.session import Session
from tests.conversations.talk import Talk

ATTEMPT = {
    "goal": "Repair the flaky cache test",
    "hypothesis": "Slow network makes it time out",
    "action": "Raise the timeout to 60 s",
    "prediction": "Test will pass after the timeout fix",
    "domain": "debugging",
    "strategy": "trial-and-error",
}
PASSED = "3 passed in 0.2s"
FAILED = (
    "Exit code 1\nFAILED tests/test_cache.py::test_evict - AssertionError: assert 3 == 4\n1 failed, 2 passed in 0.2s"
)


class Learner(Session):
    """One agent of one session."""

    def __init__(self, talk: Talk, name: str, cwd: str = "/p", agent: str = "") -> None:
        super().__init__(talk, name, cwd, agent)
        self._agent = agent
        talk.composed.road.reach.note_tools(ConversationId(name))  # as the relay of its MCP server does

    def sub(self, agent: str) -> Learner:
        """A subagent of this session."""
        return Learner(self.talk, self.name, self.cwd, agent)

    async def tool(self, tool: str, *, named: bool = True, **arguments: Any) -> tuple[Any, bool]:
        """Call a tool by MCP: what the agent reads, and whether it is an error. Not `named`: over HTTP, where the
        connection tells no session."""
        await self.tell("PreToolUse", tool_name=f"mcp__holdfast__{tool}", tool_input=arguments, tool_use_id="toolu_x")
        caller = self.talk.caller(is_agent=True)
        caller = replace(caller, conversation=ConversationId(self.name)) if named else caller
        text, is_error = await called(tool, arguments, self.talk.composed.declared.tools, caller)
        return (text if is_error else json.loads(text)), is_error

    async def ok(self, tool: str, **arguments: Any) -> Any:
        result, is_error = await self.tool(tool, **arguments)
        assert not is_error, result
        return result

    async def wrong(self, tool: str, **arguments: Any) -> str:
        result, is_error = await self.tool(tool, **arguments)
        assert is_error, result
        return str(result)

    async def run(self, command: str, output: str = "", *, error: str = "") -> str:
        """A Bash call; what the agent is told with its result."""
        named: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": f"toolu_{self._next()}",
        }
        before = await self.tell("PreToolUse", **named)
        if error:
            return before + await self.tell("PostToolUseFailure", **named, error=error)
        return before + await self.tell("PostToolUse", **named, tool_response={"stdout": output, "stderr": ""})

    _count = 0

    @classmethod
    def _next(cls) -> int:
        cls._count += 1
        return cls._count
