"""Links that a line makes, and what its later parts reach through them. Pure.

`ln -s ~/Documents x && rm -rf x/`: when the line is judged, the file system has no such link yet.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.commandline.effects.outputs import landed
from holdfast.commandline.effects.places import path_of
from holdfast.commandline.effects.plans import target_folder
from holdfast.commandline.model import Arg, Run, Where
from holdfast.commandline.options import options
from holdfast.judging import file_findings
from holdfast.judging.model import Finding
from holdfast.shell.tools import listed

_VALUES = frozenset({"-t", "--target-directory", "-S", "--suffix", "-o", "--options", "--types"})
REPLACE_LINKS = listed("ln mv install rsync sed gsed")
"""Programs that put another file in the place of a link, and leave what it leads to as it is."""
_MOST = 50
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Link:
    number: int
    """The place of the run that makes it."""
    path: str
    leads_to: Arg
    is_folder: bool = False
    """A bound folder: who removes what is in it removes it from the other, too."""


class Links:
    """The links of one line."""

    def __init__(self, runs: Sequence[Run], where: Where) -> None:
        self._where = where
        found = (each for number, run in enumerate(runs) for each in _made(run, number, where))
        self._links = [each for each, _ in zip(found, range(_MOST), strict=False)]

    def through(self, finding: Finding, number: int) -> Finding:
        """The finding as it is about what the link leads to."""
        if not self._links or finding.run is None or finding.deed is None:
            return finding
        itself = finding.through or finding.act in ("overwrite", "permissions") or "-L" in finding.run.texts
        arg = self._led(finding.path, number, itself=itself and finding.run.program not in REPLACE_LINKS)
        return file_findings.led_to(finding, arg, self._where) if arg is not None else finding

    def leads(self, path: str, number: int, *, itself: bool) -> str:
        """The path that a part of the line reaches by this one. `itself`: also where it is the link's own name."""
        arg = self._led(path, number, itself=itself) if self._links else None
        return path_of(arg, "", self._where) if arg is not None else path

    def _led(self, path: str, number: int, *, itself: bool) -> Arg | None:
        found = None
        for _ in range(_DEEPEST):
            link = next((each for each in self._links if each.number < number and _goes(each, path, itself)), None)
            if link is None:
                break
            rest = path[len(link.path) :]
            to = link.leads_to
            found = replace(to, text=(to.text.rstrip("/") or "/") + rest if to.text != "/" else rest or "/")
            path = path_of(found, "", self._where)
        return found


def _goes(link: _Link, path: str, itself: bool) -> bool:
    return path.startswith(f"{link.path}/") or (path == link.path and (itself or link.is_folder))


def _made(run: Run, number: int, where: Where) -> Iterator[_Link]:
    if run.remote:
        return
    if run.program == "mount":
        yield from _bound(run, number, where)
    if run.program != "ln":
        return
    flags, operands = options(run.args, _VALUES)
    into = target_folder(run.args)
    if into is not None:
        pairs = [(source, landed(into, source)) for source in operands]
    elif len(operands) == 1:
        pairs = [(operands[0], landed(Arg("."), operands[0]))]
    else:
        *sources, last = operands
        pairs = [(source, landed(last, source)) for source in sources]
        # Only the file system knows whether the last one is a folder.
        pairs += [(source, last) for source in sources[:1] if len(sources) == 1 and last.text[-1:] not in ("/", ".")]
    symbolic = "-s" in flags or "--symbolic" in flags
    for source, link in pairs:
        path = path_of(link, run.directory, where)
        if path and link.known and posixpath.basename(link.text) not in ("", ".", ".."):
            folder = posixpath.dirname(link.text) if symbolic else ""
            beside = source.text[:1] in ("/", "~", "$")
            named = source if beside else replace(source, text=posixpath.join(folder, source.text))
            yield _Link(number, path, _from_beginning(named, run, where))


def _bound(run: Run, number: int, where: Where) -> Iterator[_Link]:
    """`mount --bind ~/Documents x`."""
    flags, operands = options(run.args, _VALUES)
    is_bound = len(operands) == 2 and any(each in ("--bind", "--rbind", "-B", "-R") for each in flags)
    if is_bound and (path := path_of(operands[1], run.directory, where)):
        yield _Link(number, path, _from_beginning(operands[0], run, where), is_folder=True)


def _from_beginning(arg: Arg, run: Run, where: Where) -> Arg:
    """The argument as the line would have to name it where it begins."""
    path = path_of(arg, run.directory, where)
    return Arg(path) if path else arg
