"""`holdfast fleet --tmux`: the panes of tmux take the colour of their agent, as the daemon tells it.

Runs at the user's terminal, until Ctrl-C, and then gives every pane the style back that it had. A pane that the user
works in counts as looked at. It changes options of panes and nothing else; `@fleet_status` is there for formats of
one's own (`pane-border-format`).
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from holdfast.errors import DaemonAway, HoldfastError, NothingFound, UsageError

Asks = Callable[[str, Mapping[str, Any]], Any]

EVERY = 0.5
SECONDS = 5.0
STYLES = ("window-style", "window-active-style")
STATUS = "@fleet_status"
BEFORE = "@fleet_before"
"""Keeps what a pane had before, in the pane itself: also when this program is killed."""
_NOTHING = "-"
_PANES = "#{pane_id}\t#{pane_pid}\t#{session_id}\t#{pane_active}#{window_active}"
_ENDS = (signal.SIGTERM, signal.SIGHUP)


class TmuxPane(NamedTuple):
    """One pane of tmux."""

    id: str
    pid: int
    session: str
    is_front: bool
    """The active pane of the active window of its session."""


class AgentPane(NamedTuple):
    """An agent in its pane."""

    pane: TmuxPane
    session_id: str
    status: str
    style: str
    since: float


# --- decisions, pure


def placed(
    agents: Iterable[Mapping[str, Any]], panes: Sequence[TmuxPane], parents: Mapping[int, int]
) -> list[AgentPane]:
    """Which agent runs in which pane. A process proves it: other servers have panes of the same number."""
    by_pid = {pane.pid: pane for pane in panes}
    by_id = {pane.id: pane for pane in panes}
    found: dict[str, AgentPane] = {}
    for agent in agents:
        pane = _above(int(agent["pid"]), by_pid, parents) if agent["pid"] else by_id.get(str(agent["pane"]))
        if pane is not None:
            since = datetime.fromisoformat(str(agent["since"])).timestamp()
            shown = AgentPane(pane, str(agent["session_id"]), str(agent["status"]), str(agent["style"]), since)
            if pane.id not in found or found[pane.id].since < since:
                found[pane.id] = shown
    return list(found.values())


def _above(pid: int, by_pid: Mapping[int, TmuxPane], parents: Mapping[int, int]) -> TmuxPane | None:
    """The pane that a process runs in: its own, or that of a process that started it."""
    for _ in range(64):
        if pid in by_pid:
            return by_pid[pid]
        pid = parents.get(pid, 0)
        if pid <= 1:
            return None
    return None


def looked_at(shown: Iterable[AgentPane], activity: Mapping[str, float]) -> list[str]:
    """The sessions whose pane is in front of a person who did something since their status began. `activity` has the
    last moment of each session of tmux that is attached; a terminal that was left alone has seen nothing."""
    return [
        each.session_id
        for each in shown
        if each.status in ("error", "attention", "done")
        and each.pane.is_front
        and activity.get(each.pane.session, 0.0) > each.since
    ]


def painting(pane: str, status: str, style: str, before: str | None) -> list[list[str]]:
    """The commands that colour a pane. `before` is what it had, if that is not kept in it yet."""
    commands = [] if before is None else [["set-option", "-p", "-t", pane, BEFORE, before]]
    commands.append(["set-option", "-p", "-t", pane, STATUS, status])
    values = [style, style] if style else (before or "").split("\n")
    return commands + [_set(pane, name, value) for name, value in zip(STYLES, values, strict=False)]


def restoring(pane: str, before: str) -> list[list[str]]:
    """The commands that give a pane back what it had."""
    commands = [_set(pane, name, value) for name, value in zip(STYLES, before.split("\n"), strict=False)]
    return commands + [["set-option", "-p", "-u", "-t", pane, name] for name in (STATUS, BEFORE)]


def _set(pane: str, name: str, value: str) -> list[str]:
    if value in ("", _NOTHING):
        return ["set-option", "-p", "-u", "-t", pane, name]
    return ["set-option", "-p", "-t", pane, name, value]


# --- tmux


class Tmux:
    """The server that this terminal belongs to, else the user's usual one."""

    def __init__(self) -> None:
        program = shutil.which("tmux")
        if program is None:
            raise UsageError("tmux was not found on PATH; `holdfast fleet --watch` shows the same in any terminal.")
        self._program = program
        self._before: dict[str, str] = {}
        self._painted: dict[str, tuple[str, str]] = {}

    def panes(self) -> list[TmuxPane]:
        done = self._run("list-panes", "-a", "-F", _PANES)
        if done.returncode:
            raise HoldfastError(f"tmux does not answer: {done.stderr.strip() or 'no reason given'}.")
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return [
            TmuxPane(row[0], int(row[1]), row[2], row[3] == "11") for row in rows if len(row) == 4 and row[1].isdigit()
        ]

    def activity(self) -> dict[str, float]:
        """When a person last did something in each session that is attached."""
        found: dict[str, float] = {}
        for line in self._run("list-clients", "-F", "#{session_id}\t#{client_activity}").stdout.splitlines():
            session, _, at = line.partition("\t")
            if at.isdigit():
                found[session] = max(found.get(session, 0.0), float(at))
        return found

    def paint(self, shown: Iterable[AgentPane]) -> None:
        commands = []
        for each in shown:
            pane, wanted = each.pane.id, (each.status, each.style)
            if self._painted.get(pane) != wanted:
                is_new = pane not in self._before
                if is_new:
                    self._before[pane] = self._had(pane)
                commands += painting(pane, *wanted, self._before[pane] if is_new or not each.style else None)
                self._painted[pane] = wanted
        self._all(commands)

    def restore(self, panes: Iterable[str] | None = None) -> None:
        """Give back what they had, to these panes or to all that were coloured."""
        chosen = list(self._before) if panes is None else [pane for pane in panes if pane in self._before]
        there = {pane.id for pane in self.panes()}
        self._all([command for pane in chosen if pane in there for command in restoring(pane, self._before[pane])])
        for pane in chosen:
            del self._before[pane]
            self._painted.pop(pane, None)

    @property
    def coloured(self) -> set[str]:
        return set(self._before)

    def _had(self, pane: str) -> str:
        """The pane's own styles; those that an earlier, killed run kept in it go before."""
        kept = self._option(pane, BEFORE)
        return kept or "\n".join(self._option(pane, name) or _NOTHING for name in STYLES)

    def _option(self, pane: str, name: str) -> str:
        return self._run("show-options", "-p", "-q", "-v", "-t", pane, name).stdout.rstrip("\n")

    def _all(self, commands: Sequence[list[str]]) -> None:
        """All in one call; a pane that is gone meanwhile ends the list, so the rest is done one by one then."""
        words = [word for command in commands for word in (*command, ";")]
        if words and self._run(*words[:-1]).returncode:
            for command in commands:
                self._run(*command)

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run([self._program, *words], capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise HoldfastError(f"tmux did not answer within {SECONDS:.0f} seconds.") from error


def parents() -> dict[int, int]:
    """Who started whom, on this machine."""
    done = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    rows = (line.split() for line in done.stdout.splitlines())
    return {int(row[0]): int(row[1]) for row in rows if len(row) == 2}


def show(ask: Asks) -> int:
    """Colour the panes until Ctrl-C or the end of the terminal; then give them back what they had."""
    tmux = Tmux()
    tmux.panes()  # without a server there is nothing to show
    for each in _ENDS:
        signal.signal(each, _stop)
    print("The panes of tmux show their agents. Ctrl-C ends it and restores them.", flush=True)
    try:
        while True:
            step(tmux, ask)
            time.sleep(EVERY)
    except KeyboardInterrupt:
        return 0
    finally:
        for each in (*_ENDS, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)  # nothing comes between a pane and its style
        tmux.restore()


def step(tmux: Tmux, ask: Asks) -> None:
    """One look: colour what is there, restore what is over, and tell the daemon what was looked at."""
    try:
        agents = ask("fleet_panes", {})
    except DaemonAway:
        return  # it is waited for; the colours stay
    shown = placed(agents, tmux.panes(), parents() if agents else {})
    tmux.paint(shown)
    tmux.restore(tmux.coloured - {each.pane.id for each in shown})
    for session_id in looked_at(shown, tmux.activity()):
        try:
            ask("fleet_seen", {"agents": [session_id]})
        except (NothingFound, DaemonAway):
            continue


def _stop(*_: object) -> None:
    raise KeyboardInterrupt
