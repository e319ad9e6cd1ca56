"""Paths as the store names them: relative to their worktree. Pure."""

from __future__ import annotations

import posixpath


def inside(path: object, root: str, cwd: str = "") -> str:
    """A path relative to the root of its worktree; '' when it is not below the root, or no path. A relative one begins
    at `cwd`, or at the root."""
    return _below(_whole(path, root, cwd), root) if isinstance(path, str) and path and root else ""


def relative(path: str, root: str, cwd: str = "") -> str:
    """The same, but a path that is elsewhere stays whole."""
    whole = _whole(path, root, cwd)
    return _below(whole, root) or whole


def is_within(path: str, folder: str) -> bool:
    """Is this the folder, or something below it? Both are full paths in their plain form."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _whole(path: str, root: str, cwd: str) -> str:
    return posixpath.normpath(path if path.startswith(("/", "~")) else posixpath.join(cwd or root, path))


def _below(whole: str, root: str) -> str:
    base = root.rstrip("/") + "/"
    return whole[len(base) :] if root and whole.startswith(base) else ""
