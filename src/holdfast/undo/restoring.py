"""Brings kept bytes back. What is there now and differs is written over only when the caller says so."""

from __future__ import annotations

import filecmp
import os
import shutil
from pathlib import Path

from holdfast.errors import HoldfastError, Refused
from holdfast.undo.git import Git, Unknown
from holdfast.undo.model import Kept, KeptFile, KeptRef


def restore(kept: Kept, source: Path, *, over: bool) -> list[str]:
    """Bring it back from the folder `source`; what was written."""
    _check(kept, source, over=over)
    git = Git(kept.root) if kept.root else None
    done: list[str] = []
    if git and kept.branch:
        done += _switch_back(git, kept.branch)
    if git:
        done += [said for ref in reversed(kept.refs) if (said := _ref(git, kept, ref, over=over))]
        if kept.index and (source / "index").exists():
            # What was staged since is not staged any more; its bytes are in the files, and in git's objects.
            shutil.copyfile(source / "index", kept.index)
    return [*_files(kept, source), *done]


def _check(kept: Kept, source: Path, *, over: bool) -> None:
    """Nothing is changed when a file is there again with other bytes.

    A tracked file as in the last commit is no obstacle: git has it, and that is what a discarding command leaves."""
    if over:
        return
    there = [each.path for each in kept.files if _differs(each, source)]
    if there and kept.root:
        try:
            saved = Git(kept.root).committed(there)
        except Unknown as error:
            raise Refused(
                f"Git cannot tell what is saved in {kept.root} ({error}); nothing was changed. "
                f"Use --over to replace {len(there)} files that have other bytes now."
            ) from error
        there = [path for path in there if path not in saved]
    if there:
        names = ", ".join(there[:3]) + (" …" if len(there) > 3 else "")
        raise Refused(
            f"{len(there)} of these exist again with other bytes ({names}); nothing was changed. "
            "Use --over to replace them."
        )


def _differs(each: KeptFile, source: Path) -> bool:
    if not os.path.lexists(each.path):
        return False
    if each.kind == "folder":
        return os.path.islink(each.path) or not os.path.isdir(each.path)
    if each.kind == "link":
        return not os.path.islink(each.path) or os.readlink(each.path) != each.at
    try:
        return os.path.islink(each.path) or not filecmp.cmp(each.path, source / each.at, shallow=False)
    except OSError:
        return True


def _files(kept: Kept, source: Path) -> list[str]:
    written = []
    folders = sorted((each for each in kept.files if each.kind == "folder"), key=lambda one: len(one.path))
    for each in folders:
        if os.path.islink(each.path) or (os.path.lexists(each.path) and not os.path.isdir(each.path)):
            os.unlink(each.path)
        os.makedirs(each.path, exist_ok=True)
    for each in kept.files:
        if each.kind == "folder":
            continue
        os.makedirs(os.path.dirname(each.path), exist_ok=True)
        if os.path.isdir(each.path) and not os.path.islink(each.path):
            raise HoldfastError(f"{each.path} is a folder now. Move it away, then call again.")
        if os.path.lexists(each.path):
            os.unlink(each.path)
        if each.kind == "link":
            os.symlink(each.at, each.path)
        else:
            shutil.copyfile(source / each.at, each.path)
            os.chmod(each.path, each.mode)
            os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
        written.append(each.path)
    for each in reversed(folders):
        os.chmod(each.path, each.mode)
        os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
    return written


def _switch_back(git: Git, branch: str) -> list[str]:
    if git.branch() == f"refs/heads/{branch}":
        return []
    if git.ask("switch", "--quiet", branch, alone=True) is None or git.branch() != f"refs/heads/{branch}":
        raise Refused(f"Git cannot switch back to {branch} with the changes that are here now. Commit or stash them.")
    return [f"branch {branch}"]


def _ref(git: Git, kept: Kept, ref: KeptRef, *, over: bool) -> str:
    """Bring one name back; what is said of it, '' when it is there already."""
    if ref.name == "stash":
        if any(commit == ref.object for commit, _ in git.stashes()):
            return ""
        git.ask("stash", "store", "-m", ref.message or "brought back by holdfast undo", ref.object, alone=True)
        return f"stash {ref.message}".strip()
    now = git.ref(ref.name)
    if now == ref.object:
        return ""
    if ref.name in ("HEAD", git.branch()):
        if kept.index or over:
            git.ask("update-ref", ref.name, ref.object, alone=True)
        else:
            git.ask("reset", "--quiet", "--keep", ref.object, alone=True)  # it refuses to lose changes
        if git.ref(ref.name) != ref.object:
            raise Refused("Git cannot move the branch back with the changes that are here now. Commit or stash them.")
    elif now and not over:
        raise Refused(f"{ref.name} points to something else now; nothing was changed. Use --over to move it back.")
    else:
        git.ask("update-ref", ref.name, ref.object, alone=True)
    return ref.name
