"""What tools and doors ask of this room: store a memory, write a summary again."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from holdfast import recall
from holdfast.errors import NothingFound, UsageError
from holdfast.events.content import prompt_text
from holdfast.ids import NO_CONVERSATION, ConversationId, ItemId, new_item_id
from holdfast.items import tables as items
from holdfast.items.indexed import END_OF_TIME, Author, Start, Trust
from holdfast.items.model import Superseded
from holdfast.items.ranks import outranks
from holdfast.items.settings import InjectSettings
from holdfast.items.web_words import WEB
from holdfast.items.words import mark_of
from holdfast.prose.one_line import one_line
from holdfast.prose.updates.contradictions import given_up
from holdfast.prose.updates.values import revalued
from holdfast.rooms.memory import rules, tables
from holdfast.rooms.memory.injecting import corrected, selection
from holdfast.rooms.memory.model import Memory, Summary
from holdfast.rooms.memory.settings import Settings
from holdfast.rooms.memory.standing.threads import Thread
from holdfast.rooms.memory.summaries import refresh
from holdfast.rooms.room import Ground
from holdfast.source.model import FileContent
from holdfast.store.interface import Reader, Tx

PARSER_SECONDS = 1.0
"""The process that parses may have to start first, or be busy with a folder."""
SAME_SUBJECT = 0.82
"""Share of words two memories have in common when the newer one replaces the older (MEM-12)."""


class MemoryService:
    """Stores memories and writes summaries. What an event causes is written in the event's own transaction;
    `items.Items` finds, explains and corrects items.
    """

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.settings = settings
        self._brief_tokens = ground.chosen(InjectSettings).brief_tokens
        self._now = ground.now
        self._jobs = ground.jobs
        self._clean = ground.clean
        self._store = ground.store
        self._owner = ground.owner
        self._items = ground.items
        self._parser = ground.parser

    def gives_history(self, off: Set[str] = frozenset()) -> bool:
        """Is a file's history given, where anything is given unasked? `off` is what the project switches off."""
        return self.settings.file_history and "memory.file_history" not in off

    async def reads_text(self, path: str, text: str) -> FileContent | None:
        """What a text declares, by its grammar; None when nobody can tell now."""
        return await self._parser.read_soon(path, text, PARSER_SECONDS) if self._parser else None

    def ask(self, tx: Tx, subject: str, arguments: dict[str, Any], in_seconds: float) -> None:
        """Ask, in a transaction, for a summary."""
        self._jobs.ask(tx, "summarise", subject, arguments, in_seconds=in_seconds)

    async def folder_of(self, conversation: ConversationId, *, folder: str, named: str = "") -> str:
        """The folder that a script means."""
        found: str = await self._items.folder_meant(folder=folder, named=named, conversation=conversation)
        return found

    async def brief_of(self, project: str) -> str:
        """What a session of a project, given by name or folder, would be told at its start; '' of one that nothing is
        known of."""
        try:
            project_id = await self._items.project(project)
        except NothingFound:
            return ""
        start = Start(self._owner, project_id, self._now())
        text, _ = await self._store.read(lambda reader: self._items.brief(reader, start, self._brief_tokens))
        return str(text)

    async def last_prompt(self, conversation: ConversationId) -> tuple[int, str]:
        """Number and text of the last prompt of a conversation; 0 and '' when there is none."""
        last = await self._store.read(lambda reader: tables.last_prompt(reader, conversation))
        return (last.number, last.text) if last else (0, "")

    async def was_asked(self, conversation: ConversationId, text: str) -> bool:
        """Was the prompt of this turn told already? So is a text of which nothing would be kept."""
        words = prompt_text(self._clean(text))

        def look(reader: Reader) -> bool:
            last = tables.last_prompt(reader, conversation)
            if last is None or last.text == words:
                return last is not None
            return not tables.last_stops(reader, conversation, "", last.happened_at, END_OF_TIME, 1)

        return not words or await self._store.read(look)

    async def remember(
        self,
        text: str,
        *,
        title: str = "",
        project: str = "",
        trust: Trust = "user",
        tags: Sequence[str] = (),
        files: Sequence[str] = (),
        source: str = "",
        conversation: ConversationId = NO_CONVERSATION,
    ) -> tuple[Memory, Superseded | None]:
        """Store a memory; also returned: the older memory of the same subject that it replaces. `project` '' means all
        projects. In an agent's, what it repeats of the web is marked; `conversation` is where it speaks, if known.
        """
        words, name = self._clean(text).strip(), self._clean(title)
        if not words:
            raise UsageError("There is nothing to remember: the text is empty, or private.")
        if not rules.may_be_remembered(trust):
            raise UsageError(f"Words of the {trust} are not made a memory; only a user's or an agent's are.")
        if trust == "agent":
            [words, name] = await self._with_marks(words, name, conversation)
        now = self._now()
        memory = Memory(
            id=new_item_id(),
            owner=self._owner,
            project_id=project,
            title=one_line(name or rules.first_sentence(words)),
            text=words[: rules.LONGEST_MEMORY],
            tags=tuple(dict.fromkeys(self._clean(tag).strip().lower()[:40] for tag in tags if tag.strip())),
            files=tuple(files) or rules.files_named(words),
            trust=trust,
            source=source,
            created_at=now,
            updated_at=now,
        )

        def write(tx: Tx) -> Superseded | None:
            replaced = [Superseded(old.id, memory.id, why, "rules", now) for old, why in self._replaced(tx, memory)]
            tables.keep_memory(tx, memory)
            for each in replaced:
                items.supersede(tx, each, self._owner)
            return replaced[0] if replaced else None

        return memory, await self._store.write(write)

    async def _with_marks(self, words: str, title: str, conversation: ConversationId) -> tuple[str, str]:
        """Text and title; where the text repeats the web, the title, which may be shown alone, says so, too."""
        [marked, name] = await self._items.marked([words, title], conversation)
        return marked, f"{WEB}{title}" if title and name == title and marked != words else name

    def _replaced(self, tx: Tx, memory: Memory) -> list[tuple[Memory, str]]:
        """The older memories that surely no longer hold, and why: one of the same subject, and what it gives up."""
        near = recall.find(
            tx,
            recall.Query(
                text=f"{memory.title}\n{memory.text}",
                owners=(self._owner,),
                project_ids=(memory.project_id,),
                kinds=("memory",),
                limit=12,
            ),
        )
        others = [tables.item(tx, hit.id, self._owner) for hit in near if not hit.superseded]
        same = [item for item in others if isinstance(item, Memory) and item.project_id == memory.project_id]
        anew = [
            (item, "a newer memory says the same subject anew")
            for item in same
            if rules.replaces(memory, item, SAME_SUBJECT)
        ]
        lower = [item for item in same if not outranks(item.trust, memory.trust)]
        known = {item.id for item, _ in anew[:1]}
        gone = [
            (item, given_up(memory.text, item.text) or revalued(memory.text, item.text))
            for item in lower
            if item.id not in known
        ]
        return [*anew[:1], *((item, f"a newer memory says “{words}”") for item, words in gone if words)]

    async def corrections(self, *, state: str = "", project_id: str = "") -> list[tables.KeptCorrection]:
        """What the user corrected, the newest first."""
        return await self._store.read(
            lambda reader: tables.corrections(reader, self._owner, state=state, project_id=project_id)
        )

    async def in_full(self, found: tables.KeptCorrection) -> str:
        """The words of a correction, with what they are about where they do not say that themselves."""

        def read(reader: Reader) -> str:
            prompt = tables.prompt(reader, found.prompt_item_id)
            return corrected.whole(reader, prompt, found.text) if prompt else ""

        return await self._store.read(read) or found.text

    async def decide(self, which: tables.KeptCorrection, state: tables.CorrectionState, memory_id: ItemId) -> None:
        """The user decided what happens to a correction."""
        await self._store.write(lambda tx: tables.decide_correction(tx, which, state, memory_id))

    async def open_threads(self, project_id: str) -> list[tuple[Summary, Thread]]:
        """What is open in a project ('': in any), in the order in which the brief tells it."""

        def read(reader: Reader) -> list[tuple[Summary, Thread]]:
            projects = [project_id] if project_id else tables.projects_with_summaries(reader, self._owner)
            starts = (Start(self._owner, each, self._now()) for each in projects)
            return [thread for start in starts for thread in selection.threads_of_project(reader, start)]

        return await self._store.read(read)

    async def settle(self, subject: str, lines: Sequence[str], by: Author) -> None:
        """These open threads of a summary are settled."""

        def write(tx: Tx) -> None:
            for line in lines:
                tables.settle_thread(tx, subject, mark_of(line), by, self._now(), self._owner)

        await self._store.write(write)

    async def summarise(self, arguments: dict[str, Any]) -> None:
        """The job: write the summary of one turn, one session or one subagent's work again."""
        await self._store.write(lambda tx: refresh.rebuild(tx, refresh.Subject.of(arguments), self._owner))
