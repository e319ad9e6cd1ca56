"""Reads the table of processes: from `/proc` where there is one, else by `ps`. The environment is only searched for
agents' marks; nothing of it is kept."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import suppress

from holdfast.rooms.guards.overriding.person import MARKS, Process

_STAT = re.compile(rb"\d+ \((.*)\) . (-?\d+) -?\d+ -?\d+ (-?\d+) ", re.DOTALL)
_SECONDS = 2.0


def table() -> dict[int, Process]:
    """All processes that can be seen, by pid."""
    if not os.path.exists("/proc/self/stat"):
        return _by_ps()
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := _read(int(name))) is not None:
            found[process.pid] = process
    return found


def makers(terminal: str) -> tuple[int, ...]:
    """The processes that hold the other end of a pseudo-terminal (Linux)."""
    if not terminal.startswith("pts/"):
        return ()
    wanted = f"tty-index:\t{terminal[4:]}"
    found = []
    for name in os.listdir("/proc") if os.path.exists("/proc/self/fdinfo") else ():
        if not name.isdigit():
            continue
        with suppress(OSError):
            for number in os.listdir(f"/proc/{name}/fd"):
                with suppress(OSError):
                    if os.readlink(f"/proc/{name}/fd/{number}").endswith("/ptmx"):
                        with open(f"/proc/{name}/fdinfo/{number}", encoding="ascii", errors="replace") as file:
                            if any(line.strip() == wanted for line in file):
                                found.append(int(name))
    return tuple(found)


def _read(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            match = _STAT.match(file.read())
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read(20_000).split(b"\0")]
    except OSError:
        return None
    if match is None:
        return None
    names = [os.fsdecode(match[1]), os.path.basename(words[0])]
    with suppress(OSError):
        names.append(os.path.basename(os.readlink(f"/proc/{pid}/exe")))
    return Process(
        pid,
        int(match[2]),
        tuple(dict.fromkeys(name for name in names if name)) or ("?",),
        " ".join(words[:3]),
        _terminal(int(match[3])),
        _is_marked(pid),
    )


def _terminal(device: int) -> str:
    """The name of a terminal from its device number, as `proc(5)` describes it."""
    major, minor = (device >> 8) & 0xFFF, (device & 0xFF) | ((device >> 12) & 0xFFF00)
    if not device:
        return ""
    return f"pts/{minor + (major - 136) * 256}" if 136 <= major <= 143 else f"tty{minor}"


def _is_marked(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            names = {entry.partition(b"=")[0] for entry in file.read(1_000_000).split(b"\0")}
    except OSError:
        return False
    return any(mark.encode() in names for mark in MARKS)


def _by_ps() -> dict[int, Process]:
    try:
        told = subprocess.run(
            ("ps", "-axo", "pid=,ppid=,tty=,comm="), capture_output=True, text=True, timeout=_SECONDS, check=False
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return read_ps(told)


def read_ps(told: str) -> dict[int, Process]:
    """What `ps -axo pid=,ppid=,tty=,comm=` prints."""
    found = {}
    for line in told.splitlines():
        words = line.split(None, 3)
        if len(words) == 4 and words[0].isdigit() and words[1].isdigit():
            terminal = "" if words[2] in ("?", "??", "-") else words[2]
            pid, path = int(words[0]), words[3].strip()
            found[pid] = Process(pid, int(words[1]), (os.path.basename(path) or "?",), path, terminal)
    return found
