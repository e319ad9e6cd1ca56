"""The folder of undo copies: one folder each, with `kept.json` and `files/`.

Bounded in bytes and days. The bytes are not scrubbed: the folder is the owner's alone, never exported, backed up or
indexed. Commits that a dropped stash or branch would lose are held by a private ref.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import NothingFound, Refused, UsageError
from holdfast.events.going import Going
from holdfast.ids import ConversationId
from holdfast.processes import is_running
from holdfast.times import DAY_US, HOUR_US, MINUTE_US
from holdfast.undo import keeping, restoring
from holdfast.undo.git import Git
from holdfast.undo.model import Kept, KeptFile, KeptRef, KeptSize, NotKept, decoded, encoded, printable

REFS = "refs/holdfast/undo"
_LIST, _UNFINISHED, _BEGUN = "kept.json", "kept.json.new", "begun.json"
"""What one undo copy holds; under its second name until all of it is there. Before: who keeps, and where."""
_LONGEST_COMMAND = 4_000
BY_UNDO = "undo"
"""In place of a rule: `undo --over` has kept what it wrote over."""
_MOMENT_US = MINUTE_US
"""While the command itself may still run."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall be kept before one command."""

    removed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    """Written over in place: these are copied, and all others with them."""
    committed: tuple[str, ...] = ()
    """Removed or written over too, and in the last commit: git brings them back."""
    root: str = ""
    refs: tuple[KeptRef, ...] = ()
    index: str = ""
    branch: str = ""
    detached: str = ""
    stashes: tuple[KeptRef, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    config: str = ""
    replaces: bool = False
    """It leaves something else in their place."""
    copied: bool = False
    """Another part of the line may write into what is removed, before it is: all of it is copied."""

    @property
    def is_nothing(self) -> bool:
        return not (self.removed or self.replaced or self.refs or self.stashes or self.settings)


class Undo:
    """Keeps, lists, brings back, drops."""

    def __init__(self, folder: Path, *, most_bytes: int, days: int) -> None:
        self.most_bytes = most_bytes
        self.days = days
        self._folder = folder
        self._sizes: dict[str, KeptSize] = {}
        """Of the copies that were there when the folder was last listed. One that is whole never changes."""

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
        spared: str = "",
    ) -> Kept:
        """Keep this before a command runs, or raise NotKept and keep nothing. `spared` is not dropped to make room."""
        folder = self._folder / kept_id
        until = time.monotonic() + seconds
        others = [each for each in self._sized() if each.id != spared]
        gone = self._too_old(others, now)
        self._begin(folder, wanted.root, gone)
        try:
            commit = self._hold(kept_id, wanted, until)  # first: the repository itself may be what is taken
            taking = keeping.Taking(folder / "files", until=until)
            paths = [*wanted.removed, *wanted.replaced]
            taking.look(paths, beside=wanted.committed, index=wanted.index, config=wanted.config)
            self._make_room(taking.size, [each for each in others if each not in gone], spared)
            taking.take(copy=bool(wanted.replaced) or wanted.copied, index=wanted.index, config=wanted.config)
            kept = Kept(
                id=kept_id,
                command=command[:_LONGEST_COMMAND],
                conversation=conversation,
                created_at=now,
                bytes=taking.size,
                rule=rule,
                files=[*taking.files, *(_committed(wanted.committed) if commit else ())],
                root=wanted.root,
                refs=list(wanted.refs),
                index=wanted.index,
                branch=wanted.branch,
                detached=wanted.detached,
                commit=commit,
                stashes=list(wanted.stashes),
                settings=list(wanted.settings),
                config=wanted.config,
                replaces=wanted.replaces,
            )
            with open(folder / _UNFINISHED, "xb", opener=keeping.private) as file:
                file.write(encoded(kept))
            taking.check()
            if self._at(kept_id, _UNFINISHED) != kept:
                raise NotKept("what was kept could not be read again")
            os.rename(folder / _UNFINISHED, folder / _LIST)  # from here on it is kept
            with suppress(OSError):
                os.unlink(folder / _BEGUN)
        except Exception as error:  # whatever it is: what is not whole in the store is not promised
            self._leave(folder, wanted.root, kept_id)
            raise NotKept(keeping.reason(error)) from error
        return kept

    def _begin(self, folder: Path, root: str, too_old: Iterable[KeptSize]) -> None:
        """Make the folder of a new copy, and say in it who keeps."""
        try:
            self.drop(too_old)
            keeping.make_folder(folder)
            with open(folder / _BEGUN, "xb", opener=keeping.private) as file:
                file.write(json.dumps([os.getpid(), root]).encode())
        except Exception as error:  # a full disk, a read-only folder; git, of which an old copy holds a commit
            raise NotKept(keeping.reason(error)) from error

    def _leave(self, folder: Path, root: str, kept_id: str) -> None:
        """Remove what a keeping that failed has left, as far as that can be done: it is listed nowhere."""
        keeping.remove_folder(folder)
        with suppress(Exception):  # the repository may be what is broken
            self._drop_refs(root, kept_id)

    def _make_room(self, size: int, others: Sequence[KeptSize], spared: str) -> None:
        """Drop the oldest until this fits. What is larger than all the room there is, drops nothing."""
        kept = self._at(spared) if spared else None
        room = self.most_bytes - (kept.bytes if kept else 0)
        if size > room:
            raise NotKept("it is larger than the room for undo copies, which the setting `undo_bytes` gives")
        left = room - sum(each.bytes for each in others) - size
        gone = []
        for each in sorted(others, key=lambda each: (each.created_at, each.id)) if left < 0 else ():
            if left >= 0:
                break
            gone.append(each)
            left += each.bytes
        self.drop(gone)

    def _hold(self, kept_id: str, wanted: Wanted, until: float) -> str:
        """Hold the commits by private refs, and check it; the last commit, if it has files to bring back."""
        if not wanted.root:
            return ""
        git = Git(wanted.root, max(until, time.monotonic() + 0.2))
        commit = git.commit("HEAD") if wanted.committed else ""
        objects = _objects(wanted)
        if not objects:
            return commit
        named = {f"{REFS}/{kept_id}/{number}": each for number, each in enumerate(objects)}
        told = "".join(f"create {name} {each}\n" for name, each in named.items())
        git.ask("update-ref", "--stdin", given=told)
        if git.refs_below(f"{REFS}/{kept_id}/") != named:
            raise NotKept("git could not hold the commits")
        return commit

    def _at(self, kept_id: str, name: str = _LIST) -> Kept | None:
        try:
            return decoded((self._folder / kept_id / name).read_bytes())
        except (OSError, ValueError):
            return None

    def listed(self) -> list[Kept]:
        """All undo copies, the newest first."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        found = [kept for name in names if (kept := self._at(name)) is not None]
        return sorted(found, key=lambda kept: (kept.created_at, kept.id), reverse=True)

    def find(self, kept_id: str = "") -> Kept:
        """The one with this id (or its beginning); without one the newest that was kept before a command."""
        found = [kept for kept in self.listed() if kept.id.startswith(kept_id) and (kept_id or kept.rule != BY_UNDO)]
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

    def keep_present(self, kept: Kept, *, now: int, seconds: float) -> Kept | None:
        """Keep what bringing this back would write over; None when it writes over nothing."""
        paths = restoring.replaced(kept, self._folder / kept.id / "files")
        if not paths:
            return None
        try:
            return self.keep(
                secrets.token_hex(4), Wanted(replaced=tuple(paths), replaces=True),
                command=f"holdfast undo {kept.id} --over", rule=BY_UNDO, conversation=kept.conversation, now=now,
                seconds=seconds, spared=kept.id,
            )  # fmt: skip
        except NotKept as error:
            why = printable(str(error))
            raise Refused(
                f"{restoring.named(paths)} would be replaced, and what is there now cannot be kept ({why}); "
                "nothing was changed. Move it away, then call again."
            ) from error

    def used(self) -> int:
        """Bytes of all that is kept."""
        return sum(each.bytes for each in self._sized())

    def _sized(self) -> list[KeptSize]:
        """The size and time of all undo copies. Each is read once: to keep one more costs the same however many there
        are."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            names = []
        known, found = self._sizes, {}
        for name in names:
            if name in known:
                found[name] = known[name]
            elif (kept := self._at(name)) is not None:
                found[name] = KeptSize(name, kept.created_at, kept.bytes)
        self._sizes = found
        return list(found.values())

    def tidy(self, now: int) -> int:
        """Remove what is older than its days, and the oldest beyond the bytes. How many were removed."""
        total = 0
        there = sorted(self._sized(), key=lambda each: (each.created_at, each.id), reverse=True)
        gone = self._too_old(there, now)
        for each in there:
            total += each.bytes
            if total > self.most_bytes:
                gone.add(each)
        self.drop(gone)
        self.drop_halves(now)
        return len(gone)

    def _too_old(self, there: Iterable[KeptSize], now: int) -> set[KeptSize]:
        """Kept for longer than its days. One that was kept a moment ago is not too old even with no days at all."""
        oldest = now - max(self.days * DAY_US, _MOMENT_US)
        return {each for each in there if each.created_at < oldest}

    def drop(self, gone: Iterable[Kept | KeptSize]) -> None:
        """Remove undo copies for good."""
        for each in gone:
            kept = each if isinstance(each, Kept) else self._at(each.id)
            if kept is not None and _objects(kept):
                self._drop_refs(kept.root, kept.id)
            keeping.remove_folder(self._folder / each.id)

    def _drop_refs(self, root: str, kept_id: str) -> None:
        if not root or not os.path.isdir(root):
            return
        git = Git(root)
        held = git.refs_below(f"{REFS}/{kept_id}/")
        if held:
            git.ask("update-ref", "--stdin", given="".join(f"delete {name}\n" for name in held))

    def forget(self, going: Going) -> int:
        """Remove every undo copy that holds what is forgotten, as a whole; how many went.

        Of one that lost some of its bytes `undo` would bring back less than was there, and could not say what."""
        gone = [kept for kept in self.listed() if self._holds(kept, going)]
        self.drop(gone)
        return len(gone)

    def holds(self, going: Going) -> int:
        """How many undo copies `forget` would remove."""
        return sum(self._holds(kept, going) for kept in self.listed())

    def _holds(self, kept: Kept, going: Going) -> bool:
        if going.conversation and kept.conversation == going.conversation:
            return True
        if kept.created_at < going.before:
            return True
        if any(
            each.path == name or each.path.endswith(f"/{name.lstrip('/')}")
            for each in kept.files
            if each.kind not in ("parent", "committed")
            for name in going.files
        ):
            return True
        if going.files and self._holds_in_git(kept, going):
            return True
        if not going.text:
            return False
        if any(keeping.flat(going.text) in keeping.flat(each) for each in _said(kept)):
            return True
        files = self._folder / kept.id / "files"
        names = [each.at for each in kept.files if each.kind == "file"]
        names += [name for name in ("index", "config") if (files / name).exists()]
        return any(keeping.holds(files / name, going.text) for name in names) or self._holds_in_git(kept, going)

    def _holds_in_git(self, kept: Kept, going: Going) -> bool:
        """Do the commits and stashes that it holds have these words, or a file of that name? What a branch has as well
        is the user's own."""
        if not (held := _objects(kept)) or not os.path.isdir(kept.root):
            return False
        names = [name.lstrip("/") for name in going.files]
        return Git(kept.root).holds(held, keeping.flat(going.text), names, keeping.flat)

    def drop_ids(self, ids: Sequence[str]) -> None:
        self.drop(kept for each in ids if (kept := self._at(each)) is not None)

    def drop_halves(self, now: int) -> None:
        """Remove what a keeping has left that broke off: its process was killed. Nobody was told of it."""
        for folder in self._folder.glob("*"):
            with suppress(FileNotFoundError):  # one that was just removed
                if (folder / _LIST).exists():
                    continue
                keeper, root = _begun(folder)
                if not is_running(keeper) or now - folder.stat().st_mtime * 1e6 > HOUR_US:
                    self._leave(folder, root, folder.name)


