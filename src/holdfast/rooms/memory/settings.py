"""What the user may choose about memory: `[memory]` and `[summaries]` of config.toml."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from holdfast.events.steps import caps_event
from holdfast.project_file import SWITCH


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens is kept, and given back where it fits."""

    inject: Annotated[
        bool,
        Meta(
            description="Inject memory automatically. Storage and search work either way.",
            extra=SWITCH,
        ),
    ] = True
    brief: Annotated[bool, Meta(description="Add a brief at session start.", extra=SWITCH)] = True
    recall: Annotated[bool, Meta(description="Add earlier work that fits a prompt.", extra=SWITCH)] = True
    file_history: Annotated[bool, Meta(description="Add a file's history when it is opened.", extra=SWITCH)] = True
    skip_tools: Annotated[
        tuple[str, ...], Meta(description="Tools whose calls are not stored; holdfast's own never are.")
    ] = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
    brief_tokens: Annotated[int, Meta(ge=0, le=1_400, description="Token limit of the brief at session start.")] = 340


class PromptSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a prompt is given unasked: at most three lines of what fits it."""

    enabled: Annotated[bool, Meta(description="Add context that fits a prompt.", extra=SWITCH)] = True
    timeout: Annotated[float, Meta(gt=0, le=5, description="Time limit in seconds; a slower result is dropped.")] = 0.5
    context_depth: Annotated[
        Literal["light", "rich"],
        Meta(description="`light`: titles and outcomes. `rich`: also the words that answer the prompt."),
    ] = "rich"
    token_budget: Annotated[
        int,
        Meta(
            ge=0,
            le=2_000,
            description="Token limit of all context at a prompt.",
            extra=caps_event("UserPromptSubmit"),
        ),
    ] = 2_000
    include_code: Annotated[bool, Meta(description="Also add code that the prompt names.", extra=SWITCH)] = True


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
