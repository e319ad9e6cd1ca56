"""Albums with pictures: a made-up room of two tables and no items. An album without pictures is none: it is declared to
go with its last picture (`only_with`), and the house does the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from holdfast.events.caller import Caller
from holdfast.events.tool import Tool
from holdfast.ids import new_id
from holdfast.rooms.room import Ground, Room
from holdfast.store.interface import Tx
from holdfast.store.shared import ID, OWNER
from holdfast.store.table import Table, Via

FOLDER = Path(__file__).parent

TABLES = (
    Table(
        "album",
        ("id",),
        owner="owner",
        time="made_at",
        words=("title",),
        plain={"id": ID, "owner": OWNER},
        exported=("id", "title", "made_at"),
        same=("owner", "title"),
        only_with=Via("id", "picture", "album_id"),
        counted="albums",
        lasts=True,
    ),
    Table(
        "picture",
        ("id",),
        owner=Via("album_id", "album"),
        time="taken_at",
        words=("caption",),
        plain={"id": ID, "album_id": ID},
        exported=("id", "album_id", "caption", "taken_at"),
        refers={"album_id": "album"},
        counted="pictures",
    ),
)


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """None."""


class Albums:
    """One owner's albums."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    async def paste(self, title: str, caption: str) -> None:
        owner, at = self._ground.owner, self._ground.now()

        def paste(tx: Tx) -> None:
            there = tx.one("albums.titled", owner=owner, title=title)
            album = str(there["id"]) if there else new_id(at)
            if not there:
                tx.run("albums.begin", id=album, owner=owner, title=title, at=at)
            tx.run("albums.paste", id=new_id(at), album_id=album, caption=caption, at=at)

        await self._ground.store.write(paste)

    async def all(self) -> list[list[str]]:
        rows = await self._ground.store.read(lambda reader: reader.all("albums.all", owner=self._ground.owner))
        return [[str(row["title"]), str(row["caption"] or "")] for row in rows]


class Paste(Struct, frozen=True, forbid_unknown_fields=True):
    title: Annotated[str, Meta(min_length=1, description="The album.")]
    caption: Annotated[str, Meta(min_length=1, description="What is written below the picture.")]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


async def paste(asked: Paste, caller: Caller) -> None:
    await caller.services.get(Albums).paste(asked.title, asked.caption)


async def list_albums(asked: Nothing, caller: Caller) -> list[list[str]]:
    return await caller.services.get(Albums).all()


ROOM = Room(
    "albums",
    duty="Keeps pictures in albums.",
    settings=Settings,
    build=lambda ground: (Albums(ground),),
    tables=TABLES,
    sql=FOLDER,
    tools=(
        Tool("paste", "Paste a picture into an album.", Paste, paste, changes=True, for_agents=False),
        Tool("list_albums", "Every picture with its album.", Nothing, list_albums, for_agents=False),
    ),
)
