"""A session as its agent reports it: start, end, threshold, hand-over (the seed's three calls and dehydration)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from holdfast.errors import HoldfastError, Refused
from holdfast.events.caller import Caller
from holdfast.events.endings import Endings
from holdfast.events.progress import Progress, ProgressBoard
from holdfast.ids import NO_CONVERSATION, ConversationId, ItemId, WindowId, new_id
from holdfast.items.indexed import Author
from holdfast.items.model import Found
from holdfast.items.service import Items
from holdfast.rooms.continuity import rules, tables
from holdfast.rooms.continuity.conversations import LiveConversation
from holdfast.rooms.continuity.index import DebriefIndex
from holdfast.rooms.continuity.model import Checkpoint, Debrief, FileState, HandoverText, Outcome, Reason
from holdfast.rooms.continuity.service import Continuity, read_stand
from holdfast.rooms.continuity.sessions import debriefing, remotes
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx
from holdfast.times import DAY_US

PRIMED = 3
_RECENT_US = rules.OFFER_DAYS * DAY_US


class Sessions:
    """Acts for one owner's sessions."""

    def __init__(self, ground: Ground, continuity: Continuity) -> None:
        self._ground = ground
        self._continuity = continuity
        self._debriefs = DebriefIndex()

    # --- who and where

    async def project(self, named: str, caller: Caller, conversation: ConversationId = NO_CONVERSATION) -> str:
        """The id of the project that an id, a name, a folder or `owner_repo` of its origin means. Who names none and
        tells no folder (MCP over HTTP) means that of its session."""
        items = caller.services.get(Items)
        if not named:
            if caller.project_id or caller.folder:
                return await items.project_of(caller)
            own, owner = conversation or caller.conversation, self._ground.owner
            row = await self._ground.store.read(lambda reader: tables.window_place(reader, own, owner))
            return str(row["project_id"]) if row and own else ""
        try:
            return await items.project(named)
        except HoldfastError:
            found = await self._by_origin(named)
            if found:
                return found
            raise

    async def _by_origin(self, named: str) -> str:
        owner = self._ground.owner
        places = await self._ground.store.read(lambda reader: tables.worktrees(reader, owner))

        def look() -> str:
            return next((project for project, folder in places if remotes.origin_name(folder) == named), "")

        return await asyncio.to_thread(look)

    async def live(self, conversation: ConversationId, caller: Caller) -> LiveConversation:
        """The conversation that is meant: named, else the caller's own."""
        conversation = ConversationId(self._ground.clean(conversation)) or caller.conversation
        owner = self._ground.owner
        row = await self._ground.store.read(lambda reader: tables.window_place(reader, conversation, owner))
        live = await self._continuity.conversations.ready(
            conversation,
            str(row["transcript_path"] or "") if row else "",
            str(row["worktree_path"]) if row else caller.folder,
        )
        if row:
            live.opens(WindowId(str(row["id"])), int(row["window_number"] or 0))
        return live

    # --- the seed's calls

    async def start(self, project_id: str, conversation: ConversationId) -> tuple[Checkpoint | None, list[Found]]:
        """A checkpoint worth resuming, and what is remembered of this project, three at most."""
        since = self._continuity.now() - _RECENT_US

        def look(reader: Reader) -> Checkpoint | None:
            return self._continuity.left_behind(reader, project_id, conversation, since)[0]

        items = self._ground.items
        checkpoint = await self._ground.store.read(look) if project_id else None
        if checkpoint is not None and (checkpoint.conversation == conversation or read_stand(checkpoint) is None):
            checkpoint = None
        kinds = [kind for family in items.catalogue if family.remembered for kind in family.all_kinds]
        memories = await items.search("", project=project_id, kinds=kinds, limit=PRIMED) if project_id else []
        return checkpoint, memories

    async def end(
        self,
        live: LiveConversation,
        project_id: str,
        task: str,
        approach: str,
        outcome: Outcome,
        tags: list[str],
        notes: str,
        trust: Author,
        caller: Caller,
    ) -> tuple[Debrief, Checkpoint]:
        """What the client's end of a session does, and the outcome of the session. Told again it takes the old one's
        place."""
        at = self._continuity.now()
        if trust == "agent" and caller.conversation and caller.conversation != live.id:
            raise Refused("An agent ends its own session only; nothing was changed.")
        checkpoint = await self._made(live, "end", project_id, caller)
        task, approach, notes, *tags = await self._told([task, approach, notes, *tags], trust, live.id)
        debrief = debriefing.made(
            task,
            approach,
            outcome,
            tags,
            notes,
            item_id=ItemId(new_id(at)),
            stand=rules.stand_of(checkpoint),
            conversation=live.id,
            project_id=project_id,
            at=at,
            trust=trust,
        )
        owner = self._ground.owner

        def write(tx: Tx) -> None:
            old = tables.debrief_of(tx, owner, live.id) if live.id else None
            if old is not None:
                if trust == "agent" and old.trust == "user":
                    raise Refused("The user told the outcome of this session. That stays; nothing was changed.")
                self._ground.items.remove(tx, [old.id], mend=False)
            self._debriefs.add(tx, debrief, owner)
            self._continuity.checkpoints.write(tx, checkpoint)

        await self._ground.store.write(write)
        await self._tell_the_others(live, caller)
        return debrief, checkpoint

    async def _tell_the_others(self, live: LiveConversation, caller: Caller) -> None:
        """Every room's steps of SessionEnd, once the debrief is kept. A session that no hook told of has none."""
        owner = self._ground.owner
        row = await self._ground.store.read(lambda reader: tables.window_place(reader, live.id, owner))
        if row is not None:
            path = str(row["transcript_path"] or "")
            await caller.services.get(Endings).end(live.id, str(row["worktree_path"]), path)

    async def threshold(
        self, live: LiveConversation, project_id: str, percent: int, caller: Caller
    ) -> tuple[Checkpoint, bool]:
        """A checkpoint at this use; False when this window has one already."""
        checkpoint = await self._made(live, "threshold", project_id, caller, percent)
        live.thresholds.add(percent)
        live.to_call = ""
        return checkpoint, await self._continuity.save(checkpoint)

    async def save(self, live: LiveConversation, project_id: str, words: str, caller: Caller) -> Checkpoint:
        """A checkpoint that somebody asked for."""
        [words] = await self._told([words], caller.speaker(), live.id)
        checkpoint = await self._made(live, "request", project_id, caller, words=words)
        await self._continuity.save(checkpoint)
        return checkpoint

    async def _made(
        self,
        live: LiveConversation,
        reason: Reason,
        project_id: str,
        caller: Caller,
        threshold: int = 0,
        words: str = "",
    ) -> Checkpoint:
        return await self._continuity.checkpoint(
            live,
            caller.services.get(ProgressBoard),
            reason,
            project_id=project_id,
            at=self._continuity.now(),
            auto=reason != "request",
            threshold=threshold,
            words=words,
        )

    async def _told(self, texts: Sequence[str], by: Author, conversation: ConversationId) -> list[str]:
        """Words as they are kept: without secrets, and an agent's with marks where they repeat the web (SEC-6)."""
        clean = [self._ground.clean(text) for text in texts]
        items = self._ground.items
        return await items.marked(clean, conversation) if by == "agent" else clean

    # --- dehydration

    async def dehydrate(
        self,
        live: LiveConversation,
        project_id: str,
        text: HandoverText,
        paths: list[str],
        by: Author,
        progress: Progress,
    ) -> HandoverText:
        """Keep a hand-over for the next session. What was not written is made from the record."""
        made = await self._continuity.built_handover(live, project_id, progress)
        built = msgspec.json.decode(made.content, type=HandoverText)
        states = built.required_files
        if paths:
            states = tuple(await self._continuity.files_now([FileState(path) for path in paths], live.folder))
        wrote = bool(text.summary or text.handover or text.next_steps or text.last_action)
        told = [text.summary, text.last_action, text.handover, text.user_history, *text.next_steps]
        summary, last_action, handover, user_history, *next_steps = await self._told(told, by, live.id)
        whole = HandoverText(
            summary=summary or built.summary,
            last_action=last_action or built.last_action,
            next_steps=tuple(next_steps) or built.next_steps,
            handover=handover,
            required_files=states,
            user_history=user_history or built.user_history,
            effort=built.effort,
            documents=built.documents,
            built=not wrote,
        )
        at = self._continuity.now()
        await self._continuity.keep_handover(self._continuity.handover(whole, live.id, project_id, at))
        return whole
