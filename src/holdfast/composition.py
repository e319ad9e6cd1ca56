"""The running product as one value. `daemon.compose` makes it; the doors and the worker read it.

It is a module of its own, so that the daemon can import the doors and no door imports the daemon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from holdfast.config import Config
from holdfast.events.steps import Program
from holdfast.items.service import Items
from holdfast.jobs.queue import JobFunction, Jobs
from holdfast.paths import Home
from holdfast.road.drain import Drain
from holdfast.road.follow import Follower
from holdfast.road.memory_spool import MemorySpool
from holdfast.road.meter import Meter
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road
from holdfast.rooms.declaring import HOUSE, BadDeclaration, named
from holdfast.rooms.gather import Gathered
from holdfast.scrub import Scrubber
from holdfast.store.interface import Store
from holdfast.store.record import StoreRecord

T = TypeVar("T")


class Registry:
    """The rooms' services by their type. Hooks, MCP, REST, RPC and the command line all use these (CON-12)."""

    def __init__(self) -> None:
        self._services: dict[type[Any], Any] = {}
        self._by: dict[type[Any], str] = {}

    def add(self, service: object) -> None:
        self._services[type(service)] = service

    def add_of_room(self, service: object, room: str) -> None:
        """The same for a room's: one of each type, so that no room takes another's away."""
        kind = type(service)
        if kind in self._services:
            other = self._by.get(kind, HOUSE)
            whose = f"by the room {room} twice" if other == room else f"by {named(other)} and by the room {room}"
            raise BadDeclaration(
                f"A service of the type {kind.__name__} is built {whose}. Each needs a type of its own."
            )
        self._by[kind] = room
        self.add(service)

    def get(self, kind: type[T], /) -> T:
        try:
            service = self._services[kind]
        except KeyError:
            raise LookupError(f"No service of the kind {kind.__name__} was composed.") from None
        assert isinstance(service, kind)
        return service


class ModelState(Protocol):
    """The optional sentence model, as `status` shows it."""

    model: str | None
    problem: str | None

    async def run(self) -> None: ...


@dataclass(slots=True)
class Composition:
    """Everything that runs."""

    home: Home
    config: Config
    unknown_keys: tuple[str, ...]
    owner: str
    now: Callable[[], int]
    store: Store
    scrubber: Scrubber
    declared: Gathered
    program: Program
    road: Road
    meter: Meter
    jobs: Jobs
    slow_jobs: Jobs
    """The queue of long jobs, for which the other jobs do not wait."""
    kinds: Mapping[str, JobFunction]
    """Every job by its full name, of both queues."""
    follower: Follower
    sentences: ModelState
    items: Items
    drain: Drain
    recovery: Recovery
    pocket: MemorySpool
    services: Registry
    started_at: int
    record: StoreRecord | None = None
    """The home's record of its store; None when `assemble` was given a store."""
