"""The recorded payloads of the real client (2.1.325), and ways to make new ones of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "payloads"


@cache
def names() -> tuple[str, ...]:
    """The recorded hook payloads, without the statusline's inputs."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith("statusline")))


@cache
def _recorded(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text("utf-8")


def load(name: str, **changes: Any) -> dict[str, Any]:
    """One recorded payload, with some fields changed (None removes one)."""
    payload: dict[str, Any] = json.loads(_recorded(name))
    payload |= changes
    return {key: value for key, value in payload.items() if key not in changes or value is not None}
