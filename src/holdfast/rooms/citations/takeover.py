"""Reading the cache that the sdd-cache scripts leave behind: `*.json`, one page with one reading each.

Those scripts took the validators after the fetch only, so what is taken over is marked and said so at every hit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import msgspec

from holdfast.errors import HoldfastError, UsageError
from holdfast.paths import holds_everything, named
from holdfast.rooms.citations import rules
from holdfast.rooms.citations.model import Fetched, NotCited, OriginAnswer, WebPage
from holdfast.rooms.citations.web.urls import page_of
from holdfast.times import DAY_US, microseconds

SOURCE = "sdd-cache"

_MOST_FILES = 10_000
_MOST_BYTES = 4 * 1024 * 1024
_WORDS = ("url", "prompt", "content", "etag", "last_modified")


class PagesStep(msgspec.Struct):
    """All of a folder, in one step."""

    path: str


@dataclass(frozen=True, slots=True)
class SeedEntry:
    """One page as it was found."""

    page: WebPage
    seen: OriginAnswer
    fetched: Fetched
    read_at: int


def read(directory: str, clean: Callable[[str], str], now: int) -> tuple[list[SeedEntry], list[str]]:
    """The entries of a folder that can be used, and why the others cannot. `clean` takes secrets out of their words."""
    folder = named(directory)
    if holds_everything(folder):
        raise UsageError(f"{folder} holds more than a cache, so nothing was taken. Name the folder of sdd-cache.")
    if not folder.is_dir():
        raise HoldfastError(f"{folder} is not a folder; name the one that holds the *.json files of sdd-cache.")
    entries: list[SeedEntry] = []
    left_out: list[str] = []
    for file in sorted(folder.glob("*.json"))[:_MOST_FILES]:
        found = _entry(file, clean, now)
        if isinstance(found, SeedEntry):
            entries.append(found)
        else:
            left_out.append(f"{file.name}: {found}")
    return entries, left_out


def _entry(file: Path, clean: Callable[[str], str], now: int) -> SeedEntry | str:
    try:
        if file.is_symlink() or not file.is_file():
            return "not a file"
        if file.stat().st_size > _MOST_BYTES:
            return "too large"
        value = msgspec.json.decode(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        return f"cannot be read ({error})"
    if not isinstance(value, dict):
        return "not an object"
    # Only those scripts saw these words; no hook's scrubber did.
    told = {name: clean(text) for name, text in value.items() if name in _WORDS and isinstance(text, str)}
    page = page_of(told.get("url"), told.get("prompt"))
    if isinstance(page, NotCited):
        return page.why
    text, read_at = told.get("content"), _time(value.get("fetched_at"), now)
    if text is None:
        return "no content"
    if read_at is None:
        return "no time of reading"
    seen = OriginAnswer(
        status=200,
        final_url=page.url,
        etag=_text(told.get("etag")),
        last_modified=_text(told.get("last_modified")),
        date=format_datetime(datetime.fromtimestamp(read_at // 1_000_000, UTC), usegmt=True),
        at_us=read_at,
    )
    fetched = Fetched(200, text, len(text.encode("utf-8", "replace")), 0)
    why = rules.why_not_kept(fetched, seen, seen, ())
    return why or SeedEntry(page, seen, fetched, read_at)


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _time(value: Any, now: int) -> int | None:
    """Seconds since the epoch, or ISO 8601; nothing from the future."""
    try:
        if isinstance(value, str) and not value.strip().isdigit():
            at_us = microseconds(value, UTC)
        else:
            at_us = int(float(value) * 1_000_000)
    except (TypeError, ValueError, OverflowError):
        return None
    return at_us if at_us is not None and 0 < at_us <= now + DAY_US else None
