"""Keeps the commits of each project as its repository has them, and answers questions about them.

`index` compares the newest commits of the repository with those that are kept: it reads what is missing, the newest
first and in small parts, and drops what no branch leads to any more. It may end at any moment; the next run goes on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from holdfast.gitfiles import branches_mark, repository
from holdfast.ids import ConversationId
from holdfast.items.sources import ChangedWith, FileNews
from holdfast.prose.one_line import one_line
from holdfast.rooms.commits import tables
from holdfast.rooms.commits.git import DETAILS, GitFailed, GitHistory
from holdfast.rooms.commits.history import NOW_AND_THEN, SOME_SHARE, History
from holdfast.rooms.commits.model import Commit, LookResult, RepositoryState
from holdfast.rooms.commits.search import Match, WordIndex
from holdfast.rooms.commits.settings import Settings
from holdfast.rooms.room import Ground
from holdfast.store.interface import Tx

log = logging.getLogger(__name__)

JOB = "index"
AT_ONCE = 100
"""Commits that are read and written together."""
RUN_SECONDS = 20.0
"""After so long a run ends and asks for another one, so that other jobs have their turn."""
_MOST_PROJECTS, _MOST_INDEXES = 4, 2
"""Histories and indexes of words that are held in memory, those used last: some 10 and 15 MB for each project."""
_MOST_SESSIONS = 500
_MOST_TOLD_ON = 20
"""Files that changed with another one, for other rooms."""
_LONGEST_SUBJECT, _LONGEST_BODY, _LONGEST_AUTHOR = 300, 1_000, 100


@dataclass(frozen=True, slots=True)
class IndexedCommits:
    """The outcome of a run."""

    found: LookResult
    new: int = 0
    gone: int = 0
    kept: int = 0
    left: int = 0
    """Commits that are still to be read."""
    problem: str = ""


class Commits:
    """The commits of one owner's projects."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.settings = ground.chosen(Settings)
        self._histories: OrderedDict[str, History] = OrderedDict()
        self._words: dict[str, tuple[History, WordIndex]] = {}
        self._marks: OrderedDict[str, str] = OrderedDict()
        """How HEAD and the branches of each worktree were when they were read."""
        self._readings: set[asyncio.Future[IndexedCommits]] = set()
        self._opened: OrderedDict[str, set[str]] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    # --- what is held in memory

    def at_hand(self, project_id: str) -> History | None:
        """The history of a project, if it is in memory."""
        return self._histories.get(project_id)

    async def history(self, project_id: str) -> History:
        """The same, read when it is not."""
        return self._histories.get(project_id) or await self._load(project_id)

    async def _load(self, project_id: str) -> History:
        owner, most = self.ground.owner, self.settings.most
        kept = await self.ground.store.read(lambda reader: tables.commits(reader, project_id, owner, most))
        history = await asyncio.to_thread(History, kept)
        self._histories[project_id] = history
        self._histories.move_to_end(project_id)
        while len(self._histories) > _MOST_PROJECTS:
            gone, _ = self._histories.popitem(last=False)
            self._words.pop(gone, None)
        return history

    async def found(self, project_id: str, text: str) -> list[Match]:
        """Commits with words of a question, the best first."""
        index = await self._words_of(project_id)
        return await asyncio.to_thread(index.find, text)

    async def _words_of(self, project_id: str) -> WordIndex:
        history = await self.history(project_id)
        known = self._words.get(project_id)
        if known is None or known[0] is not history:
            known = (history, await asyncio.to_thread(WordIndex, history.commits))
            self._words.pop(project_id, None)
            self._words[project_id] = known
            while len(self._words) > _MOST_INDEXES:
                del self._words[next(iter(self._words))]
        return known[1]

    def forget_memory(self) -> None:
        """Something was forgotten: what is held here is read from the store again."""
        self._histories.clear()
        self._words.clear()
        self._marks.clear()

    def opened(self, conversation: ConversationId, agent_id: str) -> set[str]:
        """The files that an agent has read: they are no news to it."""
        name = f"{conversation}/{agent_id}"
        known = self._opened.setdefault(name, set())
        self._opened.move_to_end(name)
        while len(self._opened) > _MOST_SESSIONS:
            self._opened.popitem(last=False)
        return known

    def context_lost(self, conversation: ConversationId) -> None:
        """A compaction of the main agent: what it read is news again."""
        self._opened.pop(f"{conversation}/", None)

    def files(self, project_id: str, path: str, since: int) -> FileNews:
        """What happened to a file, as far as is known in memory."""
        history = self._histories.get(project_id)
        if history is None:
            return FileNews()
        return FileNews(history.moved_to(path), history.changed_since(path, since))

    def partners(self, project_id: str, path: str) -> list[ChangedWith]:
        """The files that changed with this one now and then, the most often first, as far as is known in memory."""
        history = self._histories.get(project_id)
        if history is None or not self.settings.at_read:
            return []
        found = history.partners(path, least=NOW_AND_THEN, share=SOME_SHARE, most=_MOST_TOLD_ON)
        return [ChangedWith(each.path, each.together, each.of) for each in found]

    # --- the index

    def is_behind(self, project_id: str, worktree: str) -> bool:
        """Must the repository of a worktree be read? A look at a few small files."""
        mark = branches_mark(worktree)
        return bool(mark) and (self._marks.get(worktree) != mark or project_id not in self._histories)

    async def current(self, project_id: str, worktree: str, within: float) -> History:
        """The history as the repository has it now, if that is read within so many seconds; else what is kept."""
        kept = await self.history(project_id)
        if worktree and (self.settings.index or not kept) and self.is_behind(project_id, worktree):
            reading = asyncio.ensure_future(self.index(project_id, worktree, seconds=within))
            self._readings.add(reading)
            reading.add_done_callback(self._readings.discard)
            await asyncio.wait({reading}, timeout=within)  # a late one goes on
        return await self.history(project_id)

    def ask(self, tx: Tx, project_id: str, worktree: str, *, in_seconds: float = 0.0) -> None:
        """Ask, in a transaction, for a run of `index`."""
        arguments = {"project_id": project_id, "worktree": worktree}
        self.ground.jobs.ask(tx, JOB, project_id, arguments, in_seconds=in_seconds)

    async def state(self, project_id: str) -> RepositoryState | None:
        owner = self.ground.owner
        return await self.ground.store.read(lambda reader: tables.state(reader, project_id, owner))

    async def worktree(self, project_id: str) -> str:
        """The checkout of a project that was used last; '' when none is known."""
        return await self.ground.store.read(lambda reader: tables.worktree(reader, project_id))

    async def index(
        self, project_id: str, worktree: str, *, seconds: float = RUN_SECONDS, is_asked_for: bool = False
    ) -> IndexedCommits:
        """Bring what is kept in line with the repository. What git cannot tell is left, with one line in the log.
        Where nothing is recorded, nothing is read unless the user asked for it."""
        if not is_asked_for and not self.ground.is_recorded(worktree, self.ground.now()):
            return IndexedCommits("none", problem=f"Nothing is recorded in {worktree} now.")
        async with self._one_at_a_time:
            try:
                return await self._index(project_id, worktree, time.monotonic() + seconds)
            except GitFailed as error:
                log.warning("the commits of %s were not read: %s", worktree, error)
                await self._note(project_id, "", "unread", 0)
                return IndexedCommits("unread", problem=str(error))

    async def _index(self, project_id: str, worktree: str, until: float) -> IndexedCommits:
        if not repository(worktree)[1]:
            return IndexedCommits("none", problem=f"{worktree} is in no git repository.")
        git, owner, store = GitHistory(worktree), self.ground.owner, self.ground.store
        mark = branches_mark(worktree)
        head = await asyncio.to_thread(git.head)
        if not head:
            log.info("%s has no commits yet; nothing was read", worktree)
            await self._note(project_id, "", "none", 0)
            return IndexedCommits("none", problem="The repository has no commits yet.")
        newest = await asyncio.to_thread(git.newest, self.settings.most)
        known = await store.read(lambda reader: tables.hashes(reader, project_id, owner))
        missing = [each for each in newest if each not in known]
        new = await self._read(git, project_id, missing, until, before=len(known))
        wanted = set(newest)
        gone = [each for each in known if each not in wanted]
        await store.write(lambda tx: tables.drop(tx, project_id, gone, owner))
        left = len(missing) - new
        kept = len(known) - len(gone) + new
        await self._note(project_id, "" if left else head, "commits", kept)
        self._marks[worktree] = "" if left else mark
        while len(self._marks) > _MOST_SESSIONS:
            self._marks.popitem(last=False)
        if new or gone or project_id not in self._histories:
            await self._load(project_id)
        if left:
            await store.write(lambda tx: self.ask(tx, project_id, worktree, in_seconds=1))
        return IndexedCommits("commits", new, len(gone), kept, left)

    async def _read(self, git: GitHistory, project_id: str, missing: Sequence[str], until: float, before: int) -> int:
        """Read and write commits, the newest first, as long as there is time; how many.

        Git tells whole seconds: commits of one second are put in order by a microsecond for each commit before them."""
        order = {each: before + len(missing) - number for number, each in enumerate(missing)}
        done = detail = 0
        for at in range(0, len(missing), AT_ONCE):
            if at and time.monotonic() > until:
                break
            wanted = missing[at : at + AT_ONCE]
            while True:
                try:
                    found = await asyncio.to_thread(git.commits, wanted, DETAILS[detail])
                    break
                except GitFailed as error:
                    if detail + 1 == len(DETAILS):
                        raise
                    detail += 1
                    log.info("git failed, so commits are read with less detail (%s): %s", DETAILS[detail], error)
            cleaned = await asyncio.to_thread(self._cleaned, found)
            await self._write(project_id, [_in_order(each, order.get(each.hash, 0)) for each in cleaned])
            done += len(wanted)
        return done

    async def _write(self, project_id: str, commits: list[Commit]) -> None:
        owner = self.ground.owner
        await self.ground.store.write(lambda tx: tables.add(tx, project_id, commits, owner))

    def _cleaned(self, commits: Sequence[Commit]) -> list[Commit]:
        """Without secrets and private spans, and short. First cleaned, then cut: a half secret is not known as one."""
        texts = [[each.subject, each.body, each.author, *(file.path for file in each.changes)] for each in commits]
        clean: list[list[str]] = self.ground.clean(texts)
        return [_shortened(each, words) for each, words in zip(commits, clean, strict=True)]

    async def _note(self, project_id: str, head: str, found: LookResult, kept: int) -> None:
        owner, now = self.ground.owner, self.ground.now()
        await self.ground.store.write(lambda tx: tables.set_state(tx, project_id, head, found, kept, now, owner))


def _in_order(commit: Commit, number: int) -> Commit:
    return replace(commit, happened_at=commit.happened_at + min(number, 999_999))


def _shortened(commit: Commit, words: Sequence[str]) -> Commit:
    subject, body, author, *paths = words
    # A path in which a secret was found is not a path any more.
    same = tuple(change for change, path in zip(commit.changes, paths, strict=True) if change.path == path)
    return replace(
        commit,
        subject=one_line(subject, _LONGEST_SUBJECT),
        body=body[:_LONGEST_BODY],
        author=one_line(author, _LONGEST_AUTHOR),
        changes=same,
    )


async def run_index(arguments: dict[str, Any], services: Any) -> None:
    """The job: read what is new in a repository."""
    await services.get(Commits).index(str(arguments["project_id"]), str(arguments["worktree"]))
