"""What a line is about to make, move and copy, by its words; the ledger checks the result later. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from holdfast.commandline.effects.places import spot
from holdfast.commandline.model import Arg, Reading, Run, Where
from holdfast.commandline.options import options

_MOST = 200
"""Paths of one line that are looked at."""


@dataclass(slots=True)
class _Noted:
    makes: list[Arg]
    moves: list[tuple[Arg, Arg]]
    copies: list[tuple[Arg, Arg]]


def of_reading(reading: Reading, where: Where) -> tuple[list[str], list[tuple[str, str]], list[tuple[str, str]]]:
    """(paths it may make, moves, copies): absolute paths."""
    makes: list[str] = []
    moves: list[tuple[str, str]] = []
    copies: list[tuple[str, str]] = []
    for run in reading.runs:
        if run.remote or len(makes) + len(moves) + len(copies) > _MOST:
            continue
        noted = _Noted([target for _, target in run.writes], [], [])
        reader = PROGRAMS.get(run.program)
        if reader:
            reader(run, noted)
        makes += [path for arg in noted.makes if (path := _full(arg, run, where))]
        moves += _pairs(noted.moves, run, where)
        copies += _pairs(noted.copies, run, where)
    return makes, moves, copies


def _pairs(pairs: Sequence[tuple[Arg, Arg]], run: Run, where: Where) -> Iterator[tuple[str, str]]:
    for source, target in pairs:
        full = _full(source, run, where), _full(target, run, where)
        if full[0] and full[1]:
            yield full


def _full(arg: Arg, run: Run, where: Where) -> str:
    place = spot(arg, run.directory, where)
    return place.path if place.path.startswith("/") and "*" not in place.path else ""


def _operands(run: Run, noted: _Noted) -> None:
    noted.makes += options(run.args, frozenset({"-m", "--mode", "-d", "-t", "-r", "--date", "--reference"}))[1]


def _two(run: Run, noted: _Noted) -> None:
    """`cp` and `mv`: from some to one."""
    values = frozenset({"-t", "--target-directory", "-S", "--suffix", "-m", "-o", "-g"})
    _, operands = options(run.args, values)
    into = target_folder(run.args)
    sources, target = (operands, into) if into else (operands[:-1], operands[-1] if len(operands) > 1 else None)
    if target is None:
        return
    (noted.moves if run.program == "mv" else noted.copies).extend((source, target) for source in sources)


def target_folder(args: Sequence[Arg]) -> Arg | None:
    """The folder that `-t` names."""
    for place, arg in enumerate(args):
        if arg.text in ("-t", "--target-directory") and place + 1 < len(args):
            return args[place + 1]
        if arg.text.startswith("--target-directory="):
            return Arg(arg.text.partition("=")[2], arg.known, arg.quoted)
    return None


def _last(run: Run, noted: _Noted) -> None:
    _, operands = options(run.args)
    if len(operands) > 1:
        noted.makes.append(operands[-1])


def _git(run: Run, noted: _Noted) -> None:
    _, operands = options(run.args, frozenset({"-C", "-c", "-b", "--branch", "--depth", "-o", "--origin"}))
    words = [arg.text for arg in operands]
    if words[:1] == ["clone"] and len(words) > 1:
        name = words[1].rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].removesuffix(".git")
        noted.makes.append(operands[2] if len(words) > 2 else Arg(name))
    elif words[:2] == ["worktree", "add"] and len(words) > 2:
        noted.makes.append(operands[2])
    elif words[:1] == ["init"] and len(words) > 1:
        noted.makes.append(operands[1])


def _after(*flags: str) -> Callable[[Run, _Noted], None]:
    def read(run: Run, noted: _Noted) -> None:
        for flag, value in zip(run.args, run.args[1:], strict=False):
            if flag.text in flags:
                noted.makes.append(value)

    return read


def _python(run: Run, noted: _Noted) -> None:
    words = run.texts
    if "venv" in words[:2] and "-m" in words[:1]:
        noted.makes.append(run.args[-1])


PROGRAMS: dict[str, Callable[[Run, _Noted], None]] = {
    "mkdir": _operands, "touch": _operands, "tee": _operands, "virtualenv": _operands, "mkfifo": _operands,
    "cp": _two, "mv": _two, "install": _two, "rsync": _last, "ln": _last, "git": _git,
    "curl": _after("-o", "--output"), "wget": _after("-O", "--output-document", "-P"), "unzip": _after("-d"),
    "tar": _after("-C", "--directory"), "python": _python, "python3": _python,
}  # fmt: skip
