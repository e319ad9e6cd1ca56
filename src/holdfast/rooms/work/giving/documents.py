"""The documents of an effort: its log, plan and the rest, named by ordinal, and written to disk on request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast.rooms.work.errors import Invalid, NotFound
from holdfast.rooms.work.model import Effort, Entry
from holdfast.rooms.work.rules import artifact_name
from holdfast.times import when

LOG = "LOG"


def log_text(effort: Effort, entries: Sequence[Entry]) -> str:
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


def documents(effort: Effort, entries: Sequence[Entry], written: Mapping[str, str]) -> dict[str, str]:
    """Every document by its file name."""
    found = {artifact_name(effort, kind): text for kind, text in written.items()}
    return {artifact_name(effort, LOG): log_text(effort, entries)} | found


def write(folder: str, documents: Mapping[str, str]) -> list[str]:
    """Write documents into a folder; the paths. A link in the place of one is not followed."""
    base = Path(folder)
    if not base.is_dir():
        raise NotFound(f"There is no folder {folder}. Nothing was written.")
    paths = []
    for name, text in documents.items():
        path = base / name
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            descriptor = os.open(path, flags, 0o644)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise Invalid(f"{path} cannot be written ({error.strerror}).") from error
        paths.append(str(path))
    return paths
