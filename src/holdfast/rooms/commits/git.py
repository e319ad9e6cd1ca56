"""Asks git for commits: in a child process, within a time and a number of bytes, at low priority.

A repository is a stranger's: its configuration can name programs that git runs. No hook, pager, monitor, external diff,
text conversion, signature check or transport of the repository runs here, and nothing is fetched for a partial clone.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Literal

from holdfast.errors import HoldfastError
from holdfast.git_calls import SAFE_OPTIONS, git_environment
from holdfast.gitfiles import repository
from holdfast.rooms.commits.log_format import LogReader, format_of
from holdfast.rooms.commits.model import Commit

Detail = Literal["lines", "names", "bare"]
"""What is read of each file: its path and lines, its path, or nothing. Less, where a repository does not give more."""
DETAILS: tuple[Detail, ...] = ("lines", "names", "bare")

SECONDS = 60.0
MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 64 * 1024
_NICE = 10
_LARGEST_SHALLOW = 1024 * 1024
_OPTIONS = (
    *SAFE_OPTIONS, "--no-replace-objects", "-c", "core.attributesFile=/dev/null",
    "-c", "log.follow=false", "-c", "diff.renameLimit=200", "-c", "diff.orderFile=/dev/null",
)  # fmt: skip
_HARMLESS = (
    "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-color", "--submodule=short",
    "--encoding=UTF-8", "--no-relative",
)  # fmt: skip
_DIFF: dict[Detail, tuple[str, ...]] = {
    "lines": ("--numstat", "-M"),
    "names": ("--name-only", "--no-renames"),
    "bare": ("--no-patch",),
}


class GitFailed(HoldfastError):
    """Git did not answer: it is missing, it failed, or it was late. What is known already stays."""


class GitHistory:
    """The git of one folder."""

    def __init__(self, folder: str, seconds: float = SECONDS) -> None:
        self._folder = folder
        self._seconds = seconds

    def head(self) -> str:
        """The commit that is checked out; '' before the first one."""
        return self._short("rev-parse", "--verify", "--quiet", "HEAD").strip()

    def newest(self, most: int) -> list[str]:
        """The newest commits that a local branch or HEAD leads to, the newest first."""
        return self._short("rev-list", f"--max-count={most}", "HEAD", "--branches", "--").split()

    def commits(self, hashes: Iterable[str], detail: Detail) -> list[Commit]:
        """These commits, in this order."""
        mark = secrets.token_hex(16)
        reader = LogReader(mark, names=detail == "names")
        found: list[Commit] = []
        words = ("log", "--no-walk=unsorted", "--stdin", "-z", *_HARMLESS, *_DIFF[detail], format_of(mark))
        self._run(words, "\n".join(hashes).encode() + b"\n", lambda chunk: found.extend(reader.feed(chunk)))
        found.extend(reader.end())
        cut_off = self._shallow()
        return [_without_files(each) if each.hash in cut_off else each for each in found]

    def _shallow(self) -> set[str]:
        """Commits whose parents are not here: to git they seem to add every file."""
        _, common = repository(self._folder)
        try:
            with open(os.path.join(common, "shallow"), encoding="ascii", errors="replace") as file:
                return set(file.read(_LARGEST_SHALLOW).split())
        except OSError:
            return set()

    def _short(self, *words: str) -> str:
        told = bytearray()
        self._run(words, b"", told.extend)
        return told.decode("ascii", "replace")

    def _run(self, words: Sequence[str], given: bytes, take: Callable[[bytes], object]) -> None:
        command = ["git", "-C", self._folder, *_OPTIONS, *words]
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=git_environment(),
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                raise GitFailed(f"git could not be started: {error}") from error
            late = threading.Event()
            timer = threading.Timer(self._seconds, _stop, (process, late))
            timer.daemon = True
            timer.start()
            try:
                with suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
                read = _pump(process, given, take)
                if read > MOST_BYTES:
                    _kill(process)
                code = process.wait()  # the timer ends it
            except BaseException:
                _kill(process)
                process.wait()
                raise
            finally:
                timer.cancel()
            if late.is_set():
                raise GitFailed(f"git {words[0]} took more than {self._seconds:g} s")
            if read > MOST_BYTES:
                raise GitFailed(f"git {words[0]} printed more than {MOST_BYTES} bytes")
            if code not in (0, 1):
                errors.seek(0)
                said = errors.read(300).decode("utf-8", "replace").partition("\n")[0]
                raise GitFailed(f"git {words[0]} ended with {code}: {said}")


def _pump(process: subprocess.Popen[bytes], given: bytes, take: Callable[[bytes], object]) -> int:
    """Hand the output over, chunk by chunk; how many bytes there were."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.write(given)
    with suppress(OSError):
        process.stdin.close()
    read = 0
    with process.stdout as output:
        while read <= MOST_BYTES and (chunk := output.read1(_CHUNK)):  # type: ignore[attr-defined]
            read += len(chunk)
            take(chunk)
    return read


def _stop(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git and whatever it started. (It leads a group of its own.)"""
    if process.poll() is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _without_files(commit: Commit) -> Commit:
    return Commit(commit.hash, commit.author, commit.happened_at, commit.subject, commit.body)
