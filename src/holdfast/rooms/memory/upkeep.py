"""Upkeep as people and scripts can ask for it, as data: forgetting, and what a model has cost. The doors serve it.

None of it is offered to agents: what is forgotten is the user's decision, and so is what is spent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.items.indexed import Listed
from holdfast.items.service import Items
from holdfast.items.words import short_id
from holdfast.rooms.memory import verbs
from holdfast.rooms.memory.choosing import ForgetRequest
from holdfast.rooms.memory.forgetting import Forgetting, check
from holdfast.rooms.memory.naming import is_full
from holdfast.rooms.memory.summaries.by_model import Writing
from holdfast.times import moment, when


class Forget(Struct, frozen=True, forbid_unknown_fields=True):
    ids: Annotated[list[str], Meta(max_length=500, description="Ids as shown, such as o3fa9c21b.")] = []
    session: Annotated[str, Meta(description="All of one session of Claude Code; its id or the beginning of it.")] = ""
    file: Annotated[list[str], Meta(max_length=4, description="All about one file: in full, or in its project.")] = []
    project: Annotated[str, Meta(description="Of the file. Empty: the caller's; `all`: files so named anywhere.")] = ""
    text: Annotated[str, Meta(description="All that contains this text, in any case.")] = ""
    before: Annotated[str, Meta(description="All from before this time: ISO, or an age such as 90d.")] = ""
    preview: Annotated[bool, Meta(description="Only say what would go.")] = False


class Costs(Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[str, Meta(description="ISO time, or an age such as 3d.")] = ""
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 50


class ModelCall(Struct, frozen=True):
    """One call of a model, and the summary that it was to write ('' when that was forgotten)."""

    time: str
    project: str
    session: str
    summary: str
    model: str
    input_tokens: int
    output_tokens: int
    usd: float
    took_ms: int
    error: str | None


class ForgottenLine(Struct, frozen=True):
    id: str
    kind: str
    title: str
    time: str
    project: str


class Forgotten(Struct, frozen=True):
    """What went, or would go."""

    counts: dict[str, int]
    lines: list[ForgottenLine] = []
    spooled: int = 0
    log_lines: int = 0
    backups_removed: list[str] = []
    backups_unread: list[str] = []
    backup_made: str = ""


async def forget(asked: Forget, caller: Caller) -> Forgotten:
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
        return Forgotten(shown.counts, await _lines(items, shown.lines))
    receipt = await service.forget(request)
    swept = receipt.swept
    return Forgotten(
        counts=receipt.counts,
        spooled=swept.spooled,
        log_lines=swept.log_lines,
        backups_removed=list(swept.backups),
        backups_unread=list(swept.unread),
        backup_made=swept.made,
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
    names = await items.names({each.project_id for each in found})
    return [
        ForgottenLine(
            items.catalogue.short(each),
            each.kind,
            each.title,
            when(each.happened_at),
            names.get(each.project_id, ""),
        )
        for each in found
    ]


async def costs(asked: Costs, caller: Caller) -> list[ModelCall]:
    made = await caller.services.get(Writing).costs(moment(asked.since, caller.now(), 0), asked.limit)
    return [
        ModelCall(
            time=when(each.began_at),
            project=each.project,
            session=each.conversation,
            summary=short_id("s", each.summary_id) if each.summary_id else "",
            model=each.model,
            input_tokens=each.input_tokens,
            output_tokens=each.output_tokens,
            usd=each.usd,
            took_ms=each.took_ms,
            error=each.error or None,
        )
        for each in made
    ]


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "forget",
        "Remove things everywhere, so that they never come back.",
        Forget,
        forget,
        changes=True,
        for_agents=False,
    ),
    Tool(
        "costs",
        "Show what a model's summaries have cost, call by call.",
        Costs,
        costs,
        for_agents=False,
        verb=Verb(
            "costs",
            "costs --since 7d",
            help="The newest first: which summary (`holdfast show` tells it), the model, its tokens, US dollars as the "
            "client reckons them, and why it failed. Calls that failed cost, too. `holdfast status` has the sums.",
            lines=verbs.costs,
            empty="No model was called. Rules write the summaries, unless `summaries.model` in the settings names one.",
        ),
    ),
)
