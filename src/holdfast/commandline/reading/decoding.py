"""Texts that the line itself holds in another form: `echo cm0gLXJmIH4= | base64 -d`. Pure; bounded.

What can be read is judged as what it is. What cannot be read stays what nobody has read.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence

_LONGEST = 20_000


def decoded(program: str, words: Sequence[str], text: str) -> str | None:
    """What a decoder prints of a text that it reads; None where it is no decoder, or the text is none of its kind."""
    way = _WAYS.get(program)
    if way is None or len(text) > _LONGEST:
        return None
    try:
        return way(words, text)
    except (ValueError, binascii.Error):
        return None


def operands(words: Sequence[str]) -> list[str]:
    """The files that a decoder is given."""
    return [word for word in words if word == "-" or not word.startswith("-")]


def _is_told(words: Sequence[str], letters: str, *names: str) -> bool:
    """Is one of its letters, or a name, among the options?"""
    return any(
        word in names or (word[:1] == "-" and word[1:2] != "-" and not set(letters).isdisjoint(word[1:]))
        for word in words
    )


def _base(words: Sequence[str], text: str) -> str | None:
    if not _is_told(words, "dD", "--decode"):
        return None
    return _strictly(text)


def _strictly(text: str) -> str:
    """A decoder goes on behind a padding and over signs that are none of its own; what differs there is not read."""
    return base64.b64decode("".join(text.split()), validate=True).decode()


def _base32(words: Sequence[str], text: str) -> str | None:
    return base64.b32decode("".join(text.split())).decode() if _is_told(words, "dD", "--decode") else None


def _basenc(words: Sequence[str], text: str) -> str | None:
    kinds = [word for word in words if word.startswith("--base")]
    if kinds == ["--base64"]:
        return _base(words, text)
    if kinds == ["--base32"]:
        return _base32(words, text)
    return bytes.fromhex(text).decode() if kinds == ["--base16"] and _is_told(words, "d", "--decode") else None


def _xxd(words: Sequence[str], text: str) -> str | None:
    plain = _is_told(words, "r", "-revert", "--revert") and _is_told(words, "p", "-ps", "-plain", "--ps", "--plain")
    plain = plain and all(word in _XXD_PLAIN for word in words)  # `-s` skips some of it
    return bytes.fromhex(text).decode() if plain else None


def _openssl(words: Sequence[str], text: str) -> str | None:
    is_base = words[:1] in (["base64"], ("base64",)) or (words[:1] in (["enc"], ("enc",)) and "-base64" in words[1:])
    known = is_base and all(word in ("base64", "enc", "-base64", "-d", "-A", "-a") for word in words)
    return _strictly(text) if known and "-d" in words else None


def _reversed(words: Sequence[str], text: str) -> str | None:
    return None if words else "\n".join(line[::-1] for line in text.split("\n"))


_XXD_PLAIN = frozenset({"-r", "-p", "-rp", "-pr", "-ps", "-plain", "-revert", "--ps", "--plain", "--revert", "-"})
_WAYS: dict[str, Callable[[Sequence[str], str], str | None]] = {
    "base64": _base, "gbase64": _base, "base32": _base32, "basenc": _basenc, "xxd": _xxd, "openssl": _openssl,
    "rev": _reversed,
}  # fmt: skip
DECODERS = frozenset(_WAYS)
