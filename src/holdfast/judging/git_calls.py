"""Calls of git in a line: which may be an alias, and what excuses one (a throw-away repository, an own try). Pure."""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Sequence

from holdfast.commandline.effects.places import spot
from holdfast.commandline.model import Arg, Run, Where
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

NEAR = 60
"""Runs before one that may show that it does no harm. Who writes more between is asked."""


def stashes(run: Run) -> bool:
    return "stash" in run.texts and "drop" not in run.texts and "clear" not in run.texts


def is_own_try(run: Run, earlier: Sequence[tuple[str, ...]]) -> bool:
    """`git cherry-pick X || git cherry-pick --abort`: the line itself began what it breaks off."""
    name = next((text for text in run.texts if not text.startswith("-")), "")
    return any(name in words and "--abort" not in words for words in earlier)


def only_rebuilt(run: Run, where: Where) -> bool:
    """`git checkout main -- package-lock.json`: are all files that it names made again by a tool?"""
    args = [
        arg
        for before, arg in itertools.pairwise((Arg(""), *run.args))
        if (not arg.text.startswith("-") or arg.text == "--")
        and before.text not in ("-e", "--exclude", "-s", "--source")
    ]
    dashes = next((place for place, arg in enumerate(args) if arg.text == "--"), 0)
    files = [arg for arg in args[dashes + 1 :] if arg.text != "."]
    return bool(files) and all(spot(arg, run.directory, where).kind == "artefact" for arg in files)


def is_temporary(run: Run, where: Where) -> bool:
    """Does git run in a throw-away repository?"""
    return all(spot(each, run.directory, where).kind == "temporary" for each in _trees(run))


def _trees(run: Run) -> list[Arg]:
    """The folders in which git works."""
    named = [Arg(value) for option, value in itertools.pairwise(run.texts) if option in _TREES] or [Arg(".")]
    named += [Arg(text.partition("=")[2]) for text in run.texts if text.startswith(("--work-tree=", "--git-dir="))]
    return named + [value for name, value in run.environment if name in ("GIT_WORK_TREE", "GIT_DIR")]


def is_made_before(run: Run, before: Sequence[Run]) -> bool:
    """Has the line itself made the folders in which git works, or written into them?"""
    folders = {(run.directory or "") if tree.text == "." else tree.text.rstrip("/") for tree in _trees(run)}
    made: set[str] = set()
    for each in before[-_MOST_BEFORE:]:
        if each.program not in ("cd", "pushd") and not (each.program == "git" and "-C" in each.texts):
            made.update(text.rstrip("/") for text in each.texts)
            made.add(each.directory if each.program == "git" and "init" in each.texts and each.directory else "")
    return all(
        folder.startswith("$TMPDIR") or any(_is_in(folder, other) for other in made if other) for folder in folders
    )


