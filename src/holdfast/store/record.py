"""What a home remembers about its store, outside of it: so that a store that is gone differs from a first start.

One small owner-only file. Each store that the home has used has an entry, by its place: who it is, when it was made,
how large it last was, what checks found, and what a restore still has to bring back. Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holdfast.paths import write_private
from holdfast.store.mask import mask

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Damage:
    """What was found. It stands until the file is another one, or a check finds it whole."""

    sentence: str
    kind: str
    found_at: int
    stamp: tuple[int, ...] = ()
    """The file as it was then: the same file need not be examined again."""


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What is read back from the client's transcripts after a restore."""

    since: int
    """Microseconds: the newest that the restored store knows."""
    is_done: bool = False
    events: int = 0


@dataclass(frozen=True, slots=True)
class Remembered:
    """One store."""

    id: str
    born_at: int
    bytes: int = 0
    seen_at: int = 0
    checked_at: int = 0
    """When all of it was last found whole."""
    backed_up_at: int = 0
    damage: Damage | None = None
    refill: ReadBack | None = None
    note: str = ""
    """Something to tell that keeps nobody from working."""

    def is_about(self, facts: Mapping[str, str]) -> bool:
        """Is this the store with these facts? One from before stores had ids is known by its birth."""
        if "store_id" in facts:
            return facts["store_id"] == self.id
        return facts.get("born_at") == str(self.born_at)


@dataclass(slots=True)
class StoreRecord:
    """The record of one home about one store. Reading and writing are whole; the daemon's lock keeps writers apart."""

    path: Path
    place: str

    @classmethod
    def of(cls, path: Path, url: str) -> StoreRecord:
        return cls(path, place_of(path.parent, url))

    def read(self) -> Remembered | None:
        """What is remembered; None for a store that this home has never used, or when the file cannot be read."""
        entry = self._entries().get(self.place)
        try:
            return _remembered(entry) if entry else None
        except (TypeError, ValueError, AttributeError):
            return None

    def write(self, remembered: Remembered | None) -> None:
        entries = self._entries()
        entries.pop(self.place, None)
        if remembered is not None:
            entries[self.place] = asdict(remembered)
        content = {"version": _VERSION, "stores": entries}
        write_private(self.path, json.dumps(content, indent=1).encode() + b"\n")

    def change(self, **fields: Any) -> None:
        """Change some of it, if there is anything to change."""
        known = self.read()
        if known is not None:
            self.write(replace(known, **fields))

    @property
    def is_missing(self) -> bool:
        """Is there no record yet of a store inside the home? (Homes had none before stores had ids.)"""
        return not self.path.exists() and "/" not in self.place

    @property
    def is_broken(self) -> bool:
        """Is there a file that says nothing? Then there was a store, whoever it was."""
        return self.path.exists() and not self._entries()

    def _entries(self) -> dict[str, Any]:
        try:
            content = json.loads(self.path.read_bytes())
            entries = content["stores"]
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        return entries if isinstance(entries, dict) else {}


def place_of(home: Path, url: str) -> str:
    """The name of a store's place: a file of this home by its name alone, so that a home can be moved."""
    parts = urlsplit(url)
    if parts.scheme != "sqlite":
        return mask(url)
    path = Path(parts.path)
    return path.name if path.parent == home else str(path)


def _remembered(entry: dict[str, Any]) -> Remembered:
    damage, refill = entry.get("damage"), entry.get("refill")
    return Remembered(
        id=str(entry["id"]),
        born_at=int(entry.get("born_at") or 0),
        bytes=int(entry.get("bytes") or 0),
        seen_at=int(entry.get("seen_at") or 0),
        checked_at=int(entry.get("checked_at") or 0),
        backed_up_at=int(entry.get("backed_up_at") or 0),
        damage=Damage(
            str(damage["sentence"]), str(damage["kind"]), int(damage["found_at"]), tuple(damage.get("stamp") or ())
        )
        if damage
        else None,
        refill=ReadBack(int(refill["since"]), bool(refill["is_done"]), int(refill["events"])) if refill else None,
        note=str(entry.get("note") or ""),
    )
