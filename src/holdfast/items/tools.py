"""What people and agents can ask of the items of every room, as data. The doors serve it beside the rooms' tools.

Searching goes in three steps that save tokens: `search` (ids and titles), `timeline` (what stands around), `get` (all).
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import NothingFound
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.gitfiles import branch_of, repository
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import END_OF_TIME
from holdfast.items.model import CitedPage, Explained, Found, Injection, Item, Objection, Superseded
from holdfast.items.seen import session_named
from holdfast.items.service import Items, nothing_under
from holdfast.items.staleness import Files
from holdfast.items.words import read_id
from holdfast.times import moment, when

KINDS = "{kinds}"
"""In a description: the doors write the kinds of every room's items here."""
Text = Annotated[str, Meta(min_length=1)]
AN_ID = "An id as shown, such as o3fa9c21b."
Id = Annotated[str, Meta(min_length=1, description=AN_ID)]
Time = Annotated[str, Meta(description="ISO time, or an age such as 3d.")]
NamedProject = Annotated[str, Meta(description="Name, folder, id or `all`; empty: this one.")]


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="Empty: the newest.")] = ""
    project: NamedProject = ""
    kind: Annotated[str, Meta(description=KINDS)] = ""
    since: Time = ""
    until: Time = ""
    file: Annotated[str, Meta(description="A path in the project, or a file's name.")] = ""
    session: str = ""
    text: Annotated[str, Meta(description="Must stand in it.")] = ""
    limit: Annotated[int, Meta(ge=1, le=200)] = 10


class Timeline(Struct, frozen=True, forbid_unknown_fields=True):
    around: Annotated[str, Meta(description="An id or a time; empty: now.")] = ""
    before: Annotated[int, Meta(ge=0, le=100)] = 5
    after: Annotated[int, Meta(ge=0, le=100)] = 5
    project: NamedProject = ""


class Get(Struct, frozen=True, forbid_unknown_fields=True):
    ids: Annotated[list[Id], Meta(min_length=1, max_length=50)]


