"""Is the store fit for use? Whoever meets damage reports it here; the daemon waits for that and acts."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

from holdfast.errors import StoreUnfit

EMPTY = "`holdfast restore --empty` begins anew, with what the transcripts still tell"


class Health:
    """Belongs to the event loop it was made in; may be told from any thread."""

    def __init__(self) -> None:
        self.found: StoreUnfit | None = None
        self._loop = asyncio.get_running_loop()
        self._told = asyncio.Event()

    def report(self, error: BaseException) -> None:
        """Take note of an error that means that the store is unfit; others are none of our business."""
        if isinstance(error, StoreUnfit):
            with suppress(RuntimeError):  # the loop is gone: nobody is left to act
                self._loop.call_soon_threadsafe(self._take, error)

    def _take(self, error: StoreUnfit) -> None:
        self.found = self.found or error
        self._told.set()

    def refuse(self) -> None:
        """Nothing more is written once damage was met: it would be lost, or make it worse."""
        if self.found is not None:
            raise self.found

    async def wait(self) -> StoreUnfit:
        """Until something is found."""
        await self._told.wait()
        assert self.found is not None
        return self.found

    def cleared(self) -> None:
        """It was looked into and was nothing."""
        self.found = None
        self._told.clear()


def backups_in(folder: Path) -> list[Path]:
    """The copies in a folder that `restore` takes, newest first."""
    found: list[tuple[float, Path]] = []
    for path in folder.glob("*"):
        if path.suffix in (".db", ".jsonl") and not path.name.startswith((".", "log-")):
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def way_out(backups: Path, kind: str) -> str:
    """What a person can do about an unfit store: the newest copy by name, if there is one."""
    suffix = ".db" if kind == "sqlite" else ".jsonl"
    newest = next((path for path in backups_in(backups) if path.suffix == suffix), None)
    kept = "It was left as it is, and events wait in the spool."
    if newest is None:
        return f"{kept} `holdfast restore FILE` brings back a backup (there is none in {backups}); {EMPTY}."
    made = day(newest.stat().st_mtime * 1_000_000)
    return f"{kept} `holdfast restore {newest}` brings back the copy of {made}; {EMPTY}."


def day(at_us: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_us / 1_000_000))
