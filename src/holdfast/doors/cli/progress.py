"""A bar on a terminal's stderr; elsewhere nothing."""

from __future__ import annotations

import sys

from holdfast.doors.cli import show

_WIDTH = 30


class Bar:
    """Shows how much of something long is done, and goes away at the end."""

    def __init__(self, as_json: bool) -> None:
        self._shown = show.is_terminal(sys.stderr) and not as_json

    def __enter__(self) -> Bar:
        return self

    def show(self, done: int, total: int, text: str) -> None:
        if self._shown:
            share = min(1.0, done / total) if total else 0.0
            full = int(share * _WIDTH)
            sys.stderr.write(f"\r\x1b[K[{'#' * full}{'.' * (_WIDTH - full)}] {share:4.0%}  {show.plain(text)}")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
