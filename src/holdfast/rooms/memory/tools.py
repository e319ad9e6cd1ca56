"""What people and agents can ask of this room, as data. The doors serve it.

Searching goes in three steps that save tokens: `search` (ids and titles), `timeline` (what stands around), `get` (all).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import NothingFound, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.rooms.memory import rules
from holdfast.rooms.memory.model import (
    CitedPage,
    Explained,
    Found,
    Injection,
    Item,
    Memory,
    Observation,
    Prompt,
    Summary,
    Superseded,
)
from holdfast.rooms.memory.service import END_OF_TIME, MemoryService

Text = Annotated[str, Meta(min_length=1)]
Id = Annotated[str, Meta(min_length=8, description="An id as shown, such as o3fa9c21b.")]
Time = Annotated[str, Meta(description="ISO time, or an age such as 3d or 12h.")]
Project = Annotated[str, Meta(description="Name, folder or id; empty: this project's (`all`: every project's).")]


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="What it is about; empty: the newest.")] = ""
    project: Project = ""
    kind: Annotated[
        str, Meta(description="memory, summary, prompt, edit, test, build, command, web, agent, read, search, other")
    ] = ""
    since: Time = ""
    until: Time = ""
    file: Annotated[str, Meta(description="A path in the project, or a file's name.")] = ""
    session: str = ""
    text: Annotated[str, Meta(description="Must stand in it word for word.")] = ""
    limit: Annotated[int, Meta(ge=1, le=200)] = 10


class Timeline(Struct, frozen=True, forbid_unknown_fields=True):
    around: Annotated[str, Meta(description="An id, or a time as in `search`; empty: now.")] = ""
    before: Annotated[int, Meta(ge=0, le=100)] = 5
    after: Annotated[int, Meta(ge=0, le=100)] = 5
    project: Project = ""


class Get(Struct, frozen=True, forbid_unknown_fields=True):
    ids: Annotated[list[Id], Meta(min_length=1, max_length=50)]


class Why(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id


class Remember(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=8_000)]
    title: str = ""
    tags: list[str] = []
    project: Project = ""
    by: Annotated[str, Meta(pattern="^(user|agent)$")] = "agent"


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    title: str | None = None
    text: str | None = None
    tags: list[str] | None = None


class Supersede(Struct, frozen=True, forbid_unknown_fields=True):
    old: Id
    reason: Text
    new: Annotated[str, Meta(description="What took its place; empty: nothing.")] = ""
    by: Annotated[str, Meta(pattern="^(user|agent)$")] = "agent"


class Line(Struct, frozen=True, omit_defaults=True):
    """One thing, enough to choose by."""

    id: str
    title: str
    kind: str
    project: str
    time: str
    score: float = 0.0
    outcome: str = ""
    trust: str = ""
    superseded_by: str | None = None
    page_changed: bool = False


async def search(asked: Search, caller: Caller) -> list[Line]:
    service = caller.services.get(MemoryService)
    project = await _project(service, asked.project, caller)
    found = await service.search(
        asked.query,
        project=project,
        kinds=(asked.kind,) if asked.kind else (),
        since=moment(asked.since, service.now(), 0),
        until=moment(asked.until, service.now(), END_OF_TIME),
        file=asked.file,
        session=asked.session,
        text=asked.text,
        limit=asked.limit,
    )
    if project == NOWHERE and not found:
        raise _nothing_here(caller)
    return await _lines(service, found)


async def timeline(asked: Timeline, caller: Caller) -> list[Line]:
    service = caller.services.get(MemoryService)
    around: str | int = asked.around
    if not asked.around or rules.read_id(asked.around) is None:
        now = service.now()
        around = moment(asked.around, now, now)
    project = await _project(service, asked.project, caller) if asked.project or isinstance(around, int) else ""
    if project == NOWHERE:
        raise _nothing_here(caller)
    return await _lines(
        service, await service.timeline(around, before=asked.before, after=asked.after, project=project)
    )


async def get(asked: Get, caller: Caller) -> list[dict[str, Any]]:
    service = caller.services.get(MemoryService)
    items = await service.get(asked.ids)
    pages = await service.pages(item.id for item in items)
    return [whole(item) | _pages(pages[item.id]) for item in items]


async def why(asked: Why, caller: Caller) -> dict[str, Any]:
    return explained(await caller.services.get(MemoryService).why(asked.id))


async def remember(asked: Remember, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(MemoryService)
    project = await _project(service, asked.project, caller)
    memory, replaced = await service.remember(
        asked.text,
        title=asked.title,
        project=await service.project_at(caller.folder) if project == NOWHERE else project,
        trust=caller.speaker(asked.by),
        tags=asked.tags,
    )
    return whole(memory) | ({"supersedes": rules.short("memory", replaced.old_id)} if replaced else {})


async def edit(asked: Edit, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(MemoryService)
    by = caller.speaker()
    return whole(await service.edit(asked.id, title=asked.title, text=asked.text, tags=asked.tags, by=by))


async def supersede(asked: Supersede, caller: Caller) -> dict[str, Any]:
    service = caller.services.get(MemoryService)
    by = caller.speaker(asked.by)
    return replaced(await service.supersede(asked.old, asked.new or None, asked.reason, by=by))


NOWHERE = "nowhere"
"""In place of a project's id: the caller stands in a folder where nothing ever happened."""


