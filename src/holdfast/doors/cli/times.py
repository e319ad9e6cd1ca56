"""Moments as people type them: an ISO time, or how long ago."""

from __future__ import annotations

import re
from datetime import datetime

from holdfast.errors import UsageError

_AGO = re.compile(r"(\d{1,9})\s*([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}


def moment(text: str, now_us: int) -> int:
    """UTC microseconds of `2026-11-15T09:30` (local time unless it says otherwise), `10m`, `2h` or `3d` ago."""
    ago = _AGO.fullmatch(text.strip().removesuffix("ago").strip())
    if ago:
        return max(0, now_us - int(ago[1]) * _SECONDS[ago[2]] * 1_000_000)
    try:
        return max(0, int(datetime.fromisoformat(text.strip()).timestamp() * 1_000_000))
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{text!r} is no time. Give an ISO time (2026-11-15T09:30) or how long ago (10m, 2h, 3d)."
        ) from None
