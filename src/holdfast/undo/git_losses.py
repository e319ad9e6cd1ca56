"""What a git command would throw away: files of the work tree, the index, and names of commits.

`Nothing` is lost when git has every byte by other names. What git does not tell in time is `Unknown`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS
from holdfast.commandline.model import Arg, Run
from holdfast.undo.git import Git, Unknown

_TAKES_FOLDER = ("-C",)
_ODD = ("--git-dir", "--work-tree", "--namespace", "--bare")
_VALUES = ("-c", "--config-env", "--exec-path", "--super-prefix")
_STASH = re.compile(r"(?:stash@\{(\d+)\}|(\d+))\Z")
_REMOVES = re.compile(r"Would remove (.*)\Z")
_OCTAL = re.compile(rb"\\([0-7]{3})|\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ref:
    """A name and what it points to; `stash` names one entry of the stash, with its message."""

    name: str
    object: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What has to be kept before the command runs."""

    root: str = ""
    files: tuple[str, ...] = ()
    """Full paths, to be copied."""
    index: str = ""
    """The full path of the index, when that changes too."""
    refs: tuple[Ref, ...] = ()
    branch: str = ""
    """The branch that is left."""

    @property
    def is_nothing(self) -> bool:
        return not self.files and not self.refs


NOTHING = Loss()


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of git, taken apart."""

    git: Git
    top: str
    name: str
    flags: tuple[str, ...]
    words: tuple[str, ...]
    """Operands before `--`."""
    paths: tuple[str, ...]
    """Operands after it."""

    def has(self, *names: str) -> bool:
        return any(
            flag == name
            or (name.startswith("--") and (flag.startswith(f"{name}=") or (len(flag) > 4 and name.startswith(flag))))
            or (re.fullmatch(r"-\w", name) and re.fullmatch(r"-[A-Za-z]+", flag) and name[1] in flag[1:])
            for flag in self.flags
            for name in names
        )

    def full(self, names: Sequence[str]) -> tuple[str, ...]:
        """Full paths of what is there, from names that are relative to the top."""
        return tuple(path for name in names if os.path.lexists(path := os.path.join(self.top, name)))


def losses(run: Run, folder: str, until: float) -> Loss:
    """What this call of git, which runs in a folder, throws away."""
    call = _taken_apart(run, folder, until)
    reader = _READERS.get(call.name)
    if reader is None:
        raise Unknown(f"what git {call.name} loses is not known")
    return reader(call)


def _taken_apart(run: Run, folder: str, until: float) -> _Call:
    args, place = list(run.args), 0
    while place < len(args) and args[place].text.startswith("-"):
        text = args[place].text
        if text.startswith(_ODD):
            raise Unknown("another work tree")
        if text in _TAKES_FOLDER and place + 1 < len(args):
            folder = os.path.join(folder, os.path.expanduser(_known(args[place + 1])))
        place += 2 if text in (*_TAKES_FOLDER, *_VALUES) else 1
    name = args[place].text.lower() if place < len(args) else ""
    flags: list[str] = []
    words: list[str] = []
    paths: list[str] = []
    literal = skip = False
    for arg in args[place + 1 :]:
        text = _known(arg)
        if skip:
            skip = False
            flags[-1] += f"={text}"
        elif literal:
            paths.append(text)
        elif text == "--":
            literal = True
        elif text.startswith("-") and len(text) > 1:
            flags.append(text)
            skip = text in _WITH_VALUE.get(name, ())
        else:
            words.append(text)
    git = Git(folder, until)
    top = git.top()
    if not top:
        raise Unknown("no work tree here")
    return _Call(git, top, name, tuple(flags), tuple(words), tuple(paths))


_WITH_VALUE: dict[str, tuple[str, ...]] = {
    "checkout": ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
    "co": ("-b", "-B", "--orphan"),
    "switch": ("-c", "-C", "--create", "--force-create", "--orphan"),
    "restore": ("-s", "--source", "--pathspec-from-file", "--conflict"),
    "clean": ("-e", "--exclude"),
    "stash": ("-m", "--message"),
}


def _known(arg: Arg) -> str:
    if not arg.known:
        raise Unknown(f"{arg.text} is only known when the command runs")
    return arg.text


def _of_files(call: _Call, names: Sequence[str], *, refs: Sequence[Ref] = (), branch: str = "") -> Loss:
    return Loss(call.top, call.full(names), call.git.path("index") if names else "", tuple(refs), branch)


def _reset(call: _Call) -> Loss:
    target = call.git.commit(call.words[0] if call.words else "HEAD")
    if call.words and not target:
        raise Unknown(f"{call.words[0]} is no commit")
    head = call.git.commit("HEAD")
    refs = []
    if target != head and call.git.must("rev-list", "-n", "1", head, f"^{target}").strip():
        refs = [Ref(call.git.branch() or "HEAD", head)]
    changed = call.git.changed()
    others = call.git.changed(target) if changed and target else []
    return _of_files(call, sorted({*changed, *others}), refs=refs)


def _paths(call: _Call, source: str, paths: Sequence[str]) -> Loss:
    """Files that are replaced by those of a tree, or of the index."""
    unsaved = set(call.git.changed("HEAD", paths))
    if not unsaved:
        return NOTHING
    if source:
        return _of_files(call, sorted({*unsaved, *call.git.changed(source, paths)}))
    return _of_files(call, sorted(unsaved))


def _checkout(call: _Call) -> Loss:
    made = next((flag.partition("=")[2] for flag in call.flags if re.match(r"(?:-B|-C|--force-create)=", flag)), "")
    refs = [Ref(f"refs/heads/{made}", old)] if made and (old := call.git.ref(f"refs/heads/{made}")) else []
    first = call.words[0] if call.words else ""
    if call.name != "switch" and not made:
        if call.paths or call.has("--pathspec-from-file"):
            return _paths(call, first, call.paths or (":/",))
        if first and not call.git.commit(first):
            return _paths(call, "", call.words)
        if len(call.words) > 1:
            return _paths(call, first, call.words[1:])
        if call.has("--ours", "--theirs"):
            return _paths(call, "", (":/",))
    if not call.has("-f", "--force", "--discard-changes"):
        return Loss(call.top, refs=tuple(refs))
    return _of_files(call, call.git.changed(), refs=refs, branch=call.git.branch().removeprefix("refs/heads/"))


def _restore(call: _Call) -> Loss:
    source = next((flag.partition("=")[2] for flag in call.flags if flag.startswith(("-s=", "--source="))), "")
    if call.has("--staged", "-S") and not call.has("--worktree", "-W"):
        return NOTHING
    return _paths(call, source, (*call.words, *call.paths) or (":/",))


def _clean(call: _Call) -> Loss:
    """Git itself tells what it would remove."""
    kept = []
    for flag in call.flags:
        if flag.startswith("--"):
            if not flag.startswith(("--force", "--interactive", "--quiet")):
                kept.append(flag)
        elif flag.startswith("-e="):
            kept += ["-e", flag[3:]]
        elif letters := re.sub("[fiq]", "", flag[1:]):
            kept.append(f"-{letters}")
    told = call.git.must("clean", "-n", "-f", *kept, "--", *call.words, *call.paths)
    lines = [match[1] for line in told.splitlines() if (match := _REMOVES.match(line))]
    files = tuple(os.path.join(call.git.folder, _unquoted(name).rstrip("/")) for name in lines)
    return Loss(call.top, files) if files else NOTHING


def _stash(call: _Call) -> Loss:
    entries = call.git.stashes()
    first = call.words[0] if call.words else ""
    if first == "drop" and entries:
        chosen = _STASH.match(call.words[1]) if len(call.words) > 1 else None
        if len(call.words) > 1 and chosen is None:
            raise Unknown(f"{call.words[1]} is no stash")
        number = int(chosen[1] or chosen[2]) if chosen else 0
        entries = entries[number : number + 1]
    return Loss(call.top, refs=tuple(Ref("stash", commit, said) for commit, said in entries))


def _branch(call: _Call) -> Loss:
    kind = "refs/remotes" if call.has("-r", "--remotes") else "refs/heads"
    return _refs(call, [f"{kind}/{name}" for name in call.words])


def _tag(call: _Call) -> Loss:
    return _refs(call, [f"refs/tags/{name}" for name in call.words])


def _update_ref(call: _Call) -> Loss:
    if call.has("--stdin"):
        raise Unknown("the refs are read from standard input")
    return _refs(call, call.words[:1])


def _refs(call: _Call, names: Sequence[str]) -> Loss:
    return Loss(call.top, refs=tuple(Ref(name, found) for name in names if (found := call.git.ref(name))))


def _remove(call: _Call) -> Loss:
    paths = (*call.words, *call.paths)
    if not call.git.changed("HEAD", paths):
        return NOTHING
    return _of_files(call, call.git.names("ls-files", "-z", "--full-name", "--", *paths))


def _abort(call: _Call) -> Loss:
    return _of_files(call, call.git.changed())


def _worktree(call: _Call) -> Loss:
    if len(call.words) != 2:
        raise Unknown("which work tree is removed is not known")
    inner = Git(os.path.join(call.git.folder, call.words[1]))
    top = inner.top()
    if not top:
        return NOTHING
    # All of it but git's own link: a commit has the tracked files, but the folder that held them is gone, too.
    files = tuple(
        os.path.join(top, name) for name in sorted(os.listdir(top)) if name != ".git" and name not in CERTAIN_ARTEFACTS
    )
    head = "" if inner.branch() else inner.commit("HEAD")
    if head and inner.must("rev-list", "-n", "1", head, "--not", "--branches", "--tags", "--remotes").strip():
        # Commits that only this work tree's HEAD names: held by a branch name that undo brings back.
        return Loss(call.top, files, refs=(Ref(f"refs/heads/undone/{head[:12]}", head),))
    return Loss(call.top, files)


def _unquoted(name: str) -> str:
    """Git writes odd names in quotation marks, with escapes as in C."""
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return name
    letters = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}

    def one(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1], 8)]) if match[1] else letters.get(match[2], match[2])

    return os.fsdecode(_OCTAL.sub(one, os.fsencode(name[1:-1])))


_READERS: dict[str, Callable[[_Call], Loss]] = {
    "reset": _reset, "checkout": _checkout, "co": _checkout, "switch": _checkout, "restore": _restore,
    "clean": _clean, "stash": _stash, "branch": _branch, "tag": _tag, "update-ref": _update_ref, "rm": _remove,
    "merge": _abort, "rebase": _abort, "cherry-pick": _abort, "am": _abort, "revert": _abort, "worktree": _worktree,
}  # fmt: skip
