"""The table `memory`: what users and agents asked to remember."""

from __future__ import annotations

from holdfast import recall
from holdfast.ids import NO_LISTENER
from holdfast.items import tables as item_tables
from holdfast.rooms.memory import documents
from holdfast.rooms.memory.model import Memory
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.memory.tables.observations import touch
from holdfast.store.interface import Reader, Tx


def keep_memory(tx: Tx, memory: Memory) -> None:
    """Store a memory, the files it names and the pages it cites."""
    if tx.run("memory.memory_add", **rows.memory_row(memory)):
        touch(tx, memory, memory.created_at, memory.owner)
        recall.index(tx, [documents.document(memory, memory.owner, NO_LISTENER)])
        item_tables.cite(tx, memory.id, memory.text, memory.owner)


def memories_of_project(reader: Reader, owner: str, project_id: str, limit: int) -> list[Memory]:
    """The memories that hold in a project: its own, and those of all projects."""
    found = reader.all("memory.memories", owner=owner, project_id=project_id, limit=limit)
    return [rows.memory_of(row) for row in found]


def memories_of_file(reader: Reader, owner: str, path: str, project_id: str, limit: int) -> list[Memory]:
    """The memories that name a file, the newest first."""
    found = reader.all("memory.file_memories", path=path, owner=owner, project_id=project_id, limit=limit)
    return [rows.memory_of(row) for row in found]


def index_memory(tx: Tx, memory: Memory) -> None:
    """Make a memory findable by the words it has now."""
    touch(tx, memory, memory.created_at, memory.owner)
    recall.index(tx, [documents.document(memory, memory.owner, NO_LISTENER)])


def memories_from(reader: Reader, owner: str, source: str) -> list[Memory]:
    """The memories whose source begins so."""
    escaped = source.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return [rows.memory_of(row) for row in reader.all("memory.memories_from", owner=owner, like=f"{escaped}%")]
