"""The documents of an effort: its log, plan and the rest, named by ordinal, and written to disk on request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast.rooms.work.errors import Invalid, NotFound
from holdfast.rooms.work.model import Effort, LogEntry
from holdfast.rooms.work.rules import artifact_name
from holdfast.times import when

LOG = "LOG"


def log_text(effort: Effort, entries: Sequence[LogEntry]) -> str:
    """The log as a document, the oldest entry first."""
    lines = [f"# {effort.skill} #{effort.ordinal}: log"]
    for entry in reversed(entries):
        match entry.kind:
            case "phase":
                lines.append(f"\n## {entry.phase} ({when(entry.happened_at)})")
                lines += [text for text in (entry.text, entry.proof and f"Proof: {entry.proof}") if text]
            case "log":
                lines.append(f"- {when(entry.happened_at)} {entry.text}")
            case kind:
                lines.append(f"\n## {kind} ({when(entry.happened_at)})\n{entry.text}")
    return "\n".join(lines) + "\n"


def documents(effort: Effort, entries: Sequence[LogEntry], written: Mapping[str, str]) -> dict[str, str]:
    """Every document by its file name."""
    found = {artifact_name(effort, kind): text for kind, text in written.items()}
    return {artifact_name(effort, LOG): log_text(effort, entries)} | found


def lies_in(folder: str, root: str) -> bool:
    """Is a folder a worktree's root or one in it? A link counts as what it leads to."""
    return bool(root) and Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root))


def write(folder: str, documents: Mapping[str, str]) -> list[str]:
    """Write documents into a folder; the paths. Nothing is overwritten: a file that is there is only added to, when the
    document begins with all that it says. A link in the place of one is not followed."""
    base = Path(folder)
    if not base.is_dir():
        raise NotFound(f"There is no folder {folder}. Nothing was written.")
    wanted = [(base / name, text.encode("utf-8", "replace")) for name, text in documents.items()]
    known = [_there(path, content) for path, content in wanted]
    for (path, content), there in zip(wanted, known, strict=True):
        flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        flags |= os.O_CREAT | os.O_EXCL if there is None else os.O_APPEND
        try:
            with os.fdopen(os.open(path, flags, 0o644), "wb") as file:
                file.write(content[there or 0 :])
        except OSError as error:
            raise Invalid(f"{path} cannot be written ({error.strerror}).") from error
    return [str(path) for path, _ in wanted]


def _there(path: Path, content: bytes) -> int | None:
    """How many bytes of a document its file has already; None without a file."""
    if not os.path.lexists(path):
        return None
    try:
        is_ours = not path.is_symlink() and path.is_file() and path.stat().st_size <= len(content)
        there = path.read_bytes() if is_ours else b""
    except OSError as error:
        raise Invalid(f"{path} cannot be read ({error.strerror}). Nothing was written.") from error
    if not is_ours or not content.startswith(there):
        raise Invalid(f"{path} is there with other content and is not overwritten. Nothing was written: move it away.")
    return len(there)
