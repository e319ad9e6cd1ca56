"""The tool `forget`, for people and scripts. Agents are not offered it: the user decides what is forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import Refused, UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.items.indexed import Listed
from holdfast.items.service import Items
from holdfast.times import moment, when
from holdfast.upkeep.file_names import is_full
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.forget_selection import ForgetRequest, check
from holdfast.upkeep.traces import Swept


class Forget(Struct, frozen=True, forbid_unknown_fields=True):
    ids: Annotated[list[str], Meta(max_length=500, description="Ids as shown, such as o3fa9c21b.")] = []
    session: Annotated[str, Meta(description="All of one session of Claude Code; its id or the beginning of it.")] = ""
    file: Annotated[list[str], Meta(max_length=4, description="All about one file: in full, or in its project.")] = []
    project: Annotated[str, Meta(description="Of the file. Empty: the caller's; `all`: files so named anywhere.")] = ""
    text: Annotated[str, Meta(description="All that contains this text, in any case.")] = ""
    before: Annotated[str, Meta(description="All from before this time: ISO, or an age such as 90d.")] = ""
    preview: Annotated[bool, Meta(description="Only say what would go.")] = False


class ForgottenLine(Struct, frozen=True):
    id: str
    kind: str
    title: str
    time: str
    project: str


class Forgotten(Struct, frozen=True):
    """What went, or would go."""

    counts: dict[str, int]
    """By family; `entries` of the journal; rows by what their table calls them, else `rows`. `…_mended`: rows that stay
    without it."""
    lines: list[ForgottenLine] = []
    """Of a preview: the first items."""
    items: int = 0
    """Of a preview: how many items would go."""
    spooled: int = 0
    log_lines: int = 0
    backups_removed: list[str] = []
    backups_unread: list[str] = []
    backup_made: str = ""
    kept_removed: int = 0
    """What was kept for `undo` and held it."""


async def forget(asked: Forget, caller: Caller) -> Forgotten:
    if caller.is_agent and not asked.preview:
        raise Refused("Only a person may forget: run `holdfast forget` in a terminal of your own. Nothing was removed.")
    service, items = caller.services.get(Forgetting), caller.services.get(Items)
    file, project = await _file(asked, items, caller)
    request = ForgetRequest(
        ids=tuple(asked.ids),
        session=asked.session.strip(),
        file=file,
        text=asked.text,
        before=moment(asked.before, caller.now(), 0),
        project=project,
    )
    check(request)
    if asked.preview:
        shown = await service.preview(request)
        number = sum(shown.counts.get(family.name, 0) for family in items.catalogue)
        return _told(shown.counts, shown.found, lines=await _lines(items, shown.lines), items=number)
    receipt = await service.forget(request)
    return _told(receipt.counts, receipt.swept)


def _told(counts: dict[str, int], swept: Swept, **of_preview: Any) -> Forgotten:
    return Forgotten(
        counts=counts,
        spooled=swept.spooled,
        log_lines=swept.log_lines,
        backups_removed=list(swept.backups),
        backups_unread=list(swept.unread),
        backup_made=swept.made,
        kept_removed=swept.kept,
        **of_preview,
    )


async def _file(asked: Forget, items: Items, caller: Caller) -> tuple[tuple[str, ...], str]:
    """The paths that can be meant, and the project of relative ones ('' is every project, and only if it was said)."""
    paths = tuple(asked.file)
    if asked.project and not paths:
        raise UsageError("A project goes with a file; all else is forgotten wherever it is.")
    if asked.project == "all":
        return paths, ""
    project = await items.project(asked.project) if asked.project else caller.project_id
    full = tuple(path for path in paths if is_full(path))
    if paths and not full and not project:
        raise UsageError("Which project's file is meant? Say the project (`all` for every one), or the path in full.")
    return (paths, project) if project else (full, "")


async def _lines(items: Items, found: Iterable[Listed]) -> list[ForgottenLine]:
    listed = list(found)
    names = await items.names({each.project_id for each in listed})
    return [
        ForgottenLine(
            items.catalogue.short(each),
            each.kind,
            each.title,
            when(each.happened_at),
            names.get(each.project_id, ""),
        )
        for each in listed
    ]


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "forget",
        "Delete items everywhere, permanently.",
        Forget,
        forget,
        changes=True,
        in_pause=True,
        for_agents=False,
    ),
)
