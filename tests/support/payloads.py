"""The recorded payloads of the real client (2.1.325), and ways to make new ones of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "payloads"


def names() -> list[str]:
    """The recorded hook payloads, without the statusline's inputs."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith("statusline"))


def load(name: str, **changes: Any) -> dict[str, Any]:
    """One recorded payload, with some fields changed (None removes one)."""
    payload: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    payload |= changes
    return {key: value for key, value in payload.items() if key not in changes or value is not None}
