"""A home in which much is kept already: made-up observations of twenty projects, written as the memory room writes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bench.coding import Asked, Sessions

from holdfast import config
from holdfast.daemon.compose import compose, scrubber_of
from holdfast.ids import ConversationId, ItemId, WindowId, new_id, now_us
from holdfast.items.model import Listener
from holdfast.paths import Home
from holdfast.recall import Item
from holdfast.road.edge import Payload
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import Observation
from holdfast.store.interface import Tx

PROJECTS = 20
_AT_A_TIME = 1_000
_ASKED = 4_000
"""Prompts that are made, about as many."""
_SPAN_US = 300 * 86_400 * 1_000_000
_KINDS = {"Ran": "test", "Edited": "edit", "Read": "read", "Searched": "search", "Built": "build"}


def folder_of(project: int) -> str:
    """Where a session of this project works. Project 0 has half of all observations."""
    return f"/home/dev/project{project}"


def fill(home: Home, count: int) -> list[tuple[int, Asked]]:
    """Keep so many observations; prompts about some of them, each with its project."""
    return asyncio.run(_fill(home, count))


async def _fill(home: Home, count: int) -> list[tuple[int, Asked]]:
    home.prepare()
    loaded = config.load(home.config, None, {})
    parts = await compose(home, loaded, scrubber_of(loaded.config))
    try:
        for project in range(PROJECTS):
            start = {"session_id": f"start-{project}", "cwd": folder_of(project), "source": "startup"}
            await parts.road.travel(Payload({"hook_event_name": "SessionStart"} | start), name="SessionStart")
        with sqlite3.connect(f"file:{home.database}?mode=ro", uri=True) as database:
            ids = {Path(place).name: str(id) for place, id in database.execute("SELECT place, id FROM project")}
            trees = database.execute("SELECT project_id, id FROM worktree")
            worktrees = {str(project): str(id) for project, id in trees}
        asked: list[Asked] = []
        opened: set[str] = set()
        project_of: dict[str, int] = {}
        first, number = now_us() - _SPAN_US, 0
        made = Sessions(1, projects=PROJECTS, asked_every=max(1, count // _ASKED))
        for batch in _batches(made.items(count, asked)):
            kept = []
            for item in batch:
                project = int(item.project_id.rpartition("-")[2])
                if number % made.asked_every == 0:
                    project_of[item.id] = project
                kept.append((item, ids[f"project{project}"], first + number * (_SPAN_US // count)))
                number += 1
            await parts.store.write(lambda tx, kept=tuple(kept): _keep(tx, kept, worktrees, parts.owner, opened))  # type: ignore[misc]
        return [(project_of[item], each) for each in asked for item in each.about]
    finally:
        await parts.store.settle()
        await parts.store.close()


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) == _AT_A_TIME:
            yield batch
            batch = []
    if batch:
        yield batch


def _keep(
    tx: Tx, kept: tuple[tuple[Item, str, int], ...], worktrees: dict[str, str], owner: str, opened: set[str]
) -> None:
    for item, project, at in kept:
        if item.listener not in opened:
            opened.add(item.listener)
            tx.run(
                "session.open", id=item.listener, owner=owner, conversation=item.listener, agent_id="", agent_type=None,
                window_number=1, project_id=project, worktree_id=worktrees[project], transcript_path=None,
                began_by="startup", started_at=at,
            )  # fmt: skip
        title, _, rest = item.text.partition(". ")
        observation = Observation(
            id=ItemId(new_id(at)), window_id=WindowId(item.listener), project_id=project, prompt_number=0,
            kind=_KINDS.get(title.split(" ", 1)[0], "command"), tool="Bash", title=title,  # type: ignore[arg-type]
            outcome="failed" if item.outcome == "failed" else "passed" if item.outcome == "ok" else "",
            trust="tool", files=item.files, command="", excerpt=rest, commit_hash="", happened_at=at,
        )  # fmt: skip
        tables.keep_observation(tx, observation, Listener(ConversationId(item.listener)), owner)
