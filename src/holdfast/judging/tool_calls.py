"""What a call of any tool would do, as a command line: the client's own tools and those of MCP servers. Pure; bounded.

A command is a command whatever tool it is given to: `Bash`, `PowerShell`, `Monitor`, and a tool that a newer client
brings. Known are only the fields that are named as a command and are none. A tool that is not known at all is read as
one of a server is (`mcp.py`).
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from holdfast.events.changes import SHELL_TOOLS
from holdfast.judging import mcp
from holdfast.judging.mcp import McpDeeds
from holdfast.shell.tools import listed

WRITES = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_NO_COMMANDS = {"Workflow": listed("script"), "SlashCommand": listed("command")}
"""A workflow's script calls agents, whose own calls are judged one by one."""
_KNOWN = WRITES.keys() | _NO_COMMANDS.keys() | listed(
    "Agent Artifact AskUserQuestion BashOutput Brief ClaudeDesign CronCreate CronDelete CronList EndConversation "
    "EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP ListAgents "
    "ListMcpResources ListMcpResourcesTool ListPeers NotebookRead OfferChromeSetup Projects ProposeGoal "
    "PushNotification Read ReadMcpResource ReadMcpResourceDir ReadMcpResourceDirTool ReadMcpResourceTool "
    "ReadNotifications RemoteTrigger ReportFindings ScheduleWakeup SendFeedback SendMessage SendUserFile "
    "SendUserMessage ShareOnboardingGuide ShowOnboardingRolePicker Skill StructuredOutput SubagentHandback Task "
    "TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch "
    "WaitForMcpServers WebFetch WebSearch propose_skills"
)  # fmt: skip
"""Tools of the client up to 2.1.325. Nothing but a command is looked for in what they are given."""
_LOSES_WORKTREE = "ExitWorktree"


def read(tool: str, arguments: Mapping[str, Any], root: str = "", branch: str = "") -> McpDeeds:
    """What a call runs, deletes and writes. `root` is the worktree that it is made in, `branch` what that is on."""
    if tool in SHELL_TOOLS:
        command = arguments.get("command")
        return McpDeeds(command if isinstance(command, str) else "")
    if tool == _LOSES_WORKTREE:
        return McpDeeds(_left(root, branch) if _is_left_for_good(arguments) else "")
    if tool not in _KNOWN:
        return mcp.read(tool, arguments)
    return McpDeeds(mcp.commands(_without(tool, arguments)))


def may_matter(tool: str, arguments: Mapping[str, Any]) -> bool:
    """A first look, for tools that are no shell: is there anything in it to be judged?"""
    if tool in WRITES:
        return True
    if tool == _LOSES_WORKTREE:
        return _is_left_for_good(arguments)
    if tool not in _KNOWN:
        return mcp.may_matter(tool, arguments)
    return mcp.names_command(_without(tool, arguments))


def _without(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    no_commands = _NO_COMMANDS.get(tool)
    return {name: each for name, each in arguments.items() if name not in no_commands} if no_commands else arguments


def _is_left_for_good(arguments: Mapping[str, Any]) -> bool:
    """Without `discard_changes` the client itself refuses where something would be lost (2.1.325)."""
    return arguments.get("action") == "remove" and bool(arguments.get("discard_changes"))


def _left(root: str, branch: str) -> str:
    """The client removes the worktree and its branch."""
    return f"git worktree remove --force {shlex.quote(root or '.')}" + (
        f"; git branch -D {shlex.quote(branch)}" if branch else ""
    )
