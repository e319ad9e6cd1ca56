"""One side of a conflict that a line takes: `git merge x; git checkout --theirs F && git add F`. Pure; linear.

Git has both sides, so nothing is lost. Outside of a conflict the same call throws changes away: the line must show that
there is one, by what began it or by what ends it, and must name the files.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.commandline.model import Run
from holdfast.judging.things import words_of
from holdfast.shell.tools import listed

_NEAR = 30
_SIDES = listed("--ours --theirs")
_BEGIN = listed("merge rebase cherry-pick revert pull am")
_VALUES = listed("-C -c --git-dir --work-tree")
_ALL = listed(". .. / :/ * ./")


def takes_a_side(run: Run, before: Sequence[Run], after: Sequence[Run]) -> bool:
    """Does this call take one side of files that are in conflict?"""
    if run.program != "git" or _SIDES.isdisjoint(run.texts) or any(not arg.known for arg in run.args):
        return False
    words = words_of(run, _VALUES)
    files = [word for word in words[1:] if word != "--"]
    if words[:1] not in (["checkout"], ["restore"]) or not files or any(map(_is_wide, files)):
        return False
    return any(_shows(each, run) for each in before[-_NEAR:]) or any(
        _resolves(each, run, files) for each in after[:_NEAR]
    )


def _is_wide(name: str) -> bool:
    """May it stand for more than a file?"""
    return name in _ALL or name.endswith("/") or any(sign in name for sign in "*?[") or name.startswith(":")


def _is_beside(run: Run, other: Run) -> bool:
    return run.program == "git" and not run.remote and run.directory == other.directory


def _shows(run: Run, taken: Run) -> bool:
    """`git merge x`, `git stash pop`, `git diff --diff-filter=U`: does it begin a conflict, or ask for one?"""
    words = words_of(run, _VALUES) if _is_beside(run, taken) else []
    if words[:1] and words[0] in _BEGIN:
        return "--abort" not in run.texts and "--quit" not in run.texts
    return words[:2] in (["stash", "pop"], ["stash", "apply"]) or "--diff-filter=U" in run.texts


def _resolves(run: Run, taken: Run, files: Sequence[str]) -> bool:
    """`git add F`: are all these files said to be resolved, after all was well?"""
    words = words_of(run, _VALUES) if _is_beside(run, taken) else []
    return words[:1] == ["add"] and not run.after_failure and (set(files) <= set(words[1:]))
