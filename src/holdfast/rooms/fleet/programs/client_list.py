"""The client's own list of its sessions, `claude agents --json`: the second source, where events leave a status open.

The client tells there at once what it tells by no event: that a turn was interrupted with Esc, that a question was
answered. Asking starts a program (a third of a second), so only those ask who look at the fleet, at most every few
seconds, and never on the road. A client that is not there, too old, slow or odd tells nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from holdfast.ids import ConversationId
from holdfast.rooms.fleet.model import ClientSession
from holdfast.rooms.fleet.programs.running import output_of

log = logging.getLogger(__name__)

PROVEN = (2, 1, 325)
"""The first client that is known to tell a status here. 2.1.197 has the command, but tells none."""
SECONDS = 3.0
EVERY_US = 4 * 1_000_000
_MOST_FOLDERS = 4
_VERSION = re.compile(rb"(\d{1,4})\.(\d{1,4})\.(\d{1,6})")
_USUAL = (".local/bin/claude", ".claude/local/claude")
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}


def parsed(output: bytes) -> list[ClientSession]:
    """The sessions in the client's answer; what has another shape is left out. Pure."""
    try:
        listed = msgspec.json.decode(output)
    except msgspec.MsgspecError:
        return []
    return [found for each in listed if (found := _session(each))] if isinstance(listed, list) else []


def _session(told: Any) -> ClientSession | None:
    if not isinstance(told, dict) or not isinstance(told.get("sessionId"), str):
        return None

    def text(name: str) -> str:
        value = told.get(name)
        return value[:1_000] if isinstance(value, str) else ""

    def number(name: str) -> int:
        value = told.get(name)
        return value if type(value) is int and 0 < value < 1 << 53 else 0

    started = number("startedAt") * 1_000
    return ClientSession(
        ConversationId(text("sessionId")[:128]), number("pid"), text("cwd"), text("status"), text("waitingFor"), started
    )


def config_folder(transcript: str) -> str:
    """The client's configuration folder, above `projects/NAME/SESSION.jsonl`; '' for a path of another shape. Pure."""
    path = Path(transcript)
    return str(path.parents[2]) if len(path.parents) > 3 and path.parents[1].name == "projects" else ""


class ClientList:
    """Asks, and remembers the answer for a few seconds."""

    def __init__(self, program: str, now: Callable[[], int]) -> None:
        self._named = program
        self._now = now
        self._asked_at = 0
        self._known: list[ClientSession] = []
        self._asking: asyncio.Task[list[ClientSession]] | None = None
        self._fit: dict[str, bool] = {}

    async def sessions(self, folders: Iterable[str]) -> tuple[int, list[ClientSession]]:
        """When it was asked, and what it listed. Several who ask at once share one answer."""
        if not self._named:
            return 0, []
        if self._asking is None and not 0 <= self._now() - self._asked_at < EVERY_US:
            self._asking = asyncio.create_task(self._ask(sorted({*folders} - {""})[:_MOST_FOLDERS]))
        if self._asking is not None:
            await asyncio.shield(self._asking)
        return self._asked_at, self._known

    async def _ask(self, folders: list[str]) -> list[ClientSession]:
        at = self._now()
        try:
            program = self._program()
            found: list[ClientSession] = []
            if program and folders and await self._is_fit(program):
                for folder in folders:
                    found += parsed(await _output([program, "agents", "--json"], folder))
            self._known = found
        except Exception as error:
            log.warning("the client's list of sessions was not read: %s: %s", type(error).__name__, error)
            self._known = []
        finally:
            self._asked_at, self._asking = at, None
        return self._known

    def _program(self) -> str:
        home = Path.home()
        places = [str(home / place) for place in _USUAL] if self._named == "claude" else []
        return next((found for each in (self._named, *places) if (found := shutil.which(each))), "")

    async def _is_fit(self, program: str) -> bool:
        """Is it new enough? An older one might take the words for a prompt."""
        key = f"{program} {os.stat(program).st_mtime_ns}"
        if key not in self._fit:
            version = _VERSION.search(await _output([program, "--version"], ""))
            self._fit = {key: bool(version) and tuple(map(int, version.groups())) >= PROVEN}  # type: ignore[union-attr]
        return self._fit[key]


async def _output(command: list[str], folder: str) -> bytes:
    """What the client prints within its time; nothing of one that fails. It gets no environment but what it needs."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    environment |= _QUIET | ({"CLAUDE_CONFIG_DIR": folder} if folder else {})
    code, printed = await output_of(command, environment, SECONDS)
    return printed if code == 0 else b""
