"""Search, timeline, show, why, edit and supersede for the items of every room; and what is given to agents."""

from __future__ import annotations

import asyncio
import posixpath
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from holdfast import recall
from holdfast.errors import HoldfastError, NothingFound, UsageError
from holdfast.events.caller import Caller
from holdfast.ids import NO_ITEM, ConversationId, ItemId
from holdfast.items import brief, folders, ranks, rows, selection, tables
from holdfast.items.asked import Asked
from holdfast.items.catalogue import Catalogue
from holdfast.items.indexed import END_OF_TIME, Author, Change, Family, Indexed, Listed, Page, Start
from holdfast.items.model import CitedPage, Explained, Found, Given, Item, Objection, Superseded
from holdfast.items.snippets import marks, snippet
from holdfast.items.staleness import Files
from holdfast.items.web_words import TOOL, marked_texts, may_repeat, texts_in
from holdfast.items.words import pattern, read_id
from holdfast.items.work import by_work, unanswered
from holdfast.prose.one_line import one_line
from holdfast.recall.keep import words as indexed_words
from holdfast.recall.search import Near
from holdfast.recall.tokens import terms
from holdfast.store.interface import Reader, Store, Tx

T = TypeVar("T")

HITS_PER_ROW = 4
"""Hits that are looked at for each row of a search: prompt, turn, session and what was done are about the same work."""
LONGEST_SNIPPET = 240
BY_MEANING = "found by its meaning"
MOST_WITH_TEXT = 2_000
"""Of the items that hold a text word for word, the newest that are looked at."""
_MOST_SHOWN = 100
_AT_ONCE = 200
_LONGEST_REASON = 400
_LONGEST_ID = 60
"""Of what is no id, what an error repeats."""
_NO_NAME = re.compile(r"[^\w.-]+")


def _as_it_is(text: str) -> str:
    return text


Hits = list[tuple[Item, recall.Hit]]
"""Items that were found, the best first."""
WorkHits = Hits
"""Hits about one piece of work, the one that says most first."""


def _by_names(found: Hits, files: Files) -> Hits:
    """Hits in their order, those after others that name functions that are gone."""
    lowered = []
    for item, hit in found:
        there = files.names_there(item.words())
        lowered.append((item, replace(hit, score=hit.score * there, parts={**hit.parts, "names": there})))
    return sorted(lowered, key=lambda each: -each[1].score)


def _telling(query: str, has: dict[ItemId, frozenset[str]]) -> dict[ItemId, frozenset[str]]:
    """The words that items have, without single characters unless nothing else is asked for: the 1 of `N+1` and the 2
    of `key2-abc` find nothing."""
    if all(len(word) == 1 for word in terms(query)):
        return has
    return {key: frozenset(word for word in words if len(word) > 1) for key, words in has.items()}


def _joined(rows: Sequence[tuple[WorkHits, str]]) -> list[tuple[WorkHits, str]]:
    """Rows that state the same outcome are one row, in the place of the first."""
    joined: dict[ItemId, tuple[WorkHits, str]] = {}
    for group, why in rows:
        head = group[0][0].id
        before, reason = joined.get(head, ([], why))
        known = {item.id for item, _ in before}
        joined[head] = ([*before, *(each for each in group if each[0].id not in known)], reason)
    return list(joined.values())


_MOST_NEAREST = 5
"""Rows by meaning, where nothing has a word of the question and the model is sure of none: the person decides."""


def _is_near(hit: recall.Hit, near: Near | None) -> bool:
    """Does the sentence model say that it is about the question?"""
    return bool(near and near.scale and hit.parts.get("vector", 0.0) > near.scale[0])


def nothing_under(named: str) -> HoldfastError:
    """What to say to an id that leads to nothing."""
    if read_id(named) is None:
        return UsageError(
            f"{one_line(named, _LONGEST_ID)!r} is no id. An id is a letter and eight characters, such as o3fa9c21b; "
            "`holdfast search` shows them."
        )
    return NothingFound(
        f"Nothing is kept under the id {named}. It may have been forgotten; `holdfast search WORDS` and "
        "`holdfast timeline` show the ids that there are."
    )


