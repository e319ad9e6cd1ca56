"""The registry: one of each room's services, handed alike to hooks, MCP, REST, RPC and the command line (CON-12)."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


class Registry:
    """Services by their type."""

    def __init__(self) -> None:
        self._services: dict[type[Any], Any] = {}

    def add(self, service: object) -> None:
        self._services[type(service)] = service

    def get(self, kind: type[T], /) -> T:
        try:
            service = self._services[kind]
        except KeyError:
            raise LookupError(f"No service of the kind {kind.__name__} was composed.") from None
        assert isinstance(service, kind)
        return service
