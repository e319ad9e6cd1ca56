"""The conversations of this moment, in memory: the story, the end of the transcript, and what was measured.

The journal and the transcript are the truth: a conversation that is not in memory is made anew from them. When entries
of it were forgotten, it is made anew from the journal alone. A story takes memory, and making it anew takes time by its
length: where more conversations are at work than have one, the others are only measured, until somebody asks for them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from holdfast.events import tombstone
from holdfast.events.event import Event, SessionEnd
from holdfast.events.parse import parse
from holdfast.ids import NO_WINDOW, ConversationId, EntryId, WindowId
from holdfast.rooms.continuity import tables
from holdfast.rooms.continuity.measuring.sizes import window_size
from holdfast.rooms.continuity.measuring.tail import SMALL, Tail
from holdfast.rooms.continuity.measuring.usage import Passage
from holdfast.rooms.continuity.model import Measured, StatusLine, StoryFact
from holdfast.rooms.continuity.settings import Settings
from holdfast.rooms.continuity.telling.folding import said
from holdfast.rooms.continuity.telling.story import Story
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Value

log = logging.getLogger(__name__)

MOST = 1_024
MOST_STORIES = 64
_AT_WORK_US = 60 * 1_000_000
"""A story that was followed within this time keeps its place."""
_MOST_SIZES = 64
_LATE_US = 120 * 1_000_000
"""How much later than it happened an event may be written."""
_FOLD_AT_ONCE = 200
_MOST_HEARD = 1_000_000
"""Characters of what was said that one look takes in, the newest: more than a window holds."""
_SLICE = 64_000
_AT_ONCE = 4_000
"""So much is heard at once; more is work for a thread."""
_LONGEST_HEARING = 0.8
"""Seconds: a hook waits for it."""


@dataclass(slots=True)
class LiveConversation:
    """One conversation."""

    id: ConversationId
    story: Story = field(default_factory=Story)
    tail: Tail | None = None
    is_loaded: bool = False
    """The story is made. Without one, the transcript is only measured."""
    window_id: WindowId = NO_WINDOW
    window_number: int = 0
    folder: str = ""
    measured: Measured | None = None
    seen_at: int = 0
    ended_at: int = 0
    """When its client last ended it; a resumed one is seen later than that."""
    thresholds: set[int] = field(default_factory=set)
    """Those that were acted on in this window."""
    to_tell: list[str] = field(default_factory=list)
    """What the agent is told at the next event."""
    to_call: Literal["", "asked", "told"] = ""
    """Whether the agent has to call `context_threshold`; it was told at `told_with`, and did not call yet."""
    told_with: str = ""
    """The tool use whose result the agent was told with; '' when it was a prompt."""
    summary: str = ""
    """What the client summed up, since the compaction began."""
    compaction_id: str = ""
    asked_beside_at: int = 0
    """When the mod last asked what to put beside the client's summary, before there was one."""
    owed: str = ""
    """What it is to put there. It is told at the next event, if the mod does not come for it."""
    owed_id: str = ""
    compacted_by_us_at: int = 0
    compacted_turn: str = ""
    """The prompt in whose turn an automatic compaction was answered last."""
    forgotten_at: int = 0
    """When something was last forgotten: what transcripts told before is not taken again."""
    unheard: deque[Passage] = field(default_factory=deque)
    """What was read of the transcript and is not in the story yet."""
    limits: tuple[tuple[str, float], ...] = ()
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def saw(self, event: Event, at: int) -> None:
        self.seen_at = max(self.seen_at, at)
        if isinstance(event, SessionEnd) and not event.agent_id:
            self.ended_at = max(self.ended_at, at)

    def opens(self, window_id: WindowId, number: int) -> bool:
        """Another window: its thresholds are to be crossed again. False when it is an earlier one, told of late."""
        if number < self.window_number:
            return False
        if window_id and window_id != self.window_id:
            self.window_id, self.window_number = window_id, number
            self.thresholds.clear()
            self.to_tell.clear()
            self.to_call, self.owed = "", ""
        return True

    def compacted(self, at: int) -> None:
        """The window is over. Lines about it that the client writes later do not fill the next one."""
        self.measured = None
        if self.tail is not None:
            self.tail.usage = self.tail.usage.over(at)

    def without_story(self) -> LiveConversation:
        """The same with no story. (Another value: who works with this one goes on with it.)"""
        return replace(self, story=Story(), is_loaded=False, unheard=deque(), lock=asyncio.Lock())


