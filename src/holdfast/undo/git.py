"""Asks git, within a time. Reads only, but for private refs; runs no program that the repository names.

Only what `holdfast undo` asks for may write files, with the repository's filters as the undone command had them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from holdfast.git_calls import LIST_FILTERS, SAFE_OPTIONS, git_environment, without_filters

AT_ONCE = 2.0
"""Seconds for one question that has no other bound. In a usual repository an answer takes 3 to 10 ms."""
_ALONE = 30.0
_MOST_ALONE = 200
_MOST_SEARCHED, _AT_A_TIME = 2_000_000_000, 32_000_000
"""Bytes of commits that are searched for a text, in all and at a time."""
_SIGNED = {
    "GIT_AUTHOR_NAME": "holdfast",
    "GIT_AUTHOR_EMAIL": "holdfast@localhost",
    "GIT_COMMITTER_NAME": "holdfast",
    "GIT_COMMITTER_EMAIL": "holdfast@localhost",
}


class Unknown(Exception):
    """Git did not answer in time, or there is no repository: nothing is known."""


class Late(Unknown):
    """Git did not answer in time, or failed."""


_Answers = dict[tuple[str, tuple[str, ...], str], subprocess.CompletedProcess[bytes]]
_ANSWERS: ContextVar[_Answers | None] = ContextVar("answers of one moment", default=None)


@contextmanager
def one_moment() -> Iterator[None]:
    """Whoever asks about one moment gets one answer to one question: git is not asked it again. For reading only."""
    before = _ANSWERS.set({})
    try:
        yield
    finally:
        _ANSWERS.reset(before)


class Git:
    """Git in one folder, until a moment of the monotonic clock."""

    def __init__(self, folder: str, until: float | None = None) -> None:
        self.folder = folder
        self._until = until

    def ask(self, *words: str, alone: bool = False, given: str = "") -> str | None:
        """What git prints; None when it fails or is late. `alone`: with as much time as it needs; `given` is read.

        Many questions end with 1 when the answer is no, so that 1 is no failure here."""
        done = self._run(words, alone=alone, given=given)
        if done is None or done.returncode not in (0, 1):
            return None
        return done.stdout.decode("utf-8", "surrogateescape")

    def does(self, *words: str, given: str = "") -> bool:
        """Let git do something, with as much time as it needs: has it done all of it?"""
        done = self._run(words, alone=True, given=given)
        return done is not None and done.returncode == 0

    def _run(self, words: tuple[str, ...], *, alone: bool, given: str) -> subprocess.CompletedProcess[bytes] | None:
        known = _ANSWERS.get()
        question = (self.folder, words, given)
        if known is not None and question in known:
            return known[question]
        done = self._asked(words, alone=alone, given=given)
        if known is not None and done is not None:
            known[question] = done
        return done

    def _asked(self, words: tuple[str, ...], *, alone: bool, given: str) -> subprocess.CompletedProcess[bytes] | None:
        seconds = _ALONE if alone else AT_ONCE
        if self._until is not None and not alone:
            seconds = self._until - time.monotonic()
        if seconds <= 0:
            return None
        try:
            return subprocess.run(
                ["git", "-C", self.folder, *SAFE_OPTIONS, *words],
                capture_output=True,
                input=given.encode("utf-8", "surrogateescape"),
                timeout=seconds,
                env=git_environment() | _SIGNED,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return None

    def must(self, *words: str) -> str:
        """What git prints, or Unknown."""
        told = self.ask(*words)
        if told is None:
            raise Late(f"git {words[0]} did not answer")
        return told

    def names(self, *words: str) -> list[str]:
        """A list that git prints with `-z`."""
        return [name for name in self.must(*words).split("\0") if name]

    # --- questions

    def top(self) -> str:
        """The work tree that the folder is in; '' when it is in none."""
        return (self.ask("rev-parse", "--show-toplevel") or "").strip("\n")

    def commit(self, name: str) -> str:
        """The commit that a name means; '' when it means none."""
        return self._object(f"{name}^{{commit}}")

    def _object(self, name: str) -> str:
        return (self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name) or "").strip()

    def ref(self, name: str) -> str:
        """The object that a full ref points to: for a tag the tag itself."""
        return self._object(name)

    def refs_below(self, *beginnings: str) -> dict[str, str]:
        """All refs below these, with what they point to."""
        told = self.ask("for-each-ref", "--format=%(refname) %(objectname)", *beginnings) or ""
        return dict(line.rsplit(" ", 1) for line in told.split("\n") if " " in line)

    def settings(self, pattern: str = ".") -> list[tuple[str, str]]:
        """Settings of this repository whose name matches, in their order."""
        told = self.ask("config", "--local", "-z", "--get-regexp", pattern) or ""
        return [(name, value) for entry in told.split("\0") if entry for name, _, value in [entry.partition("\n")]]

    def branch(self) -> str:
        """The full name of the branch that HEAD is on; '' when it is on none."""
        return (self.ask("symbolic-ref", "--quiet", "HEAD") or "").strip()

    def is_lonely(self, commit: str, *besides: str, without: str = "") -> bool:
        """Has it commits that no branch, tag or remote has? One branch (`without`, its full name) may be left out,
        and other commits (`besides`) may count, too."""
        # Before `--branches` git takes the names of branches to leave out without `refs/heads/`.
        others = ("--tags", "--remotes", f"--exclude={without.removeprefix('refs/heads/')}", "--branches")
        return bool(self.must("rev-list", "-n", "1", commit, "--not", *besides, *others).strip())

    def changed(self, tree: str = "HEAD", paths: Sequence[str] = ()) -> list[str]:
        """Tracked files whose bytes here, or in the index, differ from a tree. Relative to the top.

        Before the first commit: all files of the index."""
        told = ["diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", "--ignore-submodules", "--no-relative"]
        # `status` would tell both at once, but only `diff` notes in the index which files are as they were: a checkout
        # writes the others anew, with the usual mode.
        try:
            here = self.names(*self._without_filters(), *told, tree, "--", *paths)
        except Late:
            if tree != "HEAD" or self.commit("HEAD"):
                raise
            return self.names("ls-files", "-z", "--full-name", "--", *(paths or (":/",)))
        here += self._unwatched(paths)
        if tree != "HEAD":
            return here
        return sorted({*here, *self.names(*told, "--cached", tree, "--", *paths)})

    def _without_filters(self) -> tuple[str, ...]:
        """They are programs, and git would run them on files here."""
        off = without_filters(self.names(*LIST_FILTERS))
        if off is None:
            raise Unknown("a filter of the repository cannot be switched off")
        return off

    def _unwatched(self, paths: Sequence[str]) -> list[str]:
        """Files with other bytes than the index has, at which git was told not to look (`--assume-unchanged`,
        `--skip-worktree`). It writes over some of them all the same. Relative to the top."""
        told = self.names("ls-files", "-z", "-v", "--full-name", "--", *(paths or (":/",)))
        unwatched = [entry[2:] for entry in told if entry[0] == "S" or entry[0].islower()]
        top = self.top() if unwatched else ""
        here = [name for name in unwatched if os.path.lexists(os.path.join(top, name))]
        if not here or len(here) > _MOST_ALONE:
            return here
        staged = self.names("ls-files", "-z", "-s", "--full-name", "--", *(f":(top,literal){name}" for name in here))
        objects = {name: said.split(" ")[1] for said, _, name in (entry.partition("\t") for entry in staged)}
        plain = [name for name in here if os.path.isfile(os.path.join(top, name))]
        now = self.must("hash-object", "--no-filters", "--", *(os.path.join(top, name) for name in plain)).split()
        same = {name for name, each in zip(plain, now, strict=True) if objects.get(name) == each} if plain else set()
        return [name for name in here if name not in same]

    def unsaved_submodule(self) -> str:
        """A submodule, relative to the top, with changes or commits that only it has; '' when there is none."""
        top = self.top()
        if not top or not os.path.exists(os.path.join(top, ".gitmodules")):
            return ""
        for entry in self.names("ls-files", "-z", "-s", "--full-name", "--", ":/"):
            said, _, name = entry.partition("\t")
            inside = os.path.join(top, name)
            if said.startswith("160000") and os.path.lexists(os.path.join(inside, ".git")):
                inner = Git(inside, self._until)
                head = inner.commit("HEAD")
                if inner.unsaved([":/"]) or (head and not inner.branch() and inner.is_lonely(head)):
                    return name
        return ""

    def added_lines(self, path: str) -> str:
        """The lines of a file here that the last commit has not, in their order."""
        told = ("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "HEAD", "--")
        lines = self.must(*self._without_filters(), *told, f":(literal){path}").split("\n")
        begins = next((number for number, line in enumerate(lines) if line.startswith("@@")), len(lines))
        return "\n".join(line[1:] for line in lines[begins:] if line.startswith("+"))

    def unsaved(self, paths: Iterable[str]) -> list[str]:
        """Files with work that no commit has: changed, staged or unknown to git, but for what it ignores."""
        wanted = list(paths)
        told = ("status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=all")
        here = self.names(*self._without_filters(), *told, "--", *wanted)
        return sorted({*(entry[3:] for entry in here), *self._unwatched(wanted)})

    def committed(self, paths: Sequence[str]) -> set[str]:
        """Those of these full paths that are tracked, and here and in the index as in the last commit."""
        top = self.top()
        if not top:
            raise Unknown("there is no repository")
        below = {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)): path for path in paths}
        told = self.names("ls-files", "-z", "-v", "--full-name", "--", ":/")  # `H`: tracked, and looked at for changes
        tracked = {os.path.join(top, entry[2:]) for entry in told if entry.startswith("H ")}
        changed = {os.path.join(top, name) for name in self.changed("HEAD", [":/"])}
        return {path for real, path in below.items() if real in tracked and real not in changed}

    def ignored(self, paths: Sequence[str]) -> set[str]:
        """Those of these paths that git is told to ignore."""
        if not paths:
            return set()
        told = self.ask("check-ignore", "-z", "--stdin", given="\0".join(paths))
        if told is None:  # one of them lies in another repository, or beyond a link: each alone
            told = "\0".join(
                self.ask("check-ignore", "-z", "--stdin", given=each) or "" for each in paths[:_MOST_ALONE]
            )
        return {path for path in (told or "").split("\0") if path}

    def stashes(self) -> list[tuple[str, str]]:
        """All stashes, the newest first: commit and message."""
        told = self.ask("log", "-g", "-z", "--format=%H%n%gs", "refs/stash", "--") or ""
        return [(commit, said) for entry in told.split("\0") if entry for commit, _, said in [entry.partition("\n")]]

    def aliases(self) -> dict[str, str]:
        """Git's aliases in force here."""
        found = {}
        for entry in (self.ask("config", "--get-regexp", "-z", r"^alias\.") or "").split("\0"):
            name, _, text = entry.partition("\n")
            if name.startswith("alias."):
                found[name[6:].lower()] = text
        return found

    def holds(
        self, commits: Sequence[str], text: bytes, names: Sequence[str], as_searched: Callable[[bytes], bytes]
    ) -> bool:
        """Do these commits hold a text, or a file of one of these names, where no branch, tag or remote has it, too?

        What git cannot tell, or is too much to be read, is taken to hold it."""
        lonely = ("--not", "--branches", "--tags", "--remotes")
        told = self.ask("rev-list", "--objects", *dict.fromkeys(commits), *lonely, alone=True)
        if told is None:
            return True
        objects = [line.partition(" ") for line in told.split("\n") if line]
        if any(path == name or path.endswith(f"/{name}") for _, _, path in objects for name in names if path):
            return True
        if not text or not objects:
            return False
        asked = "".join(f"{name}\n" for name, _, _ in objects)
        told = self.ask("cat-file", "--batch-check=%(objectname) %(objectsize)", alone=True, given=asked)
        sizes = (told or "").split()
        if len(sizes) != 2 * len(objects) or sum(map(int, sizes[1::2])) > _MOST_SEARCHED:
            return True
        for some in _in_parts(list(zip(sizes[::2], map(int, sizes[1::2]), strict=True))):
            done = self._run(("cat-file", "--batch"), alone=True, given=some)
            if done is None or done.returncode or text in as_searched(done.stdout):
                return True
        return False

    def path(self, name: str) -> str:
        """The full path of one of git's own files: its `index`."""
        told = self.must("rev-parse", "--git-path", name).strip("\n")
        return os.path.normpath(os.path.join(self.folder, told))


def _in_parts(sizes: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Names of objects for git to read, a bounded number of bytes at a time."""
    some, size = list[str](), 0
    for name, more in sizes:
        some.append(f"{name}\n")
        size += more
        if size > _AT_A_TIME:
            yield "".join(some)
            some, size = [], 0
    if some:
        yield "".join(some)
