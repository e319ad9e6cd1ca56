"""Turns a tool event into an observation: what was done, in words a person would use. Pure.

The event and the exit code say whether a command passed (EVT-13), never the words alone. `shell` reads command lines.
"""

from __future__ import annotations

import re
from typing import Any

from holdfast.events.changes import EDITS, file_named
from holdfast.events.event import PostToolUse, PostToolUseFailure, ToolEvent
from holdfast.events.fence import without_fences
from holdfast.prose.one_line import one_line
from holdfast.rooms.memory.capture import bash, excerpts, symbols
from holdfast.rooms.memory.model import Draft, Ended
from holdfast.rooms.memory.rules import MOST_FILES, stored_path

_SEARCHES = frozenset({"Grep", "Glob", "LS", "ToolSearch", "LSP"})
_AGENTS = frozenset({"Agent", "Task", "SendMessage"})
_WEB = frozenset({"WebFetch", "WebSearch"})
_REFUSED = re.compile(
    r"\s*(?:<tool_use_error>)?(?:Permission to use \w|The user doesn't want to |PreToolUse:|Hook PreToolUse"
    r"|This command requires approval|Claude requested permissions|User rejected )"
)
"""How an error begins when the tool never ran: someone or something said no."""


def observe(event: ToolEvent, worktree: str, touched: tuple[str, ...] | None = None) -> Draft | None:
    """The observation of a tool use, without session and number. None when the tool was interrupted or refused.
    `touched` are the names that an edit touched, where a grammar told them."""
    if isinstance(event, PostToolUseFailure) and (event.is_interrupt or _REFUSED.match(event.error)):
        return None
    tool = event.tool_name
    if tool == "Bash":
        return bash.observe(event, worktree)
    if tool in EDITS:
        return _edit(event, worktree, touched)
    if tool in ("Read", "NotebookRead"):
        return _read(event, worktree)
    if tool in _SEARCHES:
        return _search(event, worktree)
    if tool in _WEB:
        return _web(event)
    if tool in _AGENTS:
        return _agent(event)
    return _other(event)


def outcome_of(event: ToolEvent) -> Ended:
    return "failed" if isinstance(event, PostToolUseFailure) else ""


def response_of(event: ToolEvent) -> dict[str, Any]:
    response = event.tool_response if isinstance(event, PostToolUse) else None
    return response if isinstance(response, dict) else {}


