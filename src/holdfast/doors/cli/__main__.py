"""The program `holdfast`: one command in a process of its own.

Most commands take a tenth of a second, and a fifth of that went into looking for garbage that is not there and into
taking the interpreter apart at the end. Neither is done here.
"""

from __future__ import annotations

import gc
import os
import sys

_MANY = 100_000
"""Values that are made before garbage is looked for. A command makes about half as many while it starts, to keep them;
one that stays (`mcp`, `run`) still looks."""


def run() -> None:
    """Run the command and end the process."""
    gc.set_threshold(_MANY)
    from holdfast.doors.cli.main import main

    code = main()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(code)  # a pipe that is closed, a full disk: Python says it as it always does
    os._exit(code)


if __name__ == "__main__":
    run()
