"""What people and agents can ask about commits, as data. The doors serve it."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import NothingFound
from holdfast.events.caller import Caller
from holdfast.events.scene import Services
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.gitfiles import repository
from holdfast.items.service import Items
from holdfast.items.sources import ContextLine, ContextQuery
from holdfast.items.tools import NOWHERE, NamedProject, Time, meant_project
from holdfast.prose.one_line import one_line
from holdfast.rooms.commits import rules, verbs
from holdfast.rooms.commits.history import MOST_PARTNERS, History
from holdfast.rooms.commits.model import Commit
from holdfast.rooms.commits.service import RUN_SECONDS, Commits
from holdfast.times import DAY_US, moment, when
from holdfast.worktree_paths import inside

_FIRST_SECONDS = 5.0
"""For the newest commits of a repository, while the caller waits."""
_WITHIN = 1.0
"""The same for a context."""
_LOOKED_AT = 50
"""Files whose existence is asked for."""
_SHOWN = 8
_Limit = Annotated[int, Meta(ge=1, le=200)]


class SearchCommits(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="Empty: the newest.")] = ""
    author: str = ""
    file: Annotated[str, Meta(description="A path in the project.")] = ""
    since: Time = ""
    limit: _Limit = 10
    project: NamedProject = ""


class FileHistory(Struct, frozen=True, forbid_unknown_fields=True):
    file: Annotated[str, Meta(min_length=1, description="A path in the project.")]
    limit: _Limit = 10
    project: NamedProject = ""


class Hotspots(Struct, frozen=True, forbid_unknown_fields=True):
    days: Annotated[int, Meta(ge=1, le=36_500)] = 90
    limit: _Limit = 10
    project: NamedProject = ""


class IndexCommits(Struct, frozen=True, forbid_unknown_fields=True):
    project: NamedProject = ""


class CommitLine(Struct, frozen=True, omit_defaults=True):
    id: str
    """The beginning of its hash."""
    hash: str
    title: str
    author: str
    time: str
    files: list[str] = []
    file_count: int = 0
    added: int = 0
    removed: int = 0
    score: float = 0.0
    trust: str = "repository"
    path: str = ""
    """In a file's history: what the file was called then, when that was another name."""


class OneFile(Struct, frozen=True):
    file: str
    commits: list[CommitLine]
    authors: list[dict[str, Any]]
    changes_with: list[dict[str, Any]]
    """Files that usually change with it."""


class Hotspot(Struct, frozen=True):
    file: str
    commits: int
    added: int
    removed: int
    authors: int
    last: str


class IndexReport(Struct, frozen=True):
    new: int
    gone: int
    kept: int
    left: int


async def search_commits(asked: SearchCommits, caller: Caller) -> list[CommitLine]:
    project_id, folder = await _place(asked.project, caller)
    service = caller.services.get(Commits)
    history = await _known(service, project_id, folder)
    since = moment(asked.since, caller.now(), 0)
    path = _path(asked.file, folder, caller) if asked.file else ""
    of_file = {each.commit.hash for each in history.of_file(path)} if path else None
    author = asked.author.lower()

    def is_meant(commit: Commit) -> bool:
        return (
            commit.happened_at >= since
            and (of_file is None or commit.hash in of_file)
            and (not author or author in commit.author.lower())
        )

    if not asked.query.strip():
        return [_line(each) for each in history.commits if is_meant(each)][: asked.limit]
    found = await service.found(project_id, asked.query)
    return [_line(each.commit, each.score) for each in found if is_meant(each.commit)][: asked.limit]


async def get_file_history(asked: FileHistory, caller: Caller) -> OneFile:
    project_id, folder = await _place(asked.project, caller)
    history = await _known(caller.services.get(Commits), project_id, folder)
    path = _path(asked.file, folder, caller)
    path = history.moved_to(path) or path
    found = history.of_file(path)
    if not found:
        raise NothingFound(f"No commit that is kept changed {one_line(path, 200)}. Give its path in the project.")
    lines = [
        CommitLine(
            each.commit.hash[: rules.SHORT_HASH],
            each.commit.hash,
            each.commit.subject,
            each.commit.author,
            when(each.commit.happened_at),
            file_count=each.commit.file_count,
            added=each.change.added,
            removed=each.change.removed,
            path=each.change.path if each.change.path != path else "",
        )
        for each in found[: asked.limit]
    ]
    partners = [
        {"file": each.path, "together": each.together, "of": each.of}
        for each in history.partners(path, most=4 * MOST_PARTNERS)
        if _is_there(folder, each.path)
    ]
    authors = [{"author": name, "commits": count} for name, count in history.authors(path)[:_SHOWN]]
    return OneFile(path, lines, authors, partners)


