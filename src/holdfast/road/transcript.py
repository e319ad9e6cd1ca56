"""Reads a transcript: which events must have happened, according to the client's own record. Pure.

It holds prompts, tool uses with their results, and final messages; nothing else. A tool use counts when its result is
there too: a running one will still arrive by its hook. Lines that are not understood are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from holdfast.events.content import content_text
from holdfast.events.event import JsonObject
from holdfast.ids import ClientPromptId
from holdfast.times import microseconds


class TranscriptLine(msgspec.Struct):
    """The fields of a transcript line that matter here (2.1.325; unknown ones are ignored)."""

    type: str = ""
    uuid: str = ""
    timestamp: str = ""
    cwd: str = ""
    sessionId: str = ""
    promptId: ClientPromptId | None = None
    agentId: str | None = None
    permissionMode: str | None = None
    isMeta: bool = False
    isSidechain: bool = False
    isCompactSummary: bool = False
    isVisibleInTranscriptOnly: bool = False
    message: Any = None
    toolUseResult: Any = None
    permissionDecision: Any = None
    toolDenialKind: str | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """An event that the transcript records."""

    event: str
    happened_at: int
    payload: JsonObject
    begin: int = 0
    """Where its line begins."""
    message: str = ""
    """The message that it ends a turn with."""
    version: str = ""
    """Of the client that wrote the line."""


@dataclass(slots=True)
class SoFar:
    """What the reader of a line must know about its file and the lines before it."""

    path: str
    agent_id: str | None
    older: bool
    prompt_id: ClientPromptId | None = None
    open_uses: dict[str, tuple[int, JsonObject, str]] = field(default_factory=dict)
    version: str = ""
    refused_to_stop: bool = False
    """Has a hook refused a stop since the last prompt?"""


@dataclass(frozen=True, slots=True)
class TranscriptReading:
    """The events that were read, and where the next reading must begin: not after a tool use without a result."""

    events: tuple[TranscriptEvent, ...]
    read_bytes: int


_decode = msgspec.json.Decoder(TranscriptLine).decode

_NOT_PROMPTS = ("<command-name>", "<local-command", "<bash-", "[Request interrupted", "<holdfast-context ")
"""How the client writes down what fires no prompt: its own commands (a custom one begins with `<command-message>`).
The last is a note of ours that took the place of a summary."""


def read_lines(
    data: bytes,
    offset: int,
    path: str,
    agent_id: str | None = None,
    before: bytes = b"",
    *,
    older: bool = False,
) -> TranscriptReading:
    """The events in the complete lines of `data`, which begins at byte `offset` of the transcript.

    `before` is what precedes it, or the end of that: a line does not say all (only the user's lines name their prompt).
    `older`: it may have been written by a client that said less.
    """
    so_far = SoFar(path, agent_id, older)
    for raw in before.split(b"\n")[:-1]:
        _follow(raw, 0, so_far)
    so_far.open_uses.clear()
    events: list[TranscriptEvent] = []
    position = offset
    for raw in data.split(b"\n")[:-1]:
        _add(events, [replace(item, version=so_far.version) for item in _follow(raw, position, so_far)])
        position += len(raw) + 1
    safe = min((begin for begin, _, _ in so_far.open_uses.values()), default=position)
    return TranscriptReading(tuple(events), safe)


def _add(events: list[TranscriptEvent], more: list[TranscriptEvent]) -> None:
    for item in more:
        if item.message and events and events[-1].message == item.message:
            # A message of several texts has a line for each; the hook is given the last of them (2.1.325).
            events.pop()
        events.append(item)


def _follow(raw: bytes, begin: int, so_far: SoFar) -> list[TranscriptEvent]:
    """The events of one line; updates what the next lines must know."""
    line = _line(raw)
    if line is None or line.type not in ("user", "assistant"):
        return []
    if so_far.older:
        line = _as_now(line, so_far.agent_id)
    so_far.prompt_id = line.promptId or so_far.prompt_id
    so_far.version = line.version or so_far.version
    common = _common(line, so_far.path, so_far.prompt_id, so_far.agent_id)
    if line.type == "user":
        return [*_results(line, common, so_far.open_uses, begin), *_prompt(line, common, so_far, begin)]
    for block in _blocks(line.message):
        if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
            so_far.open_uses[block["id"]] = (begin, block, line.timestamp)
    return [*_final_message(line, common, so_far, begin)]


def _line(raw: bytes) -> TranscriptLine | None:
    try:
        line = _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return line if isinstance(line.message, dict) else None


def _as_now(line: TranscriptLine, agent_id: str | None) -> TranscriptLine:
    """A line of an older client, in the form of today's."""
    if line.isSidechain and not agent_id and not line.agentId:
        line.agentId = "sidechain"  # older clients did not say whose words they are
    if line.type == "user" and not line.promptId and not line.isMeta and not line.agentId and not agent_id:
        blocks = list(_blocks(line.message))
        if not any(block.get("type") == "tool_result" for block in blocks):
            line.promptId = ClientPromptId(line.uuid) if line.uuid else None
    return line


def _common(line: TranscriptLine, path: str, prompt_id: ClientPromptId | None, agent_id: str | None) -> JsonObject:
    common: JsonObject = {"session_id": line.sessionId, "transcript_path": path, "cwd": line.cwd}
    if prompt_id:
        common["prompt_id"] = prompt_id
    if agent_id or line.agentId:
        common["agent_id"] = agent_id or line.agentId
    return common


def _blocks(message: JsonObject) -> Iterator[JsonObject]:
    content = message.get("content")
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _results(
    line: TranscriptLine, common: JsonObject, open_uses: dict[str, tuple[int, JsonObject, str]], begin: int
) -> Iterable[TranscriptEvent]:
    for block in _blocks(line.message):
        if block.get("type") != "tool_result" or str(block.get("tool_use_id")) not in open_uses:
            continue
        _, use, asked_at = open_uses.pop(str(block["tool_use_id"]))
        text = content_text(block.get("content"))
        if block.get("is_error") and text.startswith("<tool_use_error>"):
            # An unknown tool, or an input that its tool does not take: the client fires no hook at all (2.1.325).
            continue
        tool = {"tool_name": use.get("name", ""), "tool_input": use.get("input"), "tool_use_id": use["id"]}
        asked = common | {"hook_event_name": "PreToolUse"} | tool
        yield TranscriptEvent("PreToolUse", microseconds(asked_at) or 0, asked, begin)
        at = microseconds(line.timestamp) or 0
        if not block.get("is_error"):
            response = line.toolUseResult if line.toolUseResult is not None else text
            answered = {"hook_event_name": "PostToolUse", "tool_response": response}
            yield TranscriptEvent("PostToolUse", at, common | tool | answered, begin)
        elif not _was_refused(line, use, text):
            failed = {"hook_event_name": "PostToolUseFailure", "error": text, "is_interrupt": False}
            yield TranscriptEvent("PostToolUseFailure", at, common | tool | failed, begin)


def _was_refused(line: TranscriptLine, use: JsonObject, text: str) -> bool:
    """A tool that a hook, a rule or the user refused never ran, and the client fires no event for it."""
    if line.toolDenialKind:
        return True
    decision = line.permissionDecision.get("decision") if isinstance(line.permissionDecision, dict) else None
    if decision is not None:
        return bool(decision != "accept")
    if text.startswith("PreToolUse:") or "doesn't want to proceed with this tool use" in text:
        return True
    # Older clients (2.1.197) leave the bare reason of the refusal; but what a shell gives begins with its exit code.
    return use.get("name") == "Bash" and not text.startswith("Exit code ")


def _prompt(line: TranscriptLine, common: JsonObject, so_far: SoFar, begin: int) -> Iterable[TranscriptEvent]:
    if line.isMeta and content_text(line.message.get("content")).startswith("Stop hook feedback:"):
        so_far.refused_to_stop = True
    if (
        so_far.agent_id
        or line.agentId
        or line.isMeta
        or line.isCompactSummary
        or line.isVisibleInTranscriptOnly
        or not line.promptId
    ):
        return
    content = line.message.get("content")
    text = (
        content
        if isinstance(content, str)
        else content_text([block for block in _blocks(line.message) if block.get("type") == "text"])
    )
    if not text or any(block.get("type") == "tool_result" for block in _blocks(line.message)):
        return
    if text.startswith(_NOT_PROMPTS):
        return
    so_far.refused_to_stop = False
    name = {"hook_event_name": "UserPromptSubmit", "prompt": _as_typed(text)}
    yield TranscriptEvent("UserPromptSubmit", microseconds(line.timestamp) or 0, common | name, begin)


def _as_typed(text: str) -> str:
    """A custom command is written down as tags; the hook is given what was typed (`/hello world`)."""
    if not text.startswith("<command-message>"):
        return text
    name, arguments = _tag(text, "command-name"), _tag(text, "command-args")
    return f"{name} {arguments}".strip() if name else text


def _tag(text: str, tag: str) -> str:
    _, begun, rest = text.partition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0].strip() if begun else ""


def _final_message(line: TranscriptLine, common: JsonObject, so_far: SoFar, begin: int) -> Iterable[TranscriptEvent]:
    if line.message.get("stop_reason") != "end_turn":
        return
    text = content_text([block for block in _blocks(line.message) if block.get("type") == "text"])
    if not text:
        return
    name = "SubagentStop" if "agent_id" in common else "Stop"
    said = {"hook_event_name": name, "stop_hook_active": so_far.refused_to_stop, "last_assistant_message": text}
    message = line.message.get("id")
    yield TranscriptEvent(
        name, microseconds(line.timestamp) or 0, common | said, begin, message if isinstance(message, str) else ""
    )
