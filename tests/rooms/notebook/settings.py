"""What the user may choose about the notebook: `[notebook]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Notes that the user dictates in a prompt."""

    word: Annotated[str, Meta(min_length=1, description="The word that begins a prompt with a note.")] = "note"
    kept_days: Annotated[int, Meta(ge=0, description="Days after which notes go; 0 keeps them for ever.")] = 365
    most: Annotated[int, Meta(ge=1, description="Notes from which on doctor warns.")] = 1_000
