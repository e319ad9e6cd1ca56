"""`--watch`: a result that is shown again and again, until Ctrl-C. A daemon that goes away is waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from holdfast.doors.cli import show
from holdfast.errors import DaemonAway

_CLEAR = "\x1b[H\x1b[J"
"""To the first line, and clear what is below it: the screen does not flicker."""


def watched(ask: Callable[[], dict[str, Any]], every: float, empty: str, *, as_json: bool) -> int:
    """On a terminal the lines stay in place. Elsewhere, and as JSON, a result is printed when it is another one."""
    is_screen = show.is_terminal() and not as_json
    last: Any = None
    while True:
        try:
            answer = ask()
            shown = answer["result"] if as_json else [show.shown(line) for line in answer["lines"]] or [empty]
        except DaemonAway as away:
            shown = {"error": str(away)} if as_json else [f"holdfast: {away} Waiting for it."]
        if shown != last or is_screen:
            last = shown
            if as_json:
                show.say_json_line(shown)
            else:
                print(_CLEAR if is_screen else "", end="", flush=True)
                for line in shown:
                    show.say(line)
        time.sleep(every)
