"""The folder that a script means which names a project, or only its session: a name and its folder are one project."""

from __future__ import annotations

import os
from collections.abc import Callable

from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.items import tables
from holdfast.store.interface import Reader, Store, Tx

Locate = Callable[[str], tuple[str, str]]
"""Place and name of the project that a folder belongs to."""


async def folder_meant(
    store: Store,
    owner: str,
    locate: Locate,
    *,
    folder: str,
    named: str = "",
    conversation: ConversationId = NO_CONVERSATION,
) -> str:
    """The folder of an event. Without one, that of its conversation; else that of the only project of this name; else
    the name itself, until a folder of that name is told."""
    if os.path.isabs(folder):
        place, name = locate(folder)
        if await store.read(lambda reader: _nameless(reader, place, name, owner)):
            await store.write(lambda tx: _moved(tx, place, name, owner))
        return folder

    def look(reader: Reader) -> str:
        told = folder or tables.folder_of_conversation(reader, conversation, owner) or named
        if os.path.isabs(told):
            return told
        ids = tables.projects_named(reader, told, owner) if told else []
        return (tables.folder_of_project(reader, ids[0]) if len(ids) == 1 else "") or told

    return await store.read(look)


def _nameless(reader: Reader, place: str, name: str, owner: str) -> str:
    """The id of the project that was known by its name only, if this place is not known yet."""
    known = tables.projects_at(reader, place, owner)
    return "" if known else next(iter(tables.projects_at(reader, name, owner)), "")


def _moved(tx: Tx, place: str, name: str, owner: str) -> None:
    if project_id := _nameless(tx, place, name, owner):
        tables.move_project(tx, project_id, place, name, owner)
