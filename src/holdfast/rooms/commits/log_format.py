"""Reads what `git log -z` prints in the format of this room. Pure.

Texts in a commit and names of files cannot hold a NUL, so that NULs separate everything; and a fresh mark begins each
commit, so that no message can pretend to be another commit. Whatever stands in a message, the work is linear and what
is kept of it is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.rooms.commits.model import Commit, CommitFile

LONGEST_TEXT = 16_384
"""Bytes that are read of one field."""
MOST_FILES = 300
"""Files of one commit that are kept."""
LONGEST_PATH = 500
_FIELDS = ("hash", "time", "author", "parents", "subject", "body")
_LATEST = 2**62
_COUNTED = re.compile(rb"(\d+|-)\t(\d+|-)\t(.*)", re.DOTALL)


def format_of(mark: str) -> str:
    """The argument of `--format`."""
    return f"--format=%x00{mark}%x00%H%x00%ct%x00%an%x00%P%x00%s%x00%b%x00"


class Pieces:
    """The texts between NULs, from chunks of bytes. Of a long one only the beginning is held."""

    def __init__(self) -> None:
        self._begun = bytearray()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        *whole, rest = chunk.split(b"\0")
        for piece in whole:
            self._add(piece)
            yield bytes(self._begun)
            self._begun.clear()
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._begun += piece[: max(0, LONGEST_TEXT + 1 - len(self._begun))]


class LogReader:
    """Turns pieces into commits. `names`: each file is its path alone, without numbers of lines."""

    def __init__(self, mark: str, *, names: bool = False) -> None:
        self._mark = mark.encode()
        self._names = names
        self._pieces = Pieces()
        self._fields: list[bytes] | None = None
        self._changes: list[CommitFile] = []
        self._count = 0
        self._moved: list[bytes] | None = None
        """The numbers of a file that was moved: its two paths follow."""

    def feed(self, chunk: bytes) -> Iterator[Commit]:
        """The commits that this chunk completes."""
        for piece in self._pieces.feed(chunk):
            if piece == self._mark:
                yield from self.end()
                self._fields = []
            elif self._fields is None:
                continue
            elif len(self._fields) < len(_FIELDS):
                self._fields.append(piece)
            else:
                self._file(piece)

    def end(self) -> Iterator[Commit]:
        """The last commit."""
        fields, self._fields = self._fields, None
        changes, count = tuple(self._changes), self._count
        self._changes, self._count, self._moved = [], 0, None
        if fields is not None and len(fields) == len(_FIELDS):
            commit_hash, time, author, parents, subject, body = fields
            yield Commit(
                hash=_text(commit_hash),
                author=_text(author)[:200],
                happened_at=min(_LATEST, max(0, int(time) * 1_000_000)) if time.lstrip(b"-").isdigit() else 0,
                subject=_text(subject),
                body=_text(body).strip(),
                changes=changes,
                file_count=count,
                is_merge=b" " in parents.strip(),
            )

    def _file(self, piece: bytes) -> None:
        piece = piece.removeprefix(b"\n")
        if self._moved is not None:
            self._moved.append(piece)
            if len(self._moved) == 4:
                added, removed, old, new = self._moved
                self._moved = None
                self._add(new, added, removed, old)
            return
        if not piece:
            return
        if self._names:
            self._add(piece)
        elif (counted := _COUNTED.fullmatch(piece)) is not None:
            if counted[3]:
                self._add(counted[3], counted[1], counted[2])
            else:
                self._moved = [counted[1], counted[2]]

    def _add(self, path: bytes, added: bytes = b"", removed: bytes = b"", old: bytes = b"") -> None:
        self._count += 1
        named, before = _path(path), _path(old)
        if named and len(self._changes) < MOST_FILES:
            self._changes.append(CommitFile(named, _number(added), _number(removed), before))


def _number(digits: bytes) -> int:
    return int(digits) if digits.isdigit() and len(digits) < 10 else 0


def _text(held: bytes) -> str:
    """Within the bound; a text that is cut ends before a word that may be a half one."""
    if len(held) > LONGEST_TEXT:
        held = held[: max(held.rfind(b" ", 0, LONGEST_TEXT), held.rfind(b"\n", 0, LONGEST_TEXT), 0)]
    return held.decode("utf-8", "replace")


def _path(held: bytes) -> str:
    """'' for a name that is no text, is longer than any path, or would be several lines."""
    try:
        path = held.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return path if len(path) <= LONGEST_PATH and path.isprintable() else ""
