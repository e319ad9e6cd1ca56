"""Answers questions about the commits of one repository: a file's history, churn, files that change together. Pure.

A file that was moved is one file: it is known by its newest path, whatever a commit called it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from holdfast.rooms.commits.model import Churn, Commit, CommitFile, FileCommit, Partner

MOST_TOGETHER = 20
"""Files of a commit that say something about each other. A larger one is a release, or a new format of everything."""
LEAST_TOGETHER = 3
"""Commits that must have changed both files."""
LEAST_SHARE = 0.6
"""Of the commits of a file, the share that must have changed the other one.

`python -m bench.cochange` chose both: docs/decisions/0030-context.md."""
NOW_AND_THEN, SOME_SHARE = 2, 0.3
"""The same, for a file that is named because something else speaks for it, too: a test."""
MOST_PARTNERS = 2
NEWEST = 200
"""Commits of a file that are looked at: what changed together years ago says little, and a Read waits for it."""
MUCH_COMMITS, MUCH_LINES = 5, 80
"""A file changed much when it changed in so many commits, and in so many lines, since somebody wrote about it."""


class History:
    """The commits of a repository, the newest first."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self.commits = tuple(commits)
        self._files: dict[str, list[FileCommit]] = {}
        self._newest_path: dict[str, str] = {}
        for commit in self.commits:
            for change in commit.changes:
                path = self._newest_path.get(change.path, change.path)
                self._files.setdefault(path, []).append(FileCommit(commit, change))
                if change.old:
                    # Older commits call this file by its old name. (A newer file of that name was met before.)
                    self._newest_path[change.old] = path

    def __len__(self) -> int:
        return len(self.commits)

    def knows(self, path: str) -> bool:
        return path in self._files

    def moved_to(self, path: str) -> str:
        """Where a file is now that was moved; '' when it was not, or when there is a newer file of its name."""
        found = self._newest_path.get(path, "")
        return found if found != path and path not in self._files else ""

    def of_file(self, path: str) -> Sequence[FileCommit]:
        """The commits that changed a file, the newest first, also under its older names."""
        return self._files.get(self.moved_to(path) or path, ())

    def partners(
        self, path: str, *, least: int = LEAST_TOGETHER, share: float = LEAST_SHARE, most: int = MOST_PARTNERS
    ) -> list[Partner]:
        """The files that usually changed with this one, the surest first."""
        own = [each.commit for each in self.of_file(path)[:NEWEST] if _tells(each.commit)]
        if len(own) < least:
            return []
        with_it = Counter(other for commit in own for other in self._paths(commit.changes) if other != path)
        return sure_partners(len(own), with_it, least=least, share=share, most=most)

    def _paths(self, changes: Iterable[CommitFile]) -> set[str]:
        return {self._newest_path.get(each.path, each.path) for each in changes}

    def churn(self, since: int = 0) -> list[Churn]:
        """How much each file changed since a moment, the most first."""
        found = [
            _churn(path, [each for each in all_of if each.commit.happened_at >= since])
            for path, all_of in self._files.items()
        ]
        return sorted(
            (each for each in found if each.commits),
            key=lambda each: (-each.commits, -(each.added + each.removed), each.path),
        )

    def changed_since(self, path: str, at: int) -> int:
        """In how many commits a file changed since a moment, if it changed much; else 0."""
        newest = takewhile(lambda each: each.commit.happened_at > at, self.of_file(path))
        since = [each.change for each in newest]
        lines = sum(each.added + each.removed for each in since)
        return len(since) if len(since) >= MUCH_COMMITS and lines >= MUCH_LINES else 0

    def authors(self, path: str) -> list[tuple[str, int]]:
        """Who changed a file, in how many commits, the most first."""
        return Counter(each.commit.author for each in self.of_file(path)).most_common()


def sure_partners(
    of: int,
    with_it: Mapping[str, int],
    *,
    least: int = LEAST_TOGETHER,
    share: float = LEAST_SHARE,
    most: int = MOST_PARTNERS,
) -> list[Partner]:
    """Of the files that changed with another one, those that usually did. `of` are the commits of that one."""
    sure = [(path, count) for path, count in with_it.items() if count >= least and count >= share * of]
    sure.sort(key=lambda each: (-each[1], each[0]))
    return [Partner(path, count, of) for path, count in sure[:most]]


def _tells(commit: Commit) -> bool:
    """Does it say which files belong together?"""
    return 1 <= commit.file_count <= MOST_TOGETHER and not commit.is_merge


def _churn(path: str, of: Sequence[FileCommit]) -> Churn:
    return Churn(
        path=path,
        commits=len(of),
        added=sum(each.change.added for each in of),
        removed=sum(each.change.removed for each in of),
        authors=len({each.commit.author for each in of}),
        last_at=max((each.commit.happened_at for each in of), default=0),
    )
