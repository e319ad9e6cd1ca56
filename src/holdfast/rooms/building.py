"""Builds a room's services and its index. A room that cannot be built is a sentence that names it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.items.indexed import Indexed
from holdfast.rooms.declaring import BadDeclaration
from holdfast.rooms.room import Ground, Room


def built(room: Room, ground: Ground) -> Sequence[object]:
    """The services of a room."""
    services = _made(room, room.build, ground, "built")
    if not isinstance(services, tuple | list):
        raise BadDeclaration(
            f"The `build` of the room {room.name} gives {services!r}. It returns the room's services, as a tuple."
        )
    return services


def indexed(room: Room, ground: Ground) -> Indexed:
    """The index of a room that has items."""
    assert room.index is not None
    index: Indexed | None = _made(room, room.index, ground, "indexed")
    if index is None:
        raise BadDeclaration(f"The `index` of the room {room.name} gives None. It returns what answers for its items.")
    return index


def _made(room: Room, make: Callable[[Ground], Any], ground: Ground, what: str) -> Any:
    try:
        return make(ground)
    except HoldfastError:
        raise
    except Exception as error:
        raise BadDeclaration(
            f"The room {room.name} could not be {what} ({type(error).__name__}: {error}). The log has the details."
        ) from error
