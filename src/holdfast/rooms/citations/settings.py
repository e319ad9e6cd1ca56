"""What the user may choose about web citations: `[citations]` of config.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Web pages that were read before answer a WebFetch when their origin proves them unchanged."""

    enabled: Annotated[bool, Meta(description="Store the readings of web pages, and answer WebFetch from them.")] = True
    shared: Annotated[
        bool,
        Meta(
            description="Keep readings for all projects instead of each for its own; on PostgreSQL for the whole team, "
            "except pages on private networks and pages that depend on who is logged in."
        ),
    ] = False
    allow_private: Annotated[
        tuple[str, ...],
        Meta(
            description="Host names, addresses and networks that may be asked although they are not public, such as "
            '`["docs.corp.example", "10.0.0.0/8"]`.'
        ),
    ] = ()
    ca_file: Annotated[
        str, Meta(description="A PEM file of certificates to trust beside the system's, for origins inside a company.")
    ] = ""
    max_bytes: Annotated[
        int, Meta(ge=0, description="Maximum bytes of text; beyond it the least recently used readings are deleted.")
    ] = 64 * 1024 * 1024
    debug: Annotated[
        bool, Meta(description="Write to the log, for every WebFetch, what the origin said and why it hit or missed.")
    ] = False
