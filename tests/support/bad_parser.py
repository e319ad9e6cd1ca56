"""The process that reads source files, with a parser that hangs, crashes, takes all memory or is killed once, on files
that say so."""

from __future__ import annotations

import os
import re
import signal

from holdfast.source import child
from holdfast.source.model import FileContent
from holdfast.source.units import read_source


def bad(data: bytes, language: str) -> FileContent:
    if b"HANG" in data:
        re.match(r"(a+)+$", "a" * 64 + "b")  # never ends, and no Python code runs meanwhile: as in a grammar
    if b"CRASH" in data:
        os.abort()
    if b"KILL" in data and not os.path.exists(mark := data.split()[2].decode()):
        os.mkdir(mark)
        os.kill(os.getpid(), signal.SIGKILL)
    if b"MEMORY" in data:
        return FileContent(language, (), ()) if bytearray(child.MEMORY) else FileContent(language)
    return read_source(data, language)


if __name__ == "__main__":
    child.CPU_SECONDS = 0.5
    child.main(bad)
