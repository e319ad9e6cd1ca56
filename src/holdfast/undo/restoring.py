"""Brings kept bytes back. What is there now and differs is written over only when the caller says so."""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
import sys
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from holdfast.errors import HoldfastError, Refused
from holdfast.undo import keeping, restoring_git
from holdfast.undo.git import Git, Unknown
from holdfast.undo.model import Kept, KeptFile, printable


def restore(kept: Kept, source: Path, *, over: bool) -> list[str]:
    """Bring it back from the folder `source`; what was written."""
    _check(kept, source, over=over)
    try:
        if not kept.root:
            return _files(kept, source)
        # A repository that was removed itself is a file like others, and must be there before git can be asked.
        is_gone = not os.path.exists(os.path.join(kept.root, ".git"))
        written = _files(kept, source) if is_gone else []
        done = restoring_git.names(kept, source, over=over)
        written = written if is_gone else _files(kept, source)
        return [*written, *restoring_git.committed(kept, over=over), *done]
    except OSError as error:
        raise HoldfastError(
            f"Not everything could be brought back ({error.strerror}: {printable(str(error.filename or ''))}). "
            "What was kept is still there: mend that, then call again with --over."
        ) from error


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
        raise Refused(
            f"{named(there)} {'is' if len(there) == 1 else 'are'} there again with other bytes; nothing was changed. "
            f"Use --over to replace {'it' if len(there) == 1 else 'them'}."
        )


def named(paths: Sequence[str]) -> str:
    """The first of these paths, for people."""
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return ", ".join(map(printable, paths[:_MOST_NAMED])) + more


_MOST_NAMED = 3


def replaced(kept: Kept, source: Path) -> list[str]:
    """What is there now and would be written over by what was kept."""
    found = [each.path for each in kept.files if _differs(each, source)]
    committed = [each.path for each in kept.files if each.kind == "committed" and os.path.lexists(each.path)]
    if committed and kept.root:
        try:
            saved = set(Git(kept.root).committed(committed))
        except Unknown:
            saved = set()
        found += [path for path in committed if path not in saved]
    return found


def _differs(each: KeptFile, source: Path) -> bool:
    if each.kind == "committed" or not os.path.lexists(each.path):
        return False
    if each.kind == "parent":
        return not os.path.isdir(each.path)
    if each.kind == "folder":
        return os.path.islink(each.path) or not os.path.isdir(each.path)
    if each.kind == "link":
        return not os.path.islink(each.path) or os.readlink(each.path) != each.at
    if each.kind == "pipe":
        return not stat.S_ISFIFO(os.lstat(each.path).st_mode)
    return os.path.islink(each.path) or not _is_equal(each.path, source / each.at)


def _is_equal(path: str | Path, other: Path) -> bool:
    try:
        return filecmp.cmp(path, other, shallow=False)
    except OSError:
        return False


def _files(kept: Kept, source: Path) -> list[str]:
    written = []
    folders = sorted((each for each in kept.files if each.kind in ("folder", "parent")), key=lambda one: len(one.path))
    made = []
    for each in folders:
        if each.kind == "parent" and os.path.isdir(each.path):
            continue
        if os.path.islink(each.path) or (os.path.lexists(each.path) and not os.path.isdir(each.path)):
            os.unlink(each.path)
        os.makedirs(each.path, exist_ok=True)
        os.chmod(each.path, each.mode | 0o700)  # until all is in it
        made.append(each)
    for each in kept.files:
        if each.kind not in ("file", "link", "pipe"):
            continue
        os.makedirs(os.path.dirname(each.path), exist_ok=True)
        if os.path.isdir(each.path) and not os.path.islink(each.path):
            raise HoldfastError(f"{each.path} is a folder now. Move it away, then call again.")
        if each.kind == "link":
            if os.path.lexists(each.path):
                os.unlink(each.path)
            os.symlink(each.at, each.path)
        elif each.kind == "pipe":
            if os.path.lexists(each.path):
                os.unlink(each.path)
            os.mkfifo(each.path)
            os.chmod(each.path, each.mode)
        else:
            _file(each, source)
        written.append(each.path)
    for each in reversed(made):
        _attributes(each)
        os.chmod(each.path, each.mode)
        os.utime(each.path, ns=(each.modified_ns, each.modified_ns))
    return written


def _file(each: KeptFile, source: Path) -> None:
    """The bytes into the file that is there, if it is the same one: it may have other names. Else a new one."""
    same = source / each.same if each.same and (source / each.same).exists() else None
    if same is not None and os.path.lexists(each.path) and os.path.samestat(os.lstat(each.path), same.stat()):
        if not _is_equal(same, source / each.at):
            _written_into(each.path, source / each.at)
    else:
        new = f"{each.path}.holdfast-undo"
        if os.path.lexists(new):
            os.unlink(new)
        if same is None or not _is_equal(same, source / each.at) or not _linked(same, new):
            keeping.copied(source / each.at, new)
        os.chmod(new, each.mode)
        os.replace(new, each.path)
        if os.path.lexists(new):
            os.unlink(new)  # it was the same file under another name: then nothing is renamed
    if each.attributes:
        os.chmod(each.path, each.mode | 0o200)
        _attributes(each)
    os.chmod(each.path, each.mode)
    os.utime(each.path, ns=(each.modified_ns, each.modified_ns))


def _attributes(each: KeptFile) -> None:
    """Extended attributes, as far as this file system and this user may have them."""
    if sys.platform == "linux":
        for name, value in each.attributes.items():
            with suppress(OSError):
                os.setxattr(each.path, name, b64decode(value))


def _written_into(path: str, source: Path) -> None:
    os.chmod(path, os.stat(path).st_mode | 0o200)
    with open(source, "rb") as kept, open(path, "r+b") as file:
        shutil.copyfileobj(kept, file)
        file.truncate()


def _linked(source: Path, target: str) -> bool:
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
