"""The spool: events that could not be delivered, one owner-only file each, named so that they sort by time.

Standard library only: the command client writes here when it is alone, the daemon when its store will not take more.
What is written was scrubbed by its writer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.paths import make_private_folder, write_private

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Spooled:
    """One event that waits."""

    id: str
    event: str
    happened_at: int
    payload: dict[str, Any]


def put(folder: Path, item: Spooled) -> Path:
    """Write one event: whole or not at all, durable, owner-only."""
    make_private_folder(folder)
    path = folder / f"{item.happened_at:020d}-{item.id}.json"
    content = {
        "version": _VERSION,
        "id": item.id,
        "event": item.event,
        "happened_at": item.happened_at,
        "payload": item.payload,
    }
    write_private(path, json.dumps(content).encode())
    return path


def waiting(folder: Path) -> list[Path]:
    """The files that wait, oldest first."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))
    except OSError:
        return []
    return [folder / name for name in names]


def take(path: Path) -> Spooled:
    """Read one back. A file that is not one of ours is a ValueError."""
    try:
        content = json.loads(path.read_bytes())
        item = Spooled(content["id"], content["event"], content["happened_at"], content["payload"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} is not a spooled event") from error
    kinds = (str, str, int, dict)
    values = (item.id, item.event, item.happened_at, item.payload)
    if not all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True)):
        raise ValueError(f"{path.name} is not a spooled event")
    return item


def set_aside(path: Path) -> Path:
    """Move a file that cannot be read out of the way, without losing it."""
    folder = path.parent / "bad"
    make_private_folder(folder)
    return path.rename(folder / path.name)


def bad(folder: Path) -> Iterator[Path]:
    """The files that could not be read."""
    yield from sorted((folder / "bad").glob("*.json"))
