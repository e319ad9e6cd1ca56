"""Web citations: what was read in a page is kept across sessions and given back only when its origin has just proven
that the page has not changed.

The room decides about WebFetch alone. Fetching stays with the client, judging whether a reading fits stays with the
agent, and remembering what was learned from a page is the memory room's.

Read it in this order: `model` (values), `rules` (decisions, pure), `hooks` (the three contributions), `service` (store
and origin together). Beside them: `urls`, `address` and `words` are pure too; `tables` speaks SQL; `probe` speaks HTTP;
`takeover` reads another tool's cache; `tools`, `imports` and `pane` are what people and agents see.
"""

from __future__ import annotations

from holdfast.rooms.citations import hooks, imports, pane, schema, tables, tools
from holdfast.rooms.citations.service import CitationService
from holdfast.rooms.citations.settings import Settings
from holdfast.rooms.room import Ground, Room, Upkeep

__all__ = ["ROOM", "build", "hooks"]


def build(ground: Ground) -> tuple[CitationService]:
    """The service of this room."""
    return (CitationService(ground, ground.chosen(Settings)),)


ROOM = Room(
    "citations",
    duty="Answers a WebFetch from a kept reading of a page that has not changed.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    tools=tools.TOOLS,
    commands="List, show and forget stored web pages.",
    imports=imports.IMPORTS,
    pane=pane.PANE,
    away="off: every web page is fetched anew",
    upkeep=Upkeep(after_forget=tables.drop_unread),
)
