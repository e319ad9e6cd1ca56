"""Writes a report of an unexpected error: a file to attach, without secrets and without the environment."""

from __future__ import annotations

import platform
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from holdfast import __version__
from holdfast.ids import now_us
from holdfast.paths import Home, make_private_folder, write_private
from holdfast.times import file_stamp


def write_report(home: Home, words: Sequence[str], error: BaseException) -> str:
    """Write the report; the sentence that says where it is."""
    name = f"report-{file_stamp(now_us())}-{time.time_ns() % 1_000_000:06d}.txt"
    text = compose(words, error)
    for folder in (home.logs, Path(tempfile.gettempdir())):
        try:
            if folder == home.logs:
                make_private_folder(folder)
            write_private(folder / name, text.encode("utf-8", "backslashreplace"))
        except OSError:
            continue
        return f"Something unexpected happened ({type(error).__name__}). The report is in {folder / name}."
    return f"Something unexpected happened, and no report could be written:\n{text}"


def compose(words: Sequence[str], error: BaseException) -> str:
    """The report's text, scrubbed."""
    from holdfast.scrub import default_scrubber

    lines = (
        f"holdfast {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        f"{platform.system()} {platform.release()} {platform.machine()}",
        f"command: holdfast {' '.join(words)}",
        "",
        "".join(traceback.format_exception(error)),
    )
    return default_scrubber().text("\n".join(lines)).text
