"""Brings back what git had: the branch, names of commits, the stash in its order, settings, the index, files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from holdfast.errors import HoldfastError, Refused
from holdfast.undo.git import Git, Unknown
from holdfast.undo.model import Kept, KeptFile, KeptRef, printable


def names(kept: Kept, source: Path, *, over: bool) -> list[str]:
    """Bring back all but files; what was done."""
    git = Git(kept.root)
    if not over:
        _check(git, kept)
    gone = [ref for ref in kept.refs if ref.name.startswith("refs/") and not git.ref(ref.name)]
    done = [said for ref in gone if (said := _ref(git, kept, ref, over=over))]
    done += _switch_back(git, kept, over=over)
    done += [said for ref in reversed(kept.refs) if (said := _ref(git, kept, ref, over=over))]
    if kept.stashes:
        done += _stashes(git, kept.stashes)
    if kept.settings:
        done += _settings(git, kept, source)
    if kept.index and (source / "index").exists():
        # What was staged since is not staged any more; its bytes are in the files, and in git's objects.
        new = f"{kept.index}.holdfast-undo"
        shutil.copy2(source / "index", new)
        os.chmod(new, os.stat(kept.index).st_mode & 0o777 if os.path.exists(kept.index) else 0o644)
        os.replace(new, kept.index)
    return done


def _check(git: Git, kept: Kept) -> None:
    """Nothing is changed when a name means something else now, or a commit that came since would be on no branch."""
    here = f"refs/heads/{kept.branch}" if kept.branch else git.branch()
    for ref in kept.refs:
        now = git.ref(ref.name) if ref.name not in ("", "stash") else ""
        if not now or now == ref.object:
            continue
        if ref.name not in ("HEAD", here):
            raise Refused(f"{ref.name} points to something else now; nothing was changed. Use --over to move it back.")
        try:
            lonely = git.is_lonely(now, ref.object, without=ref.name)
        except Unknown as error:
            raise Refused(f"Git cannot tell what was committed since ({error}); nothing was changed.") from error
        if lonely:
            raise Refused(
                f"{now[:12]} was committed since, and no other branch has it; nothing was changed. "
                "Make a branch of it, or use --over to leave it."
            )


def _switch_back(git: Git, kept: Kept, *, over: bool) -> list[str]:
    there = git.branch()
    if kept.branch and there != f"refs/heads/{kept.branch}":
        if kept.index and over:  # the files and the index come back as they were: only HEAD has to move
            git.ask("symbolic-ref", "HEAD", f"refs/heads/{kept.branch}", alone=True)
        else:
            git.ask("switch", "--quiet", kept.branch, alone=True)
        if git.branch() != f"refs/heads/{kept.branch}":
            raise Refused(
                f"Git cannot switch back to {kept.branch} with the changes that are here now. "
                "Commit or stash them, or use --over."
            )
        return [f"branch {kept.branch}"]
    if kept.detached and (there or git.commit("HEAD") != kept.detached):
        if kept.index and over:
            git.ask("update-ref", "--no-deref", "HEAD", kept.detached, alone=True)
        else:
            git.ask("switch", "--quiet", "--detach", kept.detached, alone=True)
        if git.branch() or git.commit("HEAD") != kept.detached:
            raise Refused(
                "Git cannot go back to the commit with the changes that are here now. "
                "Commit or stash them, or use --over."
            )
        return [f"HEAD at {kept.detached[:12]}"]
    return []


def _ref(git: Git, kept: Kept, ref: KeptRef, *, over: bool) -> str:
    """Bring one name back; what is said of it, '' when it is there already."""
    if not ref.name:
        return ""
    if ref.name == "stash":  # as it was kept before the stash was kept as a whole
        if any(commit == ref.object for commit, _ in git.stashes()):
            return ""
        git.ask("stash", "store", "-m", ref.message or "brought back by holdfast undo", ref.object, alone=True)
        return f"stash {ref.message}".strip()
    now = git.ref(ref.name)
    if now == ref.object:
        return ""
    if now and ref.name in ("HEAD", git.branch()):  # one that is gone has nothing that could be lost
        if kept.index or over:
            git.ask("update-ref", ref.name, ref.object, alone=True)
        else:
            git.ask("reset", "--quiet", "--keep", ref.object, alone=True)  # it refuses to lose changes
        if git.ref(ref.name) != ref.object:
            raise Refused("Git cannot move the branch back with the changes that are here now. Commit or stash them.")
    else:
        git.ask("update-ref", ref.name, ref.object, alone=True)
        if git.ref(ref.name) != ref.object:
            raise Refused(f"Git cannot bring {ref.name} back.")
    return ref.name


def _stashes(git: Git, wanted: Sequence[KeptRef]) -> list[str]:
    """The stash in its order: what came since, on top of what was there."""
    now = git.stashes()
    before = [(ref.object, ref.message) for ref in wanted]
    if now[-len(before) :] == before:
        return []
    known = {commit for commit, _ in before}
    whole = [*(entry for entry in now if entry[0] not in known), *before]
    git.ask("update-ref", "-d", "refs/stash", alone=True)
    for commit, message in reversed(whole):
        git.ask("stash", "store", "-m", message or "brought back by holdfast undo", commit, alone=True)
    if [commit for commit, _ in git.stashes()] != [commit for commit, _ in whole]:
        raise Refused("Git could not bring the stash back; `git for-each-ref refs/holdfast` lists its commits.")
    return [f"stash {message}" for commit, message in before if (commit, message) not in now]


def _settings(git: Git, kept: Kept, source: Path) -> list[str]:
    now = git.settings()
    missing = [each for each in kept.settings if each not in now]
    if not missing:
        return []
    before = Git(kept.root)
    config = source / "config"
    if kept.config and config.exists():
        told = before.ask("config", "--file", str(config), "-z", "--list") or ""
        old = [(name, value) for entry in told.split("\0") if entry for name, _, value in [entry.partition("\n")]]
        if sorted(old) == sorted([*now, *missing]):  # nothing else changed since
            shutil.copyfile(config, kept.config)
            return [f"setting {name}" for name, _ in missing]
    for name, value in missing:
        if not git.does("config", "--local", "--add", name, value):
            raise HoldfastError(f"Git cannot write its setting {name} again; what was kept is still there.")
    return [f"setting {name}" for name, _ in missing]


def committed(kept: Kept, *, over: bool) -> list[str]:
    """Files that the commit has: those that are gone, and with `over` those that are other now."""
    wanted = [each for each in kept.files if each.kind == "committed"]
    if not wanted or not kept.commit:
        return []
    git = Git(kept.root)
    gone = [each for each in wanted if over or not os.path.lexists(each.path)]
    top = git.top() or kept.root
    inside = [each for each in gone if each.path.startswith(f"{top}/")]
    given = "\0".join(f":(top,literal){each.path[len(top) + 1 :]}" for each in inside)
    words = ("restore", f"--source={kept.commit}", "--worktree", "--pathspec-from-file=-", "--pathspec-file-nul")
    done = not inside or git.does(*words, given=given)
    lost = [each.path for each in gone if not done or not os.path.lexists(each.path)]
    if lost:
        names = ", ".join(map(printable, lost[:3])) + (" …" if len(lost) > 3 else "")
        raise HoldfastError(
            f"Git could not bring back {len(lost)} files of the commit {kept.commit[:12]} ({names}). "
            "All else is back, and what was kept is still there."
        )
    for each in inside:
        _as_it_was(each)
    return [each.path for each in inside]


def _as_it_was(each: KeptFile) -> None:
    if os.path.islink(each.path):
        return
    os.chmod(each.path, each.mode)
    os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
