"""The folder of kept things: one folder each, with `kept.json` and `files/`.

Bounded in bytes and days. The bytes are not scrubbed: the folder is the owner's alone, never exported, backed up or
indexed. Commits that a dropped stash or branch would lose are held by a private ref.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holdfast.errors import NothingFound, UsageError
from holdfast.ids import ConversationId
from holdfast.rooms.room import Going
from holdfast.undo import keeping, restoring
from holdfast.undo.git import Git
from holdfast.undo.model import Kept, KeptRef, NotKept

REFS = "refs/holdfast/undo"
_LONGEST_COMMAND = 4_000
_DAY_US = 86_400_000_000
_HOUR_US = 3_600_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall be kept before one command."""

    removed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    """Written over in place: these are copied, and all others with them."""
    root: str = ""
    refs: tuple[KeptRef, ...] = ()
    index: str = ""
    branch: str = ""

    @property
    def is_nothing(self) -> bool:
        return not self.removed and not self.replaced and not self.refs


class Undo:
    """Keeps, lists, brings back, drops."""

    def __init__(self, folder: Path, *, most_bytes: int, days: int) -> None:
        self.most_bytes = most_bytes
        self.days = days
        self._folder = folder
        self._counted = (-1, 0)
        """When the folder last changed, and the bytes of all that was kept then."""

    def keep(
        self,
        kept_id: str,
        wanted: Wanted,
        *,
        command: str,
        rule: str,
        conversation: ConversationId,
        now: int,
        seconds: float,
    ) -> Kept:
        """Keep this before a command runs, or raise NotKept and keep nothing."""
        folder = self._folder / kept_id
        try:
            keeping.make_folder(folder)
        except OSError as error:
            raise NotKept(f"{error.strerror or error}") from error
        try:
            taking = keeping.Taking(
                folder / "files", left=self.most_bytes - self.used(), until=time.monotonic() + seconds
            )
            taking.take([*wanted.removed, *wanted.replaced], copy=bool(wanted.replaced))
            if wanted.index and os.path.exists(wanted.index):
                taking.take_index(wanted.index)
            self._hold(kept_id, wanted)
            kept = Kept(
                id=kept_id,
                command=command[:_LONGEST_COMMAND],
                conversation=conversation,
                created_at=now,
                bytes=taking.size,
                rule=rule,
                files=taking.files,
                root=wanted.root,
                refs=list(wanted.refs),
                index=wanted.index,
                branch=wanted.branch,
            )
            with open(folder / "kept.json", "xb", opener=keeping.private) as file:
                file.write(msgspec.json.encode(kept))
        except (OSError, NotKept) as error:
            keeping.remove_folder(folder)
            raise NotKept((error.strerror if isinstance(error, OSError) else "") or str(error)) from error
        self._counted = (-1, 0)
        return kept

    def _hold(self, kept_id: str, wanted: Wanted) -> None:
        git = Git(wanted.root)
        for number, ref in enumerate(wanted.refs):
            if git.ask("update-ref", f"{REFS}/{kept_id}/{number}", ref.object) is None:
                raise NotKept("git could not hold the commits")

    def listed(self) -> list[Kept]:
        """All kept things, the newest first."""
        found = []
        for file in self._folder.glob("*/kept.json"):
            try:
                found.append(msgspec.json.decode(file.read_bytes(), type=Kept))
            except (OSError, msgspec.MsgspecError):
                continue
        return sorted(found, key=lambda kept: (kept.created_at, kept.id), reverse=True)

    def find(self, kept_id: str = "") -> Kept:
        """The one with this id (or its beginning); without one the newest."""
        found = [kept for kept in self.listed() if kept.id.startswith(kept_id)]
        if not found:
            raise NothingFound(
                "Nothing is kept to undo."
                if not kept_id
                else f"Nothing is kept under {kept_id}. `holdfast undo --list` shows what is."
            )
        if kept_id and len(found) > 1:
            raise UsageError(f"{kept_id} means more than one; say {' or '.join(kept.id for kept in found[:5])}.")
        return found[0]

    def restore(self, kept: Kept, *, over: bool = False) -> list[str]:
        """Bring it back; what was written."""
        return restoring.restore(kept, self._folder / kept.id / "files", over=over)

    def used(self) -> int:
        """Bytes of all that is kept."""
        try:
            changed = self._folder.stat().st_mtime_ns
        except OSError:
            return 0
        if self._counted[0] != changed:
            self._counted = (changed, sum(kept.bytes for kept in self.listed()))
        return self._counted[1]

    def tidy(self, now: int) -> int:
        """Remove what is older than its days, and the oldest beyond the bytes. How many were removed."""
        total = 0
        gone = []
        for kept in self.listed():
            total += kept.bytes
            if now - kept.created_at > self.days * _DAY_US or total > self.most_bytes:
                gone.append(kept)
        self.drop(gone)
        self._drop_halves(now)
        return len(gone)

    def drop(self, gone: Sequence[Kept]) -> None:
        """Remove kept things for good."""
        for kept in gone:
            for number in range(len(kept.refs)):
                Git(kept.root).ask("update-ref", "-d", f"{REFS}/{kept.id}/{number}")
            keeping.remove_folder(self._folder / kept.id)

    def forget(self, going: Going) -> int:
        """Remove every kept thing that holds what is forgotten, as a whole; how many went.

        Of one that lost some of its bytes `undo` would bring back less than was there, and could not say what."""
        gone = [kept for kept in self.listed() if self._holds(kept, going)]
        self.drop(gone)
        return len(gone)

    def holds(self, going: Going) -> int:
        """How many kept things `forget` would remove."""
        return sum(self._holds(kept, going) for kept in self.listed())

    def _holds(self, kept: Kept, going: Going) -> bool:
        if going.conversation and kept.conversation == going.conversation:
            return True
        if kept.created_at < going.before:
            return True
        if any(
            each.path == name or each.path.endswith(f"/{name.lstrip('/')}")
            for each in kept.files
            for name in going.files
        ):
            return True
        text = going.text.lower()
        if not text:
            return False
        said = [kept.command, *(each.path for each in kept.files), *(ref.message for ref in kept.refs)]
        if any(text in each.lower() for each in said):
            return True
        files = self._folder / kept.id / "files"
        return any(keeping.holds(files / each.at, text) for each in kept.files if each.kind == "file")

    def drop_ids(self, ids: Sequence[str]) -> None:
        self.drop([kept for kept in self.listed() if kept.id in ids])

    def _drop_halves(self, now: int) -> None:
        """Folders of a keeping that broke off."""
        for folder in self._folder.glob("*"):
            if not (folder / "kept.json").exists() and now - folder.stat().st_mtime * 1e6 > _HOUR_US:
                keeping.remove_folder(folder)
