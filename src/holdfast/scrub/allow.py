"""What stays although it looks like a secret: the well-known fakes of rules.toml and the user's own list."""

import re
from collections.abc import Iterable

from .rules import Allow

LONGEST = 256


class AllowList:
    def __init__(self, allow: Allow, own: Iterable[str]) -> None:
        self._allow = allow
        self._own_literals = frozenset(own)
        self._own = [pattern for entry in sorted(self._own_literals) if (pattern := _pattern(entry))]
        self._shared: tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]] | None = None

    def covers(self, value: str) -> bool:
        """Is this candidate known to be no secret?"""
        if value in self._own_literals or any(pattern.fullmatch(value) for pattern in self._own):
            return True
        if value in self._allow.known or any(known in value for known in self._allow.known):
            return True
        if self._shared is None:
            self._shared = (
                re.compile("|".join(self._allow.values), re.IGNORECASE),
                re.compile("|".join(self._allow.starts), re.IGNORECASE),
                re.compile("|".join(self._allow.contains), re.IGNORECASE),
            )
        values, starts, contains = self._shared
        cut = value[:LONGEST]
        return bool(values.fullmatch(cut) or starts.match(cut) or contains.search(value[:LONGEST]))

    def precedes(self, folded: bytes, start: int) -> bool:
        """Does the text before say that a digest, a picture or a public key follows?"""
        return folded[max(0, start - 16) : start].endswith(self._allow.before)


def _pattern(entry: str) -> re.Pattern[str] | None:
    """An entry that is no regular expression is a literal, and stands in the list of literals already."""
    try:
        return re.compile(entry)
    except re.error:
        return None
