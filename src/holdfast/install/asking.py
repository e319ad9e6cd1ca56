"""Runs another program and waits a bounded time for it. Past that, the program and all that it started are ended."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_MOST = 256 * 1024
"""Bytes of an answer that are read."""


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """What a program printed, and how it ended."""

    code: int
    output: str
    errors: str


class NoAnswer(Exception):
    """Says in a few words why there is none."""


def ask(
    words: Sequence[str],
    environment: Mapping[str, str],
    seconds: float,
    folder: Path | None = None,
    given: bytes = b"",
) -> ProgramAnswer:
    """Run it. Its output goes into files: a grandchild that keeps a pipe open cannot hold us."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        source.write(given)
        source.seek(0)
        try:
            process = subprocess.Popen(
                list(words),
                env=dict(environment),
                cwd=folder,
                stdin=source,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise NoAnswer(f"could not be started ({error.strerror})") from error
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise NoAnswer(f"did not end within {seconds:g} seconds") from error
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read(_MOST).decode("utf-8", "replace"))
    return ProgramAnswer(code, *texts)
