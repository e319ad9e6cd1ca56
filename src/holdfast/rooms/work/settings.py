"""What the user may choose about work: `[work]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Efforts, heartbeat and directives."""

    skills_start_efforts: Annotated[
        bool, Meta(description="The slash command of a skill with phases starts an effort.", extra=SWITCH)
    ] = True
    context_line: Annotated[
        bool, Meta(description="Give the agent one line about its effort at each prompt.", extra=SWITCH)
    ] = True
    directives: Annotated[
        bool,
        Meta(
            description="Give the agent AGENTS.md and `.directives/` of folders that an effort touches.", extra=SWITCH
        ),
    ] = True
    overflow_percent: Annotated[
        int, Meta(ge=1, le=100, description="Context use at which an agent with an effort is told to dehydrate.")
    ] = 90
    directive_tokens: Annotated[
        int, Meta(ge=0, le=800, description="Token limit of the directives at one tool call.")
    ] = 600
    preload_tokens: Annotated[
        int,
        Meta(
            ge=0, le=1_200, description="Token limit of the files that a new window gets; larger files are only named."
        ),
    ] = 600
