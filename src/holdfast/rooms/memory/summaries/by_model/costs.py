"""Lists what a model's summaries have cost, call by call. Not offered to agents: spending is the user's decision."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.items.words import short_id
from holdfast.rooms.memory import verbs
from holdfast.rooms.memory.summaries.by_model.writing import Writing
from holdfast.times import moment, when


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
        "costs",
        "Show what a model's summaries have cost, call by call.",
        Costs,
        costs,
        for_agents=False,
        verb=Verb(
            "costs",
            "costs --since 7d",
            help="The newest first: the summary (see it with `holdfast show`), the model, its tokens, the cost in USD "
            "from the client's own estimate, and why the call failed. Failed calls cost, too. `holdfast status` shows "
            "the sums.",
            lines=verbs.costs,
            empty=none_found(
                "call of a model", "Rules write the summaries, unless `summaries.model` in the settings names one."
            ),
        ),
    ),
)
