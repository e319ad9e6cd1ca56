"""The one cleaning step: everything that is stored, injected, logged or explained was cleaned here first (SEC-1,
EVT-18).

Every entrance uses it: the hook doors, the command client before it spools, transcripts, imports, tools. The payload
itself is not changed, because steps that may deny judge it as it came, in memory only. Standard library only, for the
command client.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from holdfast.road.mend import STRING_LIMIT, mend, mend_text, shorten

PAYLOAD_LIMIT = 2 * 1024 * 1024
"""Characters of a whole payload that go further: cleaning takes time in proportion."""


class ScrubsValues(Protocol):
    """What the road needs of a scrubber."""

    def value(self, value: object, /, breathe: Callable[[], None] | None = None) -> tuple[object, tuple[str, ...]]: ...

    def quickly(self, value: object, /) -> tuple[object, tuple[str, ...]]:
        """The same, or `Busy` when it would take more than a few milliseconds."""
        ...


@dataclass(frozen=True, slots=True)
class Clean:
    """A payload that may be stored, the names of the secrets that were removed, and how much was cut."""

    fields: dict[str, Any]
    found: tuple[str, ...] = ()
    cut: int = 0


def clean(
    fields: dict[str, Any],
    scrubber: ScrubsValues,
    *,
    limit: int = PAYLOAD_LIMIT,
    mended: bool = False,
    size: int = 0,
    quickly: bool = False,
    breathe: Callable[[], None] | None = None,
) -> Clean:
    """`fields` mended and scrubbed, as a copy.

    `mended` says that there is nothing to mend: the bytes were looked at, or it was done before. `size` is the length
    of the bytes, where there were some: a payload that cannot be too long is not measured. `quickly` raises
    `Busy` rather than keep others waiting; `breathe` is called every few hundred steps of a long work.
    """
    cut = 0
    if not mended:
        fields = copied(fields)
        if (not size or size > STRING_LIMIT) and (gone := shorten(fields, limit)):
            fields["holdfast_fault"] = f"{gone} items were left out: of a payload {limit} characters are read."
        cut = mend(fields)
    scrubbed, found = scrubber.quickly(fields) if quickly else scrubber.value(fields, breathe)
    assert isinstance(scrubbed, dict)
    return Clean(scrubbed, found, cut)


def clean_text(text: str, scrubber: ScrubsValues) -> str:
    """Clean one text that does not come from an event."""
    scrubbed, _ = scrubber.value(mend_text(text))
    return str(scrubbed)


def clean_value(scrubber: ScrubsValues, value: Any) -> Any:
    """Clean a text or decoded JSON that does not come from an event: an import, a tool, a model's answer."""
    if isinstance(value, dict):
        return clean(value, scrubber).fields
    return clean_text(value, scrubber) if isinstance(value, str) else scrubber.value(value)[0]


def copied(tree: dict[str, Any]) -> dict[str, Any]:
    """A copy of decoded JSON. Iterative, because the sender chooses the depth."""
    whole: dict[str, Any] = {}
    stack: list[tuple[Any, Any]] = [(tree, whole)]
    while stack:
        source, target = stack.pop()
        for key, value in source.items() if isinstance(source, dict) else enumerate(source):
            kept: Any = value
            if isinstance(value, dict | list):
                kept = {} if isinstance(value, dict) else []
                stack.append((value, kept))
            if isinstance(target, dict):
                target[key] = kept
            else:
                target.append(kept)
    return whole
