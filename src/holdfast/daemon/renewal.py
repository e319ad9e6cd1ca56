"""Notices a Claude Code that is newer than the hooks were installed for, and has them renewed (OPS-11).

It only looks: `install/renewing.py` changes the settings, in a process of its own. No session waits for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys

from holdfast.events.client import CLAUDE_CODE, client_named
from holdfast.paths import Home

log = logging.getLogger("holdfast.renewal")

_SECONDS = 60.0
_VERSION = re.compile(r"\d+\.\d+\.\d+")


class Renewal:
    """Asked at every start of a session; looks once per version of the client."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._last = ""
        self._tasks: set[asyncio.Task[None]] = set()

    def notice(self, agent: str, is_proxied: bool) -> None:
        """A session began. `agent` is what its client says of itself; `is_proxied`: its http goes to a proxy."""
        if agent == self._last:
            return
        self._last = agent
        client = client_named(agent)
        if client is None or client.name != CLAUDE_CODE or not client.version:
            return
        task = asyncio.create_task(self._renew(client.version, is_proxied))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _renew(self, version: str, is_proxied: bool) -> None:
        if not await asyncio.to_thread(is_behind, self._home, version):
            return
        words = ("-I", "-m", "holdfast.install.renewing", str(self._home.root), version, *(["proxy"] * is_proxied))
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
        except OSError as error:
            log.warning("the hooks were not renewed: %s", error)
            return
        try:
            told, _ = await asyncio.wait_for(process.communicate(), _SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
            log.warning("the hooks were not renewed within %.0f s", _SECONDS)
            return
        for line in told.decode("utf-8", "replace").splitlines():
            log.info("%s", line)


def is_behind(home: Home, version: str) -> bool:
    """Were hooks installed for an older client than this, or before there was one?"""
    try:
        files = json.loads(home.manifest.read_bytes())["files"]
        clients = [str(file["client"]) for file in files]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return any(_numbers(client) < _numbers(version) for client in clients)


def _numbers(text: str) -> tuple[int, ...]:
    """The version in a text; () where there is none, which is older than any."""
    found = _VERSION.search(text)
    return tuple(map(int, found[0].split("."))) if found else ()