class Why(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    title: str | None = None
    text: str | None = None
    tags: list[str] | None = None


class Supersede(Struct, frozen=True, forbid_unknown_fields=True):
    old: Id
    reason: Annotated[str, Meta(min_length=1, description="Why.")]
    new: Annotated[str, Meta(description="What took its place.")] = ""
    by: Annotated[str, Meta(pattern="^(user|agent)$")] = "agent"


class HitLine(Struct, frozen=True, omit_defaults=True):
    """One item, enough to choose by. `marks` are the places in the snippet where the words that were asked for stand;
    `same_work` are other hits of the same turn."""

    id: str
    title: str
    kind: str
    project: str
    time: str
    score: float = 0.0
    outcome: str = ""
    trust: str = ""
    superseded_by: str | None = None
    objection: str = ""
    page_changed: bool = False
    stale: list[str] = []
    """What happened to the files that it names."""
    snippet: str = ""
    marks: list[tuple[int, int]] = []
    reason: str = ""
    """Why it was found, where it has none of the words."""
    same_work: list[str] = []
    branch: str = ""
    """The branch that it was done on, where that is not the one that the caller stands on."""


async def search(asked: Search, caller: Caller) -> list[HitLine]:
    items = caller.services.get(Items)
    project = await meant_project(items, asked.project, caller)
    session = asked.session
    if session:
        session, _ = await items.read(lambda reader: session_named(reader, session, caller.owner))
    found = await items.search(
        asked.query,
        project=project,
        kinds=(asked.kind,) if asked.kind else (),
        since=moment(asked.since, items.now(), 0),
        until=moment(asked.until, items.now(), END_OF_TIME),
        file=asked.file,
        session=session,
        text=asked.text,
        limit=asked.limit,
        files=files_here(caller, project),
    )
    if project == NOWHERE and not found:
        raise _nothing_here(caller)
    return await lines(items, found, branch_here(caller))


def files_here(caller: Caller, project: str) -> Files | None:
    """The files of the worktree that the caller stands in, if it is of this project."""
    if not caller.folder or not project or project != caller.project_id:
        return None
    return caller.services.get(ContextAssembler).files(project, repository(caller.folder)[0])


async def timeline(asked: Timeline, caller: Caller) -> list[HitLine]:
    items = caller.services.get(Items)
    around: str | int = asked.around
    if not asked.around or read_id(asked.around) is None:
        now = items.now()
        around = moment(asked.around, now, now)
    project = await meant_project(items, asked.project, caller) if asked.project or isinstance(around, int) else ""
    if project == NOWHERE:
        raise _nothing_here(caller)
    found = await items.timeline(around, before=asked.before, after=asked.after, project=project)
    return await lines(items, found, branch_here(caller))


def branch_here(caller: Caller) -> str:
    """The branch of the worktree that the caller stands in; '' outside git."""
    return branch_of(repository(caller.folder)[0]) if caller.folder else ""


async def get(asked: Get, caller: Caller) -> list[dict[str, Any]]:
    items = caller.services.get(Items)
    found = await items.get(asked.ids)
    if not found:
        raise nothing_under(asked.ids[0])
    pages = await items.pages(item.id for item in found)
    against = await items.objections(item.id for item in found)
    return [whole(items, item) | _pages(pages[item.id]) | _objection(against.get(item.id, "")) for item in found]


async def why(asked: Why, caller: Caller) -> dict[str, Any]:
    items = caller.services.get(Items)
    return explained(items, await items.why(asked.id))


async def edit(asked: Edit, caller: Caller) -> dict[str, Any]:
    items = caller.services.get(Items)
    by, title, text = caller.speaker(), asked.title, asked.text
    if by == "agent":
        [new_title, new_text] = await items.marked([title or "", text or ""], caller.conversation)
        title, text = title and new_title, text and new_text
    return whole(items, await items.edit(asked.id, title=title, text=text, tags=asked.tags, by=by))


async def supersede(asked: Supersede, caller: Caller) -> dict[str, Any]:
    items = caller.services.get(Items)
    by, reason = caller.speaker(asked.by), asked.reason
    if by == "agent":
        [reason] = await items.marked([reason], caller.conversation)
    said = await items.supersede(asked.old, asked.new or None, reason, by=by)
    return replaced(said) if isinstance(said, Superseded) else objected(said) | {"note": STAYS}


STAYS = (
    "It stays in force: its words outrank these. The objection is kept and shown beside it; only a person overrules it."
)
NOWHERE = "nowhere"
"""In place of a project's id: the caller stands in a folder where nothing ever happened."""


async def meant_project(items: Items, named: str, caller: Caller) -> str:
    """The id of the project that is meant: the one named, else the caller's; '' is every project."""
    if named == "all":
        return ""
    if named:
        return await items.project(named)
    return NOWHERE if caller.is_nowhere else caller.project_id


def _nothing_here(caller: Caller) -> NothingFound:
    return NothingFound(
        f"Nothing is kept of {caller.folder}: no session was seen there. To search every project, name the project "
        "`all` (`--project all`)."
    )


# --- how results are shown


async def lines(items: Items, found: list[Found], here: str = "") -> list[HitLine]:
    """`here` is the caller's branch: work on another one is named with it."""
    names = await items.names({each.project_id for each in found})
    catalogue = items.catalogue
    return [
        HitLine(
            id=catalogue.short(each.listed),
            title=each.title,
            kind=each.kind if catalogue.family(each.family).kinds else each.family,
            project=names.get(each.project_id, ""),
            time=when(each.listed.happened_at),
            score=round(each.score, 3),
            outcome=each.listed.outcome,
            trust=each.listed.trust,
            superseded_by=each.superseded_by,
            objection=each.objection,
            page_changed=each.page_changed,
            stale=list(each.facts),
            snippet=each.snippet,
            marks=list(each.marks),
            reason=each.reason,
            same_work=[catalogue.short(other) for other in each.same_work],
            branch=each.listed.branch if each.listed.branch != here else "",
        )
        for each in found
    ]


def whole(items: Items, item: Item) -> dict[str, Any]:
    """All fields of an item that are not empty."""
    listed = item.listed
    head = {"id": items.catalogue.short(listed), "full_id": listed.id, "family": listed.family, "kind": listed.kind}
    fields = {name: value for name, value in item.room.whole(item.value).items() if value not in ("", ())}
    return head | fields | {"time": when(listed.happened_at)}


def explained(items: Items, known: Explained) -> dict[str, Any]:
    origin = known.origin
    told: dict[str, Any] = {"item": whole(items, known.item), "project": known.project, "session": known.conversation}
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
    told |= known.more
    told["shown"] = [_shown(each) for each in known.shown]
    told["last_shown"] = when(known.shown[0].happened_at) if known.shown else None
    told |= _pages(known.pages)
    told["superseded"] = replaced(known.superseded) if known.superseded else None
    told["objections"] = [objected(each) for each in known.objections]
    told["supersedes"] = [replaced(each) for each in known.supersedes]
    return told


def _pages(cited: tuple[CitedPage, ...]) -> dict[str, Any]:
    """The web pages that an item cites, at which version, and since when each is another one."""
    pages = [
        {"url": page.url, "version": page.version, "changed": when(page.changed_at) if page.changed_at else None}
        for page in cited
    ]
    return {"pages": pages} if pages else {}


def _shown(each: Injection) -> dict[str, Any]:
    return {
        "time": when(each.happened_at),
        "place": each.occasion,
        "about": each.about,
        "session": each.conversation,
        "agent": each.agent_id,
        "score": round(each.score, 4),
        "parts": {name: round(value, 4) for name, value in each.parts.items()},
        "tokens": each.tokens,
        "entry": each.entry_id,
    }


def _objection(reason: str) -> dict[str, Any]:
    return {"objection": f"an agent objects: {reason}"} if reason else {}


def objected(each: Objection) -> dict[str, Any]:
    return {
        "objects_to": each.item_id,
        "instead": each.new_id or None,
        "reason": each.reason,
        "by": each.by,
        "time": when(each.happened_at),
    }


def replaced(each: Superseded) -> dict[str, Any]:
    return {
        "old": each.old_id,
        "new": each.new_id or None,
        "reason": each.reason,
        "by": each.by,
        "time": when(each.happened_at),
    }


SEARCH = "Search memory: what did we do and decide in the previous session and before, causes, outcomes, open threads."
"""The client offers tools by the words of their descriptions: these are the words that people ask with."""

TOOLS: tuple[Tool[Any], ...] = (
    Tool("search", SEARCH, Search, search),
    Tool(
        "timeline",
        "Show the history around an id or a time, also of previous sessions.",
        Timeline,
        timeline,
    ),
    Tool("get", "Show items in full, by their ids.", Get, get),
    Tool("why", "Explain an item: where it came from, when it was shown and why.", Why, why),
    Tool("edit", "Correct the words of an item.", Edit, edit, changes=True),
    Tool(
        "supersede",
        "Mark an item as no longer true. A user's only shows your objection.",
        Supersede,
        supersede,
        changes=True,
    ),
)
"""Tools over every room's items: the doors serve them beside `ROOMS`."""