class Conversations:
    """The last used ones."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self._ground = ground
        self._settings = settings
        self._live: OrderedDict[str, LiveConversation] = OrderedDict()
        self._with_story: OrderedDict[str, None] = OrderedDict()
        self._sizes = settings.window_sizes()
        self._told: dict[str, int] = {}

    def known(self, conversation: ConversationId) -> LiveConversation | None:
        return self._live.get(conversation)

    def recent(self, since: int) -> Sequence[LiveConversation]:
        """Those that have not ended and in which something happened lately, the last first."""
        return [
            each for each in reversed(self._live.values()) if each.seen_at >= since and each.seen_at > each.ended_at
        ]

    def at(self, conversation: ConversationId) -> LiveConversation:
        live = self._live.get(conversation)
        if live is None:
            live = self._live[conversation] = LiveConversation(conversation)
            while len(self._live) > MOST:
                gone, _ = self._live.popitem(last=False)
                self._with_story.pop(gone, None)
        self._live.move_to_end(conversation)
        if live.is_loaded and conversation in self._with_story:
            self._with_story.move_to_end(conversation)
        return live

    def _has_place(self) -> bool:
        """Is there a place for one more story, or one whose conversation rests?"""
        if len(self._with_story) < MOST_STORIES:
            return True
        oldest = self._live[next(iter(self._with_story))]
        return oldest.seen_at < self._ground.now() - _AT_WORK_US

    def _took_place(self, live: LiveConversation) -> None:
        if self._live.get(live.id) is live:
            self._with_story[live.id] = None
        while len(self._with_story) > MOST_STORIES:
            gone, _ = self._with_story.popitem(last=False)
            self._live[gone] = self._live[gone].without_story()

    async def ready(self, conversation: ConversationId, transcript: str = "", folder: str = "") -> LiveConversation:
        """The conversation with all that the journal and the transcript say about it."""
        live = self.at(conversation)
        live.folder = folder or live.folder
        async with live.lock:
            await self._catch_up(live)
            await self._listen(live, transcript)
        return live

    def follow_at_once(self, event: Event, at: int, entry_id: EntryId, folder: str) -> LiveConversation | None:
        """Take in one event that was just recorded, if nothing is to be waited for: most of them. None: `follow` it."""
        live = self._seen(event, at, folder)
        if live.lock.locked() or (not live.is_loaded and self._has_place()):
            return None
        if live.is_loaded:
            live.story.take(event, at, entry_id, folder)
        return live if event.agent_id or self._listen_at_once(live, event.transcript_path) else None

    def _seen(self, event: Event, at: int, folder: str) -> LiveConversation:
        live = self.at(event.session_id)
        live.folder = folder or live.folder
        live.saw(event, at)
        return live

    async def follow(self, event: Event, at: int, entry_id: EntryId, folder: str) -> LiveConversation:
        """The same, however long it takes. What was taken in already changes nothing."""
        live = self._seen(event, at, folder)
        async with live.lock:
            if not live.is_loaded and self._has_place():
                await self._catch_up(live)
            if live.is_loaded:
                live.story.take(event, at, entry_id, folder)
            if not event.agent_id:
                await self._listen(live, event.transcript_path)
        return live

    # --- the journal

    async def _catch_up(self, live: LiveConversation) -> None:
        """Read what is missing. (Later steps lag behind the hooks by a moment.)"""
        owner, since = self._ground.owner, max(0, live.story.last_at - _LATE_US) if live.is_loaded else 0

        def look(reader: Reader) -> tuple[bool, int, list[dict[str, Value]]]:
            forgotten_at = tombstone.until(reader, tombstone.of_transcripts(owner))
            gone = live.is_loaded and (
                forgotten_at > live.forgotten_at or tables.count_entries(reader, live.id, owner) < live.story.entries
            )
            return gone, forgotten_at, tables.entries(reader, live.id, owner, 0 if gone else since)

        gone, live.forgotten_at, rows = await self._ground.store.read(look)
        if gone:  # something was forgotten: what the transcript still says about it is not taken again
            live.story, live.summary = Story(), ""
            live.unheard.clear()
            if live.tail is not None:
                live.tail.skip()
        await self._fold(live, rows)
        if not live.is_loaded:
            live.is_loaded = True
            live.tail = Tail(live.tail.path) if live.tail else None  # what it told was measured only: once more
            self._took_place(live)

    async def _fold(self, live: LiveConversation, rows: Sequence[dict[str, Value]]) -> None:
        new = [row for row in rows if not live.story.knows(EntryId(str(row["id"])))]
        for begin in range(0, len(new), _FOLD_AT_ONCE):
            for row in new[begin : begin + _FOLD_AT_ONCE]:
                try:
                    payload = msgspec.json.decode(str(row["payload"]))
                except msgspec.MsgspecError:
                    continue
                if isinstance(payload, dict):
                    event, at = parse(payload, str(row["event"])), int(row["happened_at"] or 0)
                    live.story.take(event, at, EntryId(str(row["id"])), str(row["worktree_path"] or ""))
                    live.saw(event, at)
            await asyncio.sleep(0)

    # --- the transcript

    def _listen_at_once(self, live: LiveConversation, transcript: str) -> bool:
        """Read on and take in what was said; False when that is too much for this moment."""
        tail = _tail_of(live, transcript)
        waiting = tail.waiting() if tail else 0
        if tail is None or not (waiting or live.unheard):
            return True
        if waiting > SMALL:
            return False
        passages = tail.advance()
        if live.is_loaded:
            live.unheard.extend(passages)
            if sum(len(passage.text) for passage in live.unheard) > _AT_ONCE:
                return False
            for passage, text, facts in self._heard([each for each in live.unheard if self._may_keep(live, each)]):
                live.story.hear(passage, text, facts)
            live.unheard.clear()
        self._measure(live, tail)
        return True

    async def _listen(self, live: LiveConversation, transcript: str) -> None:
        tail = _tail_of(live, transcript)
        waiting = tail.waiting() if tail else 0
        if tail is None or not (waiting or live.unheard):
            return
        passages = tail.advance() if waiting <= SMALL else await asyncio.to_thread(tail.advance)
        if live.is_loaded:
            live.unheard.extend(passages)
            await self._hear(live)
        self._measure(live, tail)

    def _measure(self, live: LiveConversation, tail: Tail) -> None:
        usage = tail.usage
        if usage.tokens is not None:
            size = window_size(usage.model, chosen=self._sizes, told=self._told, used=usage.tokens)
            live.measured = Measured(usage.tokens, size, usage.model, usage.messages)

    async def _hear(self, live: LiveConversation) -> None:
        """Take what was read into the story. Much of it is cleaned and taken apart beside the loop, a slice at a time;
        of very much the newest is heard, and what is not ready in time waits for the next look."""
        unheard = live.unheard
        over = sum(len(passage.text) for passage in unheard) - _MOST_HEARD
        while over > 0:
            over -= len(unheard.popleft().text)
        end = time.monotonic() + _LONGEST_HEARING
        while unheard and time.monotonic() < end:
            some, size = list[Passage](), 0
            for passage in unheard:
                some.append(passage)
                size += len(passage.text)
                if size > _SLICE:
                    break
            mine = [passage for passage in some if self._may_keep(live, passage)]
            told = self._heard(mine) if size <= _AT_ONCE else await asyncio.to_thread(self._heard, mine)
            for passage, text, facts in told:
                live.story.hear(passage, text, facts)
            for _ in some:
                unheard.popleft()

    def _heard(self, passages: Sequence[Passage]) -> list[tuple[Passage, str, list[StoryFact]]]:
        """The cleaned text of passages, and the facts in what was said. It touches nothing else."""
        told = []
        for passage in passages:
            text = self._ground.clean(passage.text) if passage.text else ""
            told.append((passage, text, list(said(text, passage.at_us)) if passage.kind == "said" else []))
        return told

    def _may_keep(self, live: LiveConversation, passage: Passage) -> bool:
        """What was said beside a prompt that is not in the journal (a pause, a private one) is not kept either."""
        if passage.kind == "summary" or (passage.prompt_id and passage.prompt_id not in live.story.prompts):
            return False
        if live.forgotten_at and passage.at_us <= live.forgotten_at:
            return False
        return self._ground.is_recorded(live.folder, passage.at_us, live.id)

    # --- the status line

    def told(self, line: StatusLine, at: int) -> LiveConversation | None:
        """What the client itself says of a window."""
        if line.model and line.window and (line.model in self._told or len(self._told) < _MOST_SIZES):
            self._told[line.model] = line.window
        if not line.conversation:
            return None
        live = self.at(line.conversation)
        live.seen_at, live.limits = max(live.seen_at, at), line.limits
        if line.tokens is not None:
            size = window_size(line.model, chosen=self._sizes, told=self._told, used=line.tokens)
            messages = live.measured.messages if live.measured else 0
            live.measured = Measured(line.tokens, size, line.model, messages)
        elif live.measured and line.window:
            size = window_size(line.model, chosen=self._sizes, told=self._told, used=live.measured.tokens)
            live.measured = msgspec.structs.replace(live.measured, window=size)
        return live


def _tail_of(live: LiveConversation, transcript: str) -> Tail | None:
    if transcript and (live.tail is None or live.tail.path != transcript):
        live.tail = Tail(transcript)
    return live.tail