class Items:
    """Works on one owner's items. `gather` tells it which rooms have any."""

    def __init__(
        self,
        store: Store,
        owner: str,
        *,
        locate: Callable[[str], tuple[str, str]],
        clean: Callable[[Any], Any] = _as_it_is,
        now: Callable[[], int],
        near: Callable[[], Near | None] = lambda: None,
    ) -> None:
        """`locate` gives place and name of the project that a folder belongs to; `clean` takes secrets and private
        spans out of what does not come by a hook; `near` is the sentence model's view, when there is a model."""
        self.catalogue = Catalogue()
        self.now = now
        self._store = store
        self._owner = owner
        self._locate = locate
        self.cleaned = clean
        self.near = near

    def gather(self, rooms: Iterable[tuple[Iterable[Family], Indexed]]) -> None:
        """Take the families of each room that has items, with its index. Refuses two rooms with the same family, kind
        or id letter."""
        self.catalogue = Catalogue(rooms)

    async def read(self, work: Callable[[Reader], T]) -> T:
        """Run a question on one view of the store."""
        return await self._store.read(work)

    # --- projects

    async def project(self, named: str) -> str:
        """The id of the project that a name, a folder or an id means."""
        place = self._locate(named)[0] if named.startswith("/") else named
        ids = await self._store.read(lambda reader: tables.projects_named(reader, place, self._owner))
        if len(ids) == 1:
            return ids[0]
        if not ids:
            raise NothingFound(
                f"There is no project named {named}; nothing was found or changed. `holdfast project list` names them."
            )
        raise UsageError(f"{len(ids)} projects are named {named}; give the folder of the one you mean.")

    async def folder_meant(self, *, folder: str, named: str, conversation: ConversationId) -> str:
        """The folder that a script means which may name its project or its session only."""
        return await folders.folder_meant(
            self._store, self._owner, self._locate, folder=folder, named=named, conversation=conversation
        )

    async def project_at(self, folder: str) -> str:
        """The id of the project that a folder belongs to, made if nothing ever happened there."""
        place, name = self._locate(folder)
        return await self._store.write(lambda tx: tables.project_at(tx, place, name, self._owner, self.now()))

    async def project_of(self, caller: Caller) -> str:
        """The caller's project, made if nothing ever happened where it stands."""
        return await self.project_at(caller.folder) if caller.is_nowhere else caller.project_id

    async def names(self, project_ids: Iterable[str]) -> dict[str, str]:
        """The names of projects by their ids."""
        wanted = [each for each in project_ids if each]

        def find(reader: Reader) -> dict[str, str]:
            return {each: tables.project_name(reader, each, self._owner) for each in wanted}

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
        files: Files | None = None,
    ) -> list[Found]:
        """What fits, best first (without a query: the newest). `project` is an id, '' means all; `session` is the
        client's session id; `text` must stand in it word for word; `files` are those of the project. Words that the
        index leaves out ("make") are looked for word for word."""
        among = {"project": project, "file": file, "session": session}
        span = partial(self.search, kinds=kinds, since=since, until=until, limit=limit, files=files, **among)
        if query.strip() and not text and not terms(query) and (stand := await span(text=query.strip())):
            return stand
        known = self.catalogue.kinds
        if unknown := [kind for kind in kinds if kind not in known]:
            raise UsageError(f"There is no kind {unknown[0]!r}. Kinds are {', '.join(known)}.")
        is_asked = bool(query.strip())
        by_turn = is_asked and not kinds
        asked = recall.Query(
            text=query,
            owners=(self._owner,),
            project_ids=(project, "") if project else (),
            kinds=tuple(kinds) or known,
            since=since,
            until=until,
            conversation=ConversationId(session),
            file=file,
            limit=MOST_WITH_TEXT if text else limit * HITS_PER_ROW if by_turn else limit,
            now=self.now() if query else 0,
            exists=files.is_there if files and query else None,
        )
        near, direction = await self.direction(query)

        def find(reader: Reader) -> list[Found]:
            found = self._items_found(reader, asked, text, near, direction)
            if not is_asked:
                return [self._hit(reader, [each], files) for each in found[:limit]]
            rows = self._rows(reader, query, _by_names(found, files) if files else found, near, by_turn=by_turn)[:limit]
            if by_turn:
                rows = _joined([(self._with_finding(reader, row), why) for row, why in rows])
            return [self._hit(reader, row, files, why) for row, why in rows]

        return await self._store.read(find)

    def _items_found(self, reader: Reader, asked: recall.Query, text: str, near: Near | None, direction: Any) -> Hits:
        """What the index finds, and the items that it found; those that hold the text, when one is asked for."""
        among = self._with_text(reader, text, asked) if text else None
        found: Hits = []
        for hit in recall.find(reader, replace(asked, among=among), near, direction):
            item = self.catalogue.item(reader, hit.id, self._owner, self.catalogue.family_of_kind(hit.kind))
            if item is not None and (not text or text.lower() in item.words().lower()):
                found.append((item, hit))
        return found

    def _rows(
        self, reader: Reader, query: str, found: Hits, near: Near | None, *, by_turn: bool
    ) -> list[tuple[WorkHits, str]]:
        """The hits that are about the question, best first, each row with the reason where it has no word of the
        question. `by_turn`: hits about one piece of work are one row."""
        has = _telling(query, {item.id: self._words_of(reader, item, hit) for item, hit in found})
        fitting = [(item, hit) for item, hit in found if has[item.id] or _is_near(hit, near)]
        found = fitting or (found[:_MOST_NEAREST] if near else [])
        groups = by_work(found, self.catalogue.last_resorts) if by_turn else [[each] for each in found]
        words = [frozenset[str]().union(*(has[item.id] for item, _ in group)) for group in groups]
        return unanswered(
            [(group[0][0], own, (group, "" if own else BY_MEANING)) for group, own in zip(groups, words, strict=True)]
        )

    def _hit(
        self, reader: Reader, group: Sequence[tuple[Item, recall.Hit]], files: Files | None, reason: str = ""
    ) -> Found:
        """The row of hits about the same work: the one that says most, with the words that were asked for."""
        (item, hit), *rest = group
        words = frozenset(term for _, each in group for term in each.matched)
        shown = snippet(item.words(), words, LONGEST_SNIPPET, beside=item.listed.title) if words else ""
        if words and not shown and not marks(item.listed.title, words):
            others = (snippet(other.words(), words, LONGEST_SNIPPET) for other, _ in rest)
            shown = next((each for each in others if each), "")
        return replace(
            self._marked(reader, item.listed),
            score=hit.score,
            parts=tuple(hit.parts.items()),
            facts=files.facts(hit.files, item.listed.happened_at, item.words()) if files else (),
            snippet=shown,
            reason=reason,
            marks=tuple(marks(shown, words)),
            same_work=tuple(other.listed for other, _ in rest),
        )

    def _with_finding(self, reader: Reader, group: WorkHits) -> WorkHits:
        """A row states the outcome of the work where it is known, though only what was run or asked has the words."""
        item, hit = group[0]
        if item.listed.sums_up or item.listed.whole_of:
            return group
        value = item.room.instead(reader, item.value, self._owner)
        if value is item.value:
            return group
        return [(Item(value, item.room.listed(value), item.room), hit), *group]

    def _words_of(self, reader: Reader, item: Item, hit: recall.Hit) -> frozenset[str]:
        """The words of the question that stand in an item itself, and not only beside it."""
        matched = frozenset(hit.matched)
        text = item.words()
        before, dash, asked = item.listed.title.rpartition(" — ") if item.listed.asks else ("", "", "")
        if dash and text.startswith(before):  # its title begins with what was spoken of before
            return matched.intersection(terms(asked + text.removeprefix(item.listed.title)))
        own = matched.intersection(terms(text))
        if own or not matched:
            return own
        document = item.room.found_by(reader, item.value, self._owner)
        return matched.intersection(indexed_words(document).replace("~", "").split()) if document else own

    def _with_text(self, reader: Reader, text: str, asked: recall.Query) -> frozenset[ItemId]:
        """Ids of items that hold a text, and perhaps a few more. Reads the tables: the index has no "->" or "it"."""
        only = asked.kinds[0] if len(asked.kinds) == 1 else ""
        family = self.catalogue.family_of_kind(only)
        wanted = Page(
            limit=MOST_WITH_TEXT,
            since=asked.since,
            until=asked.until,
            project_id=asked.project_ids[0] if asked.project_ids else "",
            family=family,
            kind=only if family and self.catalogue.family(family).kinds else "",
            file=f"%{_NO_NAME.sub('%', posixpath.basename(asked.file))}%" if asked.file else "",
            conversation=asked.conversation,
            like=pattern(text),
        )
        return frozenset(each.id for each in self.catalogue.page(reader, wanted, self._owner))

    async def direction(self, text: str) -> tuple[Near | None, Any]:
        """The sentence model's view of a question: (None, None) without a model."""
        near = self.near()
        if near is None or not text.strip():
            return None, None
        return near, await asyncio.to_thread(near.direction, text)

    async def timeline(self, around: str | int, *, before: int = 5, after: int = 5, project: str = "") -> list[Found]:
        """What happened around an item or a moment, in the order of time."""

        def find(reader: Reader) -> list[Found]:
            at, place, middle = around, project, None
            if isinstance(at, str):
                middle = self.one(reader, at).listed
                at, place = middle.happened_at, project or middle.project_id
            earlier = self._page(reader, Page(limit=before, until=at, project_id=place))
            later = self._page(reader, Page(limit=after + 1, since=at, oldest_first=True, project_id=place))
            lines = [*reversed(earlier), *later]
            if middle is not None and middle.id not in {line.id for line in lines}:
                lines.insert(len(earlier), middle)
            return [self._marked(reader, line) for line in lines][: before + after + 1]

        return await self._store.read(find)

    def _page(self, reader: Reader, wanted: Page) -> list[Listed]:
        return self.catalogue.page(reader, wanted, self._owner) if wanted.limit else []

    async def get(self, named: Iterable[str]) -> list[Item]:
        """Items in the order asked, by their ids, whole or short. What an id does not lead to is left out."""
        wanted = list(named)

        def find(reader: Reader) -> list[Item]:
            return [item for each in wanted for item in self.catalogue.meant(reader, each, self._owner)]

        return await self._store.read(find)

    async def pages(self, ids: Iterable[ItemId]) -> dict[ItemId, tuple[CitedPage, ...]]:
        """The web pages that items cite, by the items' full ids."""
        wanted = list(ids)
        return await self._store.read(lambda reader: {each: tables.cited(reader, each, self._owner) for each in wanted})

    async def objections(self, ids: Iterable[ItemId]) -> dict[ItemId, str]:
        """What agents say against items, by the items' full ids; items without an objection are left out."""
        wanted = list(ids)

        def find(reader: Reader) -> dict[ItemId, str]:
            return {each: said for each in wanted if (said := tables.objection_to(reader, each))}

        return await self._store.read(find)

    async def why(self, named: str) -> Explained:
        """Where an item came from, what was taken out of it, when it was shown to whom and why (MEM-10)."""
        return await self._store.read(lambda reader: self._explained(reader, self.one(reader, named)))

    def _explained(self, reader: Reader, item: Item) -> Explained:
        background = item.room.background(reader, item.value, self._owner)
        return Explained(
            item=item,
            project=tables.project_name(reader, item.listed.project_id, self._owner),
            conversation=background.conversation,
            origin=tables.origin(reader, background.entry_id) if background.entry_id else None,
            more=background.more,
            shown=tables.injections_of(reader, item.id, _MOST_SHOWN),
            superseded=tables.superseded(reader, item.id),
            objections=tables.objections(reader, item.id),
            supersedes=tables.supersedes(reader, item.id),
            pages=tables.cited(reader, item.id, self._owner),
        )

    # --- correcting

    async def edit(
        self,
        named: str,
        *,
        title: str | None = None,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        by: Author = "user",
    ) -> Item:
        """Correct an item. The words it had before are not searchable any more. An agent cannot edit a user's words; a
        person's correction settles an agent's objection."""
        change = Change(
            title=None if title is None else self.cleaned(title),
            text=None if text is None else self.cleaned(text),
            tags=None if tags is None else tuple(map(self.cleaned, tags)),
            by=by,
            now=self.now(),
        )

        def write(tx: Tx) -> Item:
            old = self.one(tx, named)
            if by != "user" and old.listed.trust == "user":
                raise UsageError("These are a user's words; an agent may object to them by `supersede`.")
            value = old.room.edit(tx, old.value, change, self._owner)
            tables.put_in_index(tx, old.room, value, self._owner)
            if by == "user":
                tables.settle_objection(tx, old.id)
            return Item(value, old.room.listed(value), old.room)

        return await self._store.write(write)

    async def supersede(
        self, named: str, heir_named: str | None, reason: str, *, by: Author = "agent"
    ) -> Superseded | Objection:
        """Say that an item no longer holds, and what took its place. Against words that outrank the caller's, or the
        heir's, that is an objection: it is kept, and the item stays in force (SEC-8)."""

        def write(tx: Tx) -> Superseded | Objection:
            gone = self.one(tx, named)
            heir = self.one(tx, heir_named) if heir_named else None
            heir_id = heir.id if heir else NO_ITEM
            if heir_id == gone.id:
                raise UsageError("An item cannot take its own place.")
            words = one_line(self.cleaned(reason), _LONGEST_REASON)
            if not ranks.may_replace(by, gone.listed.trust, heir.listed.trust if heir else None):
                objection = Objection(gone.id, heir_id, words, by, self.now())
                tables.objects(tx, objection, self._owner)
                return objection
            superseded = Superseded(gone.id, heir_id, words, by, self.now())
            tables.supersede(tx, superseded, self._owner)
            return superseded

        return await self._store.write(write)

    async def marked(self, texts: Sequence[str], conversation: ConversationId) -> list[str]:
        """An agent's words that are stored now: sentences that repeat what the web told are marked (SEC-6)."""
        if not any(map(may_repeat, texts)):
            return list(texts)
        return await self._store.read(lambda reader: self.marked_in(reader, texts, conversation))

    def marked_in(self, reader: Reader, texts: Sequence[str], conversation: ConversationId) -> list[str]:
        """The same, inside a transaction."""
        if not any(map(may_repeat, texts)):
            return list(texts)
        now = self.now()
        pages = [
            page for room in self.catalogue.rooms for page in room.told_by_web(reader, conversation, self._owner, now)
        ]
        return marked_texts(texts, pages)

    async def marked_by_tools(self, texts: Sequence[str], conversation: ConversationId) -> list[str]:
        """The same for what tools told in a conversation: it becomes no value (SEC-6)."""
        if not any(map(may_repeat, texts)):
            return list(texts)

        def look(reader: Reader) -> list[str]:
            told = tables.told_by_tools(reader, conversation, self._owner, self.now())
            return marked_texts(texts, map(texts_in, told), TOOL)

        return await self._store.read(look)

    # --- removing (for `upkeep`)

    def remove(self, tx: Tx, ids: Iterable[ItemId], *, mend: bool = True) -> list[Item]:
        """Remove items of any room with all that refers to them, and mend what was made of them. What was removed.

        `mend=False` when they only aged out: what was made of them still holds.
        The journal's copies are the caller's to drop. Afterwards, outside the transaction, `recall.purge` takes the
        last traces out of the index's files."""
        wanted = list(dict.fromkeys(ids))
        removed: list[Item] = []
        rows.drop_parts(tx, self._store.catalog.tables, wanted, self._owner)
        for room in self.catalogue.rooms:
            values = list(room.remove(tx, wanted, self._owner))
            gone = [Item(value, room.listed(value), room) for value in values]
            for item in gone:
                tables.drop_traces(tx, item.id)
            if values and mend:
                room.after_forget(tx, values, self._owner, self.now())
            removed += gone
        if removed and mend:
            tables.unsay(tx, self._owner, min(item.listed.happened_at for item in removed))
        return removed

    # --- given to an agent that did not ask

    def for_prompt(self, reader: Reader, asked: Asked, *, tokens: int, most: int) -> list[Given]:
        """What fits a prompt, from every room's items, within one budget."""
        return selection.for_prompt(reader, self.catalogue, asked, tokens, most)

    def brief(self, reader: Reader, start: Start, tokens: int) -> tuple[str, list[Given]]:
        """The brief at a window's start, from every room's items, within one budget; and what it gives."""
        return brief.brief(reader, self.catalogue, start, tokens)

    def knows(self, reader: Reader, project_id: str) -> bool:
        """Is there anything of a project that may be given?"""
        families = (family.name for family in self.catalogue if family.unasked)
        return any(self._page(reader, Page(limit=1, project_id=project_id, family=name)) for name in families)

    # --- the index

    def texts(self, reader: Reader, ids: Sequence[ItemId]) -> Mapping[ItemId, str]:
        """All words of items by their full ids: what a sentence model is shown."""
        items = {each: self.catalogue.item(reader, each, self._owner) for each in ids}
        return {each: item.words() for each, item in items.items() if item is not None}

    def count(self, reader: Reader) -> int:
        """How many items the index must hold, at least."""
        return sum(room.count(reader, self._owner) for room in self.catalogue.rooms)

    async def documents(self, at: int = 0, last: str = "") -> AsyncIterator[list[recall.Item]]:
        """Everything that the index must hold, in the order it happened, in parts: for `reindex`. `at` and `last`: from
        after this time and this id on."""
        while True:
            wanted = Page(limit=_AT_ONCE, since=at, after=last, oldest_first=True)
            lines, found = await self._store.read(lambda reader, wanted=wanted: self._documents(reader, wanted))  # type: ignore[misc]
            if found:
                yield found
            if len(lines) < _AT_ONCE:
                return
            at, last = lines[-1].happened_at, lines[-1].id

    def _documents(self, reader: Reader, wanted: Page) -> tuple[list[Listed], list[recall.Item]]:
        lines = self._page(reader, wanted)
        items = [self.catalogue.item(reader, line.id, self._owner, line.family) for line in lines]
        entries = [tables.document(reader, item.room, item.value, self._owner) for item in items if item is not None]
        return lines, [entry for entry in entries if entry is not None]

    # --- helpers

    def one(self, reader: Reader, named: str) -> Item:
        """The item that an id means. A sentence when it means none, or several."""
        found = self.catalogue.meant(reader, named, self._owner)
        if not found:
            raise nothing_under(named)
        if len(found) > 1:
            raise UsageError(f"{named} means more than one item; say {' or '.join(item.id for item in found)}.")
        return found[0]

    def _marked(self, reader: Reader, line: Listed) -> Found:
        old = tables.superseded(reader, line.id)
        changed = tables.page_changed(reader, line.id, self._owner)
        objection = tables.objection_to(reader, line.id)
        return Found(line, superseded_by=old.new_id if old else None, objection=objection, page_changed=changed)