def text_of(value: Any) -> str:
    """The text of a tool's answer, whatever shape the answer has."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text for block in value if (text := text_of(block)))
    if isinstance(value, dict):
        for name in ("text", "result", "content", "message", "output", "stdout"):
            if value.get(name):
                return text_of(value[name])
    return ""


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _edit(event: ToolEvent, worktree: str, touched: tuple[str, ...] | None) -> Draft:
    arguments, response = event.arguments, response_of(event)
    path = stored_path(file_named(event), worktree, event.cwd)
    if isinstance(event, PostToolUseFailure):
        title = f"Could not edit {path or 'a file'}: {_reason(event.error)}"
        return Draft("edit", event.tool_name, one_line(title), "failed", "tool", _files(path))
    patch, original = response.get("structuredPatch"), string(response.get("originalFile"))
    content = string(arguments.get("content"))
    if event.tool_name == "Write" and not patch:
        created = response.get("type") != "update" and not original
        names = symbols.touched_by_strings("", content, "", path) if touched is None else touched
        verb, excerpt = "Created" if created else "Rewrote", excerpts.of_file(content)
    else:
        verb = "Edited"
        pairs = _pairs(arguments)
        names = _by_patterns(patch, original, pairs, path) if touched is None else touched
        excerpt = excerpts.of_patch(patch) or "\n".join(excerpts.of_strings(old, new) for old, new in pairs)
    named_parts = ", ".join(name for name in dict.fromkeys(names) if name)
    title = f"{verb} {path or 'a file'}" + (f": {named_parts}" if named_parts else "")
    return Draft(
        "edit", event.tool_name, one_line(title), "", "agent", _files(path), excerpt=excerpt[: excerpts.LONGEST]
    )


def _by_patterns(patch: Any, original: str, pairs: list[tuple[str, str]], path: str) -> tuple[str, ...]:
    names = symbols.touched_by_patch(patch, path) or _around(patch, original, path)
    for old, new in pairs if not names else ():
        names = (*names, *symbols.touched_by_strings(old, new, original, path))[: symbols.MOST_NAMES]
    return names


def _pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """The old and new strings of an Edit, a MultiEdit or a NotebookEdit."""
    edits = arguments.get("edits")
    each = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else [arguments]
    return [
        (string(one.get("old_string")), string(one.get("new_string")) or string(one.get("new_source"))) for one in each
    ]


def _around(patch: Any, original: str, path: str) -> tuple[str, ...]:
    """The functions and classes around the first changed lines, when the hunks do not show them."""
    found = []
    for hunk in patch if isinstance(patch, list) and original else []:
        start, lines = (hunk.get("oldStart"), hunk.get("lines")) if isinstance(hunk, dict) else (None, None)
        if isinstance(start, int) and isinstance(lines, list):
            offset = next((n for n, line in enumerate(lines) if isinstance(line, str) and line[:1] in "+-"), 0)
            found.append(symbols.enclosing(original, start + offset, path))
    return tuple(dict.fromkeys(name for name in found if name))[: symbols.MOST_NAMES]


def _read(event: ToolEvent, worktree: str) -> Draft:
    path = stored_path(string(event.arguments.get("file_path")), worktree, event.cwd)
    if isinstance(event, PostToolUseFailure):
        title = f"Could not read {path or 'a file'}: {_reason(event.error)}"
        return Draft("read", event.tool_name, one_line(title), "failed", "tool", _files(path))
    start, count = event.arguments.get("offset"), event.arguments.get("limit")
    part = f" from line {start}" if isinstance(start, int) and start > 1 else ""
    part += f" ({count} lines)" if isinstance(count, int) else ""
    return Draft("read", event.tool_name, one_line(f"Read {path or 'a file'}{part}"), "", "repository", _files(path))


def _search(event: ToolEvent, worktree: str) -> Draft:
    arguments = event.arguments
    what = string(arguments.get("pattern")) or string(arguments.get("query")) or string(arguments.get("operation"))
    where = stored_path(string(arguments.get("path")), worktree, event.cwd)
    title = f"Searched for {one_line(what, 80)}" + (f" in {where}" if where and where != worktree else "")
    return Draft("search", event.tool_name, one_line(title), outcome_of(event), "repository")


def _web(event: ToolEvent) -> Draft:
    arguments = event.arguments
    url, query = string(arguments.get("url")), string(arguments.get("query"))
    if query:
        title = f"Searched the web for {query}"
    else:
        asked = one_line(string(arguments.get("prompt")), 80)
        title = f"Read {url}" + (f" for: {asked}" if asked else "")
    if isinstance(event, PostToolUseFailure):
        return Draft("web", event.tool_name, one_line(f"{title}: {_reason(event.error)}"), "failed", "web")
    response = event.tool_response if isinstance(event, PostToolUse) else None
    code = response.get("code") if isinstance(response, dict) else None
    bad = type(code) is int and code >= 400
    return Draft(
        "web",
        event.tool_name,
        one_line(f"{title} ({code})" if bad else title),
        "failed" if bad else "",
        "web",
        command=url,
        excerpt=excerpts.of_text(without_fences(text_of(response))),
    )


def _agent(event: ToolEvent) -> Draft:
    arguments = event.arguments
    task = string(arguments.get("description")) or string(arguments.get("prompt")) or string(arguments.get("message"))
    kind = string(arguments.get("subagent_type")) or "an agent"
    if isinstance(event, PostToolUseFailure):
        return Draft("agent", event.tool_name, one_line(f"Delegating failed: {task}"), "failed", "tool",
                     excerpt=excerpts.of_error(event.error))  # fmt: skip
    said = excerpts.of_text(without_fences(text_of(response_of(event).get("content"))))
    return Draft("agent", event.tool_name, one_line(f"Delegated to {kind}: {task}"), "", "agent", excerpt=said)


def _other(event: ToolEvent) -> Draft:
    """MCP tools, and tools of newer clients."""
    name = event.tool_name
    if name.startswith("mcp__"):
        server, _, tool = name.removeprefix("mcp__").partition("__")
        name = f"{tool or server} of {server.removeprefix('plugin_')}" if tool else server
    told = [string(value) for value in event.arguments.values() if isinstance(value, str) and value.strip()]
    title = f"Used {name}" + (f": {one_line(told[0], 80)}" if told else "")
    if isinstance(event, PostToolUseFailure):
        failed = f"{title} — failed: “{_reason(event.error)}”"
        return Draft(
            "other", event.tool_name, one_line(failed), "failed", "tool", excerpt=excerpts.of_error(event.error)
        )
    answer = text_of(event.tool_response) if isinstance(event, PostToolUse) else ""
    quiet = excerpts.of_text(without_fences(answer), excerpts.LONGEST_QUIET)
    return Draft("other", event.tool_name, one_line(title), "", "tool", excerpt=quiet)


def _reason(error: str) -> str:
    """The first line of an error that is neither empty nor the exit code."""
    lines = [line.strip() for line in excerpts.clean(error).splitlines() if line.strip()]
    return one_line(next((line for line in lines if not line.startswith("Exit code ")), "no reason given"), 100)


def _files(path: str) -> tuple[str, ...]:
    return (path,)[:MOST_FILES] if path else ()
