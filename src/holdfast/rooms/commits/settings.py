"""What the user may choose about commits: `[commits]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The history of a project's repository."""

    index: Annotated[bool, Meta(description="Read the commits of a project when a session starts.", extra=SWITCH)] = (
        True
    )
    most: Annotated[
        int, Meta(ge=100, le=50_000, description="Maximum number of commits for each project; the newest are kept.")
    ] = 5_000
    at_read: Annotated[
        bool,
        Meta(description="When a file is read, name the files that usually change with it.", extra=SWITCH),
    ] = True
