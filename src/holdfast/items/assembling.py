"""The one assembly of contexts, for hooks, tools and the command line: over every room's items and lines."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from holdfast.events.fence import new_nonce
from holdfast.events.scene import Services
from holdfast.gitfiles import branch_of
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.items import context, tables
from holdfast.items.asked import MOST_GIVEN, Asked
from holdfast.items.context import Assembled, ContextEntry
from holdfast.items.indexed import Start
from holdfast.items.service import Items
from holdfast.items.sources import (
    NO_NEWS,
    ChangedWith,
    ContextLine,
    ContextQuery,
    ContextSource,
    FileNews,
    KnowsFiles,
    KnowsPartners,
    KnowsSymbols,
    NamesTests,
)
from holdfast.items.staleness import Files, files_at
from holdfast.recall import FLOOR
from holdfast.store.interface import Reader

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AssemblyPlace:
    """Where a context is assembled."""

    owner: str
    project_id: str
    """'' for every project."""
    root: str = ""
    """The worktree; '' when it is not known."""
    conversation: ConversationId = NO_CONVERSATION
    agent_id: str = ""


class ContextAssembler:
    """Assembles contexts. `gather` tells it which rooms have lines that are no items, and which know files or names in
    code."""

    def __init__(self, items: Items, services: Services) -> None:
        self._items = items
        self._services = services
        self._sources: tuple[ContextSource, ...] = ()
        self._knows: tuple[KnowsFiles, ...] = ()
        self._symbols: tuple[KnowsSymbols, ...] = ()
        self._partners: tuple[KnowsPartners, ...] = ()
        self._names_tests: tuple[NamesTests, ...] = ()

    def gather(
        self,
        sources: Iterable[ContextSource],
        knows: Iterable[KnowsFiles],
        symbols: Iterable[KnowsSymbols] = (),
        partners: Iterable[KnowsPartners] = (),
        names_tests: Iterable[NamesTests] = (),
    ) -> None:
        self._sources, self._knows, self._symbols = tuple(sources), tuple(knows), tuple(symbols)
        self._partners, self._names_tests = tuple(partners), tuple(names_tests)

    @property
    def weights(self) -> dict[str, float]:
        """All types of context, with their weights."""
        of_lines = {kind: source.weight for source in self._sources for kind in source.types}
        return {**self._items.catalogue.context_types, **of_lines}

    def changed_with(self, project_id: str, path: str) -> list[ChangedWith]:
        """The files that changed together with this one, the most often first, as far as is known in memory."""
        return [each for knows in self._partners for each in knows(project_id, path)]

    def are_tests_named(self, root: str, path: str, off: Collection[str]) -> bool:
        """Does some room name the tests of this file when it is read?"""
        return any(names(root, path, off) for names in self._names_tests)

    def files(self, project_id: str, root: str) -> Files | None:
        """What is known of the files of a worktree; None when it is not there."""

        def news(path: str, since: int) -> FileNews:
            told = (knows(project_id, path, since) for knows in self._knows)
            return next((each for each in told if each != NO_NEWS), NO_NEWS)

        def names(text: str) -> dict[str, str]:
            return {name: path for knows in self._symbols for name, path in knows.standing(root, text).items()}

        return files_at(root, news, names)

    async def lines(
        self, query: ContextQuery, types: Collection[str] = (), *, at_prompt: bool = False
    ) -> list[ContextLine]:
        """Lines that are no items, of these types; `at_prompt`: of those that may speak unasked."""
        found: list[ContextLine] = []
        for source in self._sources:
            if not (source.at_prompt if at_prompt else set(source.types) & set(types)):
                continue
            try:
                told: Sequence[ContextLine] = await source.find(query, self._services)
            except Exception:
                log.exception("a context is assembled without %s", ", ".join(source.types))
                continue
            found += [each for each in told if at_prompt or each.type in types][: query.limit]
        return found

    async def assemble(
        self, text: str, spot: AssemblyPlace, types: Collection[str] = (), *, limit: int, max_tokens: int
    ) -> Assembled:
        """A context for a query; without one, what a window's start is given."""
        wanted = tuple(types) or tuple(self.weights)
        now = self._items.now()
        branch = branch_of(spot.root) if spot.root else ""
        near, direction = await self._items.direction(text)
        files = self.files(spot.project_id, spot.root)

        def choose(reader: Reader) -> tuple[list[ContextEntry], list[ContextEntry]]:
            if not text.strip():
                start = Start(spot.owner, spot.project_id, now, branch=branch, files=files, most=limit)
                return context.at_start(reader, self._items.catalogue, start, wanted), []
            who = tables.listener(reader, spot.conversation, spot.agent_id)
            asked = Asked(text, spot.owner, spot.project_id, who, now, files, near=near, direction=direction)
            asked = replace(asked, branch=branch)
            catalogue = self._items.catalogue
            return context.for_query(reader, catalogue, asked, wanted, tokens=max_tokens, most=limit)

        first, more = await self._items.read(choose)
        query = ContextQuery(text, spot.owner, spot.project_id, spot.root, now, limit)
        sure = await self._sure_lines(query, wanted, first) if spot.project_id and text.strip() else []
        lines = context.of_lines(await self.lines(query, wanted)) if spot.project_id else []
        return context.put_together(
            [*first, *sure], [*more, *lines], weights=self.weights, tokens=max_tokens, most=limit, nonce=new_nonce()
        )

    async def _sure_lines(
        self, query: ContextQuery, types: Collection[str], given: Sequence[ContextEntry]
    ) -> list[ContextEntry]:
        """The lines that a prompt would be given after these items: they come right after them here, too."""
        left = MOST_GIVEN - len(given)
        if left <= 0:
            return []
        found = await self.lines(replace(query, limit=left, unasked=True), at_prompt=True)
        meant = context.of_lines([each for each in found if each.type in types], FLOOR)[:left]
        lowest = min((each.score for each in given), default=1.0)
        return [replace(each, score=lowest * 0.9**number) for number, each in enumerate(meant, 1 if given else 0)]
