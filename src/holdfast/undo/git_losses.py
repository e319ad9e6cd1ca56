"""What a git command would throw away: files of the work tree, the index, and names of commits.

`Nothing` is lost when git has every byte by other names. What git does not tell in time is `Unknown`. Where the line
changes the repository before, or a word is only known when it runs, everything that the command could lose is named.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS
from holdfast.commandline.model import Run
from holdfast.gitfiles import main_worktree
from holdfast.undo import git_names
from holdfast.undo.call import NOTHING, GitCall, Loss, Ref, taken_apart
from holdfast.undo.git import Git, Late, Unknown
from holdfast.undo.model import printable

__all__ = ["NOTHING", "Loss", "Ref", "losses"]

_REMOVES = re.compile(r"Would remove (.*)\Z")
_OCTAL = re.compile(rb"\\([0-7]{3})|\\(.)", re.DOTALL)
_PATCHED = re.compile(r"^(?:---|\+\+\+|rename (?:from|to)|copy to) +([^\t\n\r]+)|^diff --git (\S+) (\S+)", re.M)
_MOST_MODES = 5_000
_MOST_PATCHED = 4_000
LARGEST_PATCH = 4 * 1024 * 1024
"""Characters of a patch that are read. One that is longer may name anything."""
CHANGES = frozenset({
    "add", "rm", "mv", "commit", "checkout", "co", "switch", "reset", "restore", "merge", "rebase", "cherry-pick",
    "revert", "am", "apply", "stash", "fetch", "pull", "branch", "update-ref", "symbolic-ref", "read-tree",
    "update-index", "worktree",
})  # fmt: skip
"""Words of git after which its repository is another than it was when the line was judged."""
_TAKES_IN = frozenset({
    "add", "commit", "stash", "apply", "am", "checkout", "co", "switch", "merge", "pull", "rebase", "cherry-pick",
    "revert", "reset", "restore",
})  # fmt: skip
"""Those after which files that were unknown to git may be its own, and are lost with it."""
COMMITS = frozenset({
    "commit", "merge", "rebase", "cherry-pick", "revert", "am", "pull",
})  # fmt: skip
_MOVES = frozenset({
    "checkout", "co", "switch", "branch", "rebase", "update-ref", "symbolic-ref",
})  # fmt: skip
"""Those after which another branch may be the current one."""


def losses(run: Run, folder: str, until: float, before: Sequence[str] = (), after: Sequence[str] = ()) -> Loss:
    """What this call of git, which runs in a folder, throws away. `before` and `after` are the words with which the
    line calls git earlier and later."""
    call = taken_apart(run, folder, until)
    _spares_submodules(call, run)
    loss = _losses(call, before)
    if not COMMITS.intersection(after) or not (loss.files or loss.removed):
        return loss
    # The line goes on to make a commit: as it was before, the branch is without it.
    branch, head = call.git.branch() or "HEAD", call.git.commit("HEAD")
    refs = loss.refs if not head or any(ref.name == branch for ref in loss.refs) else (*loss.refs, Ref(branch, head))
    return replace(loss, root=call.top, refs=refs, index=loss.index or call.git.path("index"), replaces=True)


def takes_entries_out(run: Run) -> bool:
    """`git rm --cached F`, `git restore --staged F`, `git reset F`: does it only change the index?"""
    words = [text for text in run.texts if not text.startswith("-")]
    if run.program != "git" or run.remote or not words:
        return False
    if "rm" in words[:2]:
        return "--cached" in run.texts
    if "restore" in words[:2]:
        return not {"--staged", "-S"}.isdisjoint(run.texts) and {"--worktree", "-W"}.isdisjoint(run.texts)
    return "reset" in words[:2] and {"--hard", "--merge", "--keep", "--soft"}.isdisjoint(run.texts)


def index_of(run: Run, folder: str, until: float) -> tuple[str, str]:
    """The work tree that a call of git is about, and the path of its index."""
    call = taken_apart(run, folder, until)
    return call.top, call.git.path("index")


def _spares_submodules(call: GitCall, run: Run) -> None:
    """What a call throws away in a submodule is not kept: Unknown where it goes into them and something is there."""
    if call.name not in _INTO_SUBMODULES or not _may_lose(call):
        return
    told = call.has("--recurse-submodules") or any(text.lower().startswith("submodule.recurse") for text in run.texts)
    if not told and not os.path.exists(os.path.join(call.top, ".gitmodules")):
        return
    if not told and call.git.ask("config", "--type=bool", "--get", "submodule.recurse") != "true\n":
        return
    if name := call.git.unsaved_submodule():
        raise Late(f"what it throws away in the submodule {printable(name)} cannot be kept")


_INTO_SUBMODULES = frozenset({"reset", "checkout", "co", "switch", "restore", "read-tree"})


def _losses(call: GitCall, before: Sequence[str]) -> Loss:
    reader = _READERS.get(call.name)
    if reader is None:
        raise Unknown(f"what git {call.name} loses is not known")
    changes = CHANGES.intersection(before)
    if call.name not in _OF_FILES or not _may_lose(call) or not (changes or call.unknown):
        return reader(call)
    try:
        own = reader(call) if not call.unknown else NOTHING
    except Unknown:
        own = NOTHING
    return _everything(call, changes, own)


def _may_lose(call: GitCall) -> bool:
    """A plain change of the branch loses nothing that the line before it could have made another."""
    if call.name not in ("checkout", "co", "switch"):
        return True
    named = call.paths or len(call.words) > 1 or call.unknown
    named = named or any(os.path.lexists(os.path.join(call.git.folder, word)) for word in call.words)
    return bool(named) or call.has("-f", "--force", "--discard-changes", "-B", "-C", "--force-create", "--ours")


def _everything(call: GitCall, changes: frozenset[str], own: Loss) -> Loss:
    """All that is in no commit, and the names that it may move."""
    names = call.git.changed()
    if _TAKES_IN & changes:
        names += call.git.names("ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", ":/")
    if "rm" in changes:  # what leaves the index is written anew, with the usual mode
        tracked = call.git.names("ls-files", "-z", "--full-name", "--", ":/")
        names += [name for name in tracked[:_MOST_MODES] if _has_own_mode(os.path.join(call.top, name))]
    refs = own.refs
    if _MOVES & changes or (call.unknown and call.name == "reset"):
        refs = tuple(dict.fromkeys((*refs, *git_names.all_refs(call))))
    elif changes and call.name == "reset" and (head := call.git.commit("HEAD")):
        refs = tuple(dict.fromkeys((*refs, Ref(call.git.branch() or "HEAD", head))))
    stashes = own.stashes or (git_names.whole_stash(call) if "stash" in changes else ())  # `pop` drops an entry
    if not names and not refs and not stashes and own.is_nothing:
        return NOTHING
    files = tuple(dict.fromkeys((*own.files, *call.full(names))))
    index = call.git.path("index")
    return call.head(replace(own, root=call.top, files=files, index=index, refs=refs, stashes=stashes, replaces=True))


def _has_own_mode(path: str) -> bool:
    """Has it a mode that git does not know?"""
    try:
        info = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(info.st_mode) and stat.S_IMODE(info.st_mode) not in (0o644, 0o755)


def _of_files(call: GitCall, names: Sequence[str], *, refs: Sequence[Ref] = (), replaces: bool = False) -> Loss:
    index = call.git.path("index") if names else ""
    return Loss(call.top, call.full(names), index=index, refs=tuple(refs), replaces=replaces)


def _in_the_way(call: GitCall, target: str, paths: Sequence[str] = ()) -> list[str]:
    """Files here that git does not know, and that a tree has by the same name: they would be written over."""
    told = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=A", "--no-relative")
    new = call.git.names(*told, *(("HEAD", target) if call.git.commit("HEAD") else ("--cached", target)), "--", *paths)
    there = [name for name in new if os.path.lexists(os.path.join(call.top, name))]
    if not there:
        return []
    top = [f":(top,literal){name}" for name in there[:1_000]]
    known = set(call.git.names("ls-files", "-z", "--full-name", "--", *top))
    return [name for name in there if name not in known]


def _reset(call: GitCall) -> Loss:
    target = call.git.commit(call.words[0] if call.words else "HEAD")
    if call.words and not target:
        raise Unknown(f"{call.words[0]} is no commit")
    head = call.git.commit("HEAD")
    changed = call.git.changed()
    others = call.git.changed(target) if changed and target else []
    in_the_way = _in_the_way(call, target) if target and target != head else []
    names = sorted({*changed, *others, *in_the_way})
    refs = []
    if target != head and (names or call.git.must("rev-list", "-n", "1", head, f"^{target}").strip()):
        refs = [Ref(call.git.branch() or "HEAD", head)]
    # To leave a commit again that nothing else names is to lose it.
    return _of_files(call, names, refs=refs, replaces=bool(refs) and call.git.is_lonely(target, head))


def _paths(call: GitCall, source: str, paths: Sequence[str]) -> Loss:
    """Files that are replaced by those of a tree, or of the index."""
    unsaved = set(call.git.changed("HEAD", paths))
    unsaved |= set(_in_the_way(call, source, paths)) if source and call.git.commit(source) else set()
    if not unsaved:
        return NOTHING
    if source:
        return _of_files(call, sorted({*unsaved, *call.git.changed(source, paths)}), replaces=True)
    staged = call.git.names("diff", "--name-only", "-z", "--no-renames", "--no-relative", "--cached", "--", *paths)
    return _of_files(call, sorted(unsaved), replaces=bool(unsaved.intersection(staged)))


def _checkout(call: GitCall) -> Loss:
    made = call.value("-B", "-C", "--force-create")
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
    target = call.git.commit(first) if first else ""
    in_the_way = _in_the_way(call, target) if target else []
    if not call.has("-f", "--force", "--discard-changes"):
        if not refs and not in_the_way:
            return NOTHING
        return call.head(Loss(call.top, call.full(in_the_way), refs=tuple(refs), replaces=True))
    return call.head(_of_files(call, [*call.git.changed(), *in_the_way], refs=refs, replaces=bool(refs or in_the_way)))


def _restore(call: GitCall) -> Loss:
    source = call.value("-s", "--source")
    if call.has("--staged", "-S") and not call.has("--worktree", "-W"):
        return NOTHING
    return _paths(call, source, (*call.words, *call.paths) or (":/",))


def _clean(call: GitCall) -> Loss:
    """Git itself tells what it would remove."""
    kept = []
    forced = 0
    for flag in call.flags:
        if flag.startswith("--"):
            forced += flag.startswith("--f")
            if not "--force".startswith(flag) and not flag.startswith(("--interactive", "--quiet")):
                kept.append(flag)
        elif flag.startswith("-e="):
            kept += ["-e", flag[3:]]
        else:
            forced += flag.count("f")
            if letters := re.sub("[fiq]", "", flag[1:]):
                kept.append(f"-{letters}")
    often = ("-f", "-f") if forced > 1 else ("-f",)  # twice: repositories inside, too
    told = call.git.must("clean", "-n", *often, *kept, "--", *call.words, *call.paths)
    lines = [match[1] for line in told.split("\n") if (match := _REMOVES.match(line))]
    files = tuple(os.path.join(call.git.folder, _unquoted(name).rstrip("/")) for name in lines)
    return Loss(call.top, removed=files) if files else NOTHING


def _remove(call: GitCall) -> Loss:
    paths = (*call.words, *call.paths)
    if not call.git.changed("HEAD", paths):
        return NOTHING
    return _of_files(call, call.git.names("ls-files", "-z", "--full-name", "--", *paths))


def _move(call: GitCall) -> Loss:
    """`git mv -f A B`: B is written over, and to undo it A must be there again."""
    words = (*call.words, *call.paths)
    if len(words) < 2 or call.unknown:
        raise Unknown("what is moved is not known")
    *sources, target = (os.path.normpath(os.path.join(call.git.folder, word)) for word in words)
    inside = os.path.isdir(target) and not os.path.islink(target)
    landed = [os.path.join(target, os.path.basename(source)) if inside else target for source in sources]
    there = [path for path in landed if os.path.lexists(path)]
    saved = call.git.committed(there) if there else set()
    lost = [path for path in there if path not in saved]
    if not lost:
        return NOTHING
    files = (*lost, *(source for source in sources if os.path.lexists(source)))
    return Loss(call.top, tuple(files), index=call.git.path("index"), replaces=True)


def _apply(call: GitCall) -> Loss:
    """Files that a patch names and that no commit has."""
    texts = [call.stdin] if call.stdin is not None else []
    for word in (*call.words, *call.paths, *call.fed_by):
        try:
            with open(os.path.join(call.git.folder, word), encoding="utf-8", errors="surrogateescape") as file:
                texts.append(file.read(LARGEST_PATCH + 1))
        except OSError:
            continue
    below = [os.path.join(call.top, call.value("--directory"))] if call.has("--directory") else []
    named = [patched(text, [call.git.folder, call.top, *below]) for text in texts]
    if not texts or call.unknown or any(each is None for each in named):
        return _of_files(call, call.git.unsaved([":/"]), replaces=True)
    there = [path for each in named for path in each or ()]
    saved = call.git.committed(there) if there else set()
    return Loss(call.top, tuple(dict.fromkeys(path for path in there if path not in saved)), replaces=True)


def patched(text: str, folders: Sequence[str]) -> list[str] | None:
    """Files that are there and that a patch names, however many folders it leaves out at the beginning. None: too many
    to look at."""
    if len(text) > LARGEST_PATCH:
        return None
    found: dict[str, None] = {}
    for number, match in enumerate(_PATCHED.finditer(text)):
        if number > _MOST_PATCHED:
            return None
        for name in filter(None, match.groups()):
            parts = _unquoted(name.strip()).split("/")[-40:]
            for folder in folders:
                for first in range(len(parts)):
                    path = os.path.join(folder, *parts[first:])
                    if os.path.isfile(path):
                        found[os.path.normpath(path)] = None
    return list(found)


def _abort(call: GitCall) -> Loss:
    return call.head(_of_files(call, call.git.changed()))


def _plumbing(call: GitCall) -> Loss:
    return _everything(call, frozenset(), NOTHING)


def _worktree(call: GitCall) -> Loss:
    words = (*call.words, *call.paths)
    if len(words) != 2 or words[0] != "remove" or call.unknown:
        raise Unknown("which work tree is removed is not known")
    inner = Git(os.path.join(call.git.folder, words[1]))
    top = inner.top()
    if not top:
        return NOTHING
    # All of it: a commit has the tracked files, but the folder that held them is gone, too, and the repository does
    # not know it any more.
    files = [os.path.join(top, name) for name in sorted(os.listdir(top)) if name not in CERTAIN_ARTEFACTS]
    known_by = inner.must("rev-parse", "--path-format=absolute", "--git-dir").strip("\n")
    head = "" if inner.branch() else inner.commit("HEAD")
    if not call.has("-f", "--force") and not _has_more(inner, head):
        return NOTHING
    held = (Ref("", head),) if head else ()  # commits that only this work tree's HEAD may name
    return Loss(call.top, removed=(*files, known_by), refs=held)


def root_that_stays(root: str, lost: Sequence[Loss]) -> str:
    """The work tree that an undo copy is of. Where the line removes the very one that it runs in, the main one of its
    repository: git is asked there later, for the names that both share and for those that are held."""
    if not root or not any(os.path.join(root, ".git") in each.removed for each in lost):
        return root
    if any(each.index or each.branch or each.detached for each in lost):
        return root  # they are about this work tree alone
    return main_worktree(root) or root


def _has_more(inner: Git, head: str) -> bool:
    """Without force git removes a work tree in which all is committed: has it ignored files, or lonely commits?"""
    told = inner.names("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", ":/")
    if any(not CERTAIN_ARTEFACTS.intersection(name.split("/")) for name in told):
        return True
    return bool(head) and inner.is_lonely(head)


def _unquoted(name: str) -> str:
    """Git writes odd names in quotation marks, with escapes as in C."""
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return name
    letters = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}

    def one(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1], 8)]) if match[1] else letters.get(match[2], match[2])

    return os.fsdecode(_OCTAL.sub(one, os.fsencode(name[1:-1])))


_READERS: dict[str, Callable[[GitCall], Loss]] = {
    "reset": _reset, "checkout": _checkout, "co": _checkout, "switch": _checkout, "restore": _restore,
    "clean": _clean, "rm": _remove, "mv": _move, "apply": _apply, "worktree": _worktree,
    **dict.fromkeys(("merge", "rebase", "cherry-pick", "am", "revert"), _abort),
    **dict.fromkeys(("read-tree", "checkout-index"), _plumbing),
    "stash": git_names.stash, "branch": git_names.branch, "tag": git_names.tag, "update-ref": git_names.update_ref,
    "fetch": git_names.fetch, "remote": git_names.remote,
}  # fmt: skip
_OF_FILES = frozenset({
    "reset", "checkout", "co", "switch", "restore", "rm", "mv", "apply", "clean",
})  # fmt: skip
