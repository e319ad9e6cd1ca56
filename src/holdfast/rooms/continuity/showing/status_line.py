"""The status line: what the client tells in its input, and the line that is shown. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.events.progress import Progress
from holdfast.ids import ConversationId
from holdfast.rooms.continuity.model import Measured, StatusLine

_CELLS = 8
_FULL, _EMPTY = "▰", "▱"
_GREEN, _YELLOW, _RED, _DIM, _END = "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[2m", "\x1b[0m"
_WARM, _HOT = 60, 80
_SHOWN_LIMIT = 50.0
"""A rate limit is shown from this use on."""
_LIMITS = {"five_hour": "5h", "seven_day": "7d", "spend_limit": "spend"}


def read(session_id: Any, model: Any, window: Any, limits: Any) -> StatusLine:
    """The fields of the client's input (2.1.325); what is missing or of another type is unknown."""
    model = model if isinstance(model, dict) else {}
    window = window if isinstance(window, dict) else {}
    size, usage = window.get("context_window_size"), window.get("current_usage")
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    tokens = sum(count for count in counts if type(count) is int and count > 0)
    return StatusLine(
        conversation=ConversationId(session_id[:128] if isinstance(session_id, str) else ""),
        model=str(model.get("id") or "")[:120],
        model_name=str(model.get("display_name") or "")[:60],
        window=size if type(size) is int and 1_000 <= size <= 100_000_000 else 0,
        tokens=tokens or None,
        limits=tuple(_limits(limits)),
    )


def _limits(told: Any) -> Iterator[tuple[str, float]]:
    for name, short in _LIMITS.items():
        limit = told.get(name) if isinstance(told, dict) else None
        used = limit.get("used_percentage") if isinstance(limit, dict) else None
        if isinstance(used, int | float) and not isinstance(used, bool) and 0 <= used <= 1_000:
            yield short, float(used)


def written(
    measured: Measured | None,
    limits: tuple[tuple[str, float], ...],
    recalled: int,
    progress: Progress,
    calling: int = 0,
) -> str:
    """One line. Numbers that are fine are quiet."""
    parts = []
    if measured is not None:
        used = measured.percent
        filled = min(_CELLS, round(used * _CELLS / 100))
        colour = _RED if used >= _HOT else _YELLOW if used >= _WARM else _GREEN
        parts.append(f"{colour}{_FULL * filled}{_EMPTY * (_CELLS - filled)} {used} %{_END} of {short(measured.window)}")
    for name, percent in limits:
        if percent >= _SHOWN_LIMIT:
            parts.append(f"{_RED if percent >= _HOT else _YELLOW}{name} {percent:.0f} %{_END}")
    if calling:
        parts.append(f"{_YELLOW}{calling} other {'agent needs' if calling == 1 else 'agents need'} you{_END}")
    if recalled:
        parts.append(f"{recalled} recalled")
    if progress.effort:
        parts.append(f"{progress.effort}{f' · {progress.phase}' if progress.phase else ''}")
    if progress.heartbeat:
        parts.append(f"{progress.heartbeat} calls since the last log")
    return f" {_DIM}│{_END} ".join(parts)


def short(tokens: int) -> str:
    return f"{tokens / 1_000_000:g}M" if tokens >= 1_000_000 else f"{round(tokens / 1_000)}k"
