"""Makes checkpoints: where a conversation stands, with the state of its files, as a row."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from itertools import islice

import msgspec
from msgspec.structs import replace

from holdfast.events.progress import Progress
from holdfast.gitfiles import branch_of
from holdfast.ids import NO_ENTRY, ConversationId, EntryId, new_item_id
from holdfast.items.service import Items
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.conversations import LiveConversation
from holdfast.rooms.continuity.index import CheckpointIndex
from holdfast.rooms.continuity.model import Checkpoint, FileState, Reason, Stand, StoryFact
from holdfast.rooms.continuity.telling import note
from holdfast.rooms.room import Ground
from holdfast.store.interface import Tx

_LARGEST = 8 * 1024 * 1024
"""A larger file is told by its size alone."""


class Checkpoints:
    """Writes checkpoints and drops the oldest ones."""

    def __init__(self, ground: Ground, keep: int) -> None:
        self._ground = ground
        self._keep = keep
        self._index = CheckpointIndex()

    async def stand(self, live: LiveConversation, progress: Progress) -> Stand:
        """Where a conversation stands, with what the disk and the client tell."""
        files = live.story.of("file")[-rules.MOST_FILES :]
        states = await asyncio.to_thread(file_states, files, live.folder)
        measured = live.measured
        return rules.bounded(
            replace(
                await marked(live.story.stand(), self._ground.items, live.id),
                files=tuple(states),
                folder=live.folder,
                branch=branch_of(live.folder)[:120] if live.folder else "",
                effort=progress.effort,
                phase=progress.phase,
                ghap=progress.prediction,
                context_tokens=measured.tokens if measured else None,
                window_tokens=measured.window if measured else None,
            )
        )

    def made(
        self,
        live: LiveConversation,
        stand: Stand,
        reason: Reason,
        *,
        project_id: str,
        at: int,
        entry_id: EntryId = NO_ENTRY,
        auto: bool = True,
        threshold: int = 0,
    ) -> Checkpoint:
        text = msgspec.json.encode(stand).decode()
        return Checkpoint(
            id=new_item_id(at),
            project_id=project_id,
            conversation=live.id,
            window_id=live.window_id,
            entry_id=entry_id,
            reason=reason,
            auto_created=int(auto),
            threshold=threshold,
            title=note.title(stand),
            stand=text,
            files=msgspec.json.encode([file.path for file in stand.files]).decode(),
            digest=rules.digest_of(text),
            made_at=at,
        )

    def write(self, tx: Tx, checkpoint: Checkpoint) -> bool:
        """Keep it, once per window, reason and threshold unless somebody asked for it; older ones go."""
        owner = self._ground.owner
        automatic = checkpoint.auto_created and checkpoint.reason == "threshold"
        if automatic and tables.has_checkpoint(
            tx, owner, checkpoint.conversation, checkpoint.window_id, checkpoint.reason, checkpoint.threshold
        ):
            return False
        if (
            checkpoint.reason == "end"
        ):  # a session may be ended by its agent and then by the client: the last one counts
            ends = tables.ends_of(tx, owner, checkpoint.conversation, checkpoint.window_id)
            self._index.remove(tx, ends, owner)
        self._index.add(tx, checkpoint, owner)
        if old := tables.beyond(tx, owner, checkpoint.project_id, self._keep):
            self._index.remove(tx, old, owner)
        return True


_SAID = ("decisions", "dead_ends", "findings", "next_steps", "questions")
"""Lists of a stand with an agent's words."""


async def marked(stand: Stand, items: Items, conversation: ConversationId) -> Stand:
    """A stand in whose agent's words those of the web are marked (SEC-6)."""
    lists: dict[str, Sequence[str]] = {name: getattr(stand, name) for name in _SAID}
    said = [stand.last_said, *(text for each in lists.values() for text in each)]
    last, *texts = await items.marked(said, conversation)
    told = iter(texts)
    return replace(stand, last_said=last, **{name: tuple(islice(told, len(each))) for name, each in lists.items()})


def file_states(files: Iterable[StoryFact], folder: str) -> list[FileState]:
    """The files as they are now."""
    return [state_of(fact.text, folder, fact.outcome or "edited") for fact in files]


def state_of(path: str, folder: str, change: str = "edited") -> FileState:
    """One file as it is now. What is no ordinary file is told by its name."""
    whole = path if path.startswith("/") else os.path.join(folder or "/", path)
    try:
        with open(os.open(whole, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return FileState(path, change)
            if found.st_size > _LARGEST:
                return FileState(path, change, f"size:{found.st_size}", found.st_size)
            return FileState(path, change, hashlib.file_digest(file, "sha256").hexdigest(), found.st_size)
    except OSError:
        return FileState(path, change)
