"""What was given: the lines that holdfast put before the model, read from the requests that the scripted API received.

A line is one item with its id, over its wrapped parts; headings and instructions around the items are frame lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.client.bed.request import Kind, Request

from holdfast.events.tokens import count_tokens

BLOCK = re.compile(r'<holdfast-context\b[^<>]*\bid="([0-9a-f]+)"[^<>]*>\n?(.*?)</holdfast-context id="\1">', re.DOTALL)
_HOOK = re.compile(r"(\w+)(?::(\w+))? hook (?:additional context|success): ")
_ID = re.compile(r"\[?\(?\b[a-z][0-9a-f]{8}\b\)?\]?")
_TOOL = re.compile(r"\bmcp__\w+")
HOOKS = {"SessionStart": "brief", "UserPromptSubmit": "recall", "PreToolUse": "file"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line before the model."""

    text: str
    is_item: bool

    @property
    def said(self) -> str:
        """The text without its id."""
        return " ".join(_ID.sub("", self.text).split()).strip(" -·•")


@dataclass(frozen=True, slots=True)
class Block:
    """What one hook gave at once."""

    nonce: str
    hook: str
    """brief, recall, file, or the client's name of another event."""
    turn: int
    """At which prompt of the session, from 1."""
    to_agent: bool
    """A subagent was given it."""
    text: str
    tools: frozenset[str] = frozenset()
    """What the model could call at that moment."""

    @property
    def lines(self) -> list[Line]:
        return list(_lines(self.text))

    @property
    def items(self) -> list[Line]:
        return [line for line in self.lines if line.is_item]

    @property
    def tokens(self) -> int:
        return count_tokens(self.text)


def blocks(requests: Sequence[Request], turn: int, known: set[str]) -> Iterator[Block]:
    """The blocks in these requests that are not known yet; they are known afterwards."""
    asked = [request for request in requests if request.kind in (Kind.MAIN, Kind.AGENT)]
    tools = frozenset(tool for request in asked for tool in _tools(request))
    for request in asked:
        for said in request.texts():
            if "<holdfast-context" not in said.text or said.role == "assistant" or said.block == "tool_use":
                continue
            for found in BLOCK.finditer(said.text):
                if found[1] in known:
                    continue
                known.add(found[1])
                named = list(_HOOK.finditer(said.text, 0, found.start()))
                event = named[-1][1] if named else "unknown"
                is_agent = request.kind is Kind.AGENT
                yield Block(found[1], HOOKS.get(event, event), turn, is_agent, found[2], tools)


def _tools(request: Request) -> Iterator[str]:
    """What the model may call: tools that are offered whole, and those of servers, of which it knows only the names."""
    yield from request.tools
    for said in request.texts():
        if said.role != "assistant":
            yield from _TOOL.findall(BLOCK.sub("", said.text))


def _lines(text: str) -> Iterator[Line]:
    whole = ""
    for line in text.splitlines():
        if not line.strip():
            continue
        if whole and line[0].isspace() and not _ID.search(line):
            whole = f"{whole} {line.strip()}"  # an item that was wrapped
            continue
        if whole:
            yield _line(whole)
        whole = line.strip()
    if whole:
        yield _line(whole)


def _line(text: str) -> Line:
    return Line(text, bool(_ID.search(text)) or text.startswith(("- ", "• ")))
