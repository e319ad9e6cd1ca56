"""Starts the worker. Does what must be done before its modules are loaded, and nothing else.

Loading makes half a million objects that all stay. The collector would look at them again and again meanwhile, for a
tenth of the start; `worker.serve` switches it on when the daemon is ready. A module that cannot be loaded is told to
the supervisor in a sentence: there is no log yet.
"""

from __future__ import annotations

import gc
import socket
import sys
import traceback
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def start(arguments: list[str]) -> int:
    """Load and run the worker: its exit code."""
    gc.disable()
    try:
        from holdfast.daemon.worker import main
    except Exception as error:
        traceback.print_exception(error)
        with socket.socket(fileno=int(arguments[-1])) as life:
            life.sendall(not_loaded(error).encode("utf-8", "replace"))
        return 1
    return main(arguments)


def not_loaded(error: Exception) -> str:
    """Which room or file could not be loaded, and why."""
    file, line = _place(error)
    why = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    folders = Path(file).parts
    at = len(folders) - 1 - folders[::-1].index("rooms") if "rooms" in folders else len(folders)
    room = folders[at + 1].removesuffix(".py") if len(folders) > at + 1 else ""
    what = f"The room {room}" if room else "The program"
    shows = f"`{sys.executable} -c 'import holdfast.program'` shows the traceback."
    return f"{what} could not be loaded: {file}, line {line} ({why}). {shows}"


def _place(error: Exception) -> tuple[str, int]:
    """The file and line that are to be mended: the last one of ours that was being loaded."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if Path(each.filename).is_absolute() and _is_ours(Path(each.filename))]
    last = (ours or frames)[-1]
    return last.filename, last.lineno or 0


def _is_ours(file: Path) -> bool:
    return file.is_relative_to(PACKAGE) or "rooms" in file.parts


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
