"""What is given to an agent from files and from what waits: within a budget, else named with its size.

Files of a repository are not trusted: only those inside the effort's folders are read, they are bounded and cleaned,
and the text says that the repository wrote them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdfast.events.tokens import count_tokens
from holdfast.project_file import contents
from holdfast.rooms.work.model import FROM_REPOSITORY, Effort, Pending
from holdfast.visible import visible
from holdfast.worktree_paths import is_within

DIRECTIVES = ("AGENTS.md", "AGENT.md")
FOLDER = ".directives"
_CLIENTS_OWN = "CLAUDE.md"
"""The client loads it by itself."""
_MOST_LEVELS = 32
_MOST_FILES = 12
_MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Delivery:
    """A text for the agent, and what it settles."""

    text: str
    """What agents and holdfast wrote."""
    items: tuple[Pending, ...] = ()
    files: tuple[str, ...] = ()
    repository: str = ""
    """What files say, and their names; also a skill's file that stands in the repository."""


def wording(
    effort: Effort, waiting: Sequence[Pending], root: str, tokens: int, clean: Callable[[str], str]
) -> Delivery:
    """As much of what waits as fits into so many tokens, in order; the first is given in any case. Reads files."""
    parts: list[str] = []
    from_files: list[str] = []
    taken: list[Pending] = []
    files: list[str] = []
    left = tokens
    for item in waiting:
        text, is_whole = _one(effort, item, root, left, clean)
        cost = count_tokens(text)
        if taken and cost > left:
            break
        (from_files if item.kind in FROM_REPOSITORY else parts).append(text)
        taken.append(item)
        left -= cost
        if is_whole:
            files.append(item.path)
    return Delivery("\n\n".join(parts), tuple(taken), tuple(files), "\n\n".join(from_files))


def _one(effort: Effort, item: Pending, root: str, left: int, clean: Callable[[str], str]) -> tuple[str, bool]:
    if item.kind != "preload":
        return item.text, False
    path = place_of(item.path, effort, root)
    if not path:
        return f"Read {visible(item.path)} (it was not found in the effort's folders).", False
    return file_text(path, left, clean)


def file_text(path: str, left: int, clean: Callable[[str], str]) -> tuple[str, bool]:
    """A file's content within so many tokens, else its name and size. Was it the content?"""
    try:
        content, size = contents(path, is_link_refused=True)[1], os.lstat(path).st_size
        text = content.decode("utf-8")
    except (OSError, ValueError):
        return f"Read {visible(path)} (its content is no text that can be given here).", False
    # Text has about four characters to a token. What has many more would not fit into what the client takes (10,000).
    if size != len(content) or len(text) > left * 6 or count_tokens(text) > left:
        return f"Read {visible(path)} ({size:,} bytes).", False
    return f"{visible(path)} (written by the repository):\n{clean(text)}", True


def place_of(path: str, effort: Effort, root: str) -> str:
    """Where a file of an effort is: beside its skill, in its task's folder or in the project; '' when it is outside."""
    folders = [folder for folder in (os.path.dirname(effort.config.path), effort.dir_path, root) if folder]
    for folder in folders:
        try:
            found = os.path.realpath(os.path.join(folder, path))
        except (OSError, ValueError):
            continue
        if any(is_within(found, os.path.realpath(base)) for base in folders) and os.path.isfile(found):
            return found
    return ""


def directive_files(folder: str, root: str, known: set[str], looked_in: set[str]) -> tuple[list[str], list[str]]:
    """Files with directives in a folder and those above it, up to the project's root, the outermost first; and the
    folders. Those in `looked_in` are left out, and so is what the client loads by itself (CLAUDE.md, also under another
    name)."""
    found: list[str] = []
    folders: list[str] = []
    here = folder
    for _ in range(_MOST_LEVELS):
        if not is_within(here, root) or here in looked_in:
            break
        folders.append(here)
        found[:0] = [path for path in _in_folder(here, root) if path not in known]
        if here in (root, "/"):
            break
        here = os.path.dirname(here)
    return found, folders


def _in_folder(folder: str, root: str) -> list[str]:
    named = [os.path.join(folder, name) for name in DIRECTIVES]
    inner = os.path.join(folder, FOLDER)
    try:
        listed = sorted(os.listdir(inner))[:_MOST_LISTED] if os.path.isdir(inner) else []
    except OSError:
        listed = []
    named += [os.path.join(inner, name) for name in listed if name.endswith(".md") and name != _CLIENTS_OWN]
    there = [path for path in named if os.path.isfile(path) and not _is_clients(path, folder)]
    real = [os.path.realpath(path) for path in there]
    return list(dict.fromkeys(path for path in real if is_within(path, root)))


def _is_clients(path: str, folder: str) -> bool:
    """Does the client load this file already: as CLAUDE.md's other name, or because CLAUDE.md includes it?"""
    own = os.path.join(folder, _CLIENTS_OWN)
    try:
        if os.path.basename(os.path.realpath(path)) == _CLIENTS_OWN:
            return True
        if not os.path.isfile(own):
            return False
        if os.path.samefile(own, path):
            return True
        return f"@{os.path.relpath(path, folder)}" in contents(own)[1].decode("utf-8", "replace")
    except (OSError, ValueError):
        return False


def directives_text(paths: Sequence[str], tokens: int, clean: Callable[[str], str]) -> str:
    """Directives within a budget; what does not fit is named. Reads files."""
    parts: list[str] = []
    left = tokens
    for path in paths[:_MOST_FILES]:
        text, _ = file_text(path, left, clean)
        cost = count_tokens(text)
        if cost > left:
            break
        parts.append(text)
        left -= cost
    more = [visible(path) for path in paths[len(parts) :]]
    if more:
        rest = f" and {len(more) - _MOST_FILES} more there" if len(more) > _MOST_FILES else ""
        parts.append(f"Read these, too: {', '.join(more[:_MOST_FILES])}{rest}.")
    if not parts:
        return ""
    head = "Directives of folders that you work in, written by the repository, not by the user:"
    return "\n\n".join([head, *parts])
