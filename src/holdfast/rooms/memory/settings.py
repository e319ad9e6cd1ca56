"""What the user may choose about memory: `[memory]` and `[summaries]` of config.toml."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from holdfast.events.entry import caps_event
from holdfast.project_file import SWITCH


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens is kept, and given back where it fits."""

    inject: Annotated[
        bool,
        Meta(
            description="Whether anything is given to the agent unasked; it is kept and found all the same.",
            extra=SWITCH,
        ),
    ] = True
    brief: Annotated[bool, Meta(description="Whether a session's start is given a brief.", extra=SWITCH)] = True
    recall: Annotated[bool, Meta(description="Whether a prompt is given earlier work that fits it.", extra=SWITCH)] = (
        True
    )
    file_history: Annotated[
        bool, Meta(description="Whether a file is given with what happened to it before.", extra=SWITCH)
    ] = True
    skip_tools: Annotated[
        tuple[str, ...], Meta(description="Tools of which nothing is kept, besides holdfast's own.")
    ] = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
    brief_tokens: Annotated[
        int, Meta(ge=0, le=1_400, description="The most tokens of the brief at a session's start.")
    ] = 340


class UserPromptSubmit(Struct, frozen=True, forbid_unknown_fields=True):
    """What a prompt is given unasked: at most three lines of what fits it."""

    enabled: Annotated[bool, Meta(description="Whether a prompt is given anything that fits it.", extra=SWITCH)] = True
    timeout: Annotated[
        float, Meta(gt=0, le=5, description="The most seconds that this hook may take; later it is left out.")
    ] = 0.5
    context_depth: Annotated[
        Literal["light", "rich"],
        Meta(description="`light`: titles and outcomes. `rich`: also the words that answer the prompt."),
    ] = "rich"
    token_budget: Annotated[
        int,
        Meta(
            ge=0,
            le=2_000,
            description="The most tokens that all rooms together give at a prompt.",
            extra=caps_event("UserPromptSubmit"),
        ),
    ] = 2_000
    include_code: Annotated[
        bool, Meta(description="Whether code that the prompt names may be given, too.", extra=SWITCH)
    ] = True


class Summaries(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules write the summaries. A model can write them again, in the background."""

    model: Annotated[
        str,
        Meta(
            description="The model that writes summaries, such as `haiku`, with your own `claude -p`; empty: no model."
        ),
    ] = ""
    command: Annotated[str, Meta(min_length=1, description="The Claude Code command that runs the model.")] = "claude"
    calls_per_day: Annotated[int, Meta(ge=0, description="The most runs of the model in a day (UTC).")] = 20
    usd_per_day: Annotated[
        float,
        Meta(ge=0, description="Daily spending limit in USD (UTC day), from the client's own estimate."),
    ] = 0.5
