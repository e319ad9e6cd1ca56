"""What stays although it looks like a secret: the well-known fakes of rules.toml and the user's own list."""

import re
from collections.abc import Iterable

from .rules import Allow

LONGEST = 256
REACH = 40
DIGEST = re.compile(
    rb"(?:sha-?_?(?:1|224|256|384|512)|md5|blake[23][a-z]?|etag|checksum|digest|integrity|fingerprint|crc32c?)"
    rb"(?:sum|[-_](?:sum|hash|digest))?[\"']{0,2}[ \t]{0,4}[-:=>(,][=>]?[ \t]{0,4}(?:w/)?\\{0,2}[\"']?\Z"
)
"""What names a digest, in any notation: `sha256=…`, `"sha512": "…"`, `ETag: W/"…"`."""


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
        front = folded[max(0, start - REACH) : start]
        return front.endswith(self._allow.before) or DIGEST.search(front) is not None


def _pattern(entry: str) -> re.Pattern[str] | None:
    """An entry that is no regular expression is a literal, and stands in the list of literals already."""
    try:
        return re.compile(entry)
    except re.error:
        return None
