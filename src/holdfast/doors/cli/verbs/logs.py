"""logs: the daemon's log file, its end first, then what is added."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import HoldfastError

_POLL = 0.25
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) ([A-Z]+) +(\S+): (.*)")
_STYLES = {"ERROR": "red", "CRITICAL": "red", "WARNING": "yellow"}


@click.command()
@click.option("-f", "--follow", is_flag=True, help="Also show new lines, until Ctrl-C.")
@click.option("-n", "--lines", "count", type=click.IntRange(0), default=50, show_default=True, help="How many lines.")
@json_option
@click.pass_obj
def logs(call: Call, follow: bool, count: int, as_json: bool) -> None:
    """Show the daemon's log.

    It is scrubbed and rotated. `log.level = "debug"` in the configuration writes a line for every event.

    \b
    Examples:
      holdfast logs -n 200
      holdfast logs -f
    """
    path = call.home.log
    if not path.exists() and not follow:
        raise HoldfastError(f"There is no log yet at {path}. `holdfast start` begins one.")
    try:
        for line in lines_of(path, count, follow):
            _say(line, as_json)
    except PermissionError as error:
        raise HoldfastError(f"{path} cannot be read ({error.strerror}).") from error


def lines_of(path: Path, count: int, follow: bool) -> Iterator[str]:
    """The last lines; then, when following, those that are added, also across a rotation."""
    file = _open(path)
    try:
        *lines, rest = (file.read() if file else "").split("\n")
        if rest and not follow:
            lines.append(rest)
        yield from lines[-count:] if count else ()
        while follow:
            added = file.read() if file else ""
            *lines, rest = (rest + added).split("\n")
            yield from lines
            if added:
                continue
            if path.exists() and (file is None or path.stat().st_ino != os.fstat(file.fileno()).st_ino):
                if file:
                    file.close()
                file, rest = _open(path), ""
            else:
                time.sleep(_POLL)
    finally:
        if file:
            file.close()


def _open(path: Path) -> TextIO | None:
    return path.open(encoding="utf-8", errors="replace") if path.exists() else None


def _say(line: str, as_json: bool) -> None:
    parts = _LINE.fullmatch(line)
    if as_json:
        names = ("time", "level", "name", "message")
        show.say_json_line(dict(zip(names, parts.groups(), strict=True)) if parts else {"message": line})
        return
    style = _STYLES.get(parts[2]) if parts else None
    show.say(show.paint(show.plain_line(line), *([style] if style else [])))
