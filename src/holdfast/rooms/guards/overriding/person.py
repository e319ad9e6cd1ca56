"""Is a process a person's, at a terminal of their own? Decided by the table of processes. Pure.

It is not, when an agent's client is among the process' ancestors, when it has no controlling terminal, when whoever
made that terminal comes from an agent, or when one of these carries an agent's mark in its environment. What a process
of the same user can still do is in SECURITY.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CLIENTS = frozenset(
    {"claude", "codex", "gemini", "cursor-agent", "copilot", "aider", "opencode", "goose", "amp", "cline", "crush"}
)
_IN_ARGUMENTS = re.compile(
    r"@anthropic-ai/claude-code|claude-code/cli\.js|@openai/codex|@google/gemini-cli|@github/copilot|opencode-ai"
)
MARKS = ("CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")
"""Variables that clients set for what they run (Claude Code 2.1.325)."""
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Process:
    """What the system says of one process."""

    pid: int
    parent: int
    names: tuple[str, ...]
    """Its own name, that of its program, that of its first argument: base names."""
    arguments: str = ""
    terminal: str = ""
    """Its controlling terminal: `pts/3`; '' without one."""
    marked: bool = False
    """Its environment has an agent's mark."""


def objection(pid: int, processes: Mapping[int, Process], makers: tuple[int, ...]) -> str:
    """Why this process cannot be a person's; '' when nothing speaks against it.

    `makers` are the processes that hold the other end of its terminal; none for a console."""
    own = processes.get(pid)
    if own is None:
        return "it cannot be seen which process asks"
    for process in _line(pid, processes):
        if _is_client(process):
            return f"it was started by {process.names[0]}, an agent's client"
        if process.marked:
            return f"it was started by an agent ({process.names[0]} carries its mark)"
    if not own.terminal:
        return "it has no terminal of its own"
    for maker in makers:
        for process in _line(maker, processes):
            if _is_client(process) or process.marked:
                return f"its terminal was made by {process.names[0]}, which an agent started"
    return ""


def _line(pid: int, processes: Mapping[int, Process]) -> Iterator[Process]:
    """A process and its ancestors."""
    for _ in range(_DEEPEST):
        process = processes.get(pid)
        if process is None:
            return
        yield process
        if process.parent in (0, pid):
            return
        pid = process.parent


def _is_client(process: Process) -> bool:
    return any(name in CLIENTS for name in process.names) or bool(_IN_ARGUMENTS.search(process.arguments))