def _begun(folder: Path) -> tuple[int, str]:
    """The process that keeps, and the repository; 0 where that is not told: then only age tells."""
    try:
        keeper, root = json.loads((folder / _BEGUN).read_bytes())
        return int(keeper), str(root)
    except (OSError, ValueError, TypeError):
        return 0, ""


def _objects(kept: Kept | Wanted) -> list[str]:
    """What git holds for it by private refs, each once."""
    return list(dict.fromkeys(filter(None, (*(ref.object for ref in (*kept.refs, *kept.stashes)), kept.detached))))


def _said(kept: Kept) -> Iterator[str]:
    """All words of what was kept, but for the bytes of files."""
    yield from (kept.command, kept.root, kept.branch)
    for each in kept.files:
        yield each.path
        yield each.at if each.kind == "link" else ""
    for ref in (*kept.refs, *kept.stashes):
        yield from (ref.name, ref.message)
    for setting in kept.settings:
        yield from setting


def _committed(paths: Sequence[str]) -> list[KeptFile]:
    """Files that git brings back, with the modes that it does not know."""
    found = []
    for path in dict.fromkeys(paths):
        try:
            info = os.lstat(path)
        except OSError:
            continue
        found.append(KeptFile(path, "committed", stat.S_IMODE(info.st_mode), info.st_mtime_ns))
    return found