async def get_churn_hotspots(asked: Hotspots, caller: Caller) -> list[Hotspot]:
    project_id, folder = await _place(asked.project, caller)
    history = await _known(caller.services.get(Commits), project_id, folder)
    most = await asyncio.to_thread(history.churn, caller.now() - asked.days * DAY_US)
    # Files that are gone are no hotspots; only the first are asked for, each is a look at the disk.
    there = [each for each in most[: asked.limit + _LOOKED_AT] if _is_there(folder, each.path)]
    return [
        Hotspot(each.path, each.commits, each.added, each.removed, each.authors, when(each.last_at))
        for each in there[: asked.limit]
    ]


async def index_commits(asked: IndexCommits, caller: Caller) -> IndexReport:
    project_id, folder = await _place(asked.project, caller)
    done = await caller.services.get(Commits).index(project_id, folder, seconds=RUN_SECONDS, is_asked_for=True)
    if done.problem:
        raise NothingFound(f"No commits were read: {done.problem}")
    return IndexReport(done.new, done.gone, done.kept, done.left)


async def lines_for(query: ContextQuery, services: Services) -> list[ContextLine]:
    """Commits for an assembled context: those that fit, or the newest."""
    service = services.get(Commits)
    history = await service.current(query.project_id, query.folder, _WITHIN)
    if not query.text.strip():
        newest = history.commits[: query.limit]
        return [_context(each, query, 1 - number / 100, 0.0) for number, each in enumerate(newest)]
    found = (await service.found(query.project_id, query.text))[: query.limit]
    return [_context(each.commit, query, each.score, each.fit) for each in found]


def _context(commit: Commit, query: ContextQuery, score: float, fit: float) -> ContextLine:
    text = rules.line(commit, query.now)
    return ContextLine(commit.hash[: rules.SHORT_HASH], "commits", text, score, fit)


# --- helpers


async def _place(named: str, caller: Caller) -> tuple[str, str]:
    """The project that is meant, and the checkout to look at: the caller's own, or the one used last."""
    items = caller.services.get(Items)
    project_id = await meant_project(items, named, caller)
    here = repository(caller.folder) if caller.folder else ("", "")
    if project_id == NOWHERE and here[1]:
        project_id = await items.project_at(caller.folder)
    if project_id in ("", NOWHERE):
        raise NothingFound("Commits belong to one project: go to its folder, or name it (`--project NAME`).")
    if not named and here[1]:
        return project_id, here[0]
    return project_id, await caller.services.get(Commits).worktree(project_id)


async def _known(service: Commits, project_id: str, folder: str) -> History:
    """The history of a project as it is now: new commits are read first, and those that no branch has are dropped."""
    history = await service.current(project_id, folder, _FIRST_SECONDS)
    if not history:
        raise NothingFound(
            "No commits of this project are kept. `holdfast commits index` reads them from its repository."
        )
    return history


def _path(named: str, folder: str, caller: Caller) -> str:
    """A file as git names it: by the folder the caller stands in, or by the root of the project."""
    if named.startswith("/"):
        return inside(named, folder)
    here = inside(named, folder, caller.folder if caller.folder.startswith(folder) else folder)
    return here if not here or _is_there(folder, here) else inside(named, folder)


def _is_there(folder: str, path: str) -> bool:
    return not folder or os.path.lexists(os.path.join(folder, path))


def _line(commit: Commit, score: float = 0.0) -> CommitLine:
    return CommitLine(
        commit.hash[: rules.SHORT_HASH],
        commit.hash,
        commit.subject,
        commit.author,
        when(commit.happened_at),
        [each.path for each in commit.changes[:_SHOWN]],
        commit.file_count,
        sum(each.added for each in commit.changes),
        sum(each.removed for each in commit.changes),
        round(score, 3),
    )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_commits",
        "Search this repository's commits by words, author or file.",
        SearchCommits,
        search_commits,
        verb=Verb(
            "commits search",
            "commits search flaky login --since 30d",
            lines=verbs.found,
            empty=none_found("commit that fits", "Try fewer words; `holdfast commits index` reads new commits."),
            joined=True,
            places=("query",),
        ),
    ),
    Tool(
        "get_file_history",
        "A file's commits, authors, and the files that change with it.",
        FileHistory,
        get_file_history,
        verb=Verb("commits history", "commits history src/app.py", lines=verbs.of_file),
    ),
    Tool(
        "get_churn_hotspots",
        "The files that changed most.",
        Hotspots,
        get_churn_hotspots,
        verb=Verb(
            "commits churn",
            "commits churn --days 30",
            lines=verbs.hotspots,
            empty=none_found("file that changed in that time", "`--days` names a longer one."),
        ),
    ),
    Tool(
        "index_commits",
        "Read the new commits of this repository now.",
        IndexCommits,
        index_commits,
        changes=True,
        for_agents=False,
        verb=Verb("commits index", "commits index", lines=verbs.indexed),
    ),
)
