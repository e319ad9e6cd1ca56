"""The process that reads source files, because nothing can interrupt a parser and a grammar may crash.

It reads one command per line from standard input and answers with lines of JSON: `at` names the file that is parsed
next, `skipped` one that is left out, `done` ends the answer. It has little memory, little priority and, for each file,
little processor time; the system ends it when it takes more. It ends by itself when its parent is gone.
"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from holdfast.source.build import Builder, ParsesFile
from holdfast.source.index_file import IndexFile, is_damage, remove
from holdfast.source.languages import language_of
from holdfast.source.model import FileContent, ReadLimits
from holdfast.source.units import read_source

MEMORY = 2 << 30
"""Bytes of address space. The largest file that is read takes about 100 MB."""
CPU_SECONDS = 5.0
"""For one file. The slowest of the size that is read takes less than one."""
_NICE = 10


class Index(Struct, tag="index", tag_field="do"):
    """Bring a folder's index up to date, for so many seconds."""

    file: str
    root: str
    limits: ReadLimits
    seconds: float
    at: int
    given_up: dict[str, str] = {}


class UpdateFiles(Struct, tag="update", tag_field="do"):
    """Read some files of a folder again."""

    file: str
    root: str
    limits: ReadLimits
    paths: list[str]
    given_up: dict[str, str] = {}


class ReadText(Struct, tag="read", tag_field="do"):
    """Read one text, and keep nothing."""

    path: str
    text: str


ChildCommand = Index | UpdateFiles | ReadText


def serve(read: BinaryIO, write: BinaryIO, reads: ParsesFile = read_source) -> None:
    """Answer commands until there are no more."""
    desk = _Desk(write, reads)
    for line in read:
        try:
            desk.answer(msgspec.json.decode(line, type=ChildCommand))
        except (OSError, MemoryError, msgspec.MsgspecError) as error:
            desk.say(failed=f"{type(error).__name__}: {error}")
        except sqlite3.Error as error:
            desk.close(damaged=is_damage(error))
            desk.say(failed=f"{type(error).__name__}: {error}")


class _Desk:
    """Answers commands, with the one index that is open."""

    def __init__(self, write: BinaryIO, reads: ParsesFile) -> None:
        self._write = write
        self._reads = reads
        self._open: dict[str, IndexFile] = {}

    def say(self, **told: Any) -> None:
        self._write.write(msgspec.json.encode(told) + b"\n")
        self._write.flush()

    def answer(self, command: ChildCommand) -> None:
        began = time.process_time()
        match command:
            case Index() as asked:
                done = self._builder(asked.file, asked.limits).bring(
                    asked.root, asked.limits, seconds=asked.seconds, given_up=asked.given_up, at=asked.at
                )
                self.say(done=done, cpu=time.process_time() - began)
            case UpdateFiles() as asked:
                builder = self._builder(asked.file, asked.limits)
                updated = builder.update(asked.root, asked.paths, asked.limits, asked.given_up)
                self.say(done=updated, cpu=time.process_time() - began)
            case ReadText() as asked:
                self.say(at=asked.path)
                self.say(done=self._bounded(asked.text.encode("utf-8", "replace"), language_of(asked.path)))

    def close(self, *, damaged: bool = False) -> None:
        """Close the index. A damaged one is removed: the next command makes it anew."""
        for file, index in self._open.items():
            index.close()
            if damaged:
                remove(Path(file))
        self._open.clear()

    def _bounded(self, data: bytes, language: str) -> FileContent:
        # No handler: the signal ends the process, also inside a grammar's C code.
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        try:
            return self._reads(data, language)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _builder(self, file: str, limits: ReadLimits) -> Builder:
        from holdfast.scrub import default_scrubber
        from holdfast.scrub.private import without_private

        scrubber = default_scrubber(limits.allow)

        def clean(text: str) -> str:
            return scrubber.text(without_private(text, keep_lines=True), keep_lines=True).text

        if file not in self._open or not os.path.exists(file):
            self.close()
            self._open[file] = IndexFile(Path(file), writes=True)
        return Builder(
            *(self._open[file], self._bounded, clean),
            lambda path: self.say(at=path),
            lambda path, reason: self.say(skipped=(path, reason)),
        )


def main(reads: ParsesFile = read_source) -> None:
    os.nice(_NICE)
    for limit, value in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):  # not on every system
            pass
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    serve(sys.stdin.buffer, sys.stdout.buffer, reads)


if __name__ == "__main__":
    main()
