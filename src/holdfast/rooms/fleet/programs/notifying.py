"""Tells a person that an agent needs them: a bell in its terminal, a desktop notification, a command of their own.

Outside of any hook's time. Each way is bounded, none involves a shell: texts of agents are never a part of a command.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import sys
from collections.abc import Mapping
from datetime import datetime

import msgspec

from holdfast.rooms.fleet.model import Agent, AgentKey
from holdfast.rooms.fleet.programs.running import output_of
from holdfast.rooms.fleet.settings import NoticeWay, Settings

log = logging.getLogger(__name__)

SECONDS = 10.0
_BELL = b"\a"
_OSASCRIPT = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


def is_quiet(hours: str, at: datetime) -> bool:
    """Does a moment lie in the quiet hours? `22:00-07:00` goes over midnight. Pure."""
    if not hours:
        return False
    begin, _, finish = hours.partition("-")
    now = at.strftime("%H:%M")
    return begin <= now < finish if begin <= finish else now >= begin or now < finish


def fields_of(agent: Agent, project: str) -> dict[str, str]:
    """What a notification says. Pure."""
    return {
        "status": agent.status,
        "needs": agent.needs,
        "project": project,
        "agent": agent.name or agent.agent_id or agent.conversation,
        "session": agent.conversation,
    }


def title_of(told: Mapping[str, str]) -> str:
    return f"{told['project'] or 'an agent'}: {'stopped' if told['status'] == 'error' else 'needs you'}"


def desktop_command(told: Mapping[str, str], platform: str = sys.platform) -> list[str]:
    """The program that shows a notification; texts stand behind `--`, so that none is an option. Pure."""
    if platform == "darwin":
        return ["osascript", "-e", _OSASCRIPT, "--", title_of(told), told["needs"]]
    return ["notify-send", "--app-name=holdfast", "--", title_of(told), told["needs"]]


class Notifier:
    """Remembers whom it told of what, so that nobody is told twice within the quiet time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._told_at: dict[AgentKey, int] = {}

    @property
    def is_on(self) -> bool:
        return bool(self.settings.notify)

    def may_tell(self, agent: Agent, now: int) -> bool:
        if is_quiet(self.settings.quiet_hours, datetime.fromtimestamp(now / 1_000_000)):
            return False
        last = self._told_at.get((agent.conversation, agent.agent_id))
        return (
            last is None or not 0 <= now - last < self.settings.quiet_seconds * 1_000_000
        )  # the clock may be set back

    async def tell(self, agent: Agent, project: str, now: int) -> None:
        """In every way that the user chose. One that fails is logged, and the others are tried."""
        if len(self._told_at) > 1_000:
            self._told_at.clear()
        self._told_at[agent.conversation, agent.agent_id] = now
        told = fields_of(agent, project)
        for way in self.settings.notify:
            try:
                await self._tell(way, told, agent)
            except Exception as error:
                log.warning("the notification by %s failed: %s: %s", way, type(error).__name__, error)

    async def _tell(self, way: NoticeWay, told: dict[str, str], agent: Agent) -> None:
        match way:
            case "bell":
                terminal = await terminal_of(agent.pid)
                if terminal:
                    ring(terminal)
            case "desktop":
                command = desktop_command(told)
                if shutil.which(command[0]) is None:
                    raise FileNotFoundError(f"there is no program {command[0]}")
                await run(command, told)
            case "command" if self.settings.command:
                await run(list(self.settings.command), told)


async def run(command: list[str], told: Mapping[str, str]) -> bytes:
    """Run a program with the fields on stdin and in its environment; its output."""
    environment = dict(os.environ) | {f"FLEET_{name.upper()}": value for name, value in told.items()}
    code, printed = await output_of(command, environment, SECONDS, msgspec.json.encode(told) + b"\n")
    if code is None:
        log.warning("%s took longer than %.0f s and was ended", command[0], SECONDS)
    elif code:
        log.warning("%s ended with %s", command[0], code)
    return printed


async def terminal_of(pid: int) -> str:
    """The terminal that a process runs in; '' when it has none or is gone."""
    if not pid:
        return ""
    name = (await run(["ps", "-o", "tty=", "-p", str(pid)], {})).decode("ascii", "replace").strip()
    return f"/dev/{name}" if name and name not in ("?", "??") and ".." not in name else ""


def ring(terminal: str) -> None:
    """Write a bell to a terminal of this user. A terminal that takes nothing is not waited for."""
    descriptor = os.open(terminal, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISCHR(found.st_mode) and found.st_uid == os.getuid():
            os.write(descriptor, _BELL)
    finally:
        os.close(descriptor)
