"""Which files a call is about, and what a command changed on disk, as the client tells it (`bashEditDiff` of 2.1.325).

`sed -i`, a generator or `git apply` edits files as surely as the Edit tool does. Who cares for edits asks here, too.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from holdfast.events.event import Event, PostToolUse, ToolEvent

EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
"""The client's tools that change one file."""
SHELL_TOOLS = frozenset({"Bash", "PowerShell", "Monitor"})
"""The client's tools whose `command` is a line of a shell (2.1.325)."""
MOST = 200
"""Files of one command: the client mentions a few, but its sender may be anyone."""


class ChangedFile(Struct, frozen=True):
    """One file that a command changed or created."""

    path: str
    created: bool = False
    hunks: tuple[Any, ...] = ()
    """As in `structuredPatch`: `oldStart`, `lines` and more, where the client gives them."""


def file_named(event: ToolEvent) -> str:
    """The file that a tool such as Read or Edit is called on; '' when the call names none."""
    named = (event.arguments.get(name) for name in ("file_path", "notebook_path"))
    return next((path for path in named if isinstance(path, str) and path), "")


def changed_files(event: Event) -> tuple[ChangedFile, ...]:
    """The files that a Bash command changed, in the client's order; none when it does not tell."""
    return changed_by(event.tool_response) if isinstance(event, PostToolUse) and event.tool_name == "Bash" else ()


def changed_by(response: Any) -> tuple[ChangedFile, ...]:
    """The same, from the response of a Bash call alone."""
    diff = response.get("bashEditDiff") if isinstance(response, dict) else None
    files = diff.get("files") if isinstance(diff, dict) else None
    found: dict[str, ChangedFile] = {}
    for each in files if isinstance(files, list) else ():
        path = each.get("filePath") if isinstance(each, dict) else None
        if isinstance(path, str) and path and len(found) < MOST:
            hunks = each.get("hunks")
            found[path] = ChangedFile(
                path, each.get("created") is True, tuple(hunks) if isinstance(hunks, list) else ()
            )
    return tuple(found.values())
