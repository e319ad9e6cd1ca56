"""What a shell offers at the tab key: kinds, events, projects' newest ids. The daemon is asked, never started."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from holdfast.paths import Home

_PATIENCE = 1.0
_MOST = 40


def recent_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The newest things of this project, with their titles."""
    from holdfast.doors.cli.client import Client
    from holdfast.errors import HoldfastError

    home = getattr(ctx.find_root().obj, "home", None) or Home.default()
    try:
        found = Client(home, _PATIENCE).post("/api/tools/search", {"limit": _MOST})
    except HoldfastError:
        return []
    return [CompletionItem(line["id"], help=line["title"]) for line in found if line["id"].startswith(incomplete)]


def event_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from holdfast.events.event import EVENTS

    return [name for name in EVENTS if name.lower().startswith(incomplete.lower())]


def kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from holdfast.doors.cli.table import read_rooms

    rooms = getattr(ctx.find_root().obj, "rooms", None) or read_rooms()
    return [kind for kind in rooms["kinds"] if kind.startswith(incomplete)]