def _is_in(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(f"{other}/")


_MOST_BEFORE = 40


_TREES = ("-C", "--work-tree", "--git-dir")


def pushes_to_temporary(run: Run, before: Sequence[Run], where: Where) -> bool:
    """Does it push to a repository in a temporary folder, by its path or by a name that the line gave it? A setting in
    the line may make another address of it: then it does not."""
    if run.remote or any(name.startswith("GIT_") for name, _ in run.environment):
        return False
    if "push" not in run.texts or any(text.startswith(_ELSEWHERE) for text in run.texts):
        return False
    words = [text for text in run.texts[run.texts.index("push") + 1 :] if not text.startswith("-")]
    if not words:
        return False
    target = words[0]
    for each in [each for each in before if each.program == "git"][-NEAR:]:
        plain = [text for text in each.texts if not text.startswith("-")]
        if "config" in plain[:2]:
            return False
        if plain[:2] in (["remote", "add"], ["remote", "set-url"]) and len(plain) > 3 and plain[2] == words[0]:
            target = plain[3]
    target = target.removeprefix("file://")
    return target.startswith(("/", "$TMPDIR/")) and spot(Arg(target), run.directory, where).kind == "temporary"


_ELSEWHERE = ("-c", "-o", "--repo", "--push-option", "--config-env", "--receive-pack", "--exec")
"""Options of git after which the first word may be no address, or another one."""


def pushes_to_own(run: Run, before: Sequence[Run], where: Where) -> bool:
    """Does it push to a throw-away repository that the line made with `git init --bare`, or to the origin of a clone of
    that? Whatever may name another address is not followed: then it does not."""
    if len(before) > NEAR:
        return False
    bare: set[str] = set()
    clones: set[str] = set()
    exits = False
    for each in before:
        exits = exits or (each.program == "set" and any(text.startswith("-e") for text in each.texts))
        if each.program != "git":
            continue
        called = _called(each)
        if called is None:
            return False
        folder, words = called
        if words[:1] == ["init"] and "--bare" in each.texts and len(words) == 2:
            if spot(Arg(words[1]), folder, where).kind == "temporary":
                bare.add(_joined(folder, words[1]))
        elif words[:1] == ["clone"]:
            sure = exits or each.followed_by == "&&" or "/made-now/" in words[-1]
            if len(words) != 3 or not sure or _joined(folder, words[1]) not in bare:
                return False
            clones.add(_joined(folder, words[2]))
    called = _called(run)
    if called is None or any(text.startswith(("--repo", "--git-dir", "--work-tree")) for text in run.texts):
        return False
    folder, words = called
    if words[:1] != ["push"]:
        return False
    if words[1:2] in ([], ["origin"]):
        return posixpath.normpath(folder) in clones
    return _joined(folder, words[1]) in bare


def _called(run: Run) -> tuple[str, list[str]] | None:
    """The folder in which git runs, and its words; None where a setting, or a remote that is named anew, may make
    another address of `origin`."""
    if run.remote or run.directory is None or any(name.startswith("GIT_") for name, _ in run.environment):
        return None
    folder, texts = run.directory, run.texts
    while len(texts) > 1 and texts[0] in ("-C", "-c"):
        if texts[0] == "-C":
            folder = _joined(folder, texts[1])
        elif not _NAMES_NOBODY.match(texts[1]):
            return None
        texts = texts[2:]
    words = [text for text in texts if not text.startswith("-")]
    if words[:1] == ["config"]:
        return (folder, words) if len(words) > 1 and _NAMES_NOBODY.match(words[1]) else None
    return None if words[:1] == ["remote"] or {"-C", "-c", "-o"} & set(texts) else (folder, words)


_NAMES_NOBODY = lazy_pattern(
    r"(?i)(?:(?:user|commit|color|advice|tag)\.\w{1,40}|init\.defaultbranch|core\.(?:autocrlf|quotepath|pager))(?:=|\Z)"
)
"""Settings that say who commits and how, and no address."""


def _joined(folder: str, path: str) -> str:
    return posixpath.normpath(path if path.startswith("$") else posixpath.join(folder, path))


_GIT_WORDS = listed(
    "add am apply archive bisect blame branch bundle cat-file checkout cherry-pick clean clone commit config describe "
    "diff fetch format-patch fsck gc grep help init log ls-files ls-remote ls-tree merge merge-base mv notes pull push "
    "rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash "
    "status submodule switch tag update-index update-ref version worktree blame check-attr check-ignore commit-tree "
    "count-objects credential diff-index diff-tree difftool fast-export fast-import fetch-pack filter-branch "
    "for-each-ref hash-object interpret-trailers maintenance merge-file merge-tree mergetool name-rev pack-refs prune "
    "range-diff read-tree repack replace request-pull rerere send-email show-branch stripspace symbolic-ref var "
    "verify-commit verify-tag whatchanged write-tree"
)
"""Git's own commands: an alias of the same name does not count."""


def may_use_alias(command: str) -> bool:
    """Is git called by a word that is no usual one? Then it may be an alias."""
    if len(command) > _LONGEST_SEARCHED:
        return True
    return any(word not in _GIT_WORDS for word in _GIT_CALL.findall(command))


_LONGEST_SEARCHED = 16_000
"""Letters; one search holds the interpreter."""


_GIT_CALL = lazy_pattern(r"\bgit(?:\s+-\S+(?:\s+(?=-)|\s+[^\s-]\S*(?=\s))?)*\s+([\w-]+)")
