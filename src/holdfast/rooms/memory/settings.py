"""What the user may choose about memory: `[memory]` and `[summaries]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH
from holdfast.sections import same_as


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens is kept. What is given of it at a start and at a prompt is chosen by the house; four of its settings
    have names of this section, too, because users have them in their files."""

    inject: Annotated[
        bool, Meta(description="Another name of `inject.enabled`.", extra=SWITCH | same_as("inject.enabled"))
    ] = True
    brief: Annotated[
        bool, Meta(description="Another name of `inject.brief`.", extra=SWITCH | same_as("inject.brief"))
    ] = True
    recall: Annotated[
        bool,
        Meta(
            description="Another name of `user_prompt_submit.enabled`.",
            extra=SWITCH | same_as("user_prompt_submit.enabled"),
        ),
    ] = True
    file_history: Annotated[bool, Meta(description="Add a file's history when it is opened.", extra=SWITCH)] = True
    skip_tools: Annotated[
        tuple[str, ...], Meta(description="Tools whose calls are not stored; holdfast's own never are.")
    ] = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
    brief_tokens: Annotated[
        int, Meta(description="Another name of `inject.brief_tokens`.", extra=same_as("inject.brief_tokens"))
    ] = 340


class Summaries(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules write the summaries. A model can write them again, in the background."""

    model: Annotated[
        str,
        Meta(
            description="The model that writes summaries, such as `haiku`, with your own `claude -p`; empty: no model."
        ),
    ] = ""
    command: Annotated[str, Meta(min_length=1, description="The Claude Code command that runs the model.")] = "claude"
    calls_per_day: Annotated[int, Meta(ge=0, description="Maximum model runs per day (UTC).")] = 20
    usd_per_day: Annotated[
        float,
        Meta(ge=0, description="Daily spending limit in USD (UTC day), from the client's own estimate."),
    ] = 0.5
