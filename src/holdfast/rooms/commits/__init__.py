"""Commits: the history of a project's repository, for whoever is about to change a file.

The room keeps the newest commits of each project, as git tells them. From these it answers which commits touched a
file, which files changed most, and which usually change together; the last is said at the Read that precedes an edit.
Functions and classes are the code room's, and what was done in sessions is the memory room's. Git is never changed.

Read it in this order: `model` (values), `git` and `log_format` (from a repository to commits), `history` and `search`
(answers, pure), `service` (the index), `hooks`, `tools`. `tables` is the only speaker of `commits.sql`.
"""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.items.sources import ContextSource
from holdfast.rooms.commits import hooks, schema, service, status, tools
from holdfast.rooms.commits.service import JOB, Commits
from holdfast.rooms.commits.settings import Settings
from holdfast.rooms.room import Ground, Job, Room, Upkeep

__all__ = ["ROOM", "build", "hooks"]


def build(ground: Ground) -> tuple[Commits]:
    """The service of this room."""
    return (Commits(ground),)


def forgotten(services: Services) -> None:
    """Something was forgotten: what is held in memory may mention it."""
    services.get(Commits).forget_memory()


ROOM = Room(
    "commits",
    duty="Keeps the history of a project's repository: commits, churn, files that change together.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    jobs=(Job(JOB, service.run_index, slow=True),),
    tools=tools.TOOLS,
    commands="Search the commits of a project.",
    context=ContextSource(("commits",), tools.lines_for),
    files=lambda services: services.get(Commits).files,
    partners=lambda services: services.get(Commits).partners,
    status=status.status,
    upkeep=Upkeep(forgotten=forgotten),
)
