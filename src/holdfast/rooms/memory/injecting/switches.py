"""Which kinds of memory are given unasked: as the user's settings say, less what the project switches off. Pure."""

from __future__ import annotations

from collections.abc import Set
from typing import Literal

from holdfast.rooms.memory.settings import Settings

Gift = Literal["brief", "recall", "file_history"]
GIFTS: tuple[Gift, ...] = ("brief", "recall", "file_history")


def gives(settings: Settings, off: Set[str], gift: Gift) -> bool:
    """Is this kind given? `off` are the settings that the project switches off. A project can switch nothing on."""
    chosen = {"brief": settings.brief, "recall": settings.recall, "file_history": settings.file_history}
    return settings.inject and chosen[gift] and not _of_this_room(off) & {"inject", gift}


def _of_this_room(off: Set[str]) -> Set[str]:
    return {name for section, _, name in (each.partition(".") for each in off) if section == "memory"}


def told(settings: Settings, off: Set[str] = frozenset()) -> str:
    """What is given and what is not, in a few words."""
    names = {"brief": "brief", "recall": "recall", "file_history": "file history"}
    on = [names[gift] for gift in GIFTS if gives(settings, off, gift)]
    rest = [names[gift] for gift in GIFTS if not gives(settings, off, gift)]
    if not on:
        return "nothing is given unasked"
    return f"gives {', '.join(on)}" + (f"; {', '.join(rest)} off" if rest else "")
