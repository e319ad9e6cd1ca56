"""What this room contributes: it follows every agent, and takes microseconds for it.

Nearly every event changes nothing that is stored. Events that were read from a transcript, imported or replayed say
nothing about this moment and are left out.
"""

from __future__ import annotations

from collections.abc import Awaitable

from holdfast.events.answer import Part
from holdfast.events.event import Event
from holdfast.events.scene import Scene
from holdfast.rooms.fleet.service import Fleet

_OF_THIS_MOMENT = ("http", "command", "spool")


def follow(event: Event, scene: Scene) -> Part | Awaitable[Part | None] | None:
    """Take an event in. The first one after the daemon's start also reads what an earlier daemon knew."""
    if scene.source not in _OF_THIS_MOMENT or not event.session_id:
        return None
    fleet = scene.services.get(Fleet)
    return fleet.take(event, scene) if fleet.roster.is_loaded else _after_loading(fleet, event, scene)


async def _after_loading(fleet: Fleet, event: Event, scene: Scene) -> Part | None:
    found = await scene.read(fleet.roster.look)
    if not fleet.roster.is_loaded:
        fleet.roster.take_up(found)
    return fleet.take(event, scene)
