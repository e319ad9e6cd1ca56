"""A ground for one room's service, without the rest of the house."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from holdfast.ids import now_us
from holdfast.items.service import Items
from holdfast.rooms.room import Ground
from holdfast.store.interface import Store, Tx


class Asked:
    """A queue that only notes what was asked for: (name, subject, arguments)."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, str, dict[str, Any]]] = []

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        self.jobs.append((name, subject, arguments))


def ground(store: Store, owner: str = "me", *settings: Struct, **changes: Any) -> Ground:
    """All that a room may stand on, with these settings and nothing to be cleaned."""

    def chosen(section: type[Any]) -> Any:
        return next((each for each in settings if isinstance(each, section)), None) or section()

    given: dict[str, Any] = {
        "store": store,
        "owner": owner,
        "now": now_us,
        "clean": lambda value: value,
        "locate": lambda folder: (folder, folder),
        "jobs": Asked(),
        "items": Items(store, owner, now=now_us, locate=lambda folder: (folder, folder)),
        "folder": Path("/nowhere"),
        "chosen": chosen,
    }
    return Ground(**(given | changes))
