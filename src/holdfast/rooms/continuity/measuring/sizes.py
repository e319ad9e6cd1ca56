"""How many tokens a model's context window holds: `windows.toml`, the user's own words, and what the client told."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LARGE = 1_000_000
_LONG = "[1m]"
"""How a client writes the name of a model that was asked for with the large window."""


@cache
def _data() -> tuple[int, dict[str, int]]:
    told: dict[str, Any] = tomllib.loads(Path(__file__).with_name("windows.toml").read_text("utf-8"))
    return int(told["default"]), {name: int(size) for name, size in told["models"].items()}


def window_size(model: str, *, chosen: Mapping[str, int], told: Mapping[str, int], used: int = 0) -> int:
    """Tokens of the window. `chosen` is the user's, by the beginning of a name; `told` the client's, by the name.

    More than fits is in no window: then it is the next larger one.
    """
    size = _longest(model, chosen) or told.get(model) or _known(model)
    return size if used <= size else max(LARGE, used)


def _known(model: str) -> int:
    default, models = _data()
    return LARGE if model.endswith(_LONG) else _longest(model, models) or default


def _longest(model: str, sizes: Mapping[str, int]) -> int:
    fitting = [name for name in sizes if model.startswith(name)]
    return sizes[max(fitting, key=len)] if fitting else 0
