"""One session of the client, told event by event over a `Talk`."""

from __future__ import annotations

import itertools
from typing import Any

from holdfast.events.scene import Source
from tests.conversations.talk import Talk, context

_NUMBERS = itertools.count(1)


class Session:
    """A conversation in a folder; what it is given is returned as text."""

    def __init__(self, talk: Talk, name: str, cwd: str = "/p", agent: str = "") -> None:
        self.talk = talk
        self.name = name
        self.cwd = cwd
        self.prompt_id = f"prompt-{next(_NUMBERS)}"
        self.agent = {"agent_id": agent, "agent_type": "general-purpose"} if agent else {}

    def helper(self, agent: str) -> Session:
        """A subagent that was started for the prompt of this moment."""
        helper = Session(self.talk, self.name, self.cwd, agent)
        helper.prompt_id = self.prompt_id
        return helper

    async def tell(self, event: str, source: Source = "http", **own: Any) -> str:
        common = {"session_id": self.name, "transcript_path": f"/t/{self.name}.jsonl", "cwd": self.cwd}
        payload = common | {"hook_event_name": event, "prompt_id": self.prompt_id} | self.agent | own
        return context(await self.talk.tell(payload, source=source))

    async def start(self, how: str = "startup") -> str:
        common = {"session_id": self.name, "transcript_path": f"/t/{self.name}.jsonl", "cwd": self.cwd}
        payload = common | {"hook_event_name": "SessionStart", "source": how}
        return context(await self.talk.tell(payload, source="command"))

    async def ask(self, prompt: str, source: Source = "http") -> str:
        self.prompt_id = f"prompt-{next(_NUMBERS)}"
        return await self.tell("UserPromptSubmit", source, prompt=prompt)

    async def use(
        self, tool: str, arguments: dict[str, Any], response: Any = None, *, error: str = "", source: Source = "http"
    ) -> str:
        """A whole tool use; what was given before it."""
        named = {"tool_name": tool, "tool_input": arguments, "tool_use_id": f"toolu_m{next(_NUMBERS)}"}
        given = await self.tell("PreToolUse", source, **named)
        if error:
            await self.tell("PostToolUseFailure", source, **named, error=error)
        else:
            await self.tell("PostToolUse", source, **named, tool_response=response)
        return given

    async def edit(self, path: str, name: str = "login", line: str = "clear_cookie()") -> str:
        lines = [f" def {name}():", f"+    {line}"]
        response = {"filePath": path, "structuredPatch": [{"oldStart": 1, "lines": lines}]}
        return await self.use("Edit", {"file_path": path, "old_string": "x", "new_string": line}, response)

    async def bash(self, command: str, output: str = "", *, error: str = "") -> str:
        return await self.use("Bash", {"command": command}, {"stdout": output, "stderr": ""}, error=error)

    async def stop(self, said: str = "Done.", source: Source = "http") -> None:
        await self.tell("Stop", source, last_assistant_message=said)
        await self.talk.settle()

    async def end(self) -> None:
        await self.tell("SessionEnd", reason="other")
        await self.talk.settle()


async def fixed_a_loop(talk: Talk, name: str = "s1", cwd: str = "/p") -> Session:
    """A session that fixed the login loop, from its start to its end."""
    session = Session(talk, name, cwd)
    await session.start()
    await session.ask("The login page redirects for ever when the session cookie expired. Please repair it.")
    await session.use("Read", {"file_path": f"{cwd}/src/auth.py"}, {})
    await session.bash(
        "pytest -q", error="Exit code 1\nFAILED tests/test_auth.py::test_loop\n1 failed, 41 passed in 1s"
    )
    await session.edit(f"{cwd}/src/auth.py")
    await session.bash("pytest -q", "42 passed in 1s")
    await session.stop("The root cause was that the expired cookie was never cleared. The docs still need an update.")
    await session.end()
    return session
