"""The settings of upkeep: section `[retention]`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.sections import same_as


class RetentionSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How many days things are kept. What sums up work and is worth anything does not age, nor do memories. 0 keeps the
    rest for ever, too."""

    journal_whole_days: Annotated[
        int,
        Meta(
            ge=0,
            description="Days for which the journal keeps whole events. Later it keeps those that items are made from, "
            "shortened.",
        ),
    ] = 14
    journal_days: Annotated[int, Meta(ge=0, description="Days after which events leave the journal.")] = 60
    journal_bytes: Annotated[
        int, Meta(ge=0, description="Maximum bytes of the journal's payloads. The oldest days are deleted first.")
    ] = 512 * 1024 * 1024
    detail_days: Annotated[
        int,
        Meta(
            ge=0,
            description="Days for which details of work are kept, such as single tool calls; a quarter of it for "
            "look-ups, and for items that are worth nothing (`holdfast why ID` says what one is worth).",
        ),
    ] = 365
    observation_days: Annotated[
        int, Meta(ge=0, description="Another name of `retention.detail_days`.", extra=same_as("retention.detail_days"))
    ] = 365
