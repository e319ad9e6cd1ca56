"""What `holdfast import` takes over for this room."""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.rooms.citations import takeover
from holdfast.rooms.citations.service import CitationService
from holdfast.rooms.room import Import, Taken, TakesRecords


async def sdd_cache(asked: takeover.PagesStep, services: Services, records: TakesRecords) -> Taken:
    """Pages are no records of an export: they are written by the room itself."""
    pages, left_out = await services.get(CitationService).take_over(asked.path)
    return Taken({"pages": pages, "left_out": left_out})


IMPORTS: tuple[Import, ...] = (
    Import(
        takeover.SOURCE,
        "Take over the web pages that the sdd-cache hooks have kept.",
        "import sdd-cache .claude/sdd-cache",
        takeover.PagesStep,
        sdd_cache,
        help="They belong to the project that DIR lies in. Each is proven fresh by its origin before it is used.",
        takes="folder",
        counts="pages",
        said="Took over {pages}.",
    ),
)
