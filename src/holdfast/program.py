"""The product on one page: its rooms, and what happens on every event.

Each line lists the steps of an event in order, how many tokens of context they may add together, and for each step its
tools, its time and whether it may deny. Everything fails open: a step that is late or broken is dropped, logged and
counted, and the answer goes out with the rest. Every event is journaled, also one without a step. A step marked `later`
runs after the answer.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

from holdfast.events.announced import announce
from holdfast.events.changes import SHELL_TOOLS
from holdfast.events.event import EVENTS
from holdfast.events.steps import OnEvent, Program, Step
from holdfast.events.tool import Tool
from holdfast.items import context_tool, seen
from holdfast.items import hooks as item_steps
from holdfast.items import tools as item_tools
from holdfast.rooms import citations, code, commits, continuity, fleet, guards, learning, memory, work
from holdfast.rooms.gather import catalog_of
from holdfast.rooms.room import Room
from holdfast.store.catalog import Catalog
from holdfast.upkeep import projects
from holdfast.upkeep import tools as upkeep_tools

ROOMS: tuple[Room, ...] = (
    *(guards.ROOM, citations.ROOM, memory.ROOM, continuity.ROOM, learning.ROOM, commits.ROOM, fleet.ROOM, code.ROOM),
    work.ROOM,
)
"""Doors, daemon, upkeep, configuration and documentation gather from these, and name none of them."""

HOUSE_TOOLS: tuple[Tool[Any], ...] = (
    *item_tools.TOOLS,
    *context_tool.TOOLS,
    *seen.TOOLS,
    *upkeep_tools.TOOLS,
    *projects.TOOLS,
)
"""The tools that belong to no room: they are about every room's items."""

_SHELL = frozenset({"Bash"})
_READ = frozenset({"Read"})
_WEB = frozenset({"WebFetch"})
_QUESTION = frozenset({"AskUserQuestion"})
_CHANGING = SHELL_TOOLS | {"Write", "Edit", "NotebookEdit"}
_FILES = frozenset({"Read", "Edit", "Write", "NotebookEdit"})

