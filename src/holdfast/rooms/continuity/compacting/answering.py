"""Answers the plugin's mod when the client compacts: the note that takes the place of its summary, or stands beside it.

The note is assembled from what lies in memory; no model is asked. Whenever it is not sure that the note mentions the
window that is compacted, the answer is that the client does it itself.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec
from msgspec import Struct, field

from holdfast.errors import StoreError
from holdfast.events.fence import fence, new_nonce
from holdfast.events.progress import ProgressBoard
from holdfast.ids import NO_CONVERSATION, ConversationId, WindowId
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.conversations import LiveConversation
from holdfast.rooms.continuity.model import Compaction, CompactionMode, Stand
from holdfast.rooms.continuity.service import Continuity, named
from holdfast.rooms.continuity.telling import losses, note
from holdfast.rooms.continuity.telling.folding import MARK, typed
from holdfast.rooms.room import Ground
from holdfast.store.interface import Tx

log = logging.getLogger(__name__)

_STORE_SECONDS = 0.3
_MOST_PROMPTS = 20
_HEAD = (
    f"[{MARK}] Where this conversation stands, from its record. No model wrote it; the user's words are verbatim. "
    "Go on from here; do not repeat what is done."
)
_BESIDE = f"[{MARK}] The summary above leaves out what follows, which is from the record of the session."

_LEFT_OUT = "the summary leaves nothing out"
_TOO_LONG = "the note does not hold the user's words within its budget"


class CompactionAsked(Struct):
    """What the mod says about a compaction."""

    conversation: ConversationId = field(default=NO_CONVERSATION, name="session_id")
    trigger: str = ""
    agent_id: str | None = None
    prompts: list[str] = []
    """The last texts that the user typed, the newest last."""
    messages: int = 0
    kept: str = ""
    """The words of the last messages, which stay as they are."""
    transcript_path: str = ""
    summary: str | None = None
    """The client's summary, in the mode `both`: asked after the client wrote it."""


