"""What both databases can keep of a Python string: no NUL (PostgreSQL), no lone surrogate (UTF-8).

Both stores replace the same characters by U+FFFD, so that a store can be moved and compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.store.interface import Value


def storable(value: Value) -> Value:
    """`value`, with what no database can keep replaced."""
    if not isinstance(value, str):
        return value
    if "\0" in value:
        value = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            # By way of UTF-16, where two surrogates that belong together become the character they mean.
            value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def storable_row(row: Mapping[str, Value]) -> dict[str, Value]:
    return {name: storable(value) for name, value in row.items()}


def has_nul(values: Iterable[Value]) -> bool:
    """Is there a NUL in a text? (A loop on purpose: this is on the path of every write.)"""
    for value in values:  # noqa: SIM110
        if type(value) is str and "\0" in value:
            return True
    return False
