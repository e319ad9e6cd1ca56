"""What this room contributes: it follows edits, and at a Read it says which tests and other files the file has.

A step that has nothing to do returns at once: whether a folder is indexed is known in memory.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Sequence

from holdfast.events.answer import Context, Part
from holdfast.events.changes import SHELL_TOOLS, changed_files, file_named
from holdfast.events.event import PostToolUse, PreToolUse
from holdfast.events.scene import Scene
from holdfast.items import tables as injections
from holdfast.items.assembling import ContextAssembler
from holdfast.items.sources import ChangedWith
from holdfast.rooms.code.service import AT_READ, Code, Tree
from holdfast.source.languages import language_of
from holdfast.store.interface import Reader
from holdfast.worktree_paths import inside

ORIGIN = "code"
_INDEX = f"{ORIGIN}.index"
_LONG_AGO = ("import", "journal", "transcript")
_MOST_GIVEN = 500


def follow(event: PostToolUse, scene: Scene) -> Part | None:
    """An edited file is read again; the first code that an agent reads or edits has its repository indexed."""
    if scene.source in _LONG_AGO:
        return None
    service, root = scene.services.get(Code), scene.place.worktree_path
    tree = service.trees.get(root)
    named = file_named(event)
    paths = [named] if named else [change.path for change in changed_files(event)]
    files = [path for each in paths if (path := _inside(each, root, event.cwd))]
    if tree is not None:
        tree.is_behind = tree.is_behind or event.tool_name in SHELL_TOOLS
        if event.tool_name != "Read":
            service.touched(root, files)
        return None
    if not scene.is_live or _INDEX in scene.off or not any(map(language_of, files)) or not service.wants_index(root):
        return None
    return Part(record=lambda tx: service.ask(tx, root), after=lambda: service.note_asked(root))


def at_read(event: PreToolUse, scene: Scene) -> Awaitable[Part | None] | None:
    """At the Read that precedes an edit: the tests of the file, and who uses it, if that is news."""
    service, root = scene.services.get(Code), scene.place.worktree_path
    if not scene.is_live or not service.settings.at_read or AT_READ in scene.off:
        return None
    if service.trees.get(root, root) is None:
        return None  # not indexed
    named = file_named(event)
    if not language_of(named):
        return None
    path = _inside(named, root, event.cwd)
    return _tell(service, scene, event, path) if path else None


def _inside(named: str, root: str, cwd: str) -> str:
    """A path of the client, relative to the worktree; '' when it is not in it. The client may go through a link."""
    return inside(named, root, cwd) or (inside(os.path.realpath(named), root) if named.startswith("/") else "")


async def _tell(service: Code, scene: Scene, event: PreToolUse, path: str) -> Part | None:
    tree = await service.tree_at(scene.place.worktree_path)
    if tree is None:
        return None
    service.compare_soon(tree)
    beside = scene.services.get(ContextAssembler).changed_with(scene.place.project_id, path)
    lines = await _lines(service, tree, event, path, beside)
    window = scene.place.window_id
    if lines and not service.told.knows(window):
        service.told.note(window, await scene.read(lambda reader: _given(reader, event, scene)))
    news = service.told.news(window, lines)
    if not news:
        return None
    text = "\n".join(news)
    return Part(contexts=(Context(text, ORIGIN),), after=lambda: service.told.note(window, news))


async def _lines(service: Code, tree: Tree, event: PreToolUse, path: str, beside: Sequence[ChangedWith]) -> list[str]:
    offset, limit = (event.arguments.get(name) for name in ("offset", "limit"))
    return await service.lines_at_read(
        tree, path, offset if isinstance(offset, int) else 0, limit if isinstance(limit, int) else 0, beside
    )


def _given(reader: Reader, event: PreToolUse, scene: Scene) -> list[str]:
    """What this agent was told before the daemon began, and has not lost since."""
    who = injections.listener(reader, event.session_id, event.agent_id or "")
    rows = injections.given_in(reader, event.session_id, scene.owner, _MOST_GIVEN)
    return [
        line
        for row in rows
        if str(row["agent_id"]) == who.agent_id and int(row["happened_at"] or 0) > who.lost_at
        for line in str(row["text"]).splitlines()
    ]
