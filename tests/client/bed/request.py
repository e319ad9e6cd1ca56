"""One request the client sent to the scripted API: what kind it is, and which texts it put before the model.

It only reads. Which answer a request gets is api.py's business.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple


class Kind(Enum):
    """What the client asks for. Only MAIN and AGENT requests use up steps of a script."""

    MAIN = "main"
    AGENT = "agent"
    COMPACTION = "compaction"
    SIDE = "side"
    COUNT = "count"
    OTHER = "other"


class Text(NamedTuple):
    """One text before the model: who said it and in which kind of block."""

    role: str
    block: str
    text: str


class ToolResult(NamedTuple):
    """What the model was told about a tool call."""

    text: str
    is_error: bool


# The words every client from 2.1.72 to 2.1.325 puts into its summary prompt, for /compact and by itself.
_SUMMARY_PROMPT = "Your task is to create a detailed summary of "
# Guessing the user's next prompt is a copy of the main request with this at its end; off in the bed's homes,
# on for a test that allows nonessential traffic.
_SUGGESTION_PROMPT = "[SUGGESTION MODE:"


@dataclass
class Request:
    """A request as received. `arrived` and `answered` are on the monotonic clock."""

    index: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    arrived: float
    answered: float | None = None
    kind: Kind = field(init=False)

    def __post_init__(self) -> None:
        self.kind = self._kind()

    def _kind(self) -> Kind:
        if self.method != "POST" or not self.path.startswith("/v1/messages"):
            return Kind.OTHER
        if self.path.startswith("/v1/messages/count_tokens"):
            return Kind.COUNT
        last = "\n".join(text.text for text in _of_message(self.messages[-1])) if self.messages else ""
        if _SUMMARY_PROMPT in last:
            return Kind.COMPACTION
        # Titles, WebFetch summaries and prompt hooks offer no tools. An agent hook does, and has no agent id,
        # but it must give its verdict through StructuredOutput and cannot start agents.
        tools = set(self.tools)
        verdict = "StructuredOutput" in tools and not tools & {"Agent", "Task"}
        if not tools or verdict or _SUGGESTION_PROMPT in last:
            return Kind.SIDE
        return Kind.AGENT if self.agent else Kind.MAIN

    @property
    def agent(self) -> str | None:
        """The subagent this request belongs to: `agent_id` of its hooks."""
        if named := self.headers.get("x-claude-code-agent-id"):
            return named
        # Clients before that header (2.1.120) give a general agent away only by how its system prompt begins.
        return "unnamed" if "\nYou are an agent for Claude Code, " in self.system else None

    @property
    def session(self) -> str | None:
        return self.headers.get("x-claude-code-session-id")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", []))

    @property
    def system(self) -> str:
        return "\n".join(_strings(self.body.get("system", "")))

    @property
    def tools(self) -> list[str]:
        return [str(tool.get("name", "")) for tool in self.body.get("tools", [])]

    def texts(self) -> Iterator[Text]:
        """Every text of the request, in order: the system prompt, then each block of each message."""
        for text in _strings(self.body.get("system", "")):
            yield Text("system", "prompt", text)
        for each in self.messages:
            yield from _of_message(each)

    def prompts(self) -> list[str]:
        """The texts said by the user, without the client's own reminders."""
        said = (text for text in self.texts() if text.role == "user" and text.block == "text")
        return [text.text for text in said if not text.text.lstrip().startswith("<system-reminder>")]

    def tool_results(self) -> dict[str, ToolResult]:
        found: dict[str, ToolResult] = {}
        for each in self.messages:
            content = each.get("content")
            for block in content if isinstance(content, list) else []:
                if block.get("type") == "tool_result":
                    text = "\n".join(_strings(block.get("content", "")))
                    found[str(block["tool_use_id"])] = ToolResult(text, bool(block.get("is_error")))
        return found


def _of_message(message: Mapping[str, Any]) -> Iterator[Text]:
    role, content = str(message.get("role", "")), message.get("content", "")
    if isinstance(content, str):
        yield Text(role, "text", content)
        return
    for block in content:
        kind = str(block.get("type", ""))
        if kind == "tool_use":
            yield Text(role, kind, json.dumps(block.get("input", {}), ensure_ascii=False))
            continue
        for text in _strings(block.get("content", "") if kind == "tool_result" else block.get("text", "")):
            yield Text(role, kind, text)


def _strings(content: object) -> list[str]:
    """The texts of a content that is a string or a list of text blocks."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, list):
        return [str(block["text"]) for block in content if isinstance(block, dict) and "text" in block]
    return []
