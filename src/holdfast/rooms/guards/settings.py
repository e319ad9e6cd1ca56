"""The settings of this room: section `[guards]`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Commands that would destroy work are refused, asked about, or run after their bytes are kept."""

    mode: Annotated[
        Literal["on", "dry-run", "off"],
        Meta(description="`dry-run` decides and records, but lets everything pass."),
    ] = "on"
    unknown: Annotated[
        Literal["allow", "warn", "ask", "deny"],
        Meta(description="The decision about a program or a script that is computed when the command runs."),
    ] = "allow"
    undo: Annotated[
        bool, Meta(description="Copy what a command removes and let it run, where that is possible, instead of asking.")
    ] = True
    undo_bytes: Annotated[
        int,
        Meta(ge=0, description="Maximum bytes on the disk of the copies for `holdfast undo`; the oldest go first."),
    ] = 512 * 1024 * 1024
    undo_days: Annotated[int, Meta(ge=0, description="Days for which these copies are kept.")] = 7
    allow: Annotated[
        tuple[str, ...],
        Meta(description="Names of rules that are switched off, such as `git.push-force`; `git.*` is a whole pack."),
    ] = ()
