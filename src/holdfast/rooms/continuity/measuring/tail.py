"""Follows the end of a transcript: each look reads only the lines that were added since the one before."""

from __future__ import annotations

import os

from holdfast.rooms.continuity.measuring.usage import Passage, Usage, read

CHUNK = 1024 * 1024
MOST = 64 * 1024 * 1024
"""Of a transcript that is first looked at, the last part that is read."""
SMALL = 128 * 1024
"""So much is read at once; more is work for a thread."""


class Tail:
    """One transcript, and how far it was read."""

    __slots__ = ("_begins_within_line", "_inode", "_position", "path", "usage")

    def __init__(self, path: str) -> None:
        self.path = path
        self.usage = Usage()
        self._position = 0
        self._inode = 0
        self._begins_within_line = False

    def waiting(self) -> int:
        """Bytes that were added since the last look. A file that is smaller, or another one, is read from its start."""
        try:
            found = os.stat(self.path)
        except OSError:
            return 0
        if found.st_ino != self._inode or found.st_size < self._position:
            self._inode, self._position, self.usage = found.st_ino, max(0, found.st_size - MOST), Usage()
            self._begins_within_line = self._position > 0
        return found.st_size - self._position

    def advance(self) -> list[Passage]:
        """Read on, up to the last complete line. A line that is still being written waits for the next look."""
        found: list[Passage] = []
        if not self.waiting():
            return found
        try:
            with open(self.path, "rb") as file:
                file.seek(self._position)
                if self._begins_within_line:
                    self._begins_within_line = False
                    self._position += len(file.readline())  # the first part of a line tells nothing
                while data := file.read(CHUNK):
                    end = data.rfind(b"\n") + 1
                    if not end:
                        data += file.readline()
                        end = len(data) if data.endswith(b"\n") else 0
                    if not end:
                        break
                    self.usage, passages = read(data[:end], self.usage)
                    found += passages
                    self._position += end
                    file.seek(self._position)
        except OSError:
            pass
        return found

    def skip(self) -> None:
        """Go on at the end: what stands before it is not read."""
        self.waiting()
        try:
            self._position = os.stat(self.path).st_size
        except OSError:
            self._position = 0
