"""Keeps the index of each project, and answers from it.

The index is written by a process of its own (`source.worker`) and read here, in a thread. What an answer names is
compared with the disk before it is said: a file that is gone or changed since is left out, and read again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

from holdfast.gitfiles import repository
from holdfast.items.sources import ChangedWith
from holdfast.rooms.code import rules, symbols
from holdfast.rooms.code.open_files import OpenFiles
from holdfast.rooms.code.said_lines import SaidLines
from holdfast.rooms.code.settings import Settings
from holdfast.rooms.room import Ground
from holdfast.source import index_file
from holdfast.source.child import Index, UpdateFiles
from holdfast.source.index_file import IndexFile
from holdfast.source.languages import SAME_FOLDER, language_of
from holdfast.source.links import are_neighbours, is_test, is_test_file, keys_of
from holdfast.source.listing import look
from holdfast.source.model import IndexProgress, ReadLimits, UnitRow
from holdfast.source.uses import Relation, linked_files, relations, telling_names
from holdfast.source.words import asked_words
from holdfast.source.worker import ParserError, Worker
from holdfast.store.interface import Tx
from holdfast.times import DAY_US

log = logging.getLogger(__name__)

T = TypeVar("T")
INDEX = "index"
AT_READ = "code.at_read"
"""The lines at a Read, as a project switches them off."""
SLICE_SECONDS = 2.0
"""One command to the process that reads. Others wait for it no longer."""
_MOST_TREES = 256
_SELDOM_US = 5_000_000
"""In the background a folder is compared with the disk no more often."""
_CANDIDATES = 200
_FEW = 2
"""A name that more units have says nothing about which is meant."""
KINDS = ("function", "method", "class", "file", "section")


@dataclass(slots=True)
class Tree:
    """One indexed folder."""

    root: str
    file: Path
    compared_at: int = 0
    """When it was last compared with the disk as a whole, in this daemon."""
    is_behind: bool = True
    """Something happened that may have changed files: a command, or a start of the daemon."""
    waiting: set[str] = field(default_factory=set)
    """Files that were edited and are not read again yet."""
    later: asyncio.TimerHandle | None = None
    """The comparison that waits for its turn."""


class Code:
    """The indexes of one owner's projects."""

    def __init__(self, ground: Ground, settings: Settings, worker: Worker | None = None) -> None:
        self.settings = settings
        self._ground = ground
        self.worker = worker or ground.parser or Worker()
        self.trees: OrderedDict[str, Tree | None] = OrderedDict()
        """By root. None: it is not indexed, as far as this daemon knows."""
        self._asked: set[str] = set()
        """Roots whose indexing was asked for."""
        self.told = SaidLines()
        self._files = OpenFiles()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing: set[asyncio.Future[None]] = set()

    @property
    def limits(self) -> ReadLimits:
        chosen = self.settings
        return ReadLimits(chosen.most_files, chosen.largest_file, chosen.exclude, self._ground.allowed)

    def index_of(self, root: str) -> Path:
        """The file with the index of the project that a folder belongs to."""
        place, _ = self._ground.locate(root)
        return (
            self._ground.folder / f"{hashlib.blake2b(place.encode('utf-8', 'replace'), digest_size=10).hexdigest()}.db"
        )

    # --- which folders are indexed

    async def tree_at(self, root: str) -> Tree | None:
        """The index of a folder; None when it has none, or it is not complete yet."""
        if root in self.trees:
            return self.trees[root]
        file = self.index_of(root)
        is_whole = await self._read(file, lambda index: bool(index.trees().get(root)))
        return self._know(root, Tree(root, file) if is_whole else None)

    def _know(self, root: str, tree: Tree | None) -> Tree | None:
        self.trees[root] = tree
        self.trees.move_to_end(root)
        if len(self.trees) > _MOST_TREES:
            self.trees.popitem(last=False)
        return tree

    def wants_index(self, root: str) -> bool:
        """Should this folder be indexed by itself now? A repository, and not asked for yet."""
        return (
            self.settings.index
            and self.trees.get(root) is None
            and root not in self._asked
            and os.path.lexists(os.path.join(root, ".git"))
        )

    def ask(self, tx: Tx, root: str, in_seconds: float = 2.0) -> None:
        """Ask for the indexing of a folder, in small steps, in the background."""
        self._ground.jobs.ask(tx, INDEX, root, {"root": root}, in_seconds=in_seconds)

    async def ask_again(self, root: str) -> None:
        await self._ground.store.write(lambda tx: self.ask(tx, root, in_seconds=1.0))

    def note_asked(self, root: str) -> None:
        if len(self._asked) > _MOST_TREES:
            self._asked.clear()
        self._asked.add(root)

    # --- bringing it up to date

    def may_read(self, root: str) -> bool:
        """Is anything of this folder kept now? Not while recording is paused."""
        return self._ground.is_recorded(root, self._ground.now())

    async def step(
        self, root: str, seconds: float = SLICE_SECONDS, *, is_asked_for: bool = False
    ) -> IndexProgress | None:
        """Read what is new or changed in a folder, for so many seconds. None where nothing is recorded now; then a
        folder is read only if the user asked for it."""
        if not is_asked_for and not self.may_read(root):
            return None
        file, at = self.index_of(root), self._ground.now()
        done = await self.worker.index(Index(str(file), root, self.limits, seconds, at))
        self._log(done)
        if done.cut:
            log.warning("%s has more source files than most_files; %d are indexed", root, done.total)
        if done.left == 0:
            tree = self.trees.get(root) or Tree(root, file)
            tree.compared_at, tree.is_behind = at, False
            tree.waiting.clear()
            self._know(root, tree)
        return done

    def _log(self, done: IndexProgress) -> None:
        for path, reason in done.skipped:
            log.warning("%s is left out of the code index: %s", path, reason)

    async def build(self, root: str, most_steps: int = 10) -> bool:
        """Some steps of an indexing that nobody waits for; True when it is complete, or not wanted any more."""
        for _ in range(most_steps):
            if not self._ground.folder.parent.is_dir() or not os.path.isdir(root):
                return True
            done = await self.step(root)
            if done is None or done.left == 0:
                return True
        return False

    def touched(self, root: str, paths: Iterable[str]) -> None:
        """These files were edited: read them again, in the background."""
        tree = self.trees.get(root)
        if tree is not None:
            tree.waiting.update(path for path in paths if language_of(path))
            if tree.waiting:
                self._soon(tree)

    def compare_soon(self, tree: Tree) -> None:
        """Compare a folder with the disk, in the background, if something happened that may have changed it. One that
        was just compared waits for its turn."""
        if not tree.is_behind:
            return
        left = tree.compared_at + _SELDOM_US - self._ground.now()
        if left <= 0:
            tree.is_behind = False
            self._soon(tree, whole=True)
        elif tree.later is None:
            tree.later = asyncio.get_running_loop().call_later(min(left, _SELDOM_US) / 1e6, self._compare_late, tree)

    def _compare_late(self, tree: Tree) -> None:
        tree.later = None
        if tree.is_behind and self.trees.get(tree.root) is tree:
            tree.is_behind = False
            self._soon(tree, whole=True)

    def _soon(self, tree: Tree, *, whole: bool = False) -> None:
        running = self._tasks.get(tree.root)
        if running is None or running.done():
            self._tasks[tree.root] = asyncio.get_running_loop().create_task(self._follow(tree, whole))
        elif whole:
            tree.is_behind = True  # the next one compares

    async def _follow(self, tree: Tree, whole: bool) -> None:
        try:
            if whole and await self.step(tree.root) is None:
                tree.is_behind = True
            while tree.waiting:
                if not self.may_read(tree.root):
                    tree.waiting.clear()
                    tree.is_behind = True  # compared when recording goes on
                    return
                paths = sorted(tree.waiting)
                tree.waiting.clear()
                self._log(await self.worker.update(UpdateFiles(str(tree.file), tree.root, self.limits, paths)))
        except ParserError as error:
            log.warning("the code index of %s is not up to date: %s", tree.root, error)
            tree.is_behind = True

    async def settled(self) -> None:
        """Wait for what is read in the background."""
        while running := [task for task in self._tasks.values() if not task.done()]:
            await asyncio.gather(*running)

    async def compared(self, tree: Tree, within: float) -> bool:
        """Compare a folder with the disk before a search; False when that takes longer."""
        try:
            return await asyncio.wait_for(self._compare(tree), within)
        except (TimeoutError, ParserError):
            return False

    async def _compare(self, tree: Tree) -> bool:
        running = self._tasks.get(tree.root)
        if running is not None and not running.done():
            await asyncio.wait((running,))
        done = await asyncio.shield(asyncio.ensure_future(self.step(tree.root)))
        return done is not None and done.left == 0

    # --- answers

    def names_tests(self, root: str, path: str, off: Collection[str]) -> bool:
        """Are the tests of a file named when it is read? (`items.sources.NamesTests`)"""
        is_on = self.settings.at_read and AT_READ not in off
        return is_on and self.trees.get(root) is not None and bool(language_of(path)) and not is_test(path)

    async def lines_at_read(
        self, tree: Tree, path: str, offset: int, limit: int, beside: Sequence[ChangedWith] = ()
    ) -> list[str]:
        """What is said of a file that is about to be read: its tests, and who uses it. `beside`: the files that changed
        with it."""
        return await self._read(tree.file, lambda index: self._lines(index, tree, path, offset, limit, beside)) or []

    def _lines(
        self, index: IndexFile, tree: Tree, path: str, offset: int, limit: int, beside: Sequence[ChangedWith]
    ) -> list[str]:
        there: list[Relation] = []
        tree_id, folders = index.tree_id(tree.root) or 0, dict[str, bool]()
        for each in self.relations_of(index, tree, path, offset, limit):
            known = index.file(tree_id, each.path)
            if known and _is_as_known(tree.root, each.path, known.size, known.changed_ns, folders):
                there.append(each)
            else:
                tree.is_behind = True
        tests = [each for each in beside if is_test_file(each.path) and look(tree.root, each.path, folders)]
        return rules.said(path, there, tests)

    def relations_of(self, index: IndexFile, tree: Tree, path: str, offset: int = 0, limit: int = 0) -> list[Relation]:
        """The files that use what a file declares; none when it changed since it was read."""
        tree_id = index.tree_id(tree.root)
        known = index.file(tree_id, path) if tree_id is not None else None
        if tree_id is None or known is None or not _is_as_known(tree.root, path, known.size, known.changed_ns):
            tree.is_behind = True
            return []
        units = rules.in_range(index.units_of(known.content), offset, limit)
        names = {unit.name for unit in units if unit.name}
        if not names:
            return []
        near = []
        if language_of(path) in SAME_FOLDER:
            near = [each for each in index.in_folder(tree_id, os.path.dirname(path)) if are_neighbours(each[0], path)]
        linked = linked_files(path, index.importers(tree_id, keys_of(path)), near)
        if not linked:
            return []
        elsewhere = index.defined_elsewhere(tree_id, known.content, names)
        contents, telling = {each.content for each in linked.values()}, telling_names(units, elsewhere)
        own = index.declared_by(contents, elsewhere & telling)
        return relations(units, linked, index.uses(contents, telling), elsewhere, own)

    async def search(self, tree: Tree, text: str, *, kinds: Sequence[str] = KINDS, limit: int = 10) -> list[UnitRow]:
        """The units that answer a question best, as they stand on the disk."""

        def look_up(index: IndexFile) -> list[UnitRow]:
            tree_id = index.tree_id(tree.root)
            if tree_id is None:
                return []
            asked = asked_words(text)
            known = index.frequencies(asked)
            found = index.search(tree_id, rules.looked_up(asked, known), kinds, _CANDIDATES)
            for name in rules.named_in(text):
                found += [each for each in index.declared(tree_id, name) if each.row.kind in kinds]
            folders: dict[str, bool] = {}
            best = rules.ranked(text, found, known, limit * 3)
            return list(islice((row for row in best if _stands(tree, row, folders)), limit))

        return await self._read(tree.file, look_up) or []

    async def named(self, tree: Tree, names: Sequence[str], limit: int) -> list[UnitRow]:
        """The functions and classes of these names, outside of tests; none of a name that many things have."""

        def look_up(index: IndexFile) -> list[UnitRow]:
            tree_id = index.tree_id(tree.root)
            if tree_id is None:
                return []
            found: list[UnitRow] = []
            for name in names:
                rows = [each.row for each in index.declared(tree_id, name) if not is_test(each.row.path)]
                each_once = {(row.path, row.container): row for row in rows}  # of an overloaded one, the last
                found += each_once.values() if len(each_once) <= _FEW else ()
            return [row for row in found if _stands(tree, row)][:limit]

        return await self._read(tree.file, look_up) or []

    async def unit_at(self, tree: Tree, path: str, line: int) -> UnitRow | None:
        def look_up(index: IndexFile) -> UnitRow | None:
            tree_id = index.tree_id(tree.root)
            return None if tree_id is None else index.at_line(tree_id, path, line)

        return await self._read(tree.file, look_up)

    async def counts(self, root: str) -> dict[str, object]:
        def count(index: IndexFile) -> dict[str, object]:
            tree_id = index.tree_id(root)
            return {} if tree_id is None else index.counts(tree_id)

        return await self._read(self.index_of(root), count) or {}

    async def texts_of(self, root: str, rows: Sequence[UnitRow], most: int = 400) -> list[str]:
        """The first lines of some units, cleaned; '' of what cannot be read."""

        def read() -> list[str]:
            texts = [
                _lines_of(os.path.join(root, row.path), row.line, min(row.end_line, row.line + most)) for row in rows
            ]
            cleaned: list[str] = self._ground.clean(texts)
            return cleaned

        return await asyncio.to_thread(read)

    def standing(self, root: str, text: str) -> Mapping[str, str]:
        """Which names of code in a text were declared in a folder once, and where they no longer are
        (`items.sources.KnowsSymbols`). Called in a thread."""
        tree = self.trees.get(root, root)
        if tree is None:
            return {}  # not indexed
        file = tree.file if isinstance(tree, Tree) else self.index_of(root)
        try:
            return self._files.ask(file, lambda index: symbols.standing(index, root, text, self.settings.largest_file))
        except (sqlite3.Error, OSError):
            return {}  # whoever asks it next makes it anew

    # --- the files

    async def _read(self, file: Path, work: Callable[[IndexFile], T]) -> T | None:
        """Ask an index, in a thread; None when there is none, or it cannot be read."""
        try:
            return await asyncio.to_thread(self._files.ask, file, work)
        except FileNotFoundError:
            return None
        except (sqlite3.Error, OSError) as error:
            log.warning("the code index %s cannot be read and is made anew: %s", file.name, error)
            for root in [root for root, tree in self.trees.items() if tree and tree.file == file]:
                self.trees[root] = None
                self._asked.discard(root)
            return None

    def forget_memory(self) -> None:
        """Something was forgotten: look at the indexes again, and say nothing from memory."""
        closing = asyncio.get_running_loop().run_in_executor(None, self._files.close_all)
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        self.trees.clear()
        self._asked.clear()
        self.told.clear()

    async def size(self) -> int:
        """Bytes of all indexes."""
        return await asyncio.to_thread(lambda: sum(_size(file) for file in self._ground.folder.glob("*.db*")))

    async def tidy(self) -> None:
        """Remove the indexes of folders that are gone, and of those that nobody used for long."""
        oldest = self._ground.now() - self.settings.days * DAY_US
        for file in sorted(self._ground.folder.glob("*.db")) if self._ground.folder.is_dir() else ():
            trees = await self._read(file, lambda index: index.trees())
            if trees is None or not any(os.path.isdir(root) and at > oldest for root, at in trees.items()):
                await asyncio.to_thread(self._files.close, file)
                index_file.remove(file)
                for root in trees or ():
                    self.trees.pop(root, None)
            elif not all(map(os.path.isdir, trees)):
                await asyncio.to_thread(index_file.drop_gone, file)


def root_of(folder: str) -> str:
    """The worktree that a folder is in, as the road knows it."""
    return repository(os.path.realpath(folder))[0] if folder else ""


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _is_as_known(root: str, path: str, size: int, changed_ns: int, folders: dict[str, bool] | None = None) -> bool:
    found = look(root, path, folders)
    return found is not None and (found.size, found.changed_ns) == (size, changed_ns)


def _stands(tree: Tree, row: UnitRow, folders: dict[str, bool] | None = None) -> bool:
    if _is_as_known(tree.root, row.path, row.size, row.changed_ns, folders):
        return True
    tree.is_behind = True
    return False


def _lines_of(path: str, first: int, last: int) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return "".join(line for number, line in enumerate(file, 1) if first <= number <= last)
    except OSError:
        return ""
