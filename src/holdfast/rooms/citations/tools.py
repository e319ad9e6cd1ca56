"""What people and scripts can ask of this room, as data. The doors serve it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import HoldfastError
from holdfast.events.caller import Caller
from holdfast.events.tool import NoArguments, Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.rooms.citations import verbs
from holdfast.rooms.citations.service import CitationService
from holdfast.store.interface import Row


class ListPages(Struct, frozen=True, forbid_unknown_fields=True):
    project: Annotated[str, Meta(description="Only pages of the project with this name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=10_000, description="How many, the last used first.")] = 200


class OnePage(Struct, frozen=True, forbid_unknown_fields=True):
    url: Annotated[str, Meta(min_length=1, description="The page, in any spelling that means the same URL.")]


class Folder(Struct, frozen=True, forbid_unknown_fields=True):
    directory: Annotated[
        str, Meta(min_length=1, description="The folder with the *.json files, such as .claude/sdd-cache.")
    ]


class PageLine(Struct, frozen=True):
    """One kept page."""

    url: str
    project: str
    """'' when it is kept for all projects."""
    team: bool
    version: str
    readings: int
    bytes: int
    hits: int
    read_at: int
    verified_at: int
    changed_at: int | None


class ReadingShown(Struct, frozen=True):
    prompt: str
    text: str
    read_at: int
    read_by: str


class PageShown(Struct, frozen=True):
    """One kept page with all that was read in it."""

    page: PageLine
    shown_url: str
    final_url: str
    etag: str | None
    last_modified: str | None
    content_type: str
    vary: str
    source: str
    readings: list[ReadingShown]


class PageForgotten(Struct, frozen=True):
    url: str
    pages: int
    readings: int


class Stats(Struct, frozen=True):
    """What is kept, and what happened since the first day."""

    pages: int
    readings: int
    bytes: int
    max_bytes: int
    hits: int
    changed: int
    unproven: int
    kept: int
    not_kept: int
    not_asked: int
    offered: int
    evicted: int
    saved_ms: int
    saved_bytes: int


class TakenOver(Struct, frozen=True):
    pages: int
    left_out: list[str]


async def list_pages(asked: ListPages, caller: Caller) -> list[PageLine]:
    rows = await caller.services.get(CitationService).pages(project=asked.project, limit=asked.limit)
    return [_line(row) for row in rows]


async def show_page(asked: OnePage, caller: Caller) -> list[PageShown]:
    found = await caller.services.get(CitationService).readings(asked.url)
    if not found:
        raise HoldfastError(f"Nothing is kept of {asked.url}. `holdfast citations list` names all pages.")
    return [
        PageShown(
            page=_line(row),
            shown_url=str(row["shown_url"]),
            final_url=str(row["final_url"]),
            etag=None if row["etag"] is None else str(row["etag"]),
            last_modified=None if row["last_modified"] is None else str(row["last_modified"]),
            content_type=str(row["content_type"]),
            vary=str(row["vary"]),
            source=str(row["source"]),
            readings=[ReadingShown(each.prompt, each.text, each.read_at, each.read_by) for each in readings],
        )
        for row, readings in found
    ]


async def forget_page(asked: OnePage, caller: Caller) -> PageForgotten:
    pages, readings = await caller.services.get(CitationService).forget(asked.url)
    if not pages:
        raise HoldfastError(f"Nothing is kept of {asked.url}, so nothing was removed.")
    return PageForgotten(asked.url, pages, readings)


async def stats(asked: NoArguments, caller: Caller) -> Stats:
    service = caller.services.get(CitationService)
    kept, counts = await service.stats()
    names = (
        "hits",
        "changed",
        "unproven",
        "kept",
        "not_kept",
        "not_asked",
        "offered",
        "evicted",
        "saved_ms",
        "saved_bytes",
    )
    return Stats(
        pages=kept["pages"],
        readings=kept["readings"],
        bytes=kept["bytes"],
        max_bytes=service.settings.max_bytes,
        **{name: counts.get(name, 0) for name in names},
    )


async def take_over(asked: Folder, caller: Caller) -> TakenOver:
    pages, left_out = await caller.services.get(CitationService).take_over(asked.directory)
    return TakenOver(pages, left_out)


def _line(row: Row) -> PageLine:
    def number(name: str) -> int:
        return int(row[name] or 0)

    return PageLine(
        url=str(row["url"]),
        project=str(row["project"]),
        team=row["owner"] == "",
        version=str(row["version"]),
        readings=number("readings"),
        bytes=number("bytes"),
        hits=number("uses"),
        read_at=number("created_at"),
        verified_at=number("verified_at"),
        changed_at=None if row["changed_at"] is None else number("changed_at"),
    )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "citations_list",
        "List stored web pages, the last used first.",
        ListPages,
        list_pages,
        for_agents=False,
        verb=Verb(
            "citations list",
            "citations list --project website",
            lines=verbs.pages,
            empty=none_found("page", "A WebFetch keeps one when its origin gives validators."),
        ),
    ),
    Tool(
        "citations_show",
        "Print the stored readings of a web page.",
        OnePage,
        show_page,
        for_agents=False,
        verb=Verb("citations show", "citations show https://docs.example.org/guide", lines=verbs.page),
    ),
    Tool(
        "citations_forget",
        "Remove a web page and all its readings, in every project.",
        OnePage,
        forget_page,
        changes=True,
        in_pause=True,
        for_agents=False,
        verb=Verb("citations forget", "citations forget https://docs.example.org/guide", lines=verbs.forgotten),
    ),
    Tool(
        "citations_stats",
        "Show the size of the stored web pages, how often they answered, and what that saved.",
        NoArguments,
        stats,
        for_agents=False,
        verb=Verb("citations stats", "citations stats --json", lines=verbs.stats),
    ),
    Tool("citations_import", "Take over a folder of sdd-cache.", Folder, take_over, changes=True, for_agents=False),
)