async def _project(service: MemoryService, named: str, caller: Caller) -> str:
    """The project that is meant: the one named, else the caller's; '' is every project."""
    if named == "all":
        return ""
    if named:
        return await service.project(named)
    return NOWHERE if caller.is_nowhere else caller.project_id


def _nothing_here(caller: Caller) -> NothingFound:
    return NothingFound(
        f"Nothing is kept of {caller.folder}: no session was seen there. To search every project, name the project "
        "`all` (`--project all`)."
    )


# --- how results are told


def moment(text: str, now: int, otherwise: int) -> int:
    """A time as people write it, in microseconds."""
    if not text:
        return otherwise
    found = rules.read_time(text, now)
    if found is None:
        raise UsageError(f"{text!r} is no time. Write one as 2026-05-01, 2026-05-01T12:30 or an age: 30m, 12h, 3d, 2w.")
    return found


def when(us: int) -> str:
    return datetime.fromtimestamp(us / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _lines(service: MemoryService, found: list[Found]) -> list[Line]:
    names = await service.names({each.project_id for each in found})
    return [
        Line(
            id=rules.short(each.family, each.id),
            title=each.title,
            kind=each.kind if each.family == "observation" else each.family,
            project=names.get(each.project_id, ""),
            time=when(each.happened_at),
            score=round(each.score, 3),
            outcome=each.outcome,
            trust=each.trust,
            superseded_by=each.superseded_by,
            page_changed=each.page_changed,
        )
        for each in found
    ]


def whole(item: Item) -> dict[str, Any]:
    """All that is kept of a thing."""
    family = rules.family_of(item)
    told: dict[str, Any] = {"id": rules.short(family, item.id), "full_id": item.id, "family": family}
    match item:
        case Prompt():
            told |= {"kind": "prompt", "text": item.text, "number": item.number, "session": item.conversation}
        case Observation():
            told |= {"kind": item.kind, "title": item.title, "outcome": item.outcome, "tool": item.tool}
            told |= {"files": item.files, "command": item.command, "excerpt": item.excerpt, "commit": item.commit_hash}
            told |= {"trust": item.trust, "prompt_number": item.prompt_number, "window": item.session_id}
        case Summary():
            content = item.content
            told |= {"kind": item.level, "title": content.title, "request": content.request, "done": content.done}
            told |= {"investigated": content.investigated, "learned": content.learned, "left_to_do": content.left_open}
            told |= {
                "said": content.said,
                "outcome": content.outcome,
                "files": content.files,
                "session": item.conversation,
            }
            told |= {"written_by": item.written_by}
        case Memory():
            told |= {"kind": "memory", "title": item.title, "text": item.text, "tags": item.tags}
            told |= {"files": item.files, "trust": item.trust}
    return {name: value for name, value in told.items() if value not in ("", ())} | {"time": when(rules.moment(item))}


def explained(known: Explained) -> dict[str, Any]:
    origin = known.origin
    told: dict[str, Any] = {"item": whole(known.item), "project": known.project, "session": known.conversation}
    if origin:
        told["origin"] = {
            "entry": origin.entry_id,
            "event": origin.event,
            "source": origin.source,
            "tool": origin.tool,
            "time": when(origin.happened_at),
            "scrubbed": origin.scrubbed,
            "cut_bytes": origin.cut_bytes,
        }
    if known.prompt:
        told["asked"] = {"id": rules.short("prompt", known.prompt.id), "text": rules.one_line(known.prompt.text)}
    told["shown"] = [_shown(each) for each in known.shown]
    told["last_shown"] = when(known.shown[0].happened_at) if known.shown else None
    told |= _pages(known.pages)
    told["superseded"] = replaced(known.superseded) if known.superseded else None
    told["supersedes"] = [replaced(each) for each in known.supersedes]
    return told


def _pages(cited: tuple[CitedPage, ...]) -> dict[str, Any]:
    """The web pages that a thing cites, at which version, and since when each is another one."""
    pages = [
        {"url": page.url, "version": page.version, "changed": when(page.changed_at) if page.changed_at else None}
        for page in cited
    ]
    return {"pages": pages} if pages else {}


def _shown(each: Injection) -> dict[str, Any]:
    return {
        "time": when(each.happened_at),
        "place": each.place,
        "about": each.about,
        "session": each.conversation,
        "agent": each.agent_id,
        "score": round(each.score, 4),
        "parts": {name: round(value, 4) for name, value in each.parts.items()},
        "tokens": each.tokens,
        "entry": each.entry_id,
    }


def replaced(each: Superseded) -> dict[str, Any]:
    return {
        "old": each.old_id,
        "new": each.new_id or None,
        "reason": each.reason,
        "by": each.by,
        "time": when(each.happened_at),
    }


TOOLS = (
    Tool("search", "Find earlier work, decisions and outcomes: ids and titles; `get` the rest.", Search, search),
    Tool("timeline", "What happened around an id or a time.", Timeline, timeline),
    Tool("get", "All that is kept under ids.", Get, get),
    Tool("why", "Where a memory came from, what was scrubbed, when it was shown and why.", Why, why),
    Tool("remember", "Keep a decision, a fact or a preference for later sessions.", Remember, remember, changes=True),
    Tool("edit", "Correct a kept thing.", Edit, edit, changes=True),
    Tool("supersede", "Mark a kept thing as no longer true.", Supersede, supersede, changes=True),
)
