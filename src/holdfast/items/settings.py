"""What the user may choose about items that are given unasked: `[inject]` and `[user_prompt_submit]` of config.toml."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH
from holdfast.sections import caps_event


class InjectSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What fits is given to an agent that did not ask, whichever room keeps it."""

    enabled: Annotated[
        bool,
        Meta(
            description="Inject items automatically: the brief, what fits a prompt, a file's history. Storage and "
            "search work either way.",
            extra=SWITCH,
        ),
    ] = True
    brief: Annotated[bool, Meta(description="Add a brief at session start.", extra=SWITCH)] = True
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