class Compacting:
    """Makes the answers."""

    def __init__(self, ground: Ground, continuity: Continuity) -> None:
        self._ground = ground
        self._continuity = continuity

    @property
    def mode(self) -> CompactionMode:
        return self._continuity.settings.compaction

    async def answer(self, asked: CompactionAsked, board: ProgressBoard, *, restarts: bool = False) -> dict[str, Any]:
        """`note`: it takes the place of the client's summary. `summary`: ask again with that. `beside`: the note stands
        beside it. `client`: the client does it alone, and `why`. `restarts`: the client is started again instead of an
        automatic compaction."""
        why = self._not_ours(asked, restarts)
        if why:
            return _client(why)
        asked = await asyncio.to_thread(self._cleaned, asked)
        owner = self._ground.owner
        row = await self._ground.store.read(lambda reader: tables.window_place(reader, asked.conversation, owner))
        if row is None:
            return _client("this conversation is not in the journal")
        transcript = asked.transcript_path or str(row["transcript_path"] or "")
        live = await self._continuity.conversations.ready(asked.conversation, transcript, str(row["worktree_path"]))
        live.opens(WindowId(str(row["id"])), int(row["window_number"] or 0))
        turn = self._turn(asked, live)
        if not turn:
            return _client("the window does not match the journal")
        if asked.trigger == "auto" and live.compacted_turn == turn and asked.summary is None:
            return _client("this turn was compacted before")
        if self.mode == "both" and asked.summary is None:
            live.asked_beside_at = self._continuity.now()
            return {"answer": "summary"}
        live.asked_beside_at, live.owed = 0, ""
        stand = rules.bounded(await self._continuity.stand(live))
        if self.mode == "both":
            text, lost = beside(stand, asked.summary or "", self._continuity.settings.give_back_tokens)
        else:
            text, lost = instead(stand, asked.kept, self._continuity.settings.note_tokens)
        if not text:
            return _client(_LEFT_OUT if self.mode == "both" else _TOO_LONG)
        if asked.trigger == "auto":
            live.compacted_turn = turn
        return await self._given(text, lost, asked, live, str(row["project_id"]), board)

    def _cleaned(self, asked: CompactionAsked) -> CompactionAsked:
        """What the mod tells is as the window has it: secrets and private spans go before anything is made of it."""
        clean = self._ground.clean
        return msgspec.structs.replace(
            asked,
            prompts=[clean(prompt) for prompt in asked.prompts[-_MOST_PROMPTS:]],
            kept=clean(asked.kept),
            summary=None if asked.summary is None else clean(asked.summary),
        )

    def _not_ours(self, asked: CompactionAsked, restarts: bool) -> str:
        settings = self._continuity.settings
        if self.mode == "client":
            return "the client compacts by itself (`compaction`)"
        if asked.agent_id:
            return "it is a subagent's window"
        if asked.trigger not in ("auto", "manual"):
            return f"the trigger is {asked.trigger or 'unknown'}"
        if asked.trigger == "auto" and (restarts or settings.on_auto_compact == "block"):
            return f"the policy at an automatic compaction is {settings.on_auto_compact}"
        return ""

    def _turn(self, asked: CompactionAsked, live: LiveConversation) -> str:
        """The last prompt of the window, as the journal has it; '' when it has another one."""
        said = [text for prompt in asked.prompts if (text := typed(prompt))]
        known = [fact.text for fact in live.story.of("request")]
        if not said or not known:
            return ""
        return f"{len(known)}" if said[-1].split() == known[-1].split() else ""

    async def _given(
        self,
        text: str,
        lost: list[str],
        asked: CompactionAsked,
        live: LiveConversation,
        project_id: str,
        board: ProgressBoard,
    ) -> dict[str, Any]:
        now = self._continuity.now()
        told = fence(text, origin="continuity", nonce=new_nonce())
        live.compacted_by_us_at = now if self.mode == "holdfast" else 0
        checkpoint = await self._continuity.checkpoint(live, board, "compact", project_id=project_id, at=now)
        made: Compaction = self._continuity.compaction(
            live,
            self.mode,
            asked.trigger,
            project_id,
            now,
            summary=asked.summary or "",
            lost=msgspec.json.encode(lost).decode(),
            given=text,
        )
        if self.mode == "both" and live.owed_id:
            made = msgspec.structs.replace(made, id=live.owed_id)
            live.owed_id = ""

        def write(tx: Tx) -> None:
            self._continuity.checkpoints.write(tx, checkpoint)
            tables.put_compaction(tx, made, self._ground.owner)

        try:
            await self._ground.store.write(write, within=_STORE_SECONDS)
        except StoreError as error:  # the note is worth more than its record
            log.warning("the checkpoint of a compaction could not be saved: %s", error)
        board.note(live.id, context_used=None)
        live.measured = None
        kind = "beside" if self.mode == "both" else "note"
        return {"answer": kind, "note": told, "checkpoint": named(checkpoint)}


def instead(stand: Stand, kept: str, tokens: int) -> tuple[str, list[str]]:
    """The note in the summary's place, and the lines it drops; '' when it would leave out words of the user. What the
    last messages have word for word is not said again, but for the user's corrections."""
    stays = losses.known_by(kept)
    corrections, *parts = note.parts_of(stand)
    parts = [corrections, *(note.unknown(part, lambda line, exact: stays(line, True)) for part in parts)]
    text, dropped = note.written(parts, tokens)
    gone = set(dropped)
    if any(line in gone for part in parts if part.exact for line in part.lines):
        return "", dropped
    return f"{_HEAD}\n\n{text}", dropped


def beside(stand: Stand, summary: str, tokens: int) -> tuple[str, list[str]]:
    """The note beside the client's summary, and the lines it drops; '' when the summary leaves nothing out."""
    parts = note.parts_of(stand, losses.known_by(losses.summary_of(summary)))
    text, dropped = note.written(parts, tokens)
    return f"{_BESIDE}\n\n{text}" if text else "", dropped


def _client(why: str) -> dict[str, Any]:
    return {"answer": "client", "why": why}
