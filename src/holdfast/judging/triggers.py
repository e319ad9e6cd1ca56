"""Rules about a moment: a tool, its arguments, paths, an event, an effort, a phase, context use, heartbeat. Pure."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from holdfast.commandline.model import Where
from holdfast.events.progress import UNKNOWN, Progress
from holdfast.judging.matching import Packs, Rule
from holdfast.judging.model import STRICTNESS, Finding


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens, to whom, and how far they are."""

    event: str = "PreToolUse"
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    """Full paths that the call names."""
    agents: tuple[str, ...] = ("main",)
    """The type and the id of a subagent; `main` for the main agent."""
    progress: Progress = UNKNOWN


def holds(rule: Rule, moment: Moment) -> bool:
    """Do all circumstances that a rule names hold? One that is not known does not."""
    progress = moment.progress
    return (
        moment.event in rule.events
        and _fits(rule.tools, (moment.tool,))
        and _fits(rule.efforts, (progress.effort,))
        and _fits(rule.phases, (progress.phase,))
        and _fits(rule.agents, moment.agents)
        and (not rule.context_use or (progress.context_used or 0.0) * 100 >= rule.context_use)
        and (not rule.heartbeat or (progress.heartbeat or 0) >= rule.heartbeat)
        and all(_argument(moment.arguments, name, pattern) for name, pattern in rule.arguments)
    )


def of_moment(packs: Packs, moment: Moment, where: Where) -> Iterator[tuple[Rule, Finding]]:
    """The rules without programs that match this moment."""
    for rule in packs.calls:
        if not holds(rule, moment):
            continue
        touched = ""
        if rule.paths:
            touched = next((path for path in moment.paths if _path_fits(path, rule.paths, where)), "")
            if not touched:
                continue
        reason = f"{rule.said} ({touched})" if touched else rule.said
        action = rule.action
        if rule.scope == "project" and moment.event != "PreToolUse" and STRICTNESS[action] > STRICTNESS["warn"]:
            action = "warn"  # a clone does not hold up a person's prompt, nor the end of a turn
        yield rule, Finding(rule.id, action, reason, rule.offered, moment.tool or moment.event, message=True)


def _fits(wanted: tuple[str, ...], given: tuple[str, ...]) -> bool:
    return not wanted or any(fnmatch.fnmatchcase(one, each) for one in given for each in wanted if one)


def _argument(arguments: dict[str, Any], name: str, pattern: str) -> bool:
    value: Any = arguments
    for key in name.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        return False
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return fnmatch.fnmatchcase(text[:10_000], pattern)


def _path_fits(path: str, patterns: tuple[str, ...], where: Where) -> bool:
    inside = posixpath.relpath(path, where.root) if where.root and path.startswith(f"{where.root}/") else ""
    for pattern in patterns:
        if pattern.startswith("~/"):
            pattern = posixpath.join(where.home or "~", pattern[2:])
        aimed = path if pattern.startswith("/") else inside
        if aimed and (fnmatch.fnmatchcase(aimed, pattern) or fnmatch.fnmatchcase(aimed, pattern.replace("**/", ""))):
            return True
    return False
