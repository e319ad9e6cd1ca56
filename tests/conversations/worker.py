"""One client of the work room: its hooks, its tools, and scripts that speak RPC."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from holdfast.doors.rpc import answer_to
from holdfast.doors.tools import call, find
from holdfast.events.answer import client_body
from holdfast.events.caller import Caller
from holdfast.ids import ConversationId
from holdfast.road.edge import read_payload
from holdfast.rooms.work.service import WorkService
from holdfast.sender import Sender
from tests.conversations.talk import Talk, context, denied

_NUMBERS = itertools.count(1)

SKILL = """---
name: build
phases:
  - Setup
  - label: Plan
    proof: [plan]
    commands: ["make plan"]
    templates: [plan.md]
    directives: ["Ask before you decide."]
  - name: Build
    phases: [Parser, Printer]
  - Close
modes: [fast, careful]
next_skills: [review]
heartbeat: block
log_template: "- WHAT, WHY"
---
Build it.
"""


def skill(folder: Path, name: str = "build", text: str = SKILL, template: str = "1. what\n2. why\n") -> None:
    """Write a skill into a project."""
    home = folder / ".claude" / "skills" / name
    home.mkdir(parents=True, exist_ok=True)
    (home / "SKILL.md").write_text(text)
    (home / "plan.md").write_text(template)


class Worker:
    """A session in a folder, seen from outside."""

    def __init__(self, talk: Talk, name: str, cwd: str, *, agent_id: str = "", sender: Sender | None = None) -> None:
        self.talk, self.name, self.cwd = talk, name, cwd
        self.agent = {"agent_id": agent_id, "agent_type": "general-purpose"} if agent_id else {}
        self.sender = sender or Sender()
        self.work = talk.services.get(WorkService)
        self.is_paused = False

    def helper(self, agent_id: str) -> Worker:
        return Worker(self.talk, self.name, self.cwd, agent_id=agent_id, sender=self.sender)

    def payload(self, event: str, own: Mapping[str, Any]) -> dict[str, Any]:
        common = {"session_id": self.name, "transcript_path": f"/t/{self.name}.jsonl", "cwd": self.cwd}
        return common | {"hook_event_name": event} | self.agent | dict(own)

    async def hook(self, event: str, *, source: Any = "http", **own: Any) -> dict[str, Any]:
        body = read_payload(json.dumps(self.payload(event, own)).encode())
        travelled = await self.talk.composed.road.travel(body, name=event, source=source, sender=self.sender)
        assert travelled.kept or travelled.paused
        answer: dict[str, Any] = json.loads(client_body(travelled.event, travelled.answer))
        return answer

    async def start(self, how: str = "startup") -> str:
        """The session begins; what it is given."""
        body = read_payload(json.dumps(self.payload("SessionStart", {"source": how})).encode())
        travelled = await self.talk.composed.road.travel(body, source="command", sender=self.sender)
        return context(json.loads(client_body(travelled.event, travelled.answer)))

    async def prompt(self, text: str) -> str:
        return context(await self.hook("UserPromptSubmit", prompt=text, prompt_id=f"p{next(_NUMBERS)}"))

    async def slash(self, command: str, args: str = "") -> str:
        about = {"command_name": command, "command_args": args, "expansion_type": "slash_command"}
        return context(await self.hook("UserPromptExpansion", prompt=f"/{command} {args}", **about))

    async def before(self, tool: str = "Bash", /, *, use: str = "", **arguments: Any) -> tuple[str, str]:
        """(what a call is told before it, why it was refused)."""
        arguments = arguments or {"command": "ls"}
        use = use or f"toolu_w{next(_NUMBERS)}"
        answer = await self.hook("PreToolUse", tool_name=tool, tool_input=arguments, tool_use_id=use)
        return context(answer), denied(answer)

    async def after(self, tool: str, response: Any = None, **arguments: Any) -> str:
        use = f"toolu_w{next(_NUMBERS)}"
        about = {"tool_name": tool, "tool_input": arguments, "tool_use_id": use, "tool_response": response or {}}
        return context(await self.hook("PostToolUse", **about))

    async def end(self, reason: str = "other") -> None:
        await self.hook("SessionEnd", reason=reason)

    # --- tools and RPC

    def caller(self, *, is_agent: bool = True) -> Caller:
        caller = self.talk.caller(folder=self.cwd, is_agent=is_agent)
        caller = replace(caller, conversation=ConversationId(self.name), agent_name=self.sender.agent)
        return replace(caller, is_paused=self.is_paused)

    async def tool(self, tool_name: str, /, *, is_agent: bool = True, **arguments: Any) -> Any:
        tools = self.talk.composed.declared.tools
        result = await call(find(tools, tool_name), json.dumps(arguments).encode(), self.caller(is_agent=is_agent))
        return _plain(result)

    async def rpc(self, method: str, **params: Any) -> Any:
        """The result of a call; its error where it has one."""
        return await rpc(self.talk, method, self.sender.agent, **params)

    @property
    def heartbeat(self) -> int | None:
        found = self.work.live.window_of(ConversationId(self.name), self.agent.get("agent_id", ""))
        return found[1].heartbeat if found else None


async def rpc(talk: Talk, method: str, agent: str = "", **params: Any) -> Any:
    caller = replace(talk.caller(), agent_name=agent)
    answer = await answer_to({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, talk.composed, caller)
    assert answer is not None
    return _plain(answer["result"]) if "result" in answer else answer["error"]


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
