"""What happens to the indexes when something is forgotten, and what `status` says of them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from holdfast.events.going import Going
from holdfast.events.scene import Services
from holdfast.layout import many
from holdfast.layout import size as size_of
from holdfast.rooms.code.service import Code
from holdfast.rooms.room import Status, Upkeep
from holdfast.source.index_file import IndexFile, remove


def forgotten(services: Services) -> None:
    """Something was forgotten: what is held in memory may mention it."""
    services.get(Code).forget_memory()


def forget_files(folder: Path, going: Going) -> int:
    """Remove each index that holds a word of the text, or the file. It is made anew from what is on the disk then, so
    that nothing counts as forgotten."""
    for file in sorted(folder.glob("*.db")) if folder.is_dir() else ():
        if _holds(file, going):
            remove(file)
    return 0


def _holds(file: Path, going: Going) -> bool:
    if not going.text and not going.files:
        return False
    try:
        index = IndexFile(file)
    except (sqlite3.Error, OSError):
        return True  # nobody can tell: it is only a picture of the disk
    try:
        return (bool(going.text) and index.has_any_of(going.text)) or any(map(index.has_path, going.files))
    except sqlite3.Error:
        return True
    finally:
        index.close()


async def status(services: Services) -> Status:
    """Which folders are indexed, as far as this daemon used them."""
    service = services.get(Code)
    known = [tree for tree in service.trees.values() if tree is not None]
    size = await service.size()
    lines = (("code index", f"{many(len(known), 'folder')} in use, {size_of(size)}"),) if size else ()
    return Status({"code_folders": len(known), "code_bytes": size}, lines)


UPKEEP = Upkeep(forgotten=forgotten, forget_files=forget_files)
