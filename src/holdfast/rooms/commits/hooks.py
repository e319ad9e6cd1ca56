"""What this room contributes: it has a repository read when it moved on, and names the files that change together.

A step that has nothing to do returns at once: what it must know is in memory.
"""

from __future__ import annotations

import os

from holdfast.events.answer import Context, Part
from holdfast.events.event import PreToolUse, SessionStart, Stop
from holdfast.events.scene import Scene
from holdfast.items.assembling import ContextAssembler
from holdfast.rooms.commits import rules
from holdfast.rooms.commits.history import MOST_PARTNERS
from holdfast.rooms.commits.service import Commits
from holdfast.source.links import is_test_file
from holdfast.worktree_paths import inside

ORIGIN = "commits"
_LOOKED_AT = 8
"""Files that change together, before those are left out that are no news."""
_SOON = 2.0
"""Seconds after a session's start: its first answers come before this work."""


def follow(event: SessionStart | Stop, scene: Scene) -> Part | None:
    """Ask for the new commits, if there are any. The reading is a job's."""
    service = scene.services.get(Commits)
    if isinstance(event, SessionStart) and event.source == "compact":
        service.context_lost(event.session_id)
    place = scene.place
    if not scene.is_live or not service.settings.index or "commits.index" in scene.off:
        return None
    if not place.project_id or not service.is_behind(place.project_id, place.worktree_path):
        return None
    return Part(record=lambda tx: service.ask(tx, place.project_id, place.worktree_path, in_seconds=_SOON))


def at_read(event: PreToolUse, scene: Scene) -> Part | None:
    """At the Read that precedes an edit: the files that usually change with this one, if they are news."""
    service = scene.services.get(Commits)
    history = service.at_hand(scene.place.project_id)
    if history is None or not scene.is_live or not service.settings.at_read or "commits.at_read" in scene.off:
        return None
    path = inside(event.arguments.get("file_path"), scene.place.worktree_path, event.cwd)
    if not history.knows(path):
        return None
    opened = service.opened(event.session_id, event.agent_id or "")
    if path in opened:
        return None
    opened.add(path)
    root = scene.place.worktree_path
    news = [each for each in history.partners(path, most=_LOOKED_AT) if each.path not in opened]
    tests = {each.path for each in news if is_test_file(each.path)}
    if tests and scene.services.get(ContextAssembler).are_tests_named(root, path, scene.off):
        news = [each for each in news if each.path not in tests]
    there = [each for each in news if os.path.exists(os.path.join(root, each.path))][:MOST_PARTNERS]
    return Part(contexts=(Context(rules.together(path, there), ORIGIN),)) if there else None
