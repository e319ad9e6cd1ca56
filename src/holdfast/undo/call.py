"""A call of git, taken apart, and what it may throw away: the values of `git_losses` and `git_names`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.commandline.model import Arg, Run
from holdfast.undo.git import Git, Unknown

_TAKES_FOLDER = ("-C",)
_ODD = ("--git-dir", "--work-tree", "--namespace", "--bare")
_VALUES = ("-c", "--config-env", "--exec-path", "--super-prefix")
_WITH_VALUE: dict[str, tuple[str, ...]] = {
    "checkout": ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
    "co": ("-b", "-B", "--orphan"),
    "switch": ("-c", "-C", "--create", "--force-create", "--orphan"),
    "restore": ("-s", "--source", "--pathspec-from-file", "--conflict"),
    "clean": ("-e", "--exclude"),
    "stash": ("-m", "--message"),
    "tag": ("-m", "--message", "-F", "--file", "-u", "--local-user"),
    "branch": ("-u", "--set-upstream-to"),
    "fetch": ("--depth", "--deepen", "-o", "--refmap", "-j", "--jobs", "--upload-pack", "--filter", "--shallow-since"),
    "update-ref": ("-m",),
    "apply": ("-p", "-C", "--directory", "--exclude", "--include", "--whitespace"),
}


@dataclass(frozen=True, slots=True)
class Ref:
    """A name and what it points to, with the message of an entry of the stash. Without a name it is only held."""

    name: str
    object: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What has to be kept before the command runs."""

    root: str = ""
    files: tuple[str, ...] = ()
    """Full paths, to be copied."""
    removed: tuple[str, ...] = ()
    """Full paths that are only removed."""
    index: str = ""
    """The full path of the index, when that changes too."""
    refs: tuple[Ref, ...] = ()
    branch: str = ""
    """The branch that is left."""
    detached: str = ""
    """The commit that is left, where HEAD is on no branch."""
    stashes: tuple[Ref, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    config: str = ""
    replaces: bool = False
    """Something else is in the place of these afterwards, which is not what the last commit has."""

    @property
    def is_nothing(self) -> bool:
        return not (self.files or self.removed or self.refs or self.stashes or self.settings)


NOTHING = Loss()


@dataclass(frozen=True, slots=True)
class GitCall:
    """A call of git, taken apart."""

    git: Git
    top: str
    name: str
    flags: tuple[str, ...]
    words: tuple[str, ...]
    """Operands before `--`."""
    paths: tuple[str, ...]
    """Operands after it."""
    stdin: str | None = None
    fed_by: tuple[str, ...] = ()
    """Files that stand behind `<`, or that programs before it in its pipeline read."""
    unknown: bool = False
    """A word of it is only known when it runs."""

    def has(self, *names: str) -> bool:
        return any(
            flag == name
            or flag.startswith(f"{name}=")
            or (name.startswith("--") and len(flag) > 2 and name.startswith(flag))
            or (re.fullmatch(r"-\w", name) and re.fullmatch(r"-[A-Za-z]+", flag) and name[1] in flag[1:])
            for flag in self.flags
            for name in names
        )

    def value(self, *names: str) -> str:
        return next((flag.partition("=")[2] for flag in self.flags if flag.partition("=")[0] in names), "")

    def full(self, names: Sequence[str]) -> tuple[str, ...]:
        """Full paths of what is there, from names that are relative to the top."""
        return tuple(path for name in names if os.path.lexists(path := os.path.join(self.top, name)))

    def head(self, loss: Loss) -> Loss:
        """With the place that HEAD is at."""
        branch = self.git.branch()
        if branch:
            return replace(loss, branch=branch.removeprefix("refs/heads/"))
        return replace(loss, detached=self.git.commit("HEAD"))


def taken_apart(run: Run, folder: str, until: float) -> GitCall:
    args, place = list(run.args), 0
    while place < len(args) and args[place].text.startswith("-"):
        text = args[place].text
        if text.startswith(_ODD):
            raise Unknown("another work tree")
        if text in _TAKES_FOLDER and place + 1 < len(args):
            folder = os.path.join(folder, os.path.expanduser(_known(args[place + 1])))
        place += 2 if text in (*_TAKES_FOLDER, *_VALUES) else 1
    if any(name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR") for name, _ in run.environment):
        raise Unknown("another work tree")
    name = args[place].text.lower() if place < len(args) else ""
    flags: list[str] = []
    words: list[str] = []
    paths: list[str] = []
    values = _WITH_VALUE.get(name, ())
    literal = skip = unknown = False
    for arg in args[place + 1 :]:
        text = arg.text
        unknown = unknown or not arg.known
        if skip:
            skip = False
            flags[-1] += f"={text}"
        elif literal:
            paths.append(text)
        elif text == "--":
            literal = True
        elif text.startswith("-") and len(text) > 1:
            flags += _flags(text, values)
            skip = flags[-1] in values
        else:
            words.append(text)
    git = Git(folder, until)
    top = git.top()
    if not top:
        raise Unknown("no work tree here")
    return GitCall(git, top, name, tuple(flags), tuple(words), tuple(paths), run.stdin, run.fed_by, unknown)


def _flags(text: str, values: Sequence[str]) -> list[str]:
    """`-fBmain` is `-f -B=main`: the rest behind a letter that takes a value is that value."""
    for place, letter in enumerate(text[1:], 1) if not text.startswith("--") else ():
        if f"-{letter}" in values:
            before = [text[:place]] if place > 1 else []
            return [*before, f"-{letter}={text[place + 1 :]}" if text[place + 1 :] else f"-{letter}"]
    return [text]


def _known(arg: Arg) -> str:
    if not arg.known:
        raise Unknown(f"{arg.text} is only known when the command runs")
    return arg.text
