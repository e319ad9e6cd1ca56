"""What the user may choose about memory: `[memory]` and `[summaries]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens is kept, and given back where it fits."""

    inject: Annotated[
        bool, Meta(description="Whether anything is given to the agent unasked; it is kept and found all the same.")
    ] = True
    skip_tools: Annotated[
        tuple[str, ...], Meta(description="Tools of which nothing is kept, besides holdfast's own.")
    ] = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
    brief_tokens: Annotated[
        int, Meta(ge=0, le=1_400, description="The most tokens that the brief at a session's start may cost.")
    ] = 700
    recall_tokens: Annotated[
        int, Meta(ge=0, le=1_400, description="The most tokens that what a prompt recalls may cost.")
    ] = 600


class Summaries(Struct, frozen=True, forbid_unknown_fields=True):
    """Summaries are made by rules, without a model. One can write them anew, in the background."""

    model: Annotated[
        str,
        Meta(
            description="The model that writes summaries, such as `haiku`, by your own `claude -p`; empty: none does."
        ),
    ] = ""
    command: Annotated[str, Meta(min_length=1, description="The Claude Code that is run for it.")] = "claude"
    calls_per_day: Annotated[int, Meta(ge=0, description="The most runs in a day (UTC).")] = 20
    usd_per_day: Annotated[
        float,
        Meta(
            ge=0, description="No run begins when the runs of the day (UTC) have cost so much, as the client reckons."
        ),
    ] = 0.5
