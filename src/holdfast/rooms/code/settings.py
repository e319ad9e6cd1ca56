"""What the user may choose about the code index: `[code]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from holdfast.project_file import SWITCH


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The functions and classes of a project."""

    index: Annotated[
        bool,
        Meta(
            description="Whether a repository is indexed by itself, after an agent first reads or edits code in it. "
            "`holdfast code index` works without it.",
            extra=SWITCH,
        ),
    ] = True
    at_read: Annotated[
        bool,
        Meta(description="When a source file is read, name its tests and the files that use it.", extra=SWITCH),
    ] = True
    most_files: Annotated[
        int, Meta(ge=100, le=200_000, description="Maximum number of indexed files per folder; the rest is left out.")
    ] = 20_000
    largest_file: Annotated[int, Meta(ge=10_000, le=4_000_000, description="Bytes; a larger file is left out.")] = (
        1_000_000
    )
    exclude: Annotated[
        tuple[str, ...],
        Meta(description='Patterns of paths that are left out: `["docs/*", "*/fixtures/*"]`.'),
    ] = ()
    days: Annotated[
        int, Meta(ge=1, le=3_650, description="Days after which the index of an unused folder is deleted.")
    ] = 60
