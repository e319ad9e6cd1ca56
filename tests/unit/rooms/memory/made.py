"""Values of the memory room for tests, with everything that does not matter filled in."""

from __future__ import annotations

from typing import Any

from holdfast.events.event import PostToolUse, PostToolUseFailure, ToolEvent
from holdfast.ids import NO_PROMPT, ConversationId, ItemId, WindowId
from holdfast.rooms.memory.capture.tool_use import observe
from holdfast.rooms.memory.model import Draft, Memory, Observation, Prompt, Summary, SummaryContent

ROOT = "/home/dev/project"
DAY = 86_400_000_000
NOW = 1_800_000_000_000_000


def passed(tool: str, arguments: dict[str, Any], response: Any = None) -> PostToolUse:
    return PostToolUse(tool_name=tool, tool_input=arguments, tool_response=response, cwd=ROOT)


def failed(tool: str, arguments: dict[str, Any], error: str) -> PostToolUseFailure:
    return PostToolUseFailure(tool_name=tool, tool_input=arguments, error=error, cwd=ROOT)


def bash(command: str, output: str = "", description: str = "") -> PostToolUse:
    return passed("Bash", {"command": command, "description": description}, {"stdout": output, "stderr": ""})


def seen(event: ToolEvent) -> Draft:
    draft = observe(event, ROOT)
    assert draft is not None
    return draft


def observation(title: str, number: int = 1, **other: Any) -> Observation:
    """One observation; its id ends in `number`."""
    values: dict[str, Any] = {
        "id": f"01900000-0000-7000-8000-{number:012x}",
        "window_id": "w1",
        "project_id": "p1",
        "prompt_number": 1,
        "kind": "command",
        "tool": "Bash",
        "title": title,
        "outcome": "",
        "trust": "tool",
        "files": (),
        "command": "",
        "excerpt": "",
        "commit_hash": "",
        "happened_at": NOW - DAY + number,
    }
    return Observation(**(values | other))


def edit(path: str, names: str = "", number: int = 1) -> Observation:
    title = f"Edited {path}" + (f": {names}" if names else "")
    return observation(title, number, kind="edit", tool="Edit", trust="agent", files=(path,))


def summary(title: str, number: int = 1, **content: Any) -> Summary:
    return Summary(
        id=ItemId(f"01900000-0000-7000-8000-{number:012x}"),
        subject=f"turn:{number}",
        level="turn",
        conversation=ConversationId("c1"),
        window_id=WindowId("w1"),
        project_id="p1",
        prompt_number=1,
        content=SummaryContent(title=title, **content),
        written_by="rules",
        happened_at=NOW - DAY + number,
    )


def memory(text: str, number: int = 1, **other: Any) -> Memory:
    values: dict[str, Any] = {
        "id": f"01900000-0000-7000-8000-{number:012x}",
        "owner": "me",
        "project_id": "p1",
        "title": text.split(".")[0],
        "text": text,
        "tags": (),
        "files": (),
        "trust": "user",
        "source": "",
        "created_at": NOW - DAY,
        "updated_at": NOW - DAY,
    }
    return Memory(**(values | other))


def prompt(text: str, number: int = 1) -> Prompt:
    return Prompt(
        ItemId(f"01900000-0000-7000-8000-{number:012x}"),
        ConversationId("c1"),
        NO_PROMPT,
        WindowId("w1"),
        "p1",
        number,
        text,
        NOW - DAY,
    )