_LISTED: dict[str, OnEvent] = {
    "SessionStart": OnEvent(
        (
            Step(guards.hooks.remind, in_pause=True),
            Step(work.windows.start_window, seconds=1.0),
            Step(continuity.hooks.begin, seconds=1.0),
            Step(item_steps.brief, seconds=1.0),
            Step(memory.auto_memory.follow),
            Step(learning.hooks.offer, seconds=5.0),
            Step(commits.hooks.follow, later=True),
            Step(guards.hooks.sign, in_pause=True),
            Step(fleet.hooks.follow),
        ),
        tokens=2_400,
        recovers=True,
    ),
    "UserPromptSubmit": OnEvent(
        (
            Step(guards.hooks.remind, may_deny=True),
            Step(guards.hooks.remember_ledger, in_pause=True),
            Step(work.prompts.say_effort),
            Step(memory.hooks.keep_prompt, rebuilds=True),
            Step(learning.telling.at_prompt),
            Step(item_steps.recall, seconds=5.0),  # its setting says less: `user_prompt_submit.timeout`
            Step(continuity.hooks.tell),
            Step(fleet.hooks.follow),
        ),
        tokens=2_000,
        recovers=True,
    ),
    "UserPromptExpansion": OnEvent((Step(work.prompts.start_from_skill, seconds=1.0),), tokens=1_000),
    "PreToolUse": OnEvent(
        (
            Step(guards.hooks.guard, seconds=2.5, may_deny=True, instead=guards.hooks.unanswered),
            Step(work.calls.beat, may_deny=True),
            Step(work.prompts.join),
            Step(work.calls.preload),
            Step(citations.hooks.before_fetch, tools=_WEB, seconds=4.0, may_deny=True),
            Step(memory.hooks.file_history, tools=_FILES),
            Step(continuity.hooks.tell),
            Step(learning.hooks.check_in, seconds=5.0),
            Step(learning.telling.hold, tools=_SHELL, may_deny=True),
            Step(learning.telling.at_read, tools=_READ),
            Step(code.hooks.at_read, tools=_READ),
            Step(commits.hooks.at_read, tools=_READ),
            Step(announce, of_own_calls=True),
            Step(work.calls.note_progress, of_own_calls=True),
            Step(fleet.hooks.follow),
        ),
        tokens=1_600,
    ),
    "PostToolUse": OnEvent(
        (
            Step(guards.hooks.remind),
            Step(guards.hooks.note_made, tools=_CHANGING, in_pause=True),
            Step(work.calls.log_dialogue, tools=_QUESTION),
            Step(work.calls.deliver),
            Step(citations.hooks.after_fetch, tools=_WEB, seconds=4.0),
            Step(learning.capture.outcome, tools=_SHELL, seconds=5.0),
            Step(memory.hooks.observe, seconds=5.0, later=True, rebuilds=True),
            Step(learning.learn.learn, tools=_SHELL, later=True),
            Step(continuity.hooks.follow, later=True),
            Step(code.hooks.follow, tools=_CHANGING | _READ, later=True),
            Step(fleet.hooks.follow),
        ),
        tokens=1_800,
    ),
    "PostToolUseFailure": OnEvent(
        (
            Step(guards.hooks.remind),
            Step(guards.hooks.note_made, tools=_CHANGING, in_pause=True),
            Step(work.calls.deliver),
            Step(citations.hooks.after_failed_fetch, tools=_WEB),
            Step(learning.capture.outcome, tools=_SHELL, seconds=5.0),
            Step(memory.hooks.observe, later=True, rebuilds=True),
            Step(learning.learn.learn, tools=_SHELL, later=True),
            Step(continuity.hooks.follow, later=True),
            Step(fleet.hooks.follow),
        ),
        tokens=2_500,
    ),
    "SubagentStart": OnEvent(
        (Step(guards.hooks.remind), Step(work.windows.start_subagent), Step(fleet.hooks.follow)), tokens=1_000
    ),
    "Stop": OnEvent(
        (
            Step(guards.hooks.remind, may_deny=True),
            Step(memory.hooks.summarise, rebuilds=True),
            Step(continuity.hooks.restart),
            Step(learning.learn.after_turn, later=True),
            Step(continuity.hooks.follow, later=True),
            Step(commits.hooks.follow, later=True),
            Step(fleet.hooks.follow),
        ),
        recovers=True,
    ),
    "SubagentStop": OnEvent(
        (
            Step(guards.hooks.remind, may_deny=True),
            Step(memory.hooks.summarise, rebuilds=True),
            Step(continuity.compactions.hear_summary),
            Step(work.windows.end_subagent),
            Step(learning.hooks.leave, seconds=5.0),
            Step(fleet.hooks.follow),
        ),
        recovers=True,
    ),
    "PermissionDenied": OnEvent((Step(continuity.hooks.follow, later=True), Step(fleet.hooks.follow))),
    "PermissionRequest": OnEvent((Step(fleet.hooks.follow),)),
    "Notification": OnEvent((Step(fleet.hooks.follow),)),
    "Elicitation": OnEvent((Step(fleet.hooks.follow),)),
    "ElicitationResult": OnEvent((Step(fleet.hooks.follow),)),
    "StopFailure": OnEvent((Step(fleet.hooks.follow),)),
    "TeammateIdle": OnEvent((Step(work.team.hear_team), Step(fleet.hooks.follow))),
    "TaskCreated": OnEvent((Step(work.team.hear_team), Step(fleet.hooks.follow))),
    "TaskCompleted": OnEvent((Step(work.team.hear_team), Step(fleet.hooks.follow))),
    "PreCompact": OnEvent(
        (
            Step(guards.hooks.remind, may_deny=True),
            Step(continuity.compactions.refuse_compaction, may_deny=True),
            Step(continuity.compactions.before_compaction, seconds=2.0),
        ),
        tokens=2_400,
    ),
    "PostCompact": OnEvent((Step(continuity.compactions.after_compaction),)),
    "SessionEnd": OnEvent(
        (
            Step(memory.auto_memory.follow),
            Step(memory.hooks.summarise, rebuilds=True),
            Step(continuity.hooks.clear, seconds=5.0),
            Step(continuity.hooks.end, later=True, seconds=5.0),
            Step(work.windows.end_window),
            Step(learning.hooks.leave, seconds=5.0),
            Step(fleet.hooks.follow),
        ),
        recovers=True,
    ),
    "ConfigChange": OnEvent((Step(work.team.hear_configuration),)),
}

PROGRAM: Program = MappingProxyType({name: _LISTED.get(name, OnEvent()) for name in EVENTS})
"""All 33 events; those that are not listed above are journaled and answered with `{}`."""

UNKNOWN = OnEvent()
"""An event of a newer client is journaled and answered with `{}`."""


def __getattr__(name: str) -> Catalog:
    """`CATALOG`: tables, queries and migrations of all rooms. It is made when it is first used, so that a wrong
    declaration becomes a sentence of the daemon instead of a failed import."""
    if name == "CATALOG":
        return _catalog()
    raise AttributeError(name)


@cache
def _catalog() -> Catalog:
    return catalog_of(ROOMS)
