"""Brings the index of a project up to date with one of its folders.

A file whose size and time did not change is not read. One whose content is known is not parsed. Work is committed in
small groups, so that whoever stops it loses little, and the next call goes on.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping

from holdfast.source import filters
from holdfast.source.filters import why_not
from holdfast.source.index_file import IndexFile
from holdfast.source.languages import language_of
from holdfast.source.listing import ListedFile, is_ignored, list_sources, look
from holdfast.source.model import FileContent, IndexProgress, ReadLimits

ParsesFile = Callable[[bytes, str], FileContent]
CleansText = Callable[[str], str]

_GROUP_SECONDS = 0.2
"""A writer holds the file no longer."""


class Builder:
    """Reads files into an index. `says` is told which file is about to be parsed, in case the parser does not come
    back, and `says_skipped` which one is left out, and why; `reads` is the parser; `clean` removes secrets and what is
    private, and keeps the number of lines."""

    def __init__(
        self,
        index: IndexFile,
        reads: ParsesFile,
        clean: CleansText,
        says: Callable[[str], None],
        says_skipped: Callable[[str, str], None] = lambda path, reason: None,
    ) -> None:
        self._index = index
        self._reads = reads
        self._clean = clean
        self._says = says
        self._says_skipped = says_skipped
        self._skipped: list[tuple[str, str]] = []

    def bring(
        self, root: str, limits: ReadLimits, *, seconds: float, given_up: Mapping[str, str], at: int = 0
    ) -> IndexProgress:
        """Read what is new or changed below `root`, for so many seconds; forget what is gone. `given_up` are files
        whose parser crashed or did not end, with the reason."""
        until = time.monotonic() + seconds
        listed, cut = list_sources(root, limits)
        self._index.begin()
        tree = self._index.tree(root)
        known = self._index.files(tree)
        gone = known.keys() - {each.path for each in listed}
        self._index.drop_files(tree, gone)
        self._index.commit()
        waiting = [
            each
            for each in listed
            if (before := known.get(each.path)) is None
            or (before.size, before.changed_ns) != (each.size, each.changed_ns)
        ]
        read = self._read_all(tree, root, waiting, limits, until, given_up)
        left = len(waiting) - read
        self._index.begin()
        if not left:
            self._index.drop_gone()
            self._index.note_whole(tree, at)
        self._index.commit()
        units = int(self._index.counts(tree)["units"]) if not left else 0
        return IndexProgress(len(listed), left, read, len(gone), units, tuple(self._skipped), cut)

    def update(self, root: str, paths: Iterable[str], limits: ReadLimits, given_up: Mapping[str, str]) -> IndexProgress:
        """Read these files again, or forget those that are gone."""
        wanted = sorted(set(paths))
        self._index.begin()
        tree = self._index.tree(root)
        self._index.commit()
        named = [path for path in wanted if language_of(path) and not filters.is_left_out(path, limits.exclude)]
        ignored = is_ignored(root, [path for path in named if self._index.file(tree, path) is None])
        there = [each for path in named if path not in ignored and (each := look(root, path))]
        gone = [path for path in wanted if path not in {each.path for each in there}]
        self._index.begin()
        self._index.drop_files(tree, gone)
        self._index.commit()
        read = self._read_all(tree, root, there, limits, time.monotonic() + 3_600, given_up)
        return IndexProgress(len(there), len(there) - read, read, len(gone), 0, tuple(self._skipped))

    def _read_all(
        self,
        tree: int,
        root: str,
        files: list[ListedFile],
        limits: ReadLimits,
        until: float,
        given_up: Mapping[str, str],
    ) -> int:
        done = 0
        group_until = 0.0
        try:
            for each in files:
                now = time.monotonic()
                if now > until and done:
                    break
                if now > group_until:
                    self._index.commit()
                    self._index.begin()
                    group_until = now + _GROUP_SECONDS
                self._put(tree, root, each, limits, given_up.get(each.path, ""))
                done += 1
        finally:
            self._index.commit()
        return done

    def _put(self, tree: int, root: str, listed: ListedFile, limits: ReadLimits, reason: str) -> None:
        language = language_of(listed.path)
        data, problem = b"", ""
        if listed.size > limits.file_bytes:
            problem = filters.TOO_LARGE
        else:
            data, problem = _contents(os.path.join(root, listed.path), limits.file_bytes)
        digest = hashlib.blake2b(data or f"{listed.size}/{problem}".encode(), digest_size=16).digest()
        content = self._index.content(digest, language)
        if content is None:
            problem = problem or reason or why_not(data)
            reading = None if problem else self._parse(listed.path, data, language)
            if not problem and reading is None:
                problem = "its parser failed"
            if problem and problem not in filters.QUIET:
                self._skipped.append((listed.path, problem))
                self._says_skipped(listed.path, problem)
            content = self._index.add_content(digest, language, reading, problem)
        self._index.put_file(tree, listed, content)

    def _parse(self, path: str, data: bytes, language: str) -> FileContent | None:
        text = data.decode("utf-8")
        cleaned = self._clean(text)
        self._says(path)
        try:
            return self._reads(data if cleaned == text else cleaned.encode(), language)
        except (MemoryError, RecursionError, ValueError):
            return None


def _contents(path: str, most: int) -> tuple[bytes, str]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(most + 1)
    except OSError:
        return b"", "it cannot be read"
    return (data, "") if len(data) <= most else (b"", filters.TOO_LARGE)
