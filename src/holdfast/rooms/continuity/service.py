"""Measures context use, saves and gives back checkpoints, and knows what compactions dropped.

What an event causes is written by the event's own transaction; this page makes the values for it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from itertools import islice

import msgspec

from holdfast.errors import HoldfastError, NothingFound
from holdfast.events.progress import Progress, ProgressBoard
from holdfast.ids import NO_CONVERSATION, NO_ENTRY, ConversationId, EntryId, WindowId, new_id
from holdfast.items.words import short_id
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.checkpointing import Checkpoints, marked, state_of
from holdfast.rooms.continuity.conversations import Conversations, LiveConversation
from holdfast.rooms.continuity.model import (
    CHECKPOINT,
    Checkpoint,
    Compaction,
    CompactionMode,
    FileState,
    Handover,
    HandoverText,
    Measured,
    Reason,
    Stand,
)
from holdfast.rooms.continuity.settings import Settings
from holdfast.rooms.continuity.showing.status_line import short
from holdfast.rooms.continuity.telling import losses, note
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader
from holdfast.times import HOUR_US

ACTIVE_US = HOUR_US
_MOST_LOST = 200
_LOOKED_AT = 20
_MOST_CRASHED = 5


class Continuity:
    """One owner's conversations."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.settings = settings
        self.now = ground.now
        self.ground = ground
        self.conversations = Conversations(ground, settings)
        self.checkpoints = Checkpoints(ground, settings.keep_checkpoints)
        self._is_running = ground.is_running

    # --- context use

    def note_use(self, live: LiveConversation, board: ProgressBoard) -> list[int]:
        """Put what was measured on the board; the thresholds that were crossed by it."""
        if live.measured is None:
            return []
        self.note_use_only(live, board)
        wanted = (self.settings.checkpoint_threshold_percent, self.settings.overflow_percent)
        return rules.crossed(live.measured, wanted, live.thresholds)

    def note_use_only(self, live: LiveConversation, board: ProgressBoard) -> None:
        """Put what the client told on the board. Thresholds are for the events."""
        if live.measured is not None:
            board.note(live.id, context_used=live.measured.tokens / max(1, live.measured.window))

    def active(self) -> Sequence[LiveConversation]:
        """Conversations whose use is known and in which something happened within the hour."""
        return [live for live in self.conversations.recent(self.now() - ACTIVE_US) if live.measured]

    async def stand(self, live: LiveConversation) -> Stand:
        """Where a conversation stands, as its record tells. What the agent said of the web is marked (SEC-6)."""
        files = tuple(FileState(fact.text, fact.outcome) for fact in live.story.of("file"))
        return msgspec.structs.replace(await marked(live.story.stand(), self.ground.items, live.id), files=files)

    # --- checkpoints

    async def checkpoint(
        self,
        live: LiveConversation,
        board: ProgressBoard,
        reason: Reason,
        *,
        project_id: str,
        at: int,
        entry_id: EntryId = NO_ENTRY,
        auto: bool = True,
        threshold: int = 0,
        words: str = "",
    ) -> Checkpoint:
        """A checkpoint of this moment, not yet written."""
        stand = await self.checkpoints.stand(live, board.of(live.id))
        if words:
            stand = msgspec.structs.replace(stand, note=words)
        return self.checkpoints.made(
            live, stand, reason, project_id=project_id, at=at, entry_id=entry_id, auto=auto, threshold=threshold
        )

    async def save(self, checkpoint: Checkpoint) -> bool:
        return await self.ground.store.write(lambda tx: self.checkpoints.write(tx, checkpoint))

    async def listed(
        self, project_id: str = "", conversation: ConversationId = NO_CONVERSATION, limit: int = 20
    ) -> list[Checkpoint]:
        owner = self.ground.owner
        return await self.ground.store.read(
            lambda reader: tables.checkpoints(
                reader, owner, project_id=project_id, conversation=conversation, limit=limit
            )
        )

    async def find(self, named: str, project_id: str = "") -> Checkpoint:
        """The checkpoint with this id; without one the newest of the project."""
        if not named:
            found = await self.listed(project_id, limit=1)
            if not found:
                raise NothingFound("There is no checkpoint here yet. `holdfast checkpoint save` makes one.")
            return found[0]
        for item in await self.ground.items.get([named]):
            if isinstance(item.value, Checkpoint):
                return item.value
        raise NothingFound(f"There is no checkpoint {named}. `holdfast checkpoint list` names them.")

    def left_behind(
        self, reader: Reader, project_id: str, conversation: ConversationId, since: int
    ) -> tuple[Checkpoint | None, dict[str, int]]:
        """The newest checkpoint of a project, but for those of other sessions that are at work; and the conversations
        that crashed after it, the last one first, with the moment of their last event."""
        owner, now = self.ground.owner, self.now()
        heard = tables.open_conversations(reader, owner, project_id, since, conversation)
        at_work = {
            each for each, at in heard.items() if rules.is_at_work(self._is_running(ConversationId(each)), at, now)
        }
        found = tables.checkpoints(reader, owner, project_id=project_id, since=since, limit=_LOOKED_AT)
        left = next((each for each in found if each.reason == "end" or each.conversation not in at_work), None)
        last = left.made_at if left else 0
        return left, {each: at for each, at in heard.items() if each not in at_work and at > last}

    async def after_crash(self, crashed: Mapping[str, int], board: ProgressBoard, project_id: str) -> Checkpoint | None:
        """A checkpoint of the first of these in which something was asked; not yet written. Whoever looks what is wrong
        after a crash opens sessions and leaves them as they are."""
        for conversation, last_at in islice(crashed.items(), _MOST_CRASHED):
            if made := await self._of_crashed(ConversationId(conversation), last_at, board, project_id):
                return made
        return None

    async def _of_crashed(
        self, conversation: ConversationId, last_at: int, board: ProgressBoard, project_id: str
    ) -> Checkpoint | None:
        """A checkpoint of a conversation whose client ended without a word, made of its record. It is as old as the
        last event: a day later it is not of "just now"."""
        owner = self.ground.owner
        row = await self.ground.store.read(lambda reader: tables.window_place(reader, conversation, owner))
        if row is None:
            return None
        path, folder = str(row["transcript_path"] or ""), str(row["worktree_path"] or "")
        live = await self.conversations.ready(ConversationId(conversation), path, folder)
        if not live.story.request:
            return None
        live.opens(WindowId(str(row["id"])), int(row["window_number"] or 0))
        return await self.checkpoint(live, board, "crash", project_id=project_id, at=last_at)

    async def files_now(self, files: Sequence[FileState], folder: str) -> list[FileState]:
        return await asyncio.to_thread(lambda: [state_of(file.path, folder) for file in files])

    async def look_at(self, folder: str, here: str, files: Sequence[FileState]) -> tuple[bool, list[FileState]]:
        """Is a checkpoint's folder still there? And its files as they are here."""
        return await asyncio.to_thread(
            lambda: (os.path.isdir(folder), [state_of(file.path, here) for file in files]),
        )

    # --- compactions

    async def what_is_lost(self, live: LiveConversation, summary: str, tokens: int) -> tuple[str, list[str]]:
        """What a summary does not say: as a text within so many tokens, and all of it as lines."""
        knows = losses.known_by(losses.summary_of(summary)) if summary else None
        parts = note.parts_of(await self.stand(live), knows)
        text, _ = note.written(parts, tokens)
        return text, [line for part in parts for line in part.lines][:_MOST_LOST]

    def compaction(
        self, live: LiveConversation, way: CompactionMode, trigger: str, project_id: str, at: int, **told: str
    ) -> Compaction:
        return Compaction(
            id=new_id(at),
            project_id=project_id,
            conversation=live.id,
            window_id=live.window_id,
            way=way,
            trigger=trigger if trigger in ("auto", "manual") else "",
            summary=told.get("summary", ""),
            lost=told.get("lost", "[]"),
            given=told.get("given", ""),
            made_at=at,
        )

    async def lost(
        self, named: str = "", conversation: ConversationId = NO_CONVERSATION, project_id: str = ""
    ) -> Compaction:
        """The last compaction: of a window, of a conversation, or of a project."""
        owner = self.ground.owner
        found = await self.ground.store.read(
            lambda reader: (
                tables.compactions(reader, owner, window_id=WindowId(named))
                or tables.compactions(reader, owner, conversation=ConversationId(named))
                if named
                else tables.compactions(reader, owner, conversation=conversation, project_id=project_id)
            )
        )
        if not found:
            raise NothingFound("No compaction was seen there. `holdfast lost` shows the last one of this project.")
        return found[0]

    # --- hand-overs

    def handover(self, text: HandoverText, conversation: ConversationId, project_id: str, at: int) -> Handover:
        return Handover(
            id=new_id(at),
            project_id=project_id,
            conversation=conversation,
            content=msgspec.json.encode(text).decode(),
            files=msgspec.json.encode([file.path for file in text.required_files]).decode(),
            made_at=at,
        )

    async def built_handover(self, live: LiveConversation, project_id: str, progress: Progress) -> Handover:
        """A hand-over that nobody wrote, from the record, with the files as they are now and the effort's documents."""
        built = rules.handover_of(await self.stand(live))
        states = await self.files_now(built.required_files, live.folder)
        told = {"effort": progress.effort, "documents": progress.documents}
        text = msgspec.structs.replace(built, required_files=tuple(states), **told)
        return self.handover(text, live.id, project_id, self.now())

    async def keep_handover(self, handover: Handover) -> None:
        owner = self.ground.owner
        await self.ground.store.write(lambda tx: tables.put_handover(tx, handover, owner))


def named(checkpoint: Checkpoint) -> str:
    return short_id(CHECKPOINT.letter, checkpoint.id)


def read_stand(checkpoint: Checkpoint) -> Stand | None:
    """The stand of a checkpoint; None when it does not read back."""
    try:
        return rules.stand_of(checkpoint)
    except (HoldfastError, msgspec.MsgspecError):
        return None


def use_of(measured: Measured) -> str:
    """Context use for people."""
    return f"{measured.percent} % of {short(measured.window)}"
