"""The settings of upkeep: section `[retention]`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class RetentionSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How long what is kept. Summaries and memories stay for good; 0 keeps the rest for good, too."""

    journal_whole_days: Annotated[
        int,
        Meta(
            ge=0, description="How long the journal keeps events whole; later, shortened, and only those of substance."
        ),
    ] = 14
    journal_days: Annotated[int, Meta(ge=0, description="How long the journal keeps events at all.")] = 60
    journal_bytes: Annotated[
        int, Meta(ge=0, description="The most that the journal's payloads may take; the oldest days go first.")
    ] = 512 * 1024 * 1024
    observation_days: Annotated[
        int, Meta(ge=0, description="How long observations are kept; those of reading and searching a quarter of it.")
    ] = 365
