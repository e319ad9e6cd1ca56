"""What one run does to files: removes, discards, writes over, changes modes. Pure. A table of programs.

Programs whose meaning is not about files on this machine (clouds, databases, services) are in `packs/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.rooms.guards.model import Arg, Deed, Run
from holdfast.shell.tools import listed

_FIND_TESTS = listed(
    "-name -iname -path -ipath -wholename -regex -iregex -mtime -atime -ctime -mmin -amin -newer -size "
    "-user -group -perm -inum -samefile -empty -type "
    "-links -gid -uid -used -context -lname -ilname -anewer -cnewer -fstype"
)
_FIND_VALUES = _FIND_TESTS - {"-empty"} | listed("-maxdepth -mindepth -printf -fprintf -newermt -f -D")
_NARROW = listed("-name -iname -path -ipath -wholename -regex -iregex -inum -samefile")


def deeds(run: Run) -> Iterator[Deed]:
    """All that this run does to files."""
    reader = _PROGRAMS.get(run.program)
    if reader is not None:
        yield from reader(run)
    for mode, target in run.writes:
        if mode == "write":
            yield Deed("overwrite", (target,), named_by=f"> {target.text}")


def options(args: Sequence[Arg], values: frozenset[str] = frozenset()) -> tuple[list[str], list[Arg]]:
    """Options and operands; bundled short options are taken apart. After `--` everything is an operand."""
    flags: list[str] = []
    operands: list[Arg] = []
    skip = literal = False
    for arg in args:
        text = arg.text
        if skip:
            skip = False
        elif literal or not text.startswith("-") or text == "-":
            operands.append(arg)
        elif text == "--":
            literal = True
        elif text.startswith("--"):
            flags.append(text)
            skip = text in values
        else:
            flags += [f"-{letter}" for letter in text[1:]]
            skip = text in values or f"-{text[-1]}" in values
    return flags, operands


def _has(flags: Sequence[str], *wanted: str) -> bool:
    for flag in flags:
        name = flag.partition("=")[0]
        for each in wanted:
            if name == each or (each.startswith("--") and len(name) > 3 and each.startswith(name)):
                return True
    return False


def _rm(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args)
    if _has(flags, "--help", "--version") or not operands:
        return
    recursive = _has(flags, "-r", "-R", "--recursive", "-d")
    forced = _has(flags, "-f", "-F", "--force")
    yield Deed("delete", tuple(operands), recursive, forced, f"rm{' -r' if recursive else ''}")


def _unlink(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args)
    if operands:
        yield Deed("delete", tuple(operands), named_by=run.program)


def _rmdir(run: Run) -> Iterator[Deed]:
    return iter(())  # it removes empty folders only


def _shred(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args, frozenset({"-n", "-s", "--iterations", "--size", "--random-source"}))
    if operands:
        yield Deed("delete", tuple(operands), recursive=True, forced=True, named_by=run.program)


def _truncate(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args, frozenset({"-s", "-r", "--size", "--reference"}))
    sizes = [arg.text for arg in run.args]
    if operands and not any(text.startswith(("+", "-s+", "--size=+")) for text in sizes):
        yield Deed("overwrite", tuple(operands), forced=True, named_by="truncate")


def _dd(run: Run) -> Iterator[Deed]:
    for arg in run.args:
        if arg.text.startswith("of="):
            yield Deed("overwrite", (Arg(arg.text[3:], arg.known, True),), forced=True, named_by="dd")


def _mv(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-t", "--target-directory", "-S", "--suffix"}))
    if len(operands) < 2:
        return
    if any(arg.text == "/dev/null" for arg in operands):
        lost = tuple(arg for arg in operands if arg.text != "/dev/null")
        yield Deed("delete", lost, recursive=True, forced=True, named_by="mv to /dev/null")
        return
    yield Deed("delete", tuple(arg for arg in operands[:-1]), named_by="mv", filtered=True)
    if not _has(flags, "-n", "--no-clobber", "-b", "--backup"):
        yield Deed("overwrite", (operands[-1],), named_by="mv")


def _cp(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-t", "--target-directory", "-S", "--suffix", "-m", "-o", "-g"}))
    if len(operands) >= 2 and not _has(flags, "-n", "--no-clobber", "-b", "--backup"):
        yield Deed("overwrite", (operands[-1],), named_by=run.program)


def _tee(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args)
    if operands and not _has(flags, "-a", "--append"):
        yield Deed("overwrite", tuple(operands), named_by="tee")


def _find(run: Run) -> Iterator[Deed]:
    starts: list[Arg] = []
    actions: list[str] = []
    skip = running = False
    for arg in run.args:
        text = arg.text
        if running:
            running = text not in (";", "+")
        elif skip:
            skip = False
        elif text in ("-exec", "-execdir", "-ok", "-okdir"):
            running = True
        elif text.startswith("-") and len(text) > 1:
            actions.append(text)
            skip = text in _FIND_VALUES
            if text == "-f":
                skip = False
        elif text not in ("(", ")", "!", ",") and not any(each in _FIND_TESTS for each in actions):
            starts.append(arg)
    if "-delete" in actions:
        narrow = any(each in _NARROW for each in actions)
        yield Deed(
            "delete",
            tuple(starts) or (Arg("."),),
            recursive=True,
            forced=True,
            named_by="find -delete",
            filtered=narrow,
        )


def _rsync(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-e", "--rsh", "--exclude", "--include", "--filter"}))
    if len(operands) < 2 or _has(flags, "-n", "--dry-run"):
        return
    if any(flag.startswith(("--delete", "--remove-source")) for flag in flags):
        target = operands[-1]
        if re.match(r"[\w.-]+(?:@[\w.-]+)?::?", target.text) and not target.text.startswith(("./", "/")):
            target = Arg(target.text, False)
        yield Deed("delete", (target,), recursive=True, forced=True, named_by="rsync --delete")


def _mode(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"--reference", "--from"}))
    if not _has(flags, "-R", "--recursive"):
        return
    reference = any(flag.startswith("--reference") for flag in flags)
    targets = operands if reference or len(operands) < 2 else operands[1:]
    if targets:
        yield Deed("permissions", tuple(targets), recursive=True, named_by=f"{run.program} -R")


def _sed(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-e", "-f", "--expression", "--file"}))
    in_place = any(flag.startswith("--in-place") or flag == "-i" for flag in flags)
    if in_place and operands:
        scripted = _has(flags, "-e", "-f", "--expression", "--file")
        yield Deed("overwrite", tuple(operands if scripted else operands[1:]), named_by="sed -i", filtered=True)


_PROGRAMS: dict[str, Callable[[Run], Iterator[Deed]]] = {
    "rm": _rm, "unlink": _unlink, "srm": _rm, "trash": _rmdir, "rmdir": _rmdir, "shred": _shred, "wipe": _shred,
    "truncate": _truncate, "dd": _dd, "dcfldd": _dd, "mv": _mv, "cp": _cp, "install": _cp, "tee": _tee, "find": _find,
    "gfind": _find, "rsync": _rsync, "chmod": _mode, "chown": _mode, "chgrp": _mode, "sed": _sed, "gsed": _sed,
}  # fmt: skip
