"""The room's service: what hooks, tools and other doors ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from holdfast import recall
from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import new_id
from holdfast.recall.search import Near
from holdfast.rooms.memory import index, rows, rules, tables
from holdfast.rooms.memory.capture.worktree import Heads
from holdfast.rooms.memory.explain import explain
from holdfast.rooms.memory.model import (
    CitedPage,
    Explained,
    Found,
    Item,
    Memory,
    Observation,
    Prompt,
    Summary,
    Superseded,
    Trust,
)
from holdfast.rooms.memory.settings import Settings
from holdfast.rooms.memory.summaries import refresh
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx

T = TypeVar("T")
END_OF_TIME = 2**62
SAME_SUBJECT = 0.82
"""Share of words two memories have in common when the newer one replaces the older (MEM-12)."""


class MemoryService:
    """Finds, explains, remembers, corrects. What an event causes is written by the event's own transaction."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.settings = settings
        self.heads = Heads()
        self.now = ground.now
        self._jobs = ground.jobs
        self._near = ground.items.near
        self._clean = ground.clean
        self._store = ground.store
        self._owner = ground.owner
        self._locate = ground.locate

    def ask(self, tx: Tx, subject: str, arguments: dict[str, Any], in_seconds: float) -> None:
        """Ask, in a transaction, for a summary."""
        self._jobs.ask(tx, "summarise", subject, arguments, in_seconds=in_seconds)

    # --- projects

    async def project(self, named: str) -> str:
        """The id of the project that a name, a folder or an id means."""
        place = self._locate(named)[0] if named.startswith("/") else named
        found = await self._store.read(
            lambda reader: reader.all("memory.projects_named", owner=self._owner, project=place)
        )
        ids = [str(row["id"]) for row in found]
        if len(ids) == 1:
            return ids[0]
        if not ids:
            raise HoldfastError(f"There is no project named {named}; nothing was found or changed.")
        raise UsageError(f"{len(ids)} projects are named {named}; give the folder of the one you mean.")

    async def project_at(self, folder: str) -> str:
        """The id of the project that a folder belongs to, made if nothing ever happened there."""
        place, name = self._locate(folder)

        def settle(tx: Tx) -> str:
            tx.run("session.project_add", id=new_id(), owner=self._owner, place=place, name=name, created_at=self.now())
            return str((tx.one("session.project_by_place", owner=self._owner, place=place) or {})["id"])

        return await self._store.write(settle)

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of projects by their ids."""
        wanted = [each for each in ids if each]

        def find(reader: Reader) -> dict[str, str]:
            found = {each: reader.one("memory.project", id=each, owner=self._owner) for each in wanted}
            return {each: str(row["name"]) for each, row in found.items() if row}

        return await self._store.read(find)

    # --- finding: ids and titles, what stands around, the whole

    async def search(
        self,
        query: str = "",
        *,
        project: str = "",
        kinds: Sequence[str] = (),
        since: int = 0,
        until: int = END_OF_TIME,
        file: str = "",
        session: str = "",
        text: str = "",
        limit: int = 20,
    ) -> list[Found]:
        """What fits, best first (without a query: the newest). `project` is an id, '' means all; `session` is the
        client's session id; `text` must stand in it word for word."""
        unknown = [kind for kind in kinds if kind not in index.ALL_KINDS]
        if unknown:
            raise UsageError(f"There is no kind {unknown[0]!r}. Kinds are {', '.join(index.ALL_KINDS)}.")
        asked = recall.Query(
            text=query,
            owners=(self._owner,),
            project_ids=(project, "") if project else (),
            kinds=tuple(kinds) or index.ALL_KINDS,
            since=since,
            until=until,
            session=session,
            file=file,
            limit=limit if not text else index.MOST_WITH_TEXT,
            now=self.now() if query else 0,
        )

        near, direction = await self.direction(query)

        def find(reader: Reader) -> list[Found]:
            found: list[Found] = []
            among = index.with_text(reader, text, asked) if text else None
            for hit in recall.find(reader, replace(asked, among=among), near, direction):
                item = tables.item(reader, hit.id, self._owner, index.families(hit.kind))
                if item is None or (text and text.lower() not in rules.all_words(item).lower()):
                    continue
                line = self._line(reader, item)
                found.append(replace(line, score=hit.score, parts=tuple(hit.parts.items())))
                if len(found) == limit:
                    break
            return found

        return await self._store.read(find)

    async def direction(self, text: str) -> tuple[Near | None, Any]:
        """The sentence model's view of a question: (None, None) without a model."""
        near = self._near()
        if near is None or not text.strip():
            return None, None
        return near, await asyncio.to_thread(near.direction, text)

    async def timeline(self, around: str | int, *, before: int = 5, after: int = 5, project: str = "") -> list[Found]:
        """What happened around a thing or a moment, in the order of time."""

        def find(reader: Reader) -> list[Found]:
            at, place, middle = around, project, None
            if isinstance(at, str):
                middle = self._one(reader, at)
                at, place = rules.moment(middle), project or middle.project_id
            common = {"owner": self._owner, "project_id": place}
            none = {"family": "", "kind": "", "file": "", "conversation": "", "like": ""}
            earlier = reader.all("memory.listed", **common, **none, since=0, until=at, limit=before)
            later = reader.all("memory.listed_after", **common, since=at, limit=after + 1)
            lines = [rows.found_of(row) for row in [*reversed(earlier), *later]]
            if middle is not None and middle.id not in {line.id for line in lines}:
                lines.insert(len(earlier), self._line(reader, middle))
            return [self._marked(reader, line) for line in lines][: before + after + 1]

        return await self._store.read(find)

    async def get(self, ids: Iterable[str]) -> list[Item]:
        """The whole of things, in the order asked. What an id does not lead to is left out."""
        wanted = list(ids)

        def find(reader: Reader) -> list[Item]:
            return [item for each in wanted for item in tables.meant(reader, each, self._owner)]

        return await self._store.read(find)

    async def pages(self, ids: Iterable[str]) -> dict[str, tuple[CitedPage, ...]]:
        """The web pages that things cite, by the things' full ids."""
        wanted = list(ids)
        return await self._store.read(lambda reader: {each: tables.cited(reader, each, self._owner) for each in wanted})

    async def why(self, item_id: str) -> Explained:
        """Where a thing came from, what was taken out of it, when it was shown to whom and why."""
        return await self._store.read(lambda reader: explain(reader, self._one(reader, item_id), self._owner))

    # --- remembering and correcting

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
    ) -> tuple[Memory, Superseded | None]:
        """Keep words for good; and what older memory of the same subject they replace. `project` '' is all projects."""
        words = self._clean(text).strip()
        if not words:
            raise UsageError("There is nothing to remember: the text is empty, or private.")
        if not rules.may_be_remembered(trust):
            raise UsageError(f"Words of the {trust} are not made a memory; only a user's or an agent's are.")
        now = self.now()
        memory = Memory(
            id=new_id(),
            owner=self._owner,
            project_id=project,
            title=rules.one_line(self._clean(title) or rules.first_sentence(words)),
            text=words[: rules.LONGEST_MEMORY],
            tags=tuple(dict.fromkeys(self._clean(tag).strip().lower()[:40] for tag in tags if tag.strip())),
            files=tuple(files) or rules.files_named(words),
            trust=trust,
            source=source,
            created_at=now,
            updated_at=now,
        )

        def write(tx: Tx) -> Superseded | None:
            old = self._replaced(tx, memory)
            tables.keep_memory(tx, memory)
            if old is None:
                return None
            replaced = Superseded(old.id, memory.id, "a newer memory says the same subject anew", "rules", now)
            tables.supersede(tx, replaced, self._owner)
            return replaced

        return memory, await self._store.write(write)

    def _replaced(self, tx: Tx, memory: Memory) -> Memory | None:
        """The older memory of the same subject, if there surely is one."""
        near = recall.find(
            tx,
            recall.Query(
                text=f"{memory.title}\n{memory.text}",
                owners=(self._owner,),
                project_ids=(memory.project_id,),
                kinds=("memory",),
                limit=5,
            ),
        )
        others = [tables.item(tx, hit.id, self._owner) for hit in near if not hit.superseded]
        same = [item for item in others if isinstance(item, Memory) and item.project_id == memory.project_id]
        return next((item for item in same if rules.replaces(memory, item, SAME_SUBJECT)), None)

    async def edit(
        self,
        item_id: str,
        *,
        title: str | None = None,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        by: str = "user",
    ) -> Item:
        """Correct a thing. What was searchable of it before is not any more. A user's own words are the user's."""
        title, text = (None if each is None else self._clean(each) for each in (title, text))
        chosen = None if tags is None else tuple(map(self._clean, tags))

        def write(tx: Tx) -> Item:
            old = self._one(tx, item_id)
            if by != "user" and rules.is_users(old):
                raise UsageError("These are a user's words; an agent may `supersede` them, or `remember` better ones.")
            new = rules.edited(old, title, text, chosen, self.now(), by)
            match new:
                case Memory():
                    tags_, files = rows.listing(new.tags), rows.listing(new.files)
                    words = {"title": new.title, "text": new.text, "tags": tags_, "files": files}
                    tx.run("memory.edit_memory", id=new.id, at=new.updated_at, **words)
                case Observation():
                    tx.run("memory.edit_observation", id=new.id, title=new.title, text=new.excerpt or None)
                case Summary():
                    tx.run("memory.summary_rewrite", **rows.summary_row(new))
                case Prompt():
                    tx.run("memory.edit_prompt", id=new.id, text=new.text)
                    refresh.retell(tx, new, self._owner)
            tables.put_in_index(tx, new, self._owner)
            return new

        return await self._store.write(write)

    async def supersede(self, old: str, new: str | None, reason: str, *, by: str = "agent") -> Superseded:
        """Say that a thing no longer holds, and what took its place."""

        def write(tx: Tx) -> Superseded:
            gone = self._one(tx, old)
            heir = self._one(tx, new).id if new else ""
            if heir == gone.id:
                raise UsageError("A thing cannot take its own place.")
            superseded = Superseded(gone.id, heir, rules.one_line(self._clean(reason), 400), by, self.now())
            tables.supersede(tx, superseded, self._owner)
            return superseded

        return await self._store.write(write)

    # --- forgetting (the selections are `memory.ids_of_*` and `memory.ids_before`)

    def remove(self, tx: Tx, ids: Iterable[str]) -> list[Item]:
        """Remove things but for the journal's copies, and write anew the summaries they were part of. What was removed.

        Afterwards, outside the transaction, `recall.purge` takes the last traces out of the index's files."""
        removed = tables.remove(tx, ids, self._owner)
        refresh.resum_after(tx, removed, self._owner)
        return removed

    async def summarise(self, arguments: dict[str, Any]) -> None:
        """The job: sum up one turn, one session or one subagent's work, anew."""
        await self._store.write(lambda tx: refresh.resum(tx, refresh.Subject(**arguments), self._owner))

    # --- in small

    def _one(self, reader: Reader, item_id: str) -> Item:
        found = tables.meant(reader, item_id, self._owner)
        if not found:
            raise HoldfastError(f"Nothing is kept under the id {item_id}. `holdfast search` shows ids.")
        if len(found) > 1:
            ids = " or ".join(item.id for item in found)
            raise UsageError(f"{item_id} means more than one thing; say {ids}.")
        return found[0]

    def _line(self, reader: Reader, item: Item) -> Found:
        return self._marked(reader, rows.found_as(item))

    def _marked(self, reader: Reader, line: Found) -> Found:
        old = reader.one("memory.superseded", id=line.id)
        changed = any(page.changed_at for page in tables.cited(reader, line.id, self._owner))
        return replace(line, superseded_by=str(old["new_id"]) if old else None, page_changed=changed)
